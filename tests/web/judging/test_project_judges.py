"""The judges of a project: leads run them, see what they cost, and cancel; admins alone hold keys."""

import itertools

import pytest
from django.utils import timezone

from annotation import jobs
from annotation.judging import estimate, run
from annotation.judging.fact_scores import store_fact_scores
from annotation.judging.judges import create_judge
from annotation.judging.project_judges import runs_of
from annotation.judging.workload import run_lock
from annotation.model_calls.errors import ModelError
from annotation.model_calls.runs import RunLimits, end_run
from annotation.models import AuditEvent, FactScore, Job, Judge, JudgeRun, Verdict
from annotation.projects.archiving import archive
from annotation.projects.project_settings import change_settings
from tests.cast import article_accuracy, study, which_is_better
from tests.judging.fake_endpoint import GOOD, fake_endpoint
from tests.judging.judges import PRICE, TOKENS, model_judge, rule_judge
from tests.web.pages import html_of, queries, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=2, sentences=3)]
JUDGES = "/projects/june/judges/"


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """Return the list of jobs that are sent to a worker."""
    found = []
    monkeypatch.setattr("tasks.judging.enqueue", found.append)
    return found


def work(job):
    """Do the job, as a worker does."""
    jobs.run(job.pk, run.run_judge_job if job.kind == run.RUN_JUDGE else estimate.estimate_run_job)
    job.refresh_from_db()


def model(**fields):
    """Create a judge at an endpoint that no test asks."""
    return create_judge(Judge(name="far", base_url="https://models.example.org/v1", model="m", **fields))[0]


def test_a_lead_runs_a_rule_and_sees_verdicts_the_run_and_to_whom_they_are_shown(ada, lena, june, sent):
    assert "An admin creates judges; then you can let them rate here." in text_of(lena.get(JUDGES))
    assert "/judges/new/" in html_of(ada.get(JUDGES))
    judge = rule_judge()
    page = text_of(lena.get(JUDGES))
    assert "rule@1 Rule: Always accurate 0 of 6 0 – never" in page and "Budget" not in page
    page = lena.post(JUDGES, {"judge": "rule@1", "action": "run", "limit": "4"}, follow=True)
    assert "Running a judge: rule@1 Waiting for a worker" in text_of(page)
    work(sent[0])
    assert lena.get(f"/jobs/{sent[0].public_id}/").url == JUDGES
    page = text_of(lena.get(JUDGES))
    assert "rule@1 · Compare with people Rule: Always accurate 4 of 6 0 –" in page
    assert "by lena rule@1 The limit was reached Limit 4 4 0 0 –" in page
    assert AuditEvent.objects.get(action="run judge").actor == june.people["lena"]
    for visibility, shown, sentence in (
        ("never", None, "Raters do not see them."),
        ("after", judge, "Raters see those of rule@1 in responses they have finished."),
        ("before", judge, "Raters see those of rule@1 before they answer."),
    ):
        change_settings(
            june.project, {"verdict_visibility": visibility, "shown_judge": shown}, actor=june.people["lena"]
        )
        assert sentence in text_of(lena.get(JUDGES))


def test_an_estimate_is_shown_and_a_run_with_prices_shows_its_cost_and_what_failed(lena, june, sent):
    with fake_endpoint(faults=["no", "still no"]) as endpoint:
        model_judge(endpoint, concurrency=1)
        assert "Budget in USD" in text_of(lena.get(JUDGES))
        lena.post(JUDGES, {"judge": "small@1", "action": "estimate"})
        work(sent[0])
        page = text_of(lena.get(JUDGES))
        requests = sent[0].result["requests"]
        assert f"items 6, requests {requests}, USD {requests * PRICE:.4f}, tokens {requests * TOKENS:,}, " in page
        assert "small@1 Estimate Asked about 6 sentences" in page
        assert not Verdict.objects.exists()
        lena.post(JUDGES, {"judge": "small@1", "action": "run", "budget_usd": "5", "budget_tokens": "9000"})
        work(sent[1])
    page = text_of(lena.get(JUDGES))
    assert f"5 of 6 1 {requests * PRICE:.4f}" in page
    assert "by lena small@1 Complete Budget 9,000 tokens Budget USD 5 5 1 0 0.0000" in page
    assert sent[1].message == "failed: 1, requests: 0, tokens: 0, USD 0.0000"
    lena.post(JUDGES, {"judge": "small@1", "action": "run", "retry_failed": "on"})
    assert sent[2].params["retry_failed"] is True


