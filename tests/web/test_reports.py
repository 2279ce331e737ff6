"""The lead's pages: what they show, who may see them, and that a bad form does nothing."""

import json
import re
import uuid
from html import unescape
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation import jobs, reporting
from annotation.assigning.projects import add_member
from annotation.models import Item, Job, Membership, Project, Rating, Report, Response, System
from annotation.reporting import Choices, working_out
from annotation.stats.intervals import wilson
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person, which_is_better
from tests.reporting.given import Row, project_of, worked_example

pytestmark = pytest.mark.django_db

PAGES = ["report", "exports"]


@pytest.fixture(autouse=True)
def slow_heart(monkeypatch):
    """A heart beats on a connection of its own, which cannot see the job of a test's open transaction."""
    monkeypatch.setattr(jobs, "HEARTBEAT", 600.0)


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
    files.append(reverse("report_figure", args=[june.slug, "options-light.svg"]))
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
    assert re.search(
        r"<b>87\.1 %</b> <i>\d\d\.\d – \d\d\.\d</i>( <span class=\"best\">best</span>)?<small>61 of 70</small>", text
    )
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


def test_a_project_in_which_nothing_could_be_assessed_shows_no_proportion(lena):
    project_of([Row("q1", "heron", "ravi", CANNOT_ASSESS), Row("q1", "heron", "rosa", CANNOT_ASSESS)], "unclear")
    text = page(lena, "report", "unclear")
    assert text.count("no assessable ratings") >= 3
    assert re.search(r"100\.0 %(</?[^>]*>| |[\d.–])*<small>2</small>", text), "the answers are shown all the same"


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


@pytest.mark.parametrize(
    "name", ["report.docx", "other.json", "options-light.gif", "options.png", "nothing-light.svg", "..svg"]
)
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
    assert len(few) <= 40


def one_sided(*systems: str) -> list[Row]:
    """Twelve prompts; the first system is right about every one of them, the others about none."""
    answers = {name: ACCURATE if name == systems[0] else SEVERE for name in systems}
    return [
        Row(f"q{n:02}", name, rater, answers[name]) for n in range(12) for name in systems for rater in ("ravi", "rosa")
    ]


def test_the_best_value_is_marked_where_it_is_significantly_better_than_every_other(lena):
    project_of(one_sided("heron", "plover", "tern"), "clear")
    text = page(lena, "report", "clear")
    row = re.findall(r"<tr><th scope=\"row\">heron</th>.*?</tr>", text)[0]
    assert row.count('class="best"') == 3, "the highest accurate share, the lowest inaccurate ones"
    assert text.count('class="best"') == 4, "and the line that says what it means"


def test_nothing_is_marked_where_two_share_the_first_place(lena):
    rows = one_sided("heron", "plover")
    twins = [Row(row.prompt, "heron twin", row.rater, row.answers) for row in rows if row.system == "heron"]
    project_of([*rows, *twins], "twins")
    assert 'class="best"' not in page(lena, "report", "twins")


def test_disputed_and_unsupported_stand_beside_the_measures(lena, june):
    text = page(lena, "report", "june")
    assert '<th scope="col" class="quieter">Disputed</th><th scope="col" class="quieter">Unsupported</th>' in text


def test_the_interval_of_independent_ratings_is_called_what_it_is(lena, june):
    text = page(lena, "report", "june")
    assert "As if ratings were independent" in text and "too narrow" in text
    bounds = wilson(61, 70)
    assert f"as if independent {100 * bounds.low:.1f} – {100 * bounds.high:.1f}" in text


def test_few_prompts_have_counts_and_no_interval(lena):
    project_of([Row(f"q{n}", "heron", "ravi", ACCURATE) for n in range(9)], "few")
    text = page(lena, "report", "few")
    assert "Fewer than 10 prompts have been rated" in text and "<small>9 of 9</small>" in text
    assert "Do the systems differ?" not in text, "there is one system"


def switched(client, **switches: str | list[str]) -> str:
    return page(client, "report", "june", query="?" + urlencode(switches, doseq=True))


def test_a_switch_answers_with_the_change_it_makes(lena, june):
    text = switched(lena, without_raters="tom")
    assert "102 of 370" not in text and "102 of 153 ratings" in text
    assert "Without the ratings of tom" in text
    assert re.search(r"was 87\.1 % <b>\([+−]?\d+\.\d\)</b>", text)
    assert "computed with a choice of ratings: without the ratings of tom" in text, "the Methods paragraph says so"
    assert "Live numbers, not frozen" in text


