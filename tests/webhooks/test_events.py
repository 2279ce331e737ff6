"""Each kind of event: stored once, in the transaction of the change that it reports."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation import jobs
from annotation.models import Item, Job, Project, Report, Slot, Webhook, WebhookDelivery
from annotation.projects.project_settings import change_settings
from annotation.qualification import pausing
from annotation.qualification.pausing import lift_pause, pause_rater
from annotation.queue.exclusion import exclude, include
from annotation.queue.reopening import reopen
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reporting import Choices, quality_events
from annotation.reporting.freeze import freeze
from annotation.reporting.quality_events import notify_leads
from annotation.webhooks.webhooks import create_webhook
from tests.cast import ACCURATE, Study, person, study
from tests.gold_studies import rate_next, take_work

pytestmark = pytest.mark.django_db
Event = Webhook.Event


def subscribed(project: Project, *events: str) -> Webhook:
    return create_webhook(project, "https://example.org/hook", events or Event.values, actor=person("lena"))[0]


@pytest.fixture
def june() -> Study:
    """Return a project of two responses and two raters each, of which a webhook selects all events."""
    prepared = study(prompts=2)
    subscribed(prepared.project)
    return prepared


def told() -> list[str]:
    return list(WebhookDelivery.objects.order_by("pk").values_list("event", flat=True))


def test_a_finished_response_is_reported_once_with_ids_and_its_rater(june):
    work, _ = rate_next(june, "ravi", ACCURATE)
    finish(work)  # a second call changes nothing
    assert told() == ["response.finished"]
    row = WebhookDelivery.objects.get()
    assert row.rater == june.people["ravi"]
    assert row.payload == {
        "project": "june",
        "assignment": str(work.public_id),
        "response": str(work.sheet.response.public_id),
        "against": None,
        "purpose": "work",
    }


def test_the_project_is_finished_with_its_last_response_and_again_after_one_was_reopened(june):
    for name in ("ravi", "ravi", "rosa"):
        rate_next(june, name, ACCURATE)
    assert "project.finished" not in told()
    work, _ = rate_next(june, "rosa", ACCURATE)
    assert told() == ["response.finished"] * 4 + ["project.finished"]
    reopen(work, actor=person("lena"))
    assert told().count("project.finished") == 1
    finish(take_work(june.project, june.people["rosa"]))
    assert told().count("project.finished") == 2


def test_it_is_finished_when_the_last_open_response_is_excluded_or_the_overlap_reduced(june):
    for _ in range(2):
        rate_next(june, "ravi", ACCURATE)
    work, _ = rate_next(june, "rosa", ACCURATE)
    other = Slot.objects.get(project=june.project, holder=None).sheet_id
    assert exclude(june.project, [other], "cut off") == 1
    assert told().count("project.finished") == 1
    exclude(june.project, [work.sheet_id], "cut off")  # nothing of it is open
    include(june.project, [work.sheet_id, other])
    assert told().count("project.finished") == 1
    change_settings(june.project, {"overlap": 1})
    assert told().count("project.finished") == 2
    change_settings(june.project, {"overlap": 1})
    assert told().count("project.finished") == 2


def test_a_paused_rater_is_reported_and_whether_by_the_check(june, monkeypatch):
    ravi = june.people["ravi"]
    pause_rater(june.project, ravi, actor=june.people["lena"])
    assert not pause_rater(june.project, ravi)
    lift_pause(june.project, ravi)
    pause_rater(june.project, ravi, pausing.LOW_GOLD_REASON)
    assert told() == ["rater.paused"] * 2
    rows = WebhookDelivery.objects.order_by("pk")
    assert [row.payload for row in rows] == [{"project": "june", "automatic": is_check} for is_check in (False, True)]
    assert {row.rater for row in rows} == {ravi}


def test_a_frozen_report_and_once_a_flagged_rater_and_a_reached_target_are_reported(monkeypatch):
    june = study(prompts=12, sentences=1)
    for _ in range(12):
        rate_next(june, "ravi", ACCURATE)
        rate_next(june, "rosa", ACCURATE)
    subscribed(june.project)
    monkeypatch.setattr(quality_events, "alerted_raters", lambda raters: ["rosa"])
    change_settings(june.project, {"target_half_width": 0.5})
    freeze(june.project, Choices(resamples=100))
    assert told() == ["report.frozen"]
    assert WebhookDelivery.objects.get().payload["report"] == str(Report.objects.get().public_id)
    WebhookDelivery.objects.all().delete()
    for _ in range(2):
        notify_leads()
    assert sorted(told()) == ["rater.flagged", "target.reached"]
    assert WebhookDelivery.objects.get(event="rater.flagged").rater == june.people["rosa"]
    assert WebhookDelivery.objects.get(event="target.reached").payload == {"project": "june", "half_width": 0.5}


@pytest.mark.parametrize("error", [jobs.Refused(["no ratings"]), ZeroDivisionError()])
def test_a_failed_job_is_reported_without_its_message(june, error):
    def fail(job: Job, progress: jobs.Progress) -> None:
        raise error

    job = jobs.create("freeze_report", project=june.project)
    jobs.run(job.pk, fail)
    assert told() == ["job.failed"]
    expected = {"project": "june", "job": str(job.public_id), "kind": "freeze_report"}
    assert WebhookDelivery.objects.get().payload == expected


def test_a_job_whose_workers_were_killed_is_reported_and_others_are_not(june):
    lost = jobs.create("freeze_report", project=june.project)
    stale = {"state": "running", "attempts": jobs.KILLS, "kills": jobs.KILLS, "heartbeat_at": "2020-01-01T00:00Z"}
    Job.objects.filter(pk=lost.pk).update(**stale)
    jobs.requeue_stale_jobs()
    assert told() == ["job.failed"]
    jobs.run(jobs.create("freeze_report", project=june.project).pk, lambda job, progress: {})
    jobs.cancel(jobs.create("freeze_report", project=june.project))
    quiet = jobs.create("work_out_report", project=june.project)
    jobs.run(quiet.pk, lambda job, progress: 1 / 0)
    jobs.run(jobs.create("load_dataset").pk, lambda job, progress: 1 / 0)  # of no project
    assert told() == ["job.failed"]


def test_only_webhooks_of_the_project_that_select_the_event_and_are_not_paused_are_told():
    june, other = study(), study("july")
    wanted = subscribed(june.project, Event.RATER_PAUSED)
    subscribed(june.project, Event.JOB_FAILED)
    subscribed(other.project)
    Webhook.objects.filter(pk=subscribed(june.project).pk).update(active=False)
    pause_rater(june.project, june.people["ravi"])
    assert WebhookDelivery.objects.get().webhook == wanted


def test_what_raters_write_is_in_no_payload(june):
    work = take_work(june.project, june.people["ravi"])
    for item in Item.objects.filter(response=work.sheet.response, rate=True):
        save(june.people["ravi"], work.public_id, item.public_id, Submission(ACCURATE, 0, comment="my private words"))
    finish(work)
    pause_rater(june.project, june.people["ravi"], "their private words")
    texts = "".join(str(row.payload) for row in WebhookDelivery.objects.all())
    assert len(told()) == 2
    assert "private" not in texts and "ravi" not in texts and "Sentence" not in texts


def test_saving_sends_no_statement_more_and_finishing_one_without_a_webhook():
    june = study(prompts=2)
    work = take_work(june.project, june.people["ravi"])
    with CaptureQueriesContext(connection) as saved:
        for item in Item.objects.filter(response=work.sheet.response, rate=True):
            save(june.people["ravi"], work.public_id, item.public_id, Submission(ACCURATE, 0))
    assert not [query for query in saved if "webhook" in query["sql"]]
    with CaptureQueriesContext(connection) as finished:
        finish(work)
    assert len([query for query in finished if "webhook" in query["sql"]]) == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_last_responses_at_once_one_finishes_the_project():
    june = study(prompts=1, sentences=1)
    subscribed(june.project, Event.PROJECT_FINISHED)
    works = []
    for name in ("ravi", "rosa"):
        work = take_work(june.project, june.people[name])
        for item in Item.objects.filter(response=work.sheet.response, rate=True):
            save(june.people[name], work.public_id, item.public_id, Submission(ACCURATE, 0))
        works.append(work)
    start = threading.Barrier(2)

    def run(work) -> None:
        try:
            start.wait()
            finish(work)
        finally:
            connection.close()

    with ThreadPoolExecutor() as threads:
        wait([threads.submit(run, work) for work in works])
    assert told() == ["project.finished"]
