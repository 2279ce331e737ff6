"""Sign-in and passwords by allauth. Admins create accounts (`create_user`, the admin pages); there is no sign-up."""

import math
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ...accounts.names import PersonError, check_free, valid_username
from ...accounts.sessions import fix_lifetime
from ...accounts.sign_in_limits import Attempt
from ...accounts.sign_ins import account_named, record_failure, record_sign_in, record_sign_out
from ...models import User
from ...site.log_settings import log_attempt
from .providers import apply_roles
from .reauthentication import confirmed_recently, has_own_proof, record_confirmation

WRONG_LOGIN = gettext_lazy("The user name or password is not correct.")
SHORT = 120  # seconds; a longer wait is stated in minutes


class AccountAdapter(DefaultAccountAdapter):
    """Limits on wrong passwords and audit events; allauth's own limits on sign-in are off (settings)."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": WRONG_LOGIN,
        "email_password_mismatch": gettext_lazy("The email address or password is not correct."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: admins create accounts."""
        return False

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name for a new account. Raises ValidationError if it is invalid or not free."""
        try:
            name = valid_username(username)
            check_free(name, User())
        except PersonError as error:
            raise ValidationError(str(error)) from None
        return name

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return the user with this name and password, or None. Raises ValidationError while they have to wait."""
        name, address = credentials.get("username") or credentials.get("email", ""), self.get_client_ip(request)
        account = account_named(name)
        attempt = Attempt.of(account, name, address, device_of(request, account))
        if seconds := attempt.start():
            raise too_many_attempts(seconds)
        user = super().authenticate(request, **credentials)
        if user is None:
            record_failure(account, address)
        else:
            attempt.succeed()
        return user

    def login(self, request: HttpRequest, user: Any) -> None:
        super().login(request, user)
        record_sign_in(user, self.get_client_ip(request))

    def post_login(self, request: HttpRequest, user: Any, **options: Any) -> HttpResponse:
        """Return the response to a sign-in, with the cookie that makes the browser known."""
        if sign_in := (options["signal_kwargs"] or {}).get("sociallogin"):
            apply_roles(user, sign_in)
            record_confirmation(request, sign_in)
        fix_lifetime(request.session)
        response = super().post_login(request, user, **options)
        remember_device(request, response, user)
        return response

    def logout(self, request: HttpRequest) -> None:
        if request.user.is_authenticated:
            record_sign_out(request.user, self.get_client_ip(request))
        super().logout(request)

    def is_reauthentication_required(self, *, app: str, **options: Any) -> bool:
        """Return whether changes of this app need a recent proof of identity.

        Raises ReauthenticationRequired for people whom allauth would not ask: without a password and factor here.
        """
        is_required: bool = super().is_reauthentication_required(app=app, **options)
        user = self.request.user
        if is_required and not has_own_proof(user) and not confirmed_recently(self.request):
            raise ReauthenticationRequired
        return is_required

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return the ways to confirm one's identity; the first is offered."""
        own: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if own or not user.is_authenticated:
            return own
        return [{"id": "provider", "description": _("Sign in again"), "url": reverse("sign_in_again")}]

    def set_password(self, user: Any, password: str) -> None:
        """Set the password. The first one of an account ends no API token: it is no change of password."""
        previous, had_password = user.password, user.has_usable_password()
        super().set_password(user, password)
        if not had_password:
            user.carry_tokens(previous)


@contextmanager
def limited(user: Any, step: str) -> Iterator[None]:
    """Count a failure if the block raises. Raises ValidationError instead of entering it while the user has to wait."""
    attempt = Attempt.of_signed_in(user, step)
    if seconds := attempt.start():
        raise too_many_attempts(seconds)
    yield
    attempt.succeed()


def too_many_attempts(seconds: int) -> ValidationError:
    """Log that somebody has to wait, and return the error that tells them how long."""
    log_attempt("an attempt to sign in while wrong passwords or codes make it wait")
    return ValidationError(wait_message(seconds), code="too_many_login_attempts")


def wait_message(seconds: int) -> str:
    """Return how long to wait after too many failures."""
    if seconds <= SHORT:
        message = ngettext(
            "Too many attempts. Try again in %(count)s second.",
            "Too many attempts. Try again in %(count)s seconds.",
            seconds,
        )
        return message % {"count": seconds}
    minutes = math.ceil(seconds / 60)
    message = ngettext(
        "Too many attempts. Try again in %(count)s minute.",
        "Too many attempts. Try again in %(count)s minutes.",
        minutes,
    )
    return message % {"count": minutes}


# The cookie of a browser in which people signed in (the device cookie of OWASP): strangers' failures elsewhere do not
# keep them out of it. It is signed and opens nothing.
COOKIE = f"{settings.COOKIE_PREFIX}factuary_device"
SALT = "annotation.web.accounts.device_cookie"  # a former module: cookies of known browsers are signed with it
COOKIE_AGE = 365 * 24 * 3600  # seconds
MAX_ACCOUNTS = 5  # in a browser that several people use; the last ones are kept


def device_of(request: HttpRequest, account: User | None) -> str:
    """Return the code of the browser if the account was signed in there before, else ""."""
    return _codes(request).get(str(account.pk), "") if account else ""


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Set the cookie, with the account and up to four others that signed in before."""
    codes = _codes(request)
    code = codes.pop(str(user.pk), "") or secrets.token_urlsafe(16)
    accounts = dict([*codes.items(), (str(user.pk), code)][-MAX_ACCOUNTS:])
    response.set_cookie(
        COOKIE,
        signing.dumps(accounts, salt=SALT),
        max_age=COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _codes(request: HttpRequest) -> dict[str, str]:
    """Return the code of each account in the request's cookie, in the order of their sign-ins."""
    cookie = request.COOKIES.get(COOKIE, "")
    try:
        codes: dict[str, str] = signing.loads(cookie, salt=SALT, max_age=COOKIE_AGE)
    except signing.SignatureExpired:
        return {}
    except signing.BadSignature:
        if cookie:
            log_attempt("a cookie of a known browser that this site did not sign")
        return {}
    return codes
