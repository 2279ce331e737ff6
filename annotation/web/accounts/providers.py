"""Sign-in by identity providers: which account a person has, and which provider may create one."""

from typing import Any
from unicodedata import normalize

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import render

from ...accounts.names import PersonError, check_free
from ...accounts.sign_ins import account_to_link, is_address_free, record_created, record_linked
from ...accounts.users import set_display_name
from ...models import User
from ...projects.claimed_roles import apply_claimed_roles, claim_values
from ...site.log_settings import log_attempt
from ...site.sign_in_providers import SAML


class ProviderAdapter(DefaultSocialAccountAdapter):
    """Links by the provider's id, or once by an email address that a trusted provider has verified."""

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """Return the providers of the settings; none are in the database."""
        kinds = settings.SOCIALACCOUNT_PROVIDERS.items()
        apps = [SocialApp(provider=kind, **table) for kind, options in kinds for table in options["APPS"]]
        return [
            app
            for app in apps
            if provider in (None, app.provider, app.provider_id) and client_id in (None, app.client_id)
        ]

    def get_requests_session(self) -> Any:
        """Return a session for requests to providers, which follows no redirects: addresses are configured."""
        from .openid import BoundedAdapter  # loads modules that only these requests need

        session = super().get_requests_session()
        for scheme in ("https://", "http://"):
            session.mount(scheme, BoundedAdapter())
        session.max_redirects = 0
        return session

    def on_authentication_error(self, *args: Any, exception: Exception | None = None, **options: Any) -> None:
        if exception:
            log_attempt(f"a sign-in by a provider that failed: {type(exception).__name__}: {exception}"[:300])

    def authenticate_by_email(self, sociallogin: Any) -> Any:
        """Return the account to link and the address, or None."""
        is_trusted = sociallogin.provider.app.settings["link_by_email"]
        is_verified = is_address_verified(sociallogin)
        for address in sociallogin.email_addresses:
            address.verified = is_trusted and is_verified
            if address.verified and (account := account_to_link(address.email)):
                return account, address.email
        return None

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Return whether the provider creates this account. The page of a refusal does not say which accounts exist."""
        is_open = sociallogin.provider.app.settings["create_accounts"]
        if is_open and all(is_address_free(address.email) for address in sociallogin.email_addresses):
            return True
        raise ImmediateHttpResponse(
            render(request, "socialaccount/no_account.html", {"provider": sociallogin.provider}, status=403)
        )

    @transaction.atomic
    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> Any:
        """Create the account. A name that another person has is left out."""
        user = sociallogin.user
        name = user.get_full_name()
        user.first_name = user.last_name = ""
        user.username = normalize("NFC", user.username)
        try:
            with transaction.atomic():
                super().save_user(request, sociallogin, form)
                check_free(user.username, user)
        except (IntegrityError, PersonError):  # another account had the name, or has got it at this moment
            user.pk, user.username = None, ""
            super().save_user(request, sociallogin, form)
        record_created(user, sociallogin.account.provider)
        try:
            set_display_name(user, name)
        except PersonError:
            user.refresh_from_db(fields=["first_name", "last_name"])
        return user

    def send_notification_mail(self, template: str, user: Any, *args: Any, **kwargs: Any) -> None:
        """Record that an account is linked or unlinked: allauth calls this for both. No mail is sent."""
        account = kwargs["context"]["account"]
        record_linked(user, account.provider, template.endswith("account_connected"))


def claims_of(sign_in: Any) -> dict[str, Any]:
    """Return the claims of the ID token and the user info endpoint, of which the latter win; or SAML's attributes."""
    data: dict[str, Any] = sign_in.account.extra_data
    if _app(sign_in).provider == SAML:
        return data
    return {**(data.get("id_token") or {}), **(data.get("userinfo") or {})}


def is_address_verified(sign_in: Any) -> bool:
    """Return whether the provider says that it has verified the address: `true`, or SAML's text "true"."""
    app, claims = _app(sign_in), claims_of(sign_in)
    if app.provider == SAML:
        return claims.get(app.settings["attribute_mapping"].get("email_verified")) == ["true"]
    return claims.get("email_verified") is True


def apply_roles(user: User, sign_in: Any) -> None:
    options = _app(sign_in).settings
    if options["roles"]:
        apply_claimed_roles(user, options["roles"], claim_values(claims_of(sign_in), options["roles_claim"]))


def _app(sign_in: Any) -> Any:
    return sign_in.account.get_provider().app
