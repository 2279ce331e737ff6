"""The lead's pages: what they show, who may see them, and that a bad form does nothing."""

import json
import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation import jobs, reporting
from annotation.assigning.projects import add_member
from annotation.models import Job, Membership, Project, Rating
from tests.cast import ACCURATE, CANNOT_ASSESS, person
from tests.reporting.given import Row, project_of, worked_example

pytestmark = pytest.mark.django_db

PAGES = ["report", "agreement", "exports"]


@pytest.fixture
def june() -> Project:
    project = project_of(worked_example())
    add_member(project, person("ravi"), Membership.Role.RATER)
    other = project_of([], "other")
    add_member(other, person("otto"), Membership.Role.LEAD)
    return project


@pytest.fixture
def frozen(june):
    return reporting.freeze(june, reporting.Choices(resamples=200), actor=person("lena"))


@pytest.fixture
def lena(client):
    client.force_login(person("lena"))
    return client


def page(client, name: str, *args: str, query: str = "") -> str:
    response = client.get(reverse(name, args=args) + query)
    assert response.status_code == 200, (name, response.status_code)
    return re.sub(r"\s+", " ", response.content.decode())


def addresses(june: Project, frozen) -> list[str]:
    job = jobs.create(reporting.FREEZE, project=june, actor=person("lena"))
    names = [reverse(name, args=[june.slug]) for name in [*PAGES, "export_ratings"]]
    files = [reverse("report_file", args=[frozen.public_id, name]) for name in ("report.json", "options-light.svg")]
    return [
        *names,
        *files,
        reverse("frozen_report", args=[frozen.public_id]),
        reverse("job", args=[job.public_id]),
    ]


@pytest.mark.parametrize(("name", "status"), [("lena", 200), ("ada", 200), ("ravi", 403), ("otto", 404)])
def test_leads_and_admins_see_the_report_raters_may_not_and_strangers_find_nothing(client, june, frozen, name, status):
    client.force_login(person(name, admin=name == "ada"))
    for address in addresses(june, frozen):
        assert client.get(address).status_code == status, address


def test_nobody_sees_anything_without_signing_in(client, june, frozen):
    for address in addresses(june, frozen):
        response = client.get(address)
        assert response.status_code == 302 and "/login/" in response["Location"], address


@pytest.mark.parametrize(("name", "status"), [("ravi", 403), ("otto", 404)])
def test_only_leads_freeze(client, june, name, status):
    client.force_login(person(name))
    assert client.post(reverse("freeze_report", args=["june"])).status_code == status
    assert not Job.objects.exists()


def test_the_table_shows_share_interval_and_k_of_n_and_what_was_left_out(lena, june):
    text = page(lena, "report", "june")
    assert re.search(r"<b>87\.1 %</b> <i>\d\d\.\d – \d\d\.\d</i><small>61 of 70</small>", text)
    assert "<small>18 of 67</small>" in text
    assert "Korn-Graubard" in text
    assert "16 ratings “Can&#x27;t assess”" in text
    assert "Live numbers, not frozen" in text


def test_nothing_to_assess_is_said_in_words(lena, june):
    text = page(lena, "report", "june", query="?by=system+%C3%97+question_type")
    assert "no assessable ratings" in text
    assert "NaN" not in text and "None" not in text


def test_the_breakdown_that_was_asked_for_is_shown(lena, june):
    assert '<h2 id="by-title">By question type</h2>' in page(lena, "report", "june")
    text = page(lena, "report", "june", query="?by=rater")
    assert "By rater" in text and '<th scope="row">rosa</th>' in text
    assert "By question type" in page(lena, "report", "june", query="?by=nonsense")


def test_a_project_without_ratings_says_what_will_come_and_never_0_percent(lena):
    project_of([], "empty")
    for name in PAGES:
        text = page(lena, name, "empty")
        assert "0.0 %" not in text and not re.search(r"\bNone\b(?! yet)|\bnan\b", text)
    assert "No ratings to report yet" in page(lena, "report", "empty")
    assert "No ratings to compare yet" in page(lena, "agreement", "empty")


