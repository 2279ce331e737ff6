"""The addresses of sign-in by SAML, which allauth includes below /accounts/ if the site has such a provider."""

from django.urls import path

from . import views

urlpatterns = [
    path("saml/<slug:organization_slug>/login/", views.leave, name="saml_login"),
    path("saml/<slug:organization_slug>/acs/", views.receive, name="saml_acs"),
    path("saml/<slug:organization_slug>/metadata/", views.metadata, name="saml_metadata"),
]
