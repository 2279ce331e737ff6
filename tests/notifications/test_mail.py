"""Notifications by mail: at once, daily, in the person's language, and never twice."""

import threading
from datetime import UTC, datetime, timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from django.core import mail
from django.db import connection
from django.utils import timezone, translation

from annotation.models import AuditEvent, Membership, Notification, User
from annotation.notifications import mark_read, notify
from annotation.notifications.mail import send_due_mails
from annotation.notifications.reading import set_mail
from tasks import schedule
from tests.cast import Study, study
from tests.database_time import set_database_time

pytestmark = pytest.mark.django_db
Kind = Notification.Kind
NINE = datetime(2026, 11, 25, 9, tzinfo=UTC)


@pytest.fixture
def june() -> Study:
    study_of_june = study()
    for name in ("ravi", "lena"):
        User.objects.filter(username=name).update(email=f"{name}@example.org")
        study_of_june.people[name].refresh_from_db()
    return study_of_june


def assign(june: Study, count: int = 2) -> None:
    notify([june.people["ravi"].pk], Kind.ASSIGNED, project=june.project, count=count)


def test_nothing_is_mailed_before_a_person_wants_it(june):
    assign(june)
    assert send_due_mails() == 0
    set_mail(june.people["ravi"], User.Mail.AT_ONCE)
    assert send_due_mails() == 0  # what happened before is not mailed
    event = AuditEvent.objects.get(action="set notification mail")
    assert (event.before, event.after) == ("off", "at_once")


def test_one_mail_has_all_that_are_due_with_links_and_the_way_to_turn_it_off(june, settings):
    settings.SITE_URL = "https://factuary.example.org"
    ravi = june.people["ravi"]
    set_mail(ravi, User.Mail.AT_ONCE)
    assign(june)
    june.project.shows_decisions = True
    june.project.save()
    notify([ravi.pk], Kind.ADJUDICATED, project=june.project)
    assert send_due_mails() == 1
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["ravi@example.org"], "2 notifications")
    assert "Study june: 2 responses are assigned to you." in sent.body
    assert "Study june: 1 of your answers was adjudicated." in sent.body
    for row in Notification.objects.all():
        assert f"https://factuary.example.org/notifications/{row.public_id}/" in sent.body
    assert "https://factuary.example.org/account/#notifications" in sent.body
    assert sent.extra_headers["List-Unsubscribe"] == "<https://factuary.example.org/account/#notifications>"
    assert send_due_mails() == 0


def test_the_subject_of_a_single_one_says_what_happened_in_the_language_of_the_person_once(june):
    with translation.override("es"):
        set_mail(june.people["ravi"], User.Mail.AT_ONCE)
    assign(june)
    assert send_due_mails() == 1
    assert mail.outbox[0].subject == "Study june: Tiene 2 respuestas asignadas."
    assign(june)  # it counts more, but is still unread
    assert send_due_mails() == 0


def test_what_is_read_or_may_not_be_seen_any_more_is_not_mailed(june):
    ravi, lena = june.people["ravi"], june.people["lena"]
    for user in (ravi, lena):
        set_mail(user, User.Mail.AT_ONCE)
    assign(june)
    mark_read(ravi)
    notify([lena.pk], Kind.PAUSED, project=june.project, rater=ravi)
    Membership.objects.filter(user=lena).update(role="rater")
    assert send_due_mails() == 0
    assert mail.outbox == []


def test_a_daily_mail_has_what_happened_before_seven_and_comes_once_a_day(june, monkeypatch):
    set_database_time(monkeypatch, NINE - timedelta(days=1))
    set_mail(june.people["ravi"], User.Mail.DAILY)
    assign(june)
    set_database_time(monkeypatch, NINE - timedelta(hours=3))  # six in the morning
    assert send_due_mails() == 0
    set_database_time(monkeypatch, NINE)
    notify([june.people["ravi"].pk], Kind.ASSIGNED, project=study("july").project)
    Membership.objects.filter(user=june.people["ravi"], project__slug="july").update(role="rater")
    assert send_due_mails() == 1
    assert "Study june" in mail.outbox[0].body and "Study july" not in mail.outbox[0].body
    set_database_time(monkeypatch, NINE + timedelta(hours=12))
    assert send_due_mails() == 0
    set_database_time(monkeypatch, NINE + timedelta(days=1))
    assert send_due_mails() == 1
    assert "Study july" in mail.outbox[1].body


def test_seven_in_the_morning_is_that_of_the_site(june, monkeypatch):
    set_mail(june.people["ravi"], User.Mail.DAILY)
    with timezone.override("Asia/Tokyo"):
        set_database_time(monkeypatch, NINE - timedelta(hours=10))  # eight in the morning there
        assign(june)
        set_database_time(monkeypatch, NINE)
        assert send_due_mails() == 0
        set_database_time(monkeypatch, NINE + timedelta(hours=14))
        assert send_due_mails() == 1


@pytest.mark.parametrize(
    ("refusal", "is_temporary"),
    [
        (SMTPRecipientsRefused({}), False),
        (SMTPDataError(554, b"rejected"), False),
        (SMTPDataError(451, b"try again"), True),
        (SMTPRecipientsRefused({"ravi@example.org": (550, b"no such user")}), False),
        (SMTPRecipientsRefused({"ravi@example.org": (450, b"greylisted")}), True),
    ],
)
def test_a_refused_mail_stops_no_mails_of_others_and_is_sent_later_if_that_may_help(
    june, monkeypatch, refusal, is_temporary
):
    ravi, lena = june.people["ravi"], june.people["lena"]
    for user in (ravi, lena):
        set_mail(user, User.Mail.AT_ONCE)
    assign(june)
    notify([lena.pk], Kind.PAUSED, project=june.project, rater=ravi)
    sent = []

    def send(self):
        if self.to == [ravi.email]:
            raise refusal
        sent.append(self.to)

    monkeypatch.setattr("django.core.mail.EmailMessage.send", send)
    assert send_due_mails() == 1
    assert sent == [[lena.email]]
    assert (Notification.objects.get(recipient=ravi).mailed_at is None) == is_temporary


def test_a_site_without_a_mail_server_sends_none_and_one_that_it_does_not_reach_gets_them_later(
    june, settings, monkeypatch
):
    def fail(self):
        raise SMTPServerDisconnected("down")

    set_mail(june.people["ravi"], User.Mail.AT_ONCE)
    assign(june)
    settings.EMAIL_HOST = ""
    assert schedule.mail_notifications() == 0
    settings.EMAIL_HOST = "mail.example.org"
    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", fail)
        assert schedule.mail_notifications() == 0
    assert Notification.objects.get().mailed_at is None
    assert schedule.mail_notifications() == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_mail_each_notification_once():
    june = study(raters=tuple(f"rater{n}" for n in range(8)))
    User.objects.update(notification_mail=User.Mail.AT_ONCE, email="someone@example.org")
    for n, user in enumerate(june.people.values()):
        notify([user.pk], Kind.ASSIGNED, project=june.project, count=n + 1)
    start, totals = threading.Barrier(2), []

    def work() -> None:
        start.wait()
        totals.append(send_due_mails())
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(totals) == len(mail.outbox) == 9
    assert len({sent.subject for sent in mail.outbox}) == 9
