"""Check of the site's address: it is requested as a browser does, through the proxy."""

import httpx2
from django.conf import settings

from ..site.bounded_replies import ReplyTooLarge, fetch
from .finding import Finding, failed, ok, warning

PAGE = "/accounts/login/"
SECONDS = 5.0
MAX_SIZE = 1_000_000
"""Bytes of the page, which has some 10 kB."""
PROXY = "see *Reverse proxy with TLS* in docs/deploy.md"


def address_finding() -> Finding:
    """Request the sign-in page by SITE_URL, and check what the proxy adds."""
    if not settings.LOOPBACK_ONLY and not settings.SECURE_PROXY_SSL_HEADER:
        message = "X-Forwarded-Proto is not trusted: behind a proxy with TLS, every page redirects to itself"
        return warning("address", message, "set BEHIND_TLS_PROXY=1 if a proxy sets this header")
    try:
        page = httpx2.Request("GET", settings.SITE_URL + PAGE)
        reply = fetch(page, max_size=MAX_SIZE, seconds=SECONDS)
    except (OSError, ReplyTooLarge, httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        message = f"{settings.SITE_URL} is not reached from this machine ({error})"
        return warning("address", message, "open it in a browser; if that fails, check the proxy and SITE_URL")
    status, headers, url = reply.status_code, reply.headers, settings.SITE_URL
    if status in (301, 302, 307, 308):
        message = f"{url}{PAGE} redirects to {headers.get('Location')}"
        return failed("address", message, f"let the proxy set `X-Forwarded-Proto: https`: {PROXY}")
    if status == 400:
        return failed("address", f"{url} is refused (400)", "let the proxy pass on Host, and name it in ALLOWED_HOSTS")
    if status != 200:
        return failed("address", f"{url}{PAGE} answers {status}", f"check that the web server runs; {PROXY}")
    if "script-src" not in headers.get("Content-Security-Policy", ""):
        message = f"{url} comes without the site's Content-Security-Policy"
        return warning("address", message, "let the proxy pass on headers unchanged")
    if url.startswith("https:") and settings.SECURE_HSTS_SECONDS and "Strict-Transport-Security" not in headers:
        return warning(
            "address", f"{url} comes without Strict-Transport-Security", f"let the proxy pass it on: {PROXY}"
        )
    return ok("address", f"{url} answers")
