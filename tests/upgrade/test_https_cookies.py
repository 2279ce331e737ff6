"""A page of 0.7.1, open while its site is upgraded, over https: the cookie of sessions has another name since."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Rating

from ..cast import person, study

pytestmark = pytest.mark.django_db
TOKEN = "a" * 32
OLD_SESSION = "factuary_session"


@pytest.fixture
def browser(settings: Any) -> Client:
    """Return a browser with the cookies that 0.7.1 set, on a site whose cookies are those of https."""
    study()
    client = Client(enforce_csrf_checks=True)
    client.force_login(person("ravi"))
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    client.cookies.clear()
    client.cookies[OLD_SESSION], client.cookies["factuary_csrf"] = key, TOKEN
    settings.SESSION_COOKIE_NAME = f"__Host-{OLD_SESSION}"
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    return client


def save(browser: Client, token: str) -> int:
    nothing = "00000000-0000-0000-0000-000000000000"
    headers = {"Origin": "https://testserver", "X-CSRFToken": token}
    path = f"/api/v1/assignments/{nothing}/items/{nothing}/"
    return browser.put(path, {}, content_type="application/json", secure=True, headers=headers).status_code


def test_the_person_is_signed_out_and_an_answer_is_refused_until_they_sign_in_in_another_tab(browser: Client) -> None:
    answer = browser.get("/", secure=True, follow=True)
    assert answer.request["PATH_INFO"] == reverse("account_login")
    assert browser.get("/signed-in/", secure=True).json() == {"rater": None}
    browser.cookies["factuary_csrf"] = TOKEN
    assert save(browser, TOKEN) in {401, 403}  # the browser keeps the answer for these
    browser.force_login(person("ravi"))
    browser.cookies["factuary_csrf"] = TOKEN
    assert save(browser, TOKEN) == 400  # the old page's token is valid: the body is empty
    assert save(browser, "b" * 32) == 403
    assert not Rating.objects.exists()
