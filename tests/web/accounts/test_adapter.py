"""Signing in: who is let in after whose wrong passwords, and what the audit has of it."""

import re

import pytest
from django.test import Client

from annotation.models import AuditEvent, User
from tests.cast import PASSWORD, person
from tests.cpu_time import cpu_seconds
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db
HALL, HOME = "192.0.2.1", "192.0.2.2"


def sign_in(name: str, password: str = PASSWORD, address: str = HALL, client: Client | None = None):
    browser = client or Client()
    return browser.post("/accounts/login/", {"login": name, "password": password}, REMOTE_ADDR=address)


def test_a_lecture_hall_of_sixty_behind_one_address_signs_in_with_typos():
    for n in range(60):
        person(f"rater{n}")
        for wrong in ("factory-demo", "factuary demo")[: n % 3]:
            assert "is not correct" in text_of(sign_in(f"rater{n}", wrong))
        assert sign_in(f"rater{n}").status_code == 302


def test_a_lecture_hall_sets_its_first_passwords(settings):
    from annotation.accounts.users import password_link

    for n in range(40):
        browser, link = Client(REMOTE_ADDR=HALL), password_link(person(f"rater{n}"))
        form = browser.get(link.removeprefix(settings.SITE_URL), follow=True).redirect_chain[-1][0]
        new = {"password1": "Turbid-terns-9", "password2": "Turbid-terns-9"}
        assert browser.post(form, new).status_code == 302


def test_wrong_passwords_of_a_stranger_do_not_keep_the_owner_out():
    person("ravi")
    known = Client()
    assert sign_in("ravi", address=HALL, client=known).status_code == 302
    known.post("/accounts/logout/")
    for _ in range(8):
        refused = text_of(sign_in("ravi", "guess", HALL))
    assert re.search(r"Too many attempts. Try again in 1\d seconds.", refused)
    assert "Too many attempts." in text_of(sign_in("ravi", PASSWORD, HALL))
    assert sign_in("ravi", PASSWORD, HOME).status_code == 302
    assert sign_in("ravi", PASSWORD, HALL, known).status_code == 302


def test_every_cookie_is_for_this_host_alone_and_for_all_of_it():
    """As `__Host-` in its name demands over https; messages have no cookie of their own."""
    person("ravi")
    browser = Client()
    sign_in("ravi", client=browser)
    browser.post("/language/", {"language": "es"})
    browser.post("/account/", {"name": "Ravi"})
    assert set(browser.cookies) == {"factuary_session", "factuary_csrf", "factuary_device", "factuary_language"}
    assert {(cookie["path"], cookie["domain"]) for cookie in browser.cookies.values()} == {("/", "")}


def test_the_cookie_of_one_account_makes_no_browser_known_for_another():
    for name in ("ravi", "rosa"):
        person(name)
    ravis = Client()
    sign_in("ravi", client=ravis)
    ravis.post("/accounts/logout/")
    for _ in range(6):
        sign_in("rosa", "guess", client=ravis)
    assert "Too many attempts." in text_of(sign_in("rosa", client=ravis))
    assert sign_in("rosa", address=HOME).status_code == 302
    ravis.cookies["factuary_device"] = "forged"
    assert sign_in("ravi", client=ravis).status_code == 302


def test_several_people_are_known_in_one_browser():
    shared = Client()
    for name in ("ravi", "rosa"):
        person(name)
        sign_in(name, client=shared)
        shared.post("/accounts/logout/")
    for name in ("ravi", "rosa"):
        for _ in range(6):
            sign_in(name, "guess")
        assert sign_in(name, client=shared).status_code == 302
        shared.post("/accounts/logout/")


def test_name_and_email_address_have_one_limit():
    person("ravi")
    User.objects.filter(username="ravi").update(email="ravi@example.org")
    for login in ("ravi", "RAVI", "ravi@example.org") * 2:
        sign_in(login, "guess")
    assert "Too many attempts." in text_of(sign_in("ravi@example.org"))


def test_sign_ins_failures_and_sign_outs_are_in_the_audit():
    ravi = person("ravi")
    browser = Client()
    sign_in("ravi", "guess", HOME)
    sign_in("nobody-of-this-name", "guess")
    sign_in("ravi", client=browser)
    browser.post("/accounts/logout/")
    events = list(AuditEvent.objects.order_by("id").values_list("action", "target", "actor"))
    assert events == [
        ("fail to sign in", "user:ravi", None),
        ("fail to sign in", "user: no account of this name", None),
        ("sign in", "user:ravi", ravi.pk),
        ("sign out", "user:ravi", ravi.pk),
    ]
    codes = [event.after["from"] for event in AuditEvent.objects.order_by("id")]
    assert codes[0] != codes[1] == codes[2] and HALL not in str(codes)
    assert "nobody-of-this-name" not in str(list(AuditEvent.objects.values()))


def test_signing_out_of_the_admin_pages_is_in_the_audit(client):
    ada = person("ada", admin=True)
    client.force_login(ada)
    client.post("/admin/logout/")
    assert AuditEvent.objects.get(action="sign out").actor == ada


def test_a_name_longer_than_any_is_refused_before_it_is_looked_up():
    name = "a" + "\u0301\u0316" * 40_000
    assert "at most 600 characters" in text_of(sign_in(name))
    assert cpu_seconds(sign_in, name) < 2
    assert not AuditEvent.objects.exists()
