"""Checks of the services."""

import socket
import threading

import pytest
from django.core.cache import cache
from django.db import OperationalError

from annotation.doctor import examine, services
from annotation.site.database_clock import database_now
from tasks.jobs import requeue_stale


@pytest.mark.django_db
def test_the_database_answers_with_its_version():
    assert services.database_finding().message.startswith("PostgreSQL 18")


@pytest.fixture(autouse=True)
def _short_wait_for_workers(monkeypatch):
    monkeypatch.setattr(services, "WORKER_SECONDS", 0.1)


def test_without_a_database_the_other_parts_are_checked(monkeypatch, valkey):
    def refuse(*arguments):
        raise OperationalError("connection refused\n\tIs the server running?")

    monkeypatch.setattr(services.connection, "cursor", refuse)
    database, *others = examine()
    assert database.line() == (
        "failed   database    no answer (connection refused Is the server running?): "
        "start PostgreSQL, and check DATABASE_URL"
    )
    assert [finding.part for finding in others] == [
        "settings", "storage", "disk", "broker", "queues", "worker", "beat", "mail", "address", "backups",
    ]  # fmt: skip


def test_a_broker_without_worker(valkey):
    assert services.broker_finding().state == "ok"
    assert services.worker_finding().message == "no answer in 0 s"


@pytest.mark.django_db
def test_a_worker_that_has_just_run_a_task_is_not_awaited(valkey):
    requeue_stale()
    assert services.worker_finding().line() == "ok       worker      it ran a task 0 s ago"
    cache.set(services.BEAT_LAST_SEEN, database_now().timestamp() - 40)
    assert services.worker_finding().message == "no answer in 0 s"


def test_no_broker(settings):
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    assert services.broker_finding().line() == "failed   broker      no answer: start Valkey, and check BROKER_URL"
    assert services.worker_finding().state == "failed"


@pytest.mark.django_db
def test_beat_is_seen_by_the_task_that_it_sends():
    assert services.beat_finding().message == "it never ran"
    requeue_stale()
    assert services.beat_finding().line() == "ok       beat        it ran 0 s ago"
    cache.set(services.BEAT_LAST_SEEN, database_now().timestamp() - 300)
    assert services.beat_finding().message == "it last ran 300 s ago"


def test_no_mail_server_is_a_warning_and_one_that_refuses_has_failed(settings):
    settings.EMAIL_HOST = ""
    assert services.mail_finding().state == "warning"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    finding = services.mail_finding()
    assert (finding.state, "127.0.0.1:1 cannot be used" in finding.message) == ("failed", True)


def test_a_mail_server_that_answers(settings):
    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
        settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
        settings.DEFAULT_FROM_EMAIL = "factuary@example.org"
        thread = threading.Thread(target=speak_smtp, args=(server,))
        thread.start()
        finding = services.mail_finding()
        thread.join()
    assert finding.state == "ok", finding


def speak_smtp(server: socket.socket) -> None:
    """Answer one client until it quits."""
    connection, _address = server.accept()
    with connection, connection.makefile("rwb") as lines:
        lines.write(b"220 mail.example.org\r\n")
        lines.flush()
        for line in lines:
            lines.write(b"221 bye\r\n" if line.upper().startswith(b"QUIT") else b"250 ok\r\n")
            lines.flush()
            if line.upper().startswith(b"QUIT"):
                return
