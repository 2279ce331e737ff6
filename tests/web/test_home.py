"""The home page says what to do next: to raters, to leads, to admins, and on an empty site."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation import jobs
from annotation.access import assignments_for
from annotation.importing.sample_project import import_sample_job
from annotation.jobs import Refused
from annotation.models import Item, Job, Membership, Project, Rating, Slot
from annotation.projects.archiving import archive
from annotation.projects.members import add_member, remove_member
from annotation.projects.overview import project_states, rater_work
from annotation.qualification.next_work import take_next
from annotation.queue.reopening import reopen
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from tests.cast import ACCURATE, dataset, person, signed_in, study
from tests.gold_studies import gold_sheets_for
from tests.web.pages import html_of, queries, rates, text_of

pytestmark = pytest.mark.django_db


def home(client, name: str, **options) -> str:
    client.force_login(person(name, **options))
    return text_of(client.get(reverse("home")))


def test_a_rater_is_told_to_start_where_to_go_on_and_to_check_what_was_reopened(june, client):
    july = study("july", prompts=2, sentences=5)
    page = home(client, "ravi")
    assert "2 responses left for you. You have not started yet." in page and "Start rating" in page
    rates(july.people["ravi"], july.project, sentences=3)
    assert "Today: 3 ratings and 0 finished responses" in home(client, "ravi")
    reopen(rates(june.people["ravi"], june.project))
    page = home(client, "ravi")
    assert "Continue: 3 of 5 sentences rated in the response you started" in page
    assert "2 responses left for you, including this one" in page
    assert f'href="{reverse("rate", args=["july"])}"' in html_of(client.get("/"))
    assert "To finish: 3 of 3 sentences are rated in the response about" in page
    assert "Check your answers and finish it." in page


def test_what_was_begun_comes_first_and_what_has_nothing_left_last(client):
    for slug in ("june", "july", "august"):
        study(slug, prompts=1)
    june, august = (Project.objects.get(slug=slug) for slug in ("june", "august"))
    rates(person("ravi"), june, sentences=1)
    rates(person("ravi"), august)
    client.force_login(person("ravi"))
    assert [work.project.slug for work, _ in client.get("/").context["rater_projects"]] == ["june", "july", "august"]


def test_training_before_the_work_is_named_on_the_button(client):
    june = study(prompts=2)
    gold_sheets_for(june, "training", 0)
    page = home(client, "ravi")
    assert "Start training" in page and "Start rating" not in page
    introduction = text_of(client.get("/projects/june/introduction/"))
    assert "Start training" in introduction and "Start rating" not in introduction


def test_what_others_may_take_is_no_promise(client):
    june = study(prompts=3, overlap=1)
    rates(june.people["rosa"], june.project, sentences=0)
    page = home(client, "ravi")
    assert "Up to 2 responses left for you. Other raters share the queue." in page and "0 of 2" not in page
    remove_member(june.project, june.people["rosa"])
    assert "3 responses left for you." in home(client, "ravi")


def test_a_rater_with_nothing_left_gets_no_button_and_yesterday_is_not_counted_for_today(client):
    june = study(prompts=1)
    rates(june.people["ravi"], june.project)
    page = home(client, "ravi")
    assert "All done." in page and "1 of 1" in page
    assert reverse("rate", args=["june"]) not in html_of(client.get("/"))
    Rating.objects.update(rated_at=timezone.now() - timedelta(days=1))
    assert "Today: 0 ratings" in home(client, "ravi")


def test_people_see_no_project_but_their_own_and_strangers_their_user_name(june, client):
    study("other", raters=("otto",))
    page = home(client, "otto")
    assert "Study other" in page and "Study june" not in page
    page = home(client, "ines")
    assert "No projects yet" in page and "ines" in page


@pytest.mark.parametrize("overlap", [1, 2])
def test_what_is_left_for_a_rater_is_what_the_queue_still_gives(overlap):
    june = study(prompts=3, systems=("heron", "plover"), overlap=overlap, sentences=1)
    ravi, rosa = june.people["ravi"], june.people["rosa"]
    rates(rosa, june.project)
    rates(rosa, june.project, sentences=0)  # taken by Rosa, and not finished
    item = Item.objects.filter(response=june.responses[5]).first()
    store_ratings(june.project, [NewRating(item=item, rater=ravi, answers=ACCURATE)])  # imported: not to be rated again
    rates(ravi, june.project, sentences=0)
    remaining = rater_work(ravi, june.project)[0].remaining
    count = 0
    while (assignment := take_next(june.project, ravi)) is not None:
        count += 1
        save_all_of(assignment, ravi)
    assert count == remaining


def save_all_of(assignment, rater):
    for item in Item.objects.filter(response=assignment.sheet.response, rate=True):
        save(rater, assignment.public_id, item.public_id, Submission(ACCURATE, base_version=0))
    finish(assignments_for(rater).get(pk=assignment.pk))


def test_a_lead_sees_how_far_each_project_is_and_since_when_nobody_has_rated(client):
    june = study(prompts=2)
    rates(june.people["ravi"], june.project)
    rates(june.people["rosa"], june.project, sentences=1)
    page = home(client, "lena")
    assert "2 responses, 2 raters per response" in page and "Annotations finished · 1 in progress" in page
    assert "1 of 4" in page
    Slot.objects.filter(holder__isnull=False).update(expires_at=timezone.now() - timedelta(days=4))
    assert "No ratings since" in home(client, "lena")


def test_a_lead_is_led_to_the_checklist_and_told_that_too_few_rate_until_ratings_come(june, client):
    page = home(client, "lena")
    assert "Setup checklist" in page and "Add members" not in page
    others = [study("july", overlap=3), study("august", raters=())]
    page = home(client, "lena")
    assert "Each response needs 3 raters. The project has 2 raters. Add members" in page
    assert "The project has no rater who can sign in. Add members" in page
    rates(june.people["ravi"], june.project)
    for other in others:
        archive(other.project)
    page = home(client, "lena")
    assert "Setup checklist" not in page and "Report" in page


def test_a_failed_job_is_named_until_another_is_done(june, client):
    failing = jobs.create("freeze_report", project=june.project)
    jobs.run(failing.pk, refuse)
    assert "a report could not be frozen" in home(client, "lena")
    jobs.run(jobs.create("freeze_report", project=june.project).pk, lambda job, progress: {})
    assert "could not be frozen" not in home(client, "lena")


def refuse(job, progress):
    raise Refused(["no ratings"])


def test_an_admin_gets_four_steps_a_sample_and_what_is_running_until_somebody_rates(client):
    page = home(client, "ada", admin=True)
    names = ("Import data set", "Choose a protocol", "Create a project", "Add raters", "Import sample project")
    steps = [page.index(words) for words in names]
    assert steps == sorted(steps)
    html = html_of(client.get("/"))
    assert all(reverse(name) in html for name in ("import_dataset", "protocols", "new_project", "people"))
    jobs.create("load_dataset", params={"slug": "qasper", "dry_run": False}, actor=person("ada", admin=True))
    assert "Importing a data set: qasper queued" in home(client, "ada", admin=True)
    dataset("first")
    assert "First steps" in home(client, "ada", admin=True)
    study("june")
    page = home(client, "ada", admin=True)
    assert "First steps" not in page and "Study june" in page and "Data set june-data" in page


def test_an_admin_loads_the_sample_and_finds_its_report(ada):
    page = ada.post("/sample/").url
    assert "Importing the sample project" in text_of(ada.get(page))
    assert "Importing the sample project queued" in text_of(ada.get("/"))
    jobs.run(Job.objects.get().pk, import_sample_job)
    response = ada.get(page, follow=True)
    assert response.redirect_chain == [("/projects/sample/", 302)]
    html = html_of(response)
    assert "The sample is imported" in html
    assert "Quality alerts: calculating …" in text_of(response)
    assert 'href="/projects/sample/report/"' in html
    assert "vicuna" in text_of(ada.get("/projects/sample/report/")) or Rating.objects.count() > 100
    page = text_of(ada.get("/"))
    assert "First steps" in page and "The sample is imported: project, report." in page
    assert page.count("✓ Done") == 1 and "0 raters" not in page  # the project
    assert "Import sample project" not in page
    assert ada.post("/sample/").url == "/projects/sample/"


def test_two_projects_take_as_many_queries_as_one(ada):
    def more(slug: str) -> None:
        prepared = study(slug, prompts=2, sentences=1)
        for sentences in (None, 0):
            rates(prepared.people["ravi"], prepared.project, sentences)

    more("june")
    people = [signed_in("ravi"), signed_in("lena"), ada]
    queries_of_one = [queries(client, "/") for client in people]
    more("july")
    assert [queries(client, "/") for client in people] == queries_of_one
    assert max(queries_of_one) <= 20


def test_the_state_of_projects_takes_four_queries(june, django_assert_num_queries):
    study("july")
    with django_assert_num_queries(4):
        assert len(project_states(Project.objects.all())) == 2


def test_a_lead_who_began_to_rate_sees_their_own_work_too(client):
    june = study(prompts=2)
    assert "Your work" not in home(client, "lena")
    add_member(june.project, person("ines"), Membership.Role.LEAD)
    rates(person("ines"), june.project, sentences=1)
    page = home(client, "ines")
    assert "Your work" in page and "Projects" in page


def test_with_nothing_but_archived_projects_the_page_has_one_heading_and_no_first_steps(june, lena, ada):
    archive(june.project)
    for client in (lena, ada):
        html = html_of(client.get("/"))
        assert html.count("<h1") == 1
        assert "No active projects" in html and "First steps" not in html