def test_switches_are_offered_and_kept_in_every_address_of_the_page(lena, june):
    text = switched(lena, without_raters="tom", least_seconds="2")
    assert '<input type="checkbox" name="without_raters" value="tom" checked>' in text
    assert '<input type="checkbox" name="without_raters" value="rosa">' in text
    assert re.search(r'name="least_seconds"[^>]* value="2.0"', text)
    assert "?live=1&amp;without_raters=tom&amp;least_seconds=2.0&amp;by=" in text
    assert re.search(r'data-draws="[^"]*without_raters=tom', text)
    assert 'href="?live=1&amp;least_seconds=2.0" aria-label="Take back: Without the ratings of tom"' in text


def test_a_switch_that_leaves_nothing_says_so(lena, june):
    text = switched(lena, systems="nobody")
    assert "The switches leave no rating" in text and "153 ratings count" in text
    assert "There is no system &#x27;nobody&#x27; with ratings here." in text
    lena.post(reverse("freeze_report", args=["june"]), {"systems": "nobody"})
    assert not Job.objects.exists()


def test_what_has_no_rating_yet_is_counted_beside_the_table(lena, june):
    System.objects.create(dataset=june.dataset, name="Larch")
    text = page(lena, "report", "june")
    assert "without a rating that counts yet: Larch; 0 responses." in text


def test_a_wrong_switch_is_named_and_the_others_are_set(lena, june):
    text = switched(lena, least_gold="7", without_raters="tom")
    assert "Raters at least this good on gold, as a share (0.8 is 80 %): Choose a number from 0 to 1." in text
    assert "102 of 153 ratings" in text


def test_a_frozen_report_keeps_the_switches(lena, june):
    text = switched(lena, without_raters="tom")
    assert '<input type="hidden" name="without_raters" value="tom">' in text
    lena.post(reverse("freeze_report", args=["june"]), {"without_raters": "tom", "seed": "1", "resamples": "200"})
    job = Job.objects.get()
    assert job.params == {"resamples": 200, "without_raters": ["tom"]}
    jobs.run(job.pk, reporting.freeze_job)
    frozen = Report.objects.get()
    assert json.loads(frozen.document)["filters"] == {"without_raters": ["tom"]}
    text = page(lena, "frozen_report", frozen.public_id)
    assert "Without the ratings of tom" in text and "102 ratings by 2 raters" in text
    assert 'name="without_raters"' not in text.split("<dialog")[0], "nothing can be switched in a frozen report"


def test_a_report_of_before_is_shown_without_what_it_does_not_have(lena, june, frozen):
    document = json.loads(frozen.document)
    for key in ("filters", "ranks", "aggregations", "disagreements", "raters"):
        document.pop(key)
    for cell in (document["overall"], *document["systems"]):
        cell.pop("shares"), cell.pop("shares_of_assessed")
    old = Report.objects.create(project=june, document=json.dumps(document), data_sha256="0" * 64, figures={})
    text = page(lena, "frozen_report", old.public_id)
    assert "<small>61 of 70</small>" in text and "What raters answered" in text
    assert "Other ways to sum up" not in text and "Who rated?" not in text
    reporting.freeze(june, Choices(resamples=100, without_raters=("tom",)))
    Report.objects.filter(pk=frozen.pk).delete()
    assert reverse("report_links", args=[old.public_id]) in page(lena, "report", "june"), "it is of all ratings"
    assert lena.get(reverse("report_file", args=[old.public_id, "options-light.svg"])).status_code == 200


def test_the_page_shows_what_raters_disagreed_on_and_other_ways_to_sum_up(lena, june):
    text = page(lena, "report", "june")
    assert "Where raters disagreed most" in text
    assert "Other ways to sum up" in text and "Majority vote" in text


def test_a_frozen_report_lists_what_raters_disagreed_on_with_a_way_to_what_is_still_there(lena, june):
    frozen = reporting.freeze(june, Choices(resamples=100))
    first, second = json.loads(frozen.document)["disagreements"][:2]
    item, gone = (Item.objects.get(response__key=of["response"], position=of["item"]) for of in (first, second))
    Item.objects.filter(pk=gone.pk).update(position=999)
    html = lena.get(reverse("frozen_report", args=[frozen.public_id])).content.decode()
    assert html.count('<p class="votes">') == len(json.loads(frozen.document)["disagreements"])
    assert reverse("review_item", args=["june", item.public_id]) in html
    assert reverse("review_item", args=["june", gone.public_id]) not in html


