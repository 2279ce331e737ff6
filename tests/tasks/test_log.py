"""The log of a worker: what an admin looks for is not lost among thousands of lines that say nothing."""

from collections.abc import Callable
from typing import Any

from annotation.routine import LOOK
from tasks.app import app


def test_the_look_for_stranded_jobs_leaves_no_line_and_other_tasks_do(celery_worker: Any, wait_until: Callable) -> None:
    app.send_task(LOOK)
    app.send_task("tasks.imports.tidy_uploads")
    wait_until(lambda: "succeeded" in celery_worker.log.read_text())
    lines = celery_worker.log.read_text()
    assert "Task tasks.imports.tidy_uploads[" in lines
    assert f"{LOOK}[" not in lines


def test_a_look_that_fails_is_told(celery_worker: Any, wait_until: Callable) -> None:
    app.send_task(LOOK, args=["too many"])
    wait_until(lambda: f"{LOOK}[" in celery_worker.log.read_text())
    assert "TypeError" in celery_worker.log.read_text()
