"""A worker that is killed during Fact-QA: each response is scored once, and the costs are those charged."""

import itertools
import os
import signal
import threading

import pytest

from annotation import jobs
from annotation.judging.run import RUN_JUDGE
from annotation.models import FactScore, Job, JudgeCall, JudgeRun
from tasks.app import app
from tasks.jobs import TASKS, requeue_stale
from tests.fact_qa_studies import fact_qa_study, prompt
from tests.judging.fake_endpoint import answer_fact_qa, fake_endpoint
from tests.judging.judges import MODES, PRICE, fact_judge, stored_cost

CONCURRENCY = 4


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", MODES)
def test_a_killed_run_is_resumed_without_a_response_lost_or_scored_twice(
    mode, start_celery_worker, wait_until, tmp_path
):
    june = fact_qa_study(tmp_path, (prompt(number) for number in range(20)))
    go = threading.Event()
    go.set()
    count = itertools.count(1)

    def answer(body):
        if next(count) == 15:
            go.clear()  # from here on requests are on their way until the worker is killed
        go.wait()
        return answer_fact_qa(body)

    with fake_endpoint(answer) as endpoint:
        judge = fact_judge(endpoint, mode, concurrency=CONCURRENCY)
        job = jobs.create(RUN_JUDGE, project=june, params={"judge": judge.pk})
        app.send_task(TASKS[job.kind], args=[job.pk])
        worker = start_celery_worker()
        wait_until(lambda: not go.is_set() and endpoint.open == CONCURRENCY, seconds=120)
        os.killpg(worker.pid, signal.SIGKILL)
        go.set()
        Job.objects.filter(pk=job.pk).update(heartbeat_at="2020-01-01T00:00Z")
        wait_until(lambda: endpoint.open == 0, seconds=120)
        assert 0 < FactScore.objects.count() < 20
        assert requeue_stale() == 1
        start_celery_worker()
        wait_until(lambda: Job.objects.get(pk=job.pk).state not in Job.OPEN, seconds=120)
    job.refresh_from_db()
    assert (job.state, job.result["failed"], JudgeRun.objects.get().ended) == ("done", 0, "done")
    assert FactScore.objects.filter(state="scored").count() == 20
    assert JudgeCall.objects.filter(state="lost").count() == CONCURRENCY
    assert stored_cost() == endpoint.charged * PRICE
    assert endpoint.charged == 40 + CONCURRENCY
