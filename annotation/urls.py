"""All addresses of the site: those of the pages are in `annotation.web.urls`."""

from django.urls import URLPattern, URLResolver, include, path

from annotation.admin import site
from annotation.site import health
from annotation.web.accounts import provider_views, reauthentication
from annotation.web.accounts import views as account
from annotation.web.language import choose_language

urlpatterns: list[URLPattern | URLResolver] = [
    path("health/live/", health.live, name="health_live"),
    path("health/ready/", health.ready, name="health_ready"),
    path("admin/", site.urls),
    path("language/", choose_language, name="language"),
    path("accounts/password/reset/", account.password_reset, name="account_reset_password"),
    path("accounts/sessions/", account.sessions, name="usersessions_list"),
    path("accounts/password/set/", reauthentication.set_password, name="account_set_password"),
    path("accounts/reauthenticate/provider/", reauthentication.sign_in_again, name="sign_in_again"),
    path("accounts/oidc/<slug:provider_id>/login/", provider_views.leave, name="openid_connect_login"),
    path("accounts/oidc/<slug:provider_id>/login/callback/", provider_views.callback, name="openid_connect_callback"),
    path("accounts/3rdparty/signup/", provider_views.redirect_to_sign_in, name="socialaccount_signup"),
    path("accounts/", include("allauth.urls")),
    path("api/v1/", include("annotation.api.urls")),
    path("", include("annotation.web.urls")),
]

handler404 = "annotation.api.errors.not_found"
handler500 = "annotation.api.errors.server_error"
