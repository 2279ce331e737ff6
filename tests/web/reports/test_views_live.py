"""Projects too large to wait for: first numbers, and a job that works out the rest."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from annotation import jobs
from annotation.models import Job, Rating
from annotation.reporting import live
from tests.cast import person
from tests.web.reports.pages import get_page, page_with_options

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
COMPUTE = "/projects/june/report/numbers/"


def test_a_large_project_shows_first_numbers_and_lets_a_job_work_out_the_rest(lena, large):
    text = get_page(lena, "report", "june")
    assert "Preliminary numbers." in text and "<small>61 of 70</small>" in text and "Korn-Graubard" in text
    assert "data-submits-itself" in text and "Differences between systems" in text
    assert "Agreement between raters" not in text
    assert not Job.objects.exists(), "looking starts nothing"
    for _ in range(2):
        response = lena.post(COMPUTE)
    assert response["Location"] == reverse("report", args=["june"]) + "?live=1"
    job = Job.objects.get()
    text = get_page(lena, "report", "june")
    assert "data-job" in text and "data-submits-itself" not in text
    jobs.run(job.pk, live.run_report_job)
    text = get_page(lena, "report", "june")
    assert "Preliminary numbers." not in text and "Agreement between raters" in text
    assert "As of" not in text, "nothing changed since"
    Rating.objects.filter(pk=large.ratings.first().pk).update(seconds=7)
    text = get_page(lena, "report", "june")
    assert "Preliminary numbers." not in text and "Agreement between raters" in text and "As of" in text


def test_first_numbers_apply_the_options_that_the_tally_has_and_name_the_others(lena, large, monkeypatch):
    text = page_with_options(lena, systems="Alder", without_raters="tom")
    assert "Not applied until then: without the ratings of tom." in text
    assert "Computed with" in text and "Alder only" in text and "Remove: Without the ratings of tom" not in text
    assert '<th scope="row">Alder</th>' in text and '<th scope="row">Birch</th>' not in text
    cache.clear()
    monkeypatch.setattr(live, "MAX_DRAWS", 100)
    text = get_page(lena, "report", "june")
    assert "closed-form intervals" in text and "Differences between systems" not in text, "of very many prompts"


def test_numbers_and_files_of_a_switch_come_with_the_job_and_no_second_job_of_a_lead_runs(lena, large):
    address, options = "/projects/june/report/?live=1&without_raters=tom", {"without_raters": "tom"}
    assert lena.get(address, headers={"HX-Request": "true"})["HX-Redirect"] == address, "the page follows the job"
    figure = reverse("report_figure", args=["june", "options-light.svg"])
    table = reverse("report_table", args=["june"])
    of_table = {"table": "systems", "format": "csv"}
    assert lena.get(figure, options).status_code == lena.get(table, options | of_table).status_code == 404
    assert lena.get(figure).status_code == lena.get(table, of_table).status_code == 200
    assert '<input type="hidden" name="without_raters" value="tom">' in page_with_options(lena, **options)
    lena.post(COMPUTE, options)
    response = lena.post(COMPUTE, follow=True)
    assert "Your last live report is still being computed." in response.content.decode()
    job = Job.objects.get()
    assert job.params == {"without_raters": ["tom"]}
    jobs.run(job.pk, live.run_report_job)
    text = page_with_options(lena, **options)
    assert "102 of 153 ratings" in text and "was 87.1 %" in text
    assert lena.get(figure, options).status_code == lena.get(table, options | of_table).status_code == 200


def test_a_figure_that_no_report_has_is_refused_before_anything_is_computed(lena, monkeypatch):
    monkeypatch.setattr(live, "live_report", None)
    for name in (
        "nothing-light.svg",
        "options-blue.svg",
        "options-light.docx",
        "options-light.gif",
        "options.svg",
        "x",
    ):
        assert lena.get(reverse("report_figure", args=["june", name])).status_code == 404, name


def test_work_that_failed_says_why_and_can_be_asked_for_again(lena, large):
    job = jobs.create(live.REPORT_JOB, project=large, actor=person("lena"))

    def refuse(job, progress):
        raise jobs.Refused(["The disk is full."])

    jobs.run(job.pk, refuse)
    text = get_page(lena, "report", "june")
    assert "The disk is full." in text and "Compute remaining sections" in text and "data-submits-itself" not in text
    lena.post(COMPUTE)
    assert Job.objects.filter(state="queued").count() == 1


def test_numbers_that_a_job_worked_out_can_be_worked_out_again(lena, large):
    jobs.run(jobs.create(live.REPORT_JOB, project=large, actor=person("lena")).pk, live.run_report_job)
    Rating.objects.filter(rater=person("tom")).delete()
    text = get_page(lena, "report", "june")
    assert "153 ratings by 3 raters" in text and "Compute again" in text
    response = lena.post(COMPUTE)
    job = Job.objects.get(state="queued")
    assert response["Location"] == reverse("job", args=[job.public_id])
    jobs.run(job.pk, live.run_report_job)
    assert lena.get(response["Location"])["Location"] == reverse("report", args=["june"]) + "?live=1"
    assert "102 ratings by 2 raters" in get_page(lena, "report", "june")
