"""Freezing from the page: a job that is followed, and bad forms that do nothing."""

import pytest
from django.urls import reverse

from annotation import jobs, reporting
from annotation.models import Job
from tests.cast import person
from tests.web.reports.pages import get_page

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


def test_freezing_makes_a_job_that_the_page_follows_after_a_reload(lena, june, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as sent:
        response = lena.post(reverse("freeze_report", args=["june"]), {"seed": "5", "resamples": "300"})
    job = Job.objects.get()
    assert len(sent) == 1
    assert lena.post(reverse("freeze_report", args=["june"]))["Location"] == response["Location"], "the same job"
    assert response["Location"] == reverse("job", args=[job.public_id])
    assert (job.params, job.started_by) == ({"seed": 5, "resamples": 300}, person("lena"))
    for text in (get_page(lena, "report", "june"), get_page(lena, "job", job.public_id)):
        assert f'data-job hx-get="{reverse("job", args=[job.public_id])}"' in text
    answer = lena.get(reverse("job", args=[job.public_id]), {"format": "json"}).json()
    assert (answer["state"], answer["share"], answer["url"]) == ("queued", None, None)


def test_a_job_that_is_done_leads_to_its_report(lena, june):
    job = jobs.create(reporting.FREEZE, project=june, params={"resamples": 100}, actor=person("lena"))
    jobs.run(job.pk, reporting.freeze_job)
    address = reverse("job", args=[job.public_id])
    answer = lena.get(address, headers={"accept": "application/json"}).json()
    report = Job.objects.get().report
    assert (answer["state"], answer["url"]) == ("done", reverse("frozen_report", args=[report.public_id]))
    assert lena.get(address)["Location"] == answer["url"]
    assert "data-job" not in get_page(lena, "report", "june")


def test_a_job_that_failed_says_why_where_it_was_asked_for(lena, june):
    job = jobs.create(reporting.FREEZE, project=june, actor=person("lena"))

    def refuse(job, progress):
        raise jobs.Refused(["The disk is full: free some space and freeze again."])

    jobs.run(job.pk, refuse)
    for text in (get_page(lena, "report", "june"), get_page(lena, "job", job.public_id)):
        assert "Freezing a report failed" in text and "The disk is full" in text


def test_a_bad_form_freezes_nothing_and_says_what_to_choose(lena):
    for form, says in (
        ({"seed": "-1"}, "Choose a whole number from 0"),
        ({"resamples": "12"}, "Choose a whole number from 100 to 100,000"),
        ({"resamples": "many"}, "&#x27;many&#x27; is not a whole number"),
        ({"seed": "99999999999"}, "Choose a whole number from 0"),
    ):
        response = lena.post(reverse("freeze_report", args=["june"]), form, follow=True)
        assert says in response.content.decode(), form
    assert not Job.objects.exists()
