"""A worker that is killed while it generates responses: none is lost or twice, and the costs are those charged."""

import pytest

from annotation import jobs
from annotation.generation.run import GENERATE_RESPONSES, generate_job
from annotation.importing import load_dataset
from annotation.models import Dataset, GenerationCall, GenerationResult, Response, Sheet
from annotation.projects.create import create_project
from tests.cast import article_accuracy
from tests.generation.generators import BIRDS, PRICE, answer, generator
from tests.importing.files import lines, prompt
from tests.judging.fake_endpoint import fake_endpoint
from tests.model_calls.killed_workers import Gate, kill_worker

pytestmark = [pytest.mark.django_db(transaction=True)]
PROMPTS, LIMIT, CONCURRENCY = 20, 16, 4


def test_a_killed_run_is_continued_and_asks_again_only_about_what_was_on_its_way(
    tmp_path, start_celery_worker, wait_until
):
    rows = [prompt(f"q{n:02}", text=f"What about day {n}?", document=BIRDS) for n in range(PROMPTS)]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", rows)], "birds")
    project = create_project("june", Dataset.objects.get(), article_accuracy())
    gate = Gate(12)

    def slow_answer(body):
        gate.wait()
        return answer(body)

    with fake_endpoint(slow_answer) as endpoint:
        settings = generator(project.dataset, endpoint, concurrency=CONCURRENCY, timeout=30.0)
        job = jobs.create(GENERATE_RESPONSES, params={"generator": settings.pk, "limit": LIMIT})
        kill_worker(job, gate, endpoint, start_celery_worker, wait_until, CONCURRENCY)
        assert 0 < Response.objects.count() < LIMIT
        assert GenerationCall.objects.filter(state="sent").count() == CONCURRENCY
        jobs.run(job.pk, generate_job)
    job.refresh_from_db()
    assert (job.state, job.problems, job.result["ended"]) == ("done", [], "limit")
    assert GenerationResult.objects.filter(state="stored").count() == Response.objects.count() == LIMIT
    assert Sheet.objects.filter(project=project).count() == LIMIT
    assert endpoint.charged == LIMIT + CONCURRENCY, "those that were on their way are asked again"
    assert GenerationCall.objects.filter(state="lost").count() == CONCURRENCY
    assert job.result["cost_usd"] == float(endpoint.charged * PRICE)
