"""The page of the browsers in which a person is signed in."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from annotation.accounts.sessions import browser_of
from annotation.accounts.users import set_active
from annotation.models import AuditEvent
from tests.cast import PASSWORD, person
from tests.web.pages import confirm_identity, text_of

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 "
    "Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 "
    "Edg/140.0.0.0"
)
ADDRESS = "/accounts/sessions/"


def logged_in(name: str, user_agent: str = FIREFOX) -> Client:
    person(name)
    browser = Client(headers={"user-agent": user_agent})
    assert browser.post("/accounts/login/", {"login": name, "password": PASSWORD}).status_code == 302
    return browser


def is_signed_in(browser: Client) -> bool:
    return browser.get("/account/").status_code == 200


def test_a_person_sees_their_browsers_and_signs_out_in_one_or_all_others_and_in_nobody_elses():
    here, phone, laptop = (logged_in("ravi", agent) for agent in (FIREFOX, SAFARI, EDGE))
    rosas = logged_in("rosa")
    page = text_of(here.get(ADDRESS))
    assert "Firefox · Linux This browser" in page and "Safari · iOS" in page and "Edge · Windows" in page
    confirm_identity(here)
    session = UserSession.objects.get(user_agent=SAFARI)
    assert "Signed out in 1 browser." in text_of(here.post(ADDRESS, {"session": session.pk}, follow=True))
    assert [is_signed_in(browser) for browser in (here, phone, laptop)] == [True, False, True]
    event = AuditEvent.objects.get(action="end sessions")
    assert (event.actor, event.target, event.after) == (person("ravi"), "user:ravi", {"sessions": 1})
    here.post(ADDRESS, {"session": UserSession.objects.get(user__username="rosa").pk})
    here.post(ADDRESS)
    assert [is_signed_in(browser) for browser in (here, laptop, rosas)] == [True, False, True]


def test_a_session_from_before_they_were_stored_appears_and_an_unknown_browser_has_no_name(client):
    client.force_login(person("ravi"))
    assert "This browser" in text_of(client.get(ADDRESS))
    assert browser_of(UserSession(user_agent="curl/8.5")) == ""


def test_closing_an_account_ends_its_sessions_permanently():
    browser = logged_in("ravi")
    set_active(person("ravi"), False)
    set_active(person("ravi"), True)
    assert not is_signed_in(browser)


def test_a_session_ends_two_weeks_after_the_sign_in_whatever_is_done_in_it():
    browser = logged_in("ravi")
    ends = browser.session.get_expiry_date()
    assert timedelta(days=14) - (ends - timezone.now()) < timedelta(minutes=1)
    browser.post("/account/", {"name": "Ravi"})  # a message is stored in the session
    session = browser.session
    session["anything"] = 1
    session.save()
    assert browser.session.get_expiry_date() == ends
    assert Session.objects.get(session_key=session.session_key).expire_date == ends
