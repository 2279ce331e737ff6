"""The second factor in the browser: encrypted secrets, a limit on wrong codes, and the way to a required factor."""

import base64
import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from ...accounts.second_factor import must_add_second_factor
from ...accounts.sign_in_limits import use_code
from ...models import User
from ...site.log_settings import log_attempt
from ...site.secret_key import cipher
from .adapter import limited

PAGES_WITHOUT_FACTOR = {"account_logout", "account_reauthenticate", "language", "session_user", "service_worker"}
"""Names of the pages that a person may open before the required factor is added, besides those of the factor."""
PURPOSE = "second-factor"
LIFE_OF_CODE = timedelta(seconds=30 * (2 * settings.MFA_TOTP_TOLERANCE + 1))
"""How long a code of an app is right, with those before and after the current one."""


class SecondFactorAdapter(DefaultMFAAdapter):
    """Encrypts the secrets with a key derived from SECRET_KEY, so that a copy of the database does not contain them."""

    def get_totp_issuer(self) -> str:
        return "Factuary"

    def generate_authenticator_name(self, user: User, type: str) -> str:
        """Return the name of a new key if its owner gives none."""
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return _("Key %(number)s") % {"number": number}

    def encrypt(self, text: str) -> str:
        return cipher(PURPOSE).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret; after a change of SECRET_KEY a random one, to which no code fits."""
        try:
            return cipher(PURPOSE).decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return base64.b32encode(secrets.token_bytes(20)).decode()


class _LimitedCode(BaseAuthenticateForm):
    """Limits wrong codes by account, wherever they come from: only who knows the password can enter one.

    An app's code is accepted once. allauth records that in the cache, which may not answer, and for 30 seconds only.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = _("The code that your authenticator app shows, or one of your recovery codes.")
        self.fields["code"].widget.attrs["autofocus"] = True

    def clean_code(self) -> str:
        with limited(self.user, "second factor"):
            code: str = super().clean_code()
            is_of_app = self.authenticator.type == Authenticator.Type.TOTP
            if is_of_app and not use_code(self.user, normalize_user_code(code), LIFE_OF_CODE):
                log_attempt("a code of an app that was used before")
                raise SecondFactorAdapter().validation_error("incorrect_code")
        return code


class LimitedAuthenticateForm(_LimitedCode, AuthenticateForm):
    """The code of a sign-in."""


class LimitedReauthenticateForm(_LimitedCode, ReauthenticateForm):
    """The code before a change of the account."""


class RequireSecondFactor(MiddlewareMixin):
    """Lead admins and leads without a second factor to the page that adds one, if the site requires it."""

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[object, ...],
        view_kwargs: dict[str, object],
    ) -> HttpResponseBase | None:
        """Return the way to the page, or None. Tokens of the API are not concerned: their owner added the factor."""
        is_api = request.path.startswith("/api/")  # its views take sessions and tokens, and check them later
        if not settings.REQUIRE_SECOND_FACTOR or not (is_api or getattr(view_func, "login_required", True)):
            return None
        name = request.resolver_match.url_name if request.resolver_match else None
        if not request.user.is_authenticated or name in PAGES_WITHOUT_FACTOR or (name or "").startswith("mfa_"):
            return None
        if not must_add_second_factor(request.user):
            return None
        message = _("This site requires a second factor for leads and admins. Add an authenticator app or a passkey.")
        if is_api:
            return JsonResponse({"detail": message}, status=403)
        messages.warning(request, message)
        return redirect("mfa_index")