PDF, PNG = b"%PDF-", b"\x89PNG\r\n"


@pytest.mark.parametrize(
    ("name", "kind", "begins"),
    [
        ("options-light.svg", "image/svg+xml", b"<svg"),
        ("measures-dark.svg", "image/svg+xml", b"<svg"),
        ("differences-light.png", "image/png", PNG),
        ("heat-light-300dpi.png", "image/png", PNG),
        ("options-light.pdf", "application/pdf", PDF),
    ],
)
def test_every_figure_can_be_taken_home_live_and_frozen(lena, june, frozen, name, kind, begins):
    for address in (
        reverse("report_figure", args=["june", name]),
        reverse("report_file", args=[frozen.public_id, name]),
    ):
        response = lena.get(address)
        assert (response.status_code, response["Content-Type"]) == (200, kind), address
        assert response.content.startswith(begins)
        assert response["Content-Disposition"].startswith("attachment")


def test_a_print_figure_is_larger_than_the_one_for_the_screen(lena, june, frozen):
    widths = []
    for ending in ("", "-300dpi"):
        content = lena.get(reverse("report_file", args=[frozen.public_id, f"options-light{ending}.png"])).content
        widths.append(int.from_bytes(content[16:20]))
    assert widths[1] / widths[0] == pytest.approx(300 / 72 / 2, abs=0.01)


@pytest.mark.parametrize("name", ["options-light.gif", "options-blue.svg", "nothing-light.svg", "options.svg", "x"])
def test_a_live_figure_that_is_not_there_is_not_found(lena, june, name):
    assert lena.get(reverse("report_figure", args=["june", name])).status_code == 404


def test_a_live_figure_shows_the_numbers_that_the_page_showed(lena, june):
    [address] = re.findall(r'data-draws="([^"]*options-light[^"]*)"', page(lena, "report", "june"))
    before = lena.get(unescape(address)).content
    Rating.objects.filter(rater=person("tom")).delete()
    assert lena.get(unescape(address)).content == before
    assert lena.get(reverse("report_figure", args=["june", "options-light.svg"])).content != before


def test_a_map_of_another_measure_is_drawn_for_a_frozen_report_too(lena, june, frozen):
    text = page(lena, "frozen_report", frozen.public_id, query="?measure=inaccurate")
    [address] = re.findall(r'data-draws="([^"]*heat-light[^"]*)"', text)
    assert "Inaccurate, % by" in lena.get(unescape(address)).content.decode()


@pytest.fixture
def large(june, monkeypatch):
    monkeypatch.setattr(working_out, "MANY_RATINGS", 100)
    return june


def test_a_large_project_shows_first_numbers_and_lets_a_job_work_out_the_rest(lena, large):
    text = page(lena, "report", "june")
    assert "First numbers." in text and "<small>61 of 70</small>" in text and "Korn-Graubard" in text
    assert "data-submits-itself" in text and "Do the systems differ?" in text and "Do raters agree?" not in text
    assert not Job.objects.exists(), "looking starts nothing"
    for _ in range(2):
        response = lena.post(reverse("report_numbers", args=["june"]))
    assert response["Location"] == reverse("report", args=["june"]) + "?live=1"
    job = Job.objects.get()
    text = page(lena, "report", "june")
    assert "data-job=" in text and "data-submits-itself" not in text
    jobs.run(job.pk, working_out.work_out_job)
    text = page(lena, "report", "june")
    assert "First numbers." not in text and "Do raters agree?" in text and "as of" not in text, "nothing changed since"
    Rating.objects.filter(pk=Rating.objects.first().pk).update(seconds=7)
    text = page(lena, "report", "june")
    assert "First numbers." not in text and "Do raters agree?" in text and "as of" in text


def test_the_first_numbers_heed_what_the_tally_can_answer_and_say_what_not(lena, large):
    text = switched(lena, systems="Alder", without_raters="tom")
    assert "Not heeded until then: without the ratings of tom." in text
    assert "Computed with" in text and "Alder only" in text and "Take back: Without the ratings of tom" not in text
    assert '<th scope="row">Alder</th>' in text and '<th scope="row">Birch</th>' not in text


