"""The addresses of the pages."""

from django.urls import URLPattern, URLResolver, path

from . import rating

urlpatterns: list[URLPattern | URLResolver] = [
    path("projects/<slug:slug>/rate/", rating.rate, name="rate"),
    path("assignments/<uuid:public_id>/", rating.workspace, name="assignment"),
    path("assignments/<uuid:public_id>/sheet/", rating.sheet, name="assignment_sheet"),
]
