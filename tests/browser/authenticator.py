"""Signing in by the form, and an authenticator app."""

import base64
import hashlib
import hmac
import struct
import time

from playwright.sync_api import Page

from ..cast import PASSWORD


def sign_in(page: Page, url: str, name: str, password: str = PASSWORD) -> None:
    page.goto(f"{url}/accounts/login/")
    page.get_by_label("User name or email").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def confirm_password(page: Page) -> None:
    """Type the password that is asked for before a change of the account; the change goes on then."""
    page.wait_for_url("**/accounts/reauthenticate/**")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")


def code_of(secret: str, steps: int = 0) -> str:
    """Return the six digits of RFC 6238 for a secret in base 32, `steps` of 30 s from now."""
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    digest = hmac.digest(base64.b32decode(secret), counter, hashlib.sha1)
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"