def test_a_project_in_which_nothing_could_be_assessed_shows_no_proportion(lena):
    project_of([Row("q1", "heron", "ravi", CANNOT_ASSESS), Row("q1", "heron", "rosa", CANNOT_ASSESS)], "unclear")
    text = page(lena, "report", "unclear")
    assert text.count("no assessable ratings") >= 3
    assert "Can&#x27;t assess: 100.0 %" in text


def test_a_hostile_name_is_text_on_every_page(lena):
    name = "<script>alert(1)</script>\"'"
    project_of([Row("q1", name, r, ACCURATE, metadata={name: name}) for r in ("ravi", "rosa")], "odd")
    for address in PAGES:
        assert "<script>alert" not in page(lena, address, "odd")


def test_a_page_has_no_inline_style_or_script(lena, june, frozen):
    for text in [page(lena, name, "june") for name in PAGES] + [page(lena, "frozen_report", frozen.public_id)]:
        assert " style=" not in text and "onclick" not in text
        assert not re.search(r"<script(?![^>]*\bsrc=)", text)


def test_a_frozen_report_is_shown_first_and_says_how_many_ratings_came_since(lena, june, frozen):
    assert "Live numbers, not frozen" not in page(lena, "report", "june")
    Rating.objects.filter(rater=person("tom")).delete()
    text = page(lena, "report", "june")
    assert "153 ratings by 3 raters" in text
    assert "Fewer ratings count now" in text
    live = page(lena, "report", "june", query="?live=1")
    assert "102 ratings by 2 raters" in live and "Live numbers, not frozen" in live


def test_the_page_of_a_frozen_report_stands_under_report_in_the_navigation(lena, june, frozen):
    html = page(lena, "frozen_report", str(frozen.public_id))
    [current] = re.findall('aria-current="page">([^<]+)</a>', html.split("<main")[0])
    assert current == "Report"


def test_a_frozen_report_keeps_its_page_and_its_bytes(lena, june, frozen):
    before = lena.get(reverse("report_file", args=[frozen.public_id, "report.json"])).content
    Rating.objects.filter(rater=person("tom")).delete()
    assert lena.get(reverse("report_file", args=[frozen.public_id, "report.json"])).content == before
    assert before == frozen.document.encode()
    assert "<small>61 of 70</small>" in page(lena, "frozen_report", frozen.public_id)


@pytest.mark.parametrize(
    ("name", "kind", "holds"),
    [
        ("report.json", "application/json", '"schema": "factuary-report/1"'),
        ("report.csv", "text/csv; charset=utf-8", "systems,Alder,,measure,accurate,61,70,"),
        ("report.md", "text/markdown; charset=utf-8", "| Alder | 87.1 % ["),
        ("report.tex", "application/x-tex; charset=utf-8", r"\toprule"),
        ("report.html", "text/html; charset=utf-8", "<h1>Report</h1>"),
        ("options-light.svg", "image/svg+xml", "<desc id="),
        ("options-dark.svg", "image/svg+xml", "#63c79d"),
    ],
)
def test_a_frozen_report_can_be_taken_home_in_every_format(lena, june, frozen, name, kind, holds):
    response = lena.get(reverse("report_file", args=[frozen.public_id, name]))
    assert response["Content-Type"] == kind
    assert response["Content-Disposition"].startswith("attachment")
    assert holds in response.content.decode()


@pytest.mark.parametrize("name", ["report.docx", "other.json", "options-light.png", "..svg"])
def test_a_file_that_is_not_there_is_not_found(lena, june, frozen, name):
    assert lena.get(reverse("report_file", args=[frozen.public_id, name])).status_code == 404


