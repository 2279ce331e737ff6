"""A worker that is killed during Fact-QA: each response is scored once, and the costs are those charged."""

import pytest

from annotation import jobs
from annotation.judging.run import RUN_JUDGE, run_judge_job
from annotation.models import FactScore, JudgeCall, JudgeRun
from tests.fact_qa_studies import fact_qa_study, prompt
from tests.judging.fake_endpoint import answer_fact_qa, fake_endpoint
from tests.judging.judges import PRICE, fact_judge, stored_cost
from tests.model_calls.killed_workers import Gate, kill_worker

CONCURRENCY = 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", ["strict", pytest.param("published", marks=pytest.mark.exhaustive)])
def test_a_killed_run_is_resumed_without_a_response_lost_or_scored_twice(
    mode, start_celery_worker, wait_until, tmp_path
):
    june = fact_qa_study(tmp_path, (prompt(number) for number in range(12)))
    gate = Gate(11)

    def answer(body):
        gate.wait()
        return answer_fact_qa(body)

    with fake_endpoint(answer) as endpoint:
        judge = fact_judge(endpoint, mode, concurrency=CONCURRENCY)
        job = jobs.create(RUN_JUDGE, project=june, params={"judge": judge.pk})
        kill_worker(job, gate, endpoint, start_celery_worker, wait_until, CONCURRENCY)
        assert 0 < FactScore.objects.count() < 12
        jobs.run(job.pk, run_judge_job)
    job.refresh_from_db()
    assert (job.state, job.result["failed"], JudgeRun.objects.get().ended) == ("done", 0, "done")
    assert FactScore.objects.filter(state="scored").count() == 12
    assert JudgeCall.objects.filter(state="lost").count() == CONCURRENCY
    assert stored_cost() == endpoint.charged * PRICE
    assert endpoint.charged == 24 + CONCURRENCY
