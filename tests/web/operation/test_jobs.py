"""All jobs of the site: for admins, who retry failed ones and cancel open ones."""

import pytest

from annotation import jobs
from annotation.models import AuditEvent, Job
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch):
    """Return the list of jobs that are sent to a worker."""
    found = []
    monkeypatch.setattr("annotation.web.operation.jobs.enqueue", found.append)
    return found


def failed_job(**values) -> Job:
    job = jobs.create("export", **values)
    jobs.run(job.pk, lambda job, progress: refuse())
    return Job.objects.get(pk=job.pk)


def refuse() -> None:
    raise jobs.Refused(["The data set is empty."])


def test_the_list_says_who_started_what_and_why_it_failed(june, ada, django_assert_max_num_queries):
    for _ in range(5):
        failed_job(project=june.project, actor=june.people["lena"])
    jobs.create("backup")
    with django_assert_max_num_queries(8):
        page = text_of(ada.get("/jobs/"))
    assert "Writing a file Study june Failed The data set is empty. lena" in page
    assert "Writing a backup Queued Schedule or command" in page
    assert "Writing a backup" not in text_of(ada.get("/jobs/?state=failed"))
    assert "Study june" not in text_of(ada.get("/jobs/?state=open"))
    assert "There are no such jobs." in text_of(ada.get("/jobs/?state=done"))


def test_a_failed_job_is_queued_again_and_runs(ada, sent):
    job = failed_job()
    page = ada.post(f"/jobs/{job.public_id}/retry/", follow=True)
    assert "Writing a file: queued again." in text_of(page)
    assert [again.pk for again in sent] == [job.pk]
    event = AuditEvent.objects.get(action="retry job")
    assert (event.actor.username, event.target) == ("ada", f"job:{job.public_id}")
    assert (event.before, event.after) == (["The data set is empty."], "export")
    jobs.run(job.pk, lambda job, progress: {"n": 1})
    job.refresh_from_db()
    assert (job.state, job.problems, job.attempts) == ("done", [], 2)


def test_a_job_that_has_not_failed_is_not_retried_nor_one_that_has_ended_canceled(ada, sent):
    queued, done = jobs.create("export"), jobs.create("backup")
    jobs.run(done.pk, lambda job, progress: {})
    for job in (queued, done):
        ada.post(f"/jobs/{job.public_id}/retry/")
    page = text_of(ada.post(f"/jobs/{done.public_id}/cancel/", follow=True))
    assert "The job had ended already." in page
    assert list(Job.objects.order_by("pk").values_list("state", flat=True)) == ["queued", "done"]
    assert (sent, AuditEvent.objects.filter(action="retry job").count()) == ([], 0)


def test_a_queued_job_is_canceled_and_a_running_one_stops_at_its_next_step(ada):
    queued, running = jobs.create("export"), jobs.create("backup")
    ada.post(f"/jobs/{queued.public_id}/cancel/")
    ran = []
    jobs.run(queued.pk, lambda job, progress: ran.append(job))

    def work(job: Job, progress: jobs.Progress) -> dict:
        ada.post(f"/jobs/{job.public_id}/cancel/")
        progress.lock_job()
        return {"stored": True}

    jobs.run(running.pk, work)
    assert list(Job.objects.values_list("state", "result")) == [("cancelled", None)] * 2 and ran == []
    assert AuditEvent.objects.filter(action="cancel job").count() == 2