def test_freezing_makes_a_job_that_the_page_follows_after_a_reload(lena, june, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as sent:
        response = lena.post(reverse("freeze_report", args=["june"]), {"seed": "5", "resamples": "300"})
    job = Job.objects.get()
    assert len(sent) == 1
    assert response["Location"] == reverse("job", args=[job.public_id])
    assert (job.params, job.started_by) == ({"seed": 5, "resamples": 300}, person("lena"))
    for text in (page(lena, "report", "june"), page(lena, "job", job.public_id)):
        assert f'data-job="{reverse("job", args=[job.public_id])}?format=json"' in text
    answer = lena.get(reverse("job", args=[job.public_id]), {"format": "json"}).json()
    assert (answer["state"], answer["share"], answer["url"]) == ("queued", None, None)


def test_asking_twice_for_a_report_follows_the_first_job(lena, june):
    for _ in range(2):
        response = lena.post(reverse("freeze_report", args=["june"]))
    assert response["Location"] == reverse("job", args=[Job.objects.get().public_id])


def test_a_job_that_is_done_leads_to_its_report(lena, june):
    job = jobs.create(reporting.FREEZE, project=june, params={"resamples": 200}, actor=person("lena"))
    jobs.run(job.pk, reporting.freeze_job)
    address = reverse("job", args=[job.public_id])
    answer = lena.get(address, headers={"accept": "application/json"}).json()
    report = Job.objects.get().report
    assert (answer["state"], answer["url"]) == ("done", reverse("frozen_report", args=[report.public_id]))
    assert lena.get(address)["Location"] == answer["url"]
    assert "data-job" not in page(lena, "report", "june")


def test_a_job_that_failed_says_why_where_it_was_asked_for(lena, june):
    job = jobs.create(reporting.FREEZE, project=june, actor=person("lena"))

    def refuse(job, progress):
        raise jobs.Refused(["The disk is full: free some space and freeze again."])

    jobs.run(job.pk, refuse)
    for text in (page(lena, "report", "june"), page(lena, "job", job.public_id)):
        assert "Freezing a report did not succeed" in text and "The disk is full" in text


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"seed": "-1"}, "Choose a whole number from 0"),
        ({"resamples": "12"}, "Choose a whole number from 100 to 100,000"),
        ({"resamples": "many"}, "&#x27;many&#x27; is not a whole number"),
        ({"seed": "99999999999"}, "Choose a whole number from 0"),
    ],
)
def test_a_bad_form_freezes_nothing_and_says_what_to_choose(lena, june, form, says):
    response = lena.post(reverse("freeze_report", args=["june"]), form, follow=True)
    assert says in response.content.decode()
    assert not Job.objects.exists()


def test_the_agreement_page_names_what_is_mixed_up(lena, june):
    text = page(lena, "agreement", "june")
    assert "Gwet’s AC1" in text and "Krippendorff’s alpha" in text
    assert "intervals come with a frozen report" in text
    assert "Severity" in text and "Accurate or not" in text


def test_intervals_of_agreement_are_shown_while_the_data_are_those_of_the_frozen_report(lena, june, frozen):
    assert "whose intervals are shown" in page(lena, "agreement", "june")
    Rating.objects.filter(rater=person("tom")).delete()
    assert "intervals come with a frozen report" in page(lena, "agreement", "june")


def test_ratings_can_be_taken_home_as_a_stream(lena, june):
    for format in ("jsonl", "csv"):
        response = lena.get(reverse("export_ratings", args=["june"]), {"format": format})
        assert response.streaming
        assert response["Content-Disposition"].startswith("attachment")
        lines = b"".join(response.streaming_content).decode().splitlines()
        assert len(lines) == 153 + (format == "csv")
    assert lena.get(reverse("export_ratings", args=["june"]), {"format": "docx"}).status_code == 404


def test_pseudonymous_exports_name_no_rater(lena, june):
    response = lena.get(reverse("export_ratings", args=["june"]), {"format": "jsonl", "pseudonymous": "1"})
    raters = {json.loads(line)["rater"] for line in b"".join(response.streaming_content).splitlines()}
    assert len(raters) == 3 and not raters & {"ravi", "rosa", "tom"}


def test_a_report_and_a_job_that_do_not_exist_are_not_found(lena):
    for name in ("frozen_report", "job"):
        assert lena.get(reverse(name, args=[uuid.uuid4()])).status_code == 404


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_the_database_as_often_for_few_ratings_as_for_many(lena, name, django_assert_num_queries):
    project_of(worked_example()[:12], "few")
    project_of(worked_example(), "many")
    with CaptureQueriesContext(connection) as few:
        page(lena, name, "few")
    with django_assert_num_queries(len(few)):
        page(lena, name, "many")
    assert len(few) <= 20
