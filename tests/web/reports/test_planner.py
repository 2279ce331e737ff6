"""The planner's page: the address holds the plan, and what is wrong is said beside it."""

import re

import pytest
from django.urls import reverse

from annotation.models import Project
from annotation.projects.analysis_plans import set_plan
from tests.cast import ACCURATE, study
from tests.reporting.project_rows import MILD, Row, documents_of_prompts, project_of, two_systems
from tests.web.pages import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]

HTMX = {"HX-Request": "true"}
TEXTBOOK = {
    "half_width": "5", "share": "50", "difference": "10", "power": "80", "pairs": "1", "correlation": "0",
    "unit": "prompt", "prompts_per_document": "1", "document_variation": "0", "sentences": "1", "variation": "0",
    "overlap": "1", "left_out": "0", "systems": "1", "raters": "3", "seconds": "36", "prompts": "100",
    "icc_document": "0", "icc": "0.1", "icc_sentence": "0.5", "icc_rater": "0.02",
}  # fmt: skip


def page(client, headers: dict[str, str] | None = None, slug: str = "june", **params: str) -> str:
    return html_of(client.get(reverse("planner", args=[slug]), params, headers=headers))


def value_of(text: str, name: str) -> str:
    [field] = re.findall(rf'<input [^>]*name="{name}"[^>]*>', text)
    return re.search('value="([^"]*)"', field)[1]


def rows(text: str, table: str = "needed") -> list[list[str]]:
    """Return the cells of a table of the plan, as words."""
    body = text.split(f'<h3 id="{table}"')[1].split("<tbody>")[1].split("</tbody>")[0]
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in re.findall(r"<tr>.*?</tr>", body)
    ]


def test_the_textbook_case_and_what_a_second_rater_adds(lena, django_assert_max_num_queries):
    with django_assert_max_num_queries(5):
        text = page(lena, HTMX, **TEXTBOOK)
    assert "<html" not in text, "only what follows is sent where only that is asked for"
    text = page(lena, **TEXTBOOK)
    table = rows(text)
    # z² / 4 / .05² = 384.1 ratings, and t of 386 degrees instead of z
    assert table[0] == ["1 per sentence (overlap)", "1.00", "387", "387", "387", "3.9 h", "1.3 h"]
    assert table[1][1:5] == ["1.50", "291", "291", "582"]
    assert [row[0] for row in table[1:]] == ["2 per sentence", "3 per sentence", "5 per sentence (more than available)"]
    assert "<b>387 prompts</b> at an overlap of 1." in text
    assert "Sample size to detect 50.0 % against 60.0 % with a power of 80.0 %" in text
    assert rows(text, "difference")[0][2] == "387"  # (z + z)² · .49 / .1² = 384.6
    assert "With 100 prompts the minimal detectable difference is 19.2 points." in text
    of_three = page(lena, **TEXTBOOK | {"pairs": "3"})
    assert "alpha 0.0167 for each pair" in of_three
    assert rows(of_three, "difference")[0][2] == "516"
    # More raters help less than more prompts, and the page says so.
    spent = rows(text, "spent")
    assert spent[0] == ["100 ratings", "100 prompts × 1 rater: ± 9.9", "± 9.9"]
    assert spent[1] == ["200 ratings", "100 prompts × 2 raters: ± 8.6", "200 prompts: ± 7.0"]
    assert "10.0 % of the variance of a rating lies between prompts, 40.0 % between the sentences" in text
    assert "stays above ± 8.0 points" in text  # 1.96 · sqrt(.25 · .02 / 3)


def test_the_page_says_what_the_report_detects_and_which_inputs_differ(lena):
    """Ratings of two systems that differ less between prompts than within them: correlations below 0."""
    rows = [
        Row(f"q{n:02}", system, rater, ACCURATE if (n + item) % 2 else MILD, item=item)
        for n in range(20)
        for item in range(2)
        for system in ("heron", "plover")
        for rater in ("ravi", "rosa")
        if (n + item) % 5 or system == "heron"
    ]
    project = project_of(rows, "own")

    def reported() -> str:
        part = page(lena, slug="own").split('id="reported-power"')[1].split("</p>")[0]
        return " ".join(re.sub("<[^>]*>", " ", part).split())

    text, difference = reported(), "own difference in this measure detects"
    assert re.search(rf"{difference} \d+\.\d points \(one test, power 80 %\), as the Methods", text)
    assert re.search(r"correlations below 0 count as 0 \(here down to −\.\d\d\)", text)
    assert "are used for both systems; the other proportion lies nearer to one half" in text
    set_plan(project, 'measures = ["accurate", "inaccurate"]\nfamily = "report"\n')
    assert "(power 80 %, alpha divided by the 3 tests of the family), as the Methods state" in reported()
    assert value_of(page(lena, slug="own"), "pairs") == "3"


