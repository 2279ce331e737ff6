"""A person's own account: display name, mail, and a new password, by mail or from an admin."""

import re

import pytest
from django.core.management import call_command

from annotation.models import AuditEvent, User
from tests.cast import person
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


RESET = "/accounts/password/reset/"
NEW = {"password1": "Turbid-terns-9", "password2": "Turbid-terns-9"}


def test_a_display_name_is_shown_to_others_and_the_user_name_stays(june, client):
    client.force_login(person("ravi"))
    page = text_of(client.post("/account/", {"name": " Ravi  Rao "}, follow=True))
    assert "Others now see you as Ravi Rao." in page
    event = AuditEvent.objects.get(action="set display name")
    assert (event.actor, event.before, event.after) == (person("ravi"), "", "Ravi Rao")
    client.force_login(person("lena"))
    assert "Ravi Rao" in text_of(client.get("/projects/june/members/"))
    assert User.objects.get(first_name="Ravi Rao").username == "ravi"
    client.force_login(person("ravi"))
    assert "Others now see you as ravi." in text_of(client.post("/account/", {"name": ""}, follow=True))


def test_nobody_takes_the_name_of_another_person(ravi):
    User.objects.filter(username="rosa").update(first_name="Rosa", last_name="Ruiz")
    for name in ("Lena", "lena", "Rosa Ruiz"):
        assert "choose another name" in text_of(ravi.post("/account/", {"name": name}))
    assert User.objects.get(username="ravi").get_full_name() == ""


def test_without_a_mail_server_the_reset_page_says_whom_to_ask_and_promises_no_mail(client, mailoutbox, settings):
    settings.EMAIL_HOST = ""
    User.objects.create(username="tom", email="tom@example.org")
    for answer in (client.get(RESET), client.post(RESET, {"email": "tom@example.org"})):
        page = text_of(answer)
        assert "Ask an admin of this site" in page and "Send link" not in page
    assert mailoutbox == []


def test_with_a_mail_server_a_link_comes_by_mail_and_sets_a_password_once(client, capsys, mailoutbox, settings):
    settings.EMAIL_HOST = "mail.example"
    call_command("create_user", "tom", email="tom@example.org")
    assert capsys.readouterr().err == "the link works once, within 3 days\n"
    page = text_of(client.post(RESET, {"email": "tom@example.org"}, follow=True))
    assert "Check your email" in page and "It works once, within 3 days." in page
    [mail] = mailoutbox
    assert mail.to == ["tom@example.org"]
    assert "tom" in mail.body and "the link works once, within 3 days:" in mail.body
    link = re.search(r"https?://[^/]+(/accounts/password/reset/key/\S+)", mail.body)[1]
    client.post(client.get(link, follow=True).redirect_chain[-1][0], NEW)
    assert client.login(username="tom", password="Turbid-terns-9")
    client.logout()
    assert "This link no longer works" in text_of(client.get(link, follow=True))


def test_strangers_and_closed_accounts_get_no_mail_and_learn_nothing(client, mailoutbox, settings):
    settings.EMAIL_HOST = "mail.example"
    User.objects.create(username="tom", email="tom@example.org", is_active=False)
    for address in ("nobody@example.org", "tom@example.org"):
        assert "Check your email" in text_of(client.post(RESET, {"email": address}, follow=True))
    assert "/password/reset/key/" not in "".join(mail.body for mail in mailoutbox)


def test_a_person_chooses_when_notifications_are_mailed(june, client, settings):
    client.force_login(person("ravi"))
    settings.EMAIL_HOST = ""
    without_mail = text_of(client.get("/account/"))
    assert "This site sends no email" in without_mail and "Save preference" not in without_mail
    assert "Email preference" not in text_of(client.get("/notifications/"))
    settings.EMAIL_HOST = "mail.example.org"
    assert "Email preference" in text_of(client.get("/notifications/"))
    assert "Your account has no email address. Add one to get emails." in text_of(client.get("/account/"))
    page = text_of(client.post("/account/notifications/", {"mail": "daily"}, follow=True))
    assert "The preference is saved." in page
    ravi = User.objects.get(username="ravi")
    assert (ravi.notification_mail, ravi.mail_language) == ("daily", "en-us")
    client.post("/account/notifications/", {"mail": "hourly"})
    assert User.objects.get(username="ravi").notification_mail == "daily"
