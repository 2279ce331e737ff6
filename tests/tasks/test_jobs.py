from typing import Any

import pytest
from structlog.contextvars import bound_contextvars, get_contextvars

from annotation import jobs
from annotation.models import Job
from tasks import jobs as tasks_jobs
from tests.cast import study

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the list of the request ids with which tasks are sent."""
    ids: list[Any] = []
    monkeypatch.setattr(tasks_jobs.app, "send_task", lambda *_, **__: ids.append(get_contextvars().get("request_id")))
    return ids


def new_job() -> Job:
    return jobs.create("freeze_report", project=study().project)


@pytest.mark.parametrize("first_id", ["the-request", None], ids=["of a request", "of a command"])
def test_a_job_that_beat_sends_again_has_the_id_of_its_first_request(sent: list[Any], first_id: str | None) -> None:
    with bound_contextvars(**({"request_id": first_id} if first_id else {})):
        job = new_job()
    Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, heartbeat_at="2020-01-01T00:00Z")
    assert tasks_jobs.requeue_stale() == 1
    assert sent == [first_id]


def test_a_retry_is_sent_after_the_commit_with_the_id_of_the_request_that_retries(
    sent: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    with bound_contextvars(request_id="the-first"):
        job = new_job()
    with bound_contextvars(request_id="the-retry"), django_capture_on_commit_callbacks(execute=True):
        tasks_jobs.enqueue(job)
        assert sent == []  # the job's row is not stored yet
    assert sent == ["the-retry"]


def test_a_page_stores_the_id_that_its_answer_has(lena: Any) -> None:
    answer = lena.post("/projects/june/report/freeze/")
    assert Job.objects.get().request_id == answer["X-Request-ID"] != ""
