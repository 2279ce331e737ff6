"""The log of a worker: what an admin looks for is not lost among thousands of lines that say nothing."""

import json
import logging
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from structlog.contextvars import bound_contextvars

from annotation.site import structured_log
from annotation.site.log_settings import SEARCH_TASK, WEBHOOK_TASK, MaskingFormatter, is_relevant
from tasks.app import app


def test_the_search_for_stale_jobs_leaves_no_line_unless_it_fails_and_other_tasks_have_the_id_of_their_request(
    celery_worker: Any, wait_until: Callable
) -> None:
    app.send_task(SEARCH_TASK)
    with bound_contextvars(request_id="the-request"):
        app.send_task("tasks.schedule.tidy_uploads")
    wait_until(lambda: "succeeded" in celery_worker.log.read_text())
    text = celery_worker.log.read_text()
    assert "Task tasks.schedule.tidy_uploads[" in text and f"{SEARCH_TASK}[" not in text
    (line,) = [line for line in text.splitlines() if "uploaded files deleted" in line]
    assert "request_id=the-request" in line and "task_id=" in line
    app.send_task(SEARCH_TASK, args=["too many"])
    wait_until(lambda: f"{SEARCH_TASK}[" in celery_worker.log.read_text())
    assert "TypeError" in celery_worker.log.read_text()


DUE = "Scheduler: Sending due task"


@pytest.mark.parametrize(
    ("teller", "level", "message", "is_kept"),
    [
        ("celery.beat", logging.INFO, f"{DUE} take up what a killed worker left ({SEARCH_TASK})", False),
        ("celery.beat", logging.INFO, f"{DUE} send webhooks ({WEBHOOK_TASK})", False),
        ("celery.beat", logging.INFO, f"{DUE} tidy (tasks.schedule.tidy_uploads)", True),
        ("celery.beat", logging.ERROR, f"Message Error: {SEARCH_TASK}", True),
        ("tasks.jobs", logging.INFO, f"{SEARCH_TASK} says something itself", True),
    ],
)
def test_only_routine_lines_are_left_out(teller: str, level: int, message: str, is_kept: bool) -> None:
    record = logging.LogRecord(teller, level, "", 0, message, None, None)
    assert is_relevant(record) is is_kept


@pytest.mark.django_db
@pytest.mark.parametrize("line_format", ["json", "line"])
def test_keys_of_shared_links_are_not_in_the_log(caplog: pytest.LogCaptureFixture, line_format: str) -> None:
    caplog.handler.setFormatter(structured_log.formatter(line_format))
    caplog.set_level(logging.INFO)
    Client().post("/r/the-secret-key/report.json")
    for address in ("r/the-secret-key", "accounts/password/reset/key/5-secret", "accounts/confirm-email/Nq:1s:secret"):
        Client().get(f"/{address}/elsewhere/")
    assert "Method Not Allowed" in caplog.text and "/r/…/report.json" in caplog.text
    assert "secret" not in caplog.text


def test_keys_in_tracebacks_and_in_the_log_of_commands_are_masked(caplog: pytest.LogCaptureFixture) -> None:
    for formatter in (MaskingFormatter("{message}", style="{"), structured_log.formatter("json")):
        caplog.clear()
        caplog.handler.setFormatter(formatter)
        try:
            raise ValueError("cannot open /r/the-secret-key/ now")
        except ValueError:
            logging.getLogger("factuary").exception("GET /r/the-secret-key/ failed")
        assert "ValueError" in caplog.text and "secret" not in caplog.text


def test_a_text_with_line_breaks_is_one_line_and_lines_of_the_web_server_itself_are_masked_too(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.handler.setFormatter(structured_log.formatter("json"))
    message = 'a name\r\n{"event": "forged"}\u2028\x1b[31m'
    logging.getLogger("factuary").warning("refused: %s", message)
    (line,) = caplog.text.splitlines()
    assert json.loads(line)["event"] == f"refused: {message}"
    # gunicorn logs the address of a request that it cannot answer.
    assert settings.LOGGING["loggers"]["gunicorn.error"] == {"handlers": [], "level": "INFO", "propagate": True}


FORGED = "a\n2026-01-01 INFO django.request: all is well"


@pytest.mark.parametrize("forged", [FORGED, FORGED.replace("\n", "\r"), FORGED.replace("\n", "\u2028"), "a\x1b[2Jb"])
@pytest.mark.parametrize(
    "formatter", [structured_log.formatter("line"), structured_log.formatter("json"), MaskingFormatter()]
)
def test_no_text_of_others_makes_a_line_of_its_own(formatter: logging.Formatter, forged: str) -> None:
    """Neither a message nor the message of an exception: lines of a traceback are indented."""
    try:
        raise ValueError(forged)
    except ValueError:
        record = logging.LogRecord("django.request", logging.ERROR, "", 0, "Not Found: %s", (forged,), sys.exc_info())
    with bound_contextvars(path=forged):
        first, *others = formatter.format(record).splitlines()
    assert "Not Found: a" in first
    assert all(line.startswith("  ") for line in others)
    assert first.isprintable() and all(line.isprintable() for line in others)
