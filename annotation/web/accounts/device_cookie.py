"""The cookie of a browser in which people signed in: strangers' failures elsewhere do not keep them out of it.

It is signed and opens nothing (the device cookie of OWASP).
"""

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from ...models import User
from ...site.security_log import log_attempt

COOKIE = f"{settings.COOKIE_PREFIX}factuary_device"
SALT = "annotation.web.accounts.device_cookie"
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
