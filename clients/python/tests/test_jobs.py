"""Jobs: waiting, progress, failure, and the limit on the time."""

from typing import Any

import httpx2
import pytest
from factuary import JobFailedError, JobTimeoutError
from factuary.connection import Connection
from factuary.jobs import LONGEST_WAIT, Job, JobState, Progress


def state(name: str, done: int = 0, problems: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    job = {"id": "j1", "kind": "export", "project": "june", "state": name, "problems": problems, "started_by": "lena"}
    job |= {"progress": {"done": done, "total": 4, "message": "writing"}, "created_at": "2026-11-01T00:00:00Z"}
    return {**job, "result": None, "report": None, "ended_at": None, **more}


def job_of(*states: dict[str, Any], waits: list[float]) -> Job[Any]:
    answers = list(states)

    def answer(request: httpx2.Request) -> httpx2.Response:
        assert request.url.path == "/api/v1/jobs/j1/"
        return httpx2.Response(200, json=answers.pop(0) if len(answers) > 1 else answers[0])

    connection = Connection("https://s", "key", transport=httpx2.MockTransport(answer), sleep=waits.append)
    return Job(connection, "j1", lambda job: job.result)


def test_a_job_is_waited_for_and_each_progress_is_reported_once() -> None:
    waits: list[float] = []
    states = [state("queued"), state("running", 1), state("running", 1), state("done", 4, result={"rows": 4})]
    seen: list[Progress] = []
    assert job_of(*states, waits=waits).wait(progress=seen.append) == {"rows": 4}
    assert [str(progress) for progress in seen] == ["0 of 4: writing", "1 of 4: writing", "4 of 4: writing"]
    assert len(waits) == 3 and waits == sorted(waits)


@pytest.mark.parametrize("name", ["failed", "cancelled"])
def test_a_job_that_failed_has_its_reasons(name: str) -> None:
    with pytest.raises(JobFailedError, match=f"the job export is {name}: The disk is full.") as caught:
        job_of(state(name, problems=("The disk is full.",)), waits=[]).wait()
    assert caught.value.problems == ("The disk is full.",)


def test_waiting_ends_after_the_time_and_polls_less_and_less_often() -> None:
    waits: list[float] = []
    job = job_of(*[state("running", 1)] * 30, state("done"), waits=waits)
    assert job.wait() is None
    assert waits[-1] == LONGEST_WAIT and waits[0] < 1
    with pytest.raises(JobTimeoutError, match="is running after 0 seconds: 1 of 4: writing"):
        job_of(state("running", 1), waits=[]).wait(timeout=0)


def test_the_state_has_types() -> None:
    job = job_of(state("done", report="r1", ended_at="2026-11-01T01:00:00Z"), waits=[]).state()
    assert isinstance(job, JobState) and job.ended_at is not None
    assert (job.ended_at - job.created_at).total_seconds() == 3600
