"""The log of a worker: what an admin looks for is not lost among thousands of lines that say nothing."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotation.site.log_filter import SEARCH_TASK, is_relevant, mask_secrets
from tasks.app import app

pytestmark = pytest.mark.slow


def test_the_search_for_stale_jobs_leaves_no_line_and_other_tasks_do(celery_worker: Any, wait_until: Callable) -> None:
    app.send_task(SEARCH_TASK)
    app.send_task("tasks.imports.tidy_uploads")
    wait_until(lambda: "succeeded" in celery_worker.log.read_text())
    lines = celery_worker.log.read_text()
    assert "Task tasks.imports.tidy_uploads[" in lines
    assert f"{SEARCH_TASK}[" not in lines


def test_a_look_that_fails_is_told(celery_worker: Any, wait_until: Callable) -> None:
    app.send_task(SEARCH_TASK, args=["too many"])
    wait_until(lambda: f"{SEARCH_TASK}[" in celery_worker.log.read_text())
    assert "TypeError" in celery_worker.log.read_text()


@pytest.mark.parametrize(
    ("teller", "level", "message", "is_kept"),
    [
        (
            "celery.beat",
            logging.INFO,
            f"Scheduler: Sending due task take up what a killed worker left ({SEARCH_TASK})",
            False,
        ),
        ("celery.beat", logging.INFO, "Scheduler: Sending due task tidy (tasks.imports.tidy_uploads)", True),
        ("celery.beat", logging.ERROR, f"Message Error: {SEARCH_TASK}", True),
        ("tasks.jobs", logging.INFO, f"{SEARCH_TASK} says something itself", True),
    ],
)
def test_only_what_a_look_says_of_every_time_is_left_out(teller: str, level: int, message: str, is_kept: bool) -> None:
    record = logging.LogRecord(teller, level, "", 0, message, None, None)
    assert is_relevant(record) is is_kept


@pytest.mark.django_db
def test_keys_of_shared_links_are_not_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.handler.addFilter(mask_secrets)
    Client().post("/r/the-secret-key/report.json")
    Client().get("/r/the-secret-key/")
    Client().get("/accounts/password/reset/key/5-secret/elsewhere/")
    assert "Method Not Allowed" in caplog.text and "/r/…/report.json" in caplog.text
    assert "secret" not in caplog.text