def test_documents_are_planned_where_they_are_the_unit(lena):
    text = page(lena, **TEXTBOOK | {"unit": "document", "prompts_per_document": "3", "icc_document": "0.1"})
    # 1 + (3 - 1) · .1 = 1.2 times 384.1 · (t c4 / z)² ratings, by three a document
    assert "<b>156 documents with 3 prompts each</b>" in text
    assert rows(text)[0][:4] == ["1 per sentence (overlap)", "1.20", "156", "468"]
    assert rows(text, "spent")[1][3].startswith("200 prompts, 66 documents: ")


def test_the_form_is_filled_in_from_the_system_that_needs_most_or_from_the_data_set(lena):
    text, names = page(lena), ("share", "left_out", "sentences", "overlap", "prompts")
    assert [value_of(text, name) for name in names] == ["41.8", "14.1", "2.17", "3", "12"]
    assert "Filled in from the ratings of Birch, which needs the largest sample (153 ratings of all systems)" in text
    assert "Default values, which the project’s data do not provide: Within document, Seconds per rating." in text
    severely = page(lena, measure="severely_inaccurate", system="Alder")
    assert "Filled in from the ratings of Alder (153 ratings of all systems)" in severely
    study("own")
    text = page(lena, slug="own")
    assert "No rating counts yet: values come from the data set where available." in text
    assert [value_of(text, name) for name in ("icc", "sentences", "variation")] == ["0.1", "3", "0"]
    assert "None" not in text.split("<main")[1] and "Prompts are the sampling unit" in text


def test_the_target_table_and_the_planner_give_the_same_plan(lena):
    Project.objects.filter(slug="june").update(target_half_width=0.04)
    table = re.findall(r'href="\?(measure=[^"]*)#plan">at about ([^<]*)</a>', page(lena))
    assert len(table) == 6 and len({size for _, size in table}) > 1
    for address, size in table:
        asked = dict(part.split("=") for part in address.replace("&amp;", "&").split("&"))
        assert f"<b>{size}</b> at an overlap of 3." in page(lena, **asked)


def test_documents_shared_by_prompts_are_the_unit_of_table_and_plan(lena):
    project = documents_of_prompts(project_of(two_systems(60), "own"), {f"q{n:03}": f"d{n // 4}" for n in range(60)})
    Project.objects.filter(pk=project.pk).update(target_half_width=0.05)
    text = page(lena, slug="own")
    assert "Documents are the sampling unit: 60 prompts share 15 documents, at least 10" in text
    sizes = [int(size) for size in re.findall(r"at about ([0-9]+) documents with 4 prompts each", text)]
    assert f"<b>{max(sizes[::3])} documents with 4 prompts each</b>" in text  # of the first of three measures
    assert value_of(text, "prompts_per_document") == "4" and value_of(text, "document_variation") == "0"


def test_what_is_wrong_is_named_and_nothing_is_worked_out(lena):
    for field, value, words in (
        ("half_width", "0", "Target margin of error (95 %)"),
        ("share", "120", "Expected proportion, %"),
        ("icc", "much", "Within response"),
        ("raters", "1.5", "Available raters"),
        ("sentences", "nan", "Sentences per response"),
        ("difference", "60", "Difference to detect"),
        ("unit", "rater", "Sampling unit"),
    ):
        for headers in (None, HTMX):
            text = page(lena, headers, **(TEXTBOOK | {field: value}))
            assert "No sample size can be calculated" in text and f"<li>{words}:" in text
            assert 'id="needed"' not in text


def test_the_target_is_kept_and_the_intervals_stand_against_it_and_a_bad_one_changes_nothing(lena, june):
    def post(target: str) -> str:
        return lena.post(reverse("planner", args=["june"]), {"target_half_width": target}, follow=True).content.decode()

    assert "reached" not in page(lena).split('id="plan"')[0]
    assert "The target is ± 9 points." in post("9")
    text = page(lena)
    head = text.split('id="plan"')[0]
    assert "± 9.0 points" in head and "reached" in head and "at about" in head
    assert value_of(text, "half_width") == "9"
    for target, says, kept in (("80", "The target was not changed.", 0.09), ("", "", None)):
        assert says in post(target)
        june.refresh_from_db()
        assert june.target_half_width == kept
