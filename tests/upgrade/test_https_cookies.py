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


def save(browser: Client, **headers: str) -> int:
    path = "/api/v1/assignments/00000000-0000-0000-0000-000000000000/items/00000000-0000-0000-0000-000000000000/"
    return browser.put(
        path, {}, content_type="application/json", secure=True, headers={"Origin": "https://testserver", **headers}
    ).status_code


def test_the_person_is_signed_out_and_sees_the_sign_in_page(browser: Client) -> None:
    answer = browser.get("/", secure=True, follow=True)
    assert answer.request["PATH_INFO"] == reverse("account_login")
    assert browser.get("/signed-in/", secure=True).json() == {"rater": None}


def test_an_answer_with_the_old_session_is_refused_as_signed_out(browser: Client) -> None:
    assert save(browser, **{"X-CSRFToken": TOKEN}) in {401, 403}  # the browser keeps the answer for these
    assert not Rating.objects.exists()


def test_the_token_of_the_old_page_is_valid(browser: Client) -> None:
    browser.force_login(person("ravi"))  # in another tab
    browser.cookies["factuary_csrf"] = TOKEN
    assert save(browser, **{"X-CSRFToken": TOKEN}) == 400  # past the check of the token: the body is empty
    assert save(browser, **{"X-CSRFToken": "b" * 32}) == 403