def test_first_numbers_over_very_many_prompts_are_closed_forms(lena, large, monkeypatch):
    monkeypatch.setattr(working_out, "MOST_DRAWS", 100)
    text = page(lena, "report", "june")
    assert "closed-form intervals" in text and "Do the systems differ?" not in text


def test_the_switches_of_a_large_project_are_worked_out_too(lena, large):
    assert '<input type="hidden" name="without_raters" value="tom">' in switched(lena, without_raters="tom")
    lena.post(reverse("report_numbers", args=["june"]), {"without_raters": "tom"})
    jobs.run(Job.objects.get(params={"without_raters": ["tom"]}).pk, working_out.work_out_job)
    text = switched(lena, without_raters="tom")
    assert "102 of 153 ratings" in text and "was 87.1 %" in text


def test_work_that_failed_says_why_and_can_be_asked_for_again(lena, large):
    job = jobs.create(working_out.WORK_OUT, project=large, actor=person("lena"))

    def refuse(job, progress):
        raise jobs.Refused(["The disk is full."])

    jobs.run(job.pk, refuse)
    text = page(lena, "report", "june")
    assert "The disk is full." in text and "Work out the rest" in text and "data-submits-itself" not in text
    lena.post(reverse("report_numbers", args=["june"]))
    assert Job.objects.filter(state="queued").count() == 1


def test_numbers_that_a_job_worked_out_can_be_worked_out_again(lena, large):
    jobs.run(jobs.create(working_out.WORK_OUT, project=large, actor=person("lena")).pk, working_out.work_out_job)
    Rating.objects.filter(rater=person("tom")).delete()
    text = page(lena, "report", "june")
    assert "153 ratings by 3 raters" in text and "Work them out again" in text
    response = lena.post(reverse("report_numbers", args=["june"]))
    job = Job.objects.get(state="queued")
    assert response["Location"] == reverse("job", args=[job.public_id])
    jobs.run(job.pk, working_out.work_out_job)
    assert lena.get(response["Location"])["Location"] == reverse("report", args=["june"]) + "?live=1"
    assert "102 ratings by 2 raters" in page(lena, "report", "june")


def test_pairs_have_shares_of_their_own_and_no_comparisons(lena):
    project = project_of(
        [Row(f"q{n:02}", name, "ravi", ACCURATE) for n in range(12) for name in ("heron", "tern")], "pairs"
    )
    Project.objects.filter(pk=project.pk).update(protocol=which_is_better())
    Rating.objects.all().delete()
    for n in range(12):
        first, second = Response.objects.filter(prompt__key=f"q{n:02}").order_by("system__name")
        pair = Item.objects.create(response=first, against=second, unit="pair", position=0, text="A and B")
        answers = {"better": "first" if n % 3 else "second"}
        Rating.objects.create(
            project=project, item=pair, rater=person("ravi"), answers=answers, choices=answers, counted=True,
            rated_at=timezone.now(),
        )  # fmt: skip
    text = page(lena, "report", "pairs")
    assert '<th scope="row">heron vs tern</th>' in text and "<small>8 of 12</small>" in text
    assert "Do the systems differ?" not in text and 'class="best"' not in text and "rank 1" not in text
    assert lena.get(reverse("report_figure", args=["pairs", "options-light.svg"])).status_code == 200
    assert lena.get(reverse("report_figure", args=["pairs", "differences-light.svg"])).status_code == 404


def test_a_report_of_a_part_does_not_take_the_place_of_the_report_of_all(lena, june):
    part = Choices(resamples=100, without_raters=("tom",))
    first = reporting.freeze(june, part)
    assert "Without the ratings of tom" in page(lena, "report", "june"), "there is no other yet"
    whole = reporting.freeze(june, Choices(resamples=100))
    second = reporting.freeze(june, part)
    text = page(lena, "report", "june")
    assert "153 ratings by 3 raters" in text and "Computed with" not in text
    assert text.count("Without the ratings of tom") == 2 and text.count("all ratings that count") == 1
    for report in (first, whole, second):
        assert str(report.public_id) in lena.get(reverse("exports", args=["june"])).content.decode()
    assert "Without the ratings of tom" in lena.get(reverse("exports", args=["june"])).content.decode()


def test_a_frozen_report_says_what_its_clusters_are(lena, june):
    frozen = reporting.freeze(june, Choices(resamples=100, cluster="document"))
    text = page(lena, "frozen_report", frozen.public_id)
    assert "<li>Documents as clusters</li>" in text and "· documents as clusters" in text
