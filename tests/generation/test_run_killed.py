"""A worker that is killed while it generates responses: none is lost or twice, and the costs are those charged."""

import os
import signal
import threading

import pytest

from annotation.generation.run import GENERATE_RESPONSES
from annotation.importing import load_dataset
from annotation.jobs import create
from annotation.models import Dataset, GenerationCall, GenerationResult, Job, Response, Sheet
from annotation.projects.create import create_project
from tasks.app import app
from tasks.jobs import TASKS, requeue_stale
from tests.cast import article_accuracy
from tests.generation.generators import BIRDS, PRICE, answer, generator
from tests.importing.files import lines, prompt
from tests.judging.fake_endpoint import fake_endpoint

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PROMPTS, CONCURRENCY, KILLED_AT = 40, 4, 12


def test_a_killed_run_is_continued_and_asks_again_only_about_what_was_on_its_way(
    tmp_path, start_celery_worker, wait_until
):
    rows = [prompt(f"q{n:02}", text=f"What about day {n}?", document=BIRDS) for n in range(PROMPTS)]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", rows)], "birds")
    project = create_project("june", Dataset.objects.get(), article_accuracy())
    goes_on = threading.Event()
    goes_on.set()

    def slow_answer(body):
        if endpoint.charged == KILLED_AT:
            goes_on.clear()
        goes_on.wait()
        return answer(body)

    with fake_endpoint(slow_answer) as endpoint:
        settings = generator(project.dataset, endpoint, concurrency=CONCURRENCY, timeout=30.0)
        job = create(GENERATE_RESPONSES, params={"generator": settings.pk})
        app.send_task(TASKS[job.kind], args=[job.pk])
        worker = start_celery_worker()
        wait_until(lambda: not goes_on.is_set() and endpoint.open == CONCURRENCY, seconds=120)
        os.killpg(worker.pid, signal.SIGKILL)
        goes_on.set()
        stored = Response.objects.count()
        assert 0 < stored < PROMPTS and GenerationCall.objects.filter(state="sent").count() == CONCURRENCY
        Job.objects.filter(pk=job.pk).update(heartbeat_at="2020-01-01T00:00Z")
        wait_until(lambda: endpoint.open == 0, seconds=60)
        assert requeue_stale() == 1
        start_celery_worker()
        wait_until(lambda: Job.objects.get(pk=job.pk).state not in Job.OPEN, seconds=120)
    job.refresh_from_db()
    assert (job.state, job.problems, job.result["ended"]) == ("done", [], "done")
    assert GenerationResult.objects.filter(state="stored").count() == Response.objects.count() == PROMPTS
    assert Sheet.objects.filter(project=project).count() == PROMPTS
    assert endpoint.charged == PROMPTS + CONCURRENCY, "those that were on their way are asked again"
    assert GenerationCall.objects.filter(state="lost").count() == CONCURRENCY
    assert job.result["cost_usd"] == float(endpoint.charged * PRICE)