def test_the_list_of_runs_says_which_error_ended_one_and_what_failed_before_a_repetition(lena, june, sent):
    with fake_endpoint(lambda body: "no") as endpoint:
        judge = model_judge(endpoint)
        run.run_judge(judge, june.project, RunLimits(limit=3))
        endpoint.answer = lambda body: GOOD
        run.run_judge(judge, june.project, RunLimits(limit=3, retry_failed=True))
        endpoint.faults = [401] * 9
        with pytest.raises(ModelError):
            run.run_judge(judge, june.project)
    model(key_env="JUDGE_MISSING")
    lena.post(JUDGES, {"judge": "far@1", "action": "run"})
    work(sent[0])
    page = text_of(lena.get(JUDGES))
    assert "The endpoint failed The endpoint failed: HTTP 401: " in page and "Limit 3 0 3 3 repeated later 6" in page
    assert "failed The environment variable JUDGE_MISSING with the key of far@1 is" in page


def test_a_run_whose_endpoint_changes_its_model_says_so(lena, june, sent):
    count = itertools.count(1)

    def answer(body):
        n = next(count)
        endpoint.names = {"model": "tiny-1" if n <= 2 else "tiny-2", "system_fingerprint": f"fp_{n}"}
        return GOOD

    with fake_endpoint(answer) as endpoint:
        model_judge(endpoint, concurrency=1)
        lena.post(JUDGES, {"judge": "small@1", "action": "run"})
        work(sent[0])
    page = text_of(lena.get(JUDGES))
    assert "The endpoint now answers as model &#x27;tiny-2&#x27;; it answered " in page
    assert "answers as tiny-1 2 of 6" in page
    assert f"create the next version of the judge to continue. 2 0 3 {3 * TOKENS:,} tokens 3 fingerprints" in page


def test_an_invalid_run_is_refused_with_the_reason_and_none_offered_where_no_judge_can_rate(lena, june, sent):
    rule_judge()
    valid = {"judge": "rule@1", "action": "run"}
    for values, problem in (
        ({"judge": "nobody"}, "Select a valid choice"),
        ({"limit": "0"}, "greater than or equal to 1"),
        ({"budget_usd": "1"}, "A budget in USD needs the prices of requests and of answers."),
        ({"budget_tokens": "1"}, "A rule uses no tokens: omit the budget of tokens."),
        ({"judge": ""}, "This field is required."),
    ):
        assert problem in html_of(lena.post(JUDGES, valid | values)), values
    june.project.protocol = which_is_better()
    june.project.save()
    page = html_of(lena.post(JUDGES, valid))
    assert "Cannot rate here: a rule rates single responses, but this project compares pairs." in page
    assert "<option" not in page
    june.project.protocol = article_accuracy()
    june.project.save()
    archive(june.project)
    page = html_of(lena.get(JUDGES))
    assert "This project is archived: no judge rates in it." in page and "Run judge</button>" not in page
    assert "This project is archived. Unarchive it" in html_of(lena.post(JUDGES, valid, follow=True))
    assert not sent and not Job.objects.exists()


def test_a_second_run_waits_for_the_first_which_a_lead_cancels_and_no_other_job(lena, june, sent):
    rule_judge()
    lena.post(JUDGES, {"judge": "rule@1", "action": "run"})
    for action in ("run", "estimate"):
        page = html_of(lena.post(JUDGES, {"judge": "rule@1", "action": action}))
        assert "Judge rule@1 is rating this project now; wait until it ends." in page
    assert len(sent) == Job.objects.count() == 1
    page = lena.post(f"{JUDGES}jobs/{sent[0].public_id}/cancel/", follow=True)
    assert "Canceled. Verdicts that are stored stay." in text_of(page)
    work(sent[0])
    assert (sent[0].state, Verdict.objects.count()) == ("cancelled", 0)
    assert "The job had ended already." in text_of(lena.post(f"{JUDGES}jobs/{sent[0].public_id}/cancel/", follow=True))
    assert "what was done until then is stored" in html_of(lena.get(f"/jobs/{sent[0].public_id}/"))
    export = jobs.create("export", project=june.project)
    assert lena.post(f"{JUDGES}jobs/{export.public_id}/cancel/").status_code == 404
    other = jobs.create(run.RUN_JUDGE, project=study("other", raters=()).project)
    assert lena.post(f"{JUDGES}jobs/{other.public_id}/cancel/").status_code == 404


