"""The status page: what `manage.py doctor` checks, the worst first."""

import pytest

from annotation.doctor.finding import failed, ok, warning
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def test_the_page_comes_before_the_checks_and_asks_for_them(ada, monkeypatch):
    monkeypatch.setattr("annotation.web.operation.status.examine", lambda: 1 / 0)
    page = ada.get("/status/")
    assert "Checking; this takes a few seconds." in text_of(page)
    assert 'hx-get="/status/findings/"' in page.content.decode()


def test_findings_have_state_and_remedy_the_worst_first(ada, monkeypatch):
    found = [
        ok("database", "PostgreSQL 18"),
        warning("mail", "no email server", "set EMAIL_HOST"),
        failed("beat", "never heard", "start exactly one"),
    ]
    monkeypatch.setattr("annotation.web.operation.status.examine", lambda: found)
    page = text_of(ada.get("/status/findings/"))
    assert (
        "Scheduler (beat) Failed never heard start exactly one Email server Warning no email server set EMAIL_HOST"
        " Database OK PostgreSQL 18" in page
    )


def test_every_part_that_doctor_checks_has_a_name(ada, monkeypatch):
    monkeypatch.setattr("annotation.doctor.services.WORKER_SECONDS", 0.1)
    page = text_of(ada.get("/status/findings/"))
    for part in ("Database", "Disk space", "Broker", "Queues", "Worker", "Scheduler (beat)", "Email server", "Backups"):
        assert part in page
