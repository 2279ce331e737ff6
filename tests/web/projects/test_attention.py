"""What needs a lead now: each reason with its link, and nothing where there is none."""

from datetime import timedelta
from itertools import product

import pytest
from django.test import Client
from django.utils import timezone

from annotation import jobs
from annotation.models import Job, Rating, Slot
from annotation.projects.archiving import archive
from annotation.projects.members import remove_member
from annotation.qualification.pausing import pause_rater
from annotation.reviewing.rater_questions import ask_leads
from annotation.web.projects.attention import notices_from_ratings
from tests.cast import ACCURATE, SEVERE
from tests.gold_studies import items, rate_next
from tests.reporting.project_rows import Row, project_of
from tests.web.pages import html_of, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
JUNE = "/projects/june/"
LATE = f"{JUNE}late/"


def test_without_anything_to_do_and_with_a_running_job_nothing_is_named(lena, june):
    assert count_notices(lena) == 2
    late = text_of(lena.get(LATE))
    assert "Quality alerts: none" in late and "Pending adjudications: none" in late
    job = jobs.create("export", project=june.project)
    Job.objects.filter(pk=job.pk).update(state="running", heartbeat_at=timezone.now())
    assert count_notices(lena) == 2


def count_notices(lena: Client) -> int:
    """Return the number of lines under Needs attention; two of them are there in every project."""
    return html_of(lena.get(JUNE)).count('<span class="tone"')


def test_questions_stopped_raters_jobs_and_leases_are_named_with_their_links(lena, ravi, june):
    begun = rates(june.people["ravi"], june.project, sentences=1)
    assert "returns to the queue" not in text_of(lena.get(JUNE))
    ask_leads(june.people["ravi"], begun.public_id, items(begun)[0].public_id, "Is it so?")
    Slot.objects.exclude(holder=None).update(expires_at=timezone.now() + timedelta(minutes=40))
    pause_rater(june.project, june.people["rosa"])
    job = jobs.create("export", project=june.project)
    Job.objects.filter(pk=job.pk).update(state="failed", ended_at=timezone.now())
    late = jobs.create("freeze_report", project=june.project)
    Job.objects.filter(pk=late.pk).update(created_at=timezone.now() - timedelta(minutes=5))
    page = text_of(lena.get(JUNE))
    for words in (
        "1 question or report from raters is open. Answer questions",
        "rosa is paused. View qualification",
        "Writing a file failed. View reason",
        "Freezing a report is not making progress. View reason",
        "1 unfinished response returns to the queue within an hour",
    ):
        assert words in page
    html = html_of(lena.get(JUNE))
    assert f'href="{JUNE}inbox/"' in html and f'href="/jobs/{job.public_id}/"' in html
    assert "Needs attention" not in text_of(ravi.get(JUNE))
    archive(june.project)
    for address in (JUNE, LATE):
        assert "Needs attention" not in text_of(lena.get(address))


def test_too_few_raters_and_a_standstill_are_named_once_the_work_has_begun(lena, june):
    rates(june.people["ravi"], june.project)
    remove_member(june.project, june.people["rosa"])
    long_ago = timezone.now() - timedelta(days=5)
    Slot.objects.exclude(holder=None).update(finished_at=long_ago, expires_at=long_ago)
    page = text_of(lena.get(JUNE))
    assert "Each response needs 2 raters. The project has 1 rater. Add members" in page
    assert "No ratings since" in page


def test_disagreements_come_after_the_page(lena, june):
    rate_next(june, "ravi", ACCURATE)
    rate_next(june, "rosa", SEVERE)
    page = text_of(lena.get(JUNE))
    assert "Quality alerts: calculating … Rater quality" in page
    assert "Pending adjudications: calculating … Adjudicate disagreements" in page
    page = text_of(lena.get(LATE))
    assert "Quality alerts: ravi and rosa Rater quality" in page
    assert "Pending adjudications: 2 sentences Adjudicate disagreements" in page


def test_raters_who_are_too_fast_and_agree_by_chance_are_named():
    answers = list(product([ACCURATE, SEVERE], repeat=2)) * 15
    rows = [
        Row(f"q{n:02}", "heron", name, of_item[i])
        for n, of_item in enumerate(answers)
        for i, name in enumerate(("ravi", "rosa"))
    ]
    project = project_of(rows)
    Rating.objects.filter(rater__username="ravi").update(seconds=0.2)
    assert [notice.text for notice in notices_from_ratings(project)] == [
        "Quality alerts: ravi",
        "Pending adjudications: 30 sentences",
        "The raters agree little more than by chance: Krippendorff’s alpha .008 over 60 sentences.",
    ]