def test_a_canceled_estimate_is_stopped_and_not_failed(june):
    with fake_endpoint() as endpoint, pytest.raises(jobs.Stopped):
        progress = jobs.Progress()
        progress.stopped.set()
        estimate.estimate_run(model_judge(endpoint), june.project, progress=progress)
    assert JudgeRun.objects.get().ended == "stopped"


def test_the_newest_versions_are_listed_earlier_ones_if_they_ran_here_and_all_are_offered(lena, june, sent):
    first, newest = rule_judge("numbers", "digits"), rule_judge("always-accurate", "digits")
    page = lena.get(f"{JUDGES}?judge=digits@1")
    assert [row.judge.label for row in page.context["rows"]] == ["digits@2"]
    assert page.context["form"].fields["judge"].choices == [("digits@2", "digits@2"), ("digits@1", "digits@1")]
    assert '<option value="digits@1" selected>' in html_of(page)
    run.run_judge(first, june.project, RunLimits(limit=1))
    context = lena.get(JUDGES).context
    assert [row.judge.label for row in context["rows"]] == ["digits@1", "digits@2"]
    for value, _label in context["form"].fields["judge"].choices:
        lena.post(JUDGES, {"judge": value, "action": "run"})
    assert [job.params["judge"] for job in sent] == [newest.pk, first.pk]
    assert 'href="/projects/june/judges/?judge=digits%401#run"' in html_of(lena.get(f"{JUDGES}digits/1/"))


def test_a_run_whose_process_was_killed_or_that_is_canceled_is_not_shown_as_running(lena, june):
    judge = rule_judge()
    run.new_run(judge, june.project, RunLimits()).save()
    with run_lock(judge, june.project):
        assert "by a command rule@1 Running 0" in text_of(lena.get(JUDGES))
        assert runs_of(june.project).get().end == ""
    assert "by a command rule@1 Canceled 0" in text_of(lena.get(JUDGES))
    assert runs_of(june.project).get().end == "stopped"
    job = jobs.create(run.RUN_JUDGE, project=june.project, params={"judge": judge.pk})
    JudgeRun.objects.update(job=job)
    assert runs_of(june.project).get().end == ""
    JudgeRun.objects.update(job=jobs.create(run.RUN_JUDGE, project=june.project, params={"judge": judge.pk}))
    Job.objects.update(state=Job.State.CANCELLED, ended_at=timezone.now())
    with run_lock(judge, june.project):
        assert " Canceling 0" in text_of(lena.get(JUDGES))
    assert " Canceled 0" in text_of(lena.get(JUDGES))


def test_the_number_of_queries_does_not_grow_with_judges_and_runs(lena, june):
    for n in range(2):
        run.run_judge(rule_judge(name=f"rule-{n}"), june.project)
    before = queries(lena, JUDGES)
    for n in range(2, 8):
        run.run_judge(rule_judge(name=f"rule-{n}"), june.project)
    assert queries(lena, JUDGES) == before


def test_fact_qa_counts_responses(lena, june):
    started = run.new_run(model(fact_qa="strict"), june.project, RunLimits())
    started.save()
    results = zip(june.responses, ("scored", "failed"), strict=True)
    store_fact_scores(started, [FactScore(response=response, state=state) for response, state in results])
    with run_lock(started.judge, june.project):
        page = text_of(lena.get(JUDGES))
    assert "far@1 Fact-QA · Precision and recall m · https://models.example.org/v1 1 of 2 1 –" in page
    assert "far@1 Running 1 1 0 –" in page


@pytest.mark.parametrize(
    ("fields", "asked", "counts"),
    [
        ({"fact_qa": "strict"}, "Asked about 2 responses", "responses 2"),
        ({"request_unit": "response"}, "Asked about 2 sentences", "items 2"),
    ],
)
def test_an_estimate_says_how_much_of_what_it_asked_about_and_counts_it(lena, june, fields, asked, counts):
    judge = model(**fields)
    params, lead = {"judge": judge.pk}, june.people["lena"]
    job = jobs.create(estimate.ESTIMATE_JUDGE_RUN, project=june.project, params=params, actor=lead)
    started = run.new_run(judge, june.project, RunLimits(limit=2), is_estimate=True)
    started.save()
    end_run(started, JudgeRun.Ended.LIMIT)
    result = estimate.Estimate(judge.label, 2, 2, 4, 0, None, 3.0).as_json()
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, ended_at=timezone.now(), result=result)
    page = text_of(lena.get(JUDGES))
    assert f"far@1 Estimate {asked} 0 0 0 –" in page and f"Estimate: {counts}, requests 4, 3 s" in page
