"""The planner's page: the address holds the plan, and what is wrong is said beside it."""

import re

import pytest
from django.urls import reverse

from annotation.models import Project
from tests.cast import person, study
from tests.reporting.project_rows import project_of, worked_example
from tests.web.pages import without_layout

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
TEXTBOOK = {
    "half_width": "5",
    "share": "50",
    "sentences": "1",
    "left_out": "0",
    "systems": "1",
    "raters": "3",
    "seconds": "36",
    "prompts": "100",
    "icc": "0.1",
    "icc_sentence": "0.5",
    "icc_rater": "0.02",
}


@pytest.fixture
def lena(client):
    client.force_login(person("lena"))
    return client


def page(client, headers: dict[str, str] | None = None, **params: str) -> str:
    response = client.get(reverse("planner", args=["june"]), params, headers=headers)
    assert response.status_code == 200
    return without_layout(response.content.decode())


def value_of(text: str, name: str) -> str:
    return re.search(
        rf'<input [^>]*name="{name}"[^>]*value="([^"]*)"|<input [^>]*value="([^"]*)"[^>]*name="{name}"', text
    )[1]


def rows(text: str) -> list[list[str]]:
    """Return the cells of the first table of the plan, as words."""
    body = text.split('aria-labelledby="needed"')[1].split("<tbody>")[1].split("</tbody>")[0]
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in re.findall(r"<tr>.*?</tr>", body)
    ]


def test_the_textbook_case_and_what_a_second_rater_adds(lena):
    project_of(worked_example())
    table = rows(page(lena, **TEXTBOOK))
    assert table[0] == ["1 rater", "1.00", "385", "385", "385", "3.9 h", "1.3 h"]
    assert table[1][1:5] == ["1.50", "289", "289", "578"]  # 576.2 ratings of two a prompt
    assert [row[0] for row in table] == ["1 rater", "2 raters", "3 raters", "5 raters more than there are"]


def test_more_raters_help_less_than_more_prompts_and_the_page_says_so(lena):
    project_of(worked_example())
    text = page(lena, **TEXTBOOK)
    assert "100 prompts × 1 rater: <b>± 9.8</b>" in text
    assert "100 prompts × 2 raters: <b>± 8.5</b>" in text and "200 prompts × 1 rater: <b>± 6.9</b>" in text
    assert "10.0 % lies between prompts, 40.0 % between the sentences of a prompt, and 50.0 %" in text
    assert "does not fall below ± 8.0 points" in text  # 1.96 · sqrt(.25 · .02 / 3)


def test_the_form_is_filled_in_from_the_projects_own_ratings(lena):
    project_of(worked_example())
    text = page(lena)
    assert (value_of(text, "share"), value_of(text, "left_out")) == ("65", "10.5")
    assert (value_of(text, "sentences"), value_of(text, "systems"), value_of(text, "prompts")) == ("2.12", "2", "12")
    assert "Filled in from 153 ratings so far, but for Seconds a rating: its ratings do not say" in text
    severely = page(lena, measure="severely_inaccurate")
    assert value_of(severely, "share") == "14.6"  # 20 of 137


def test_without_ratings_usual_values_stand_there_and_it_is_said(lena):
    study()
    text = page(lena)
    assert "No rating counts yet, so usual values stand" in text
    assert value_of(text, "icc") == "0.1" and value_of(text, "sentences") == "3"
    assert "None" not in text.split("<main")[1]


def test_only_what_follows_is_sent_when_only_that_is_asked_for(lena, django_assert_max_num_queries):
    project_of(worked_example())
    with django_assert_max_num_queries(5):
        text = page(lena, HTMX, **TEXTBOOK)
    assert "<html" not in text and rows(text)[0][2] == "385"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("half_width", "0", "Wanted half-width"),
        ("share", "120", "Expected share, %"),
        ("icc", "much", "ICC of a prompt"),
        ("raters", "1.5", "Raters there are"),
        ("sentences", "nan", "Sentences a response"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_worked_out(lena, field, value, words):
    project_of(worked_example())
    for headers in (None, HTMX):
        text = page(lena, headers, **(TEXTBOOK | {field: value}))
        assert "This cannot be worked out" in text and f"<li>{words}:" in text
        assert 'id="needed"' not in text


def test_the_target_is_kept_and_the_intervals_stand_against_it(lena):
    project_of(worked_example())
    assert "reached" not in page(lena).split('id="plan"')[0]
    response = lena.post(reverse("planner", args=["june"]), {"target": "9"}, follow=True)
    assert "The target is ± 9 points." in response.content.decode()
    assert Project.objects.get(slug="june").target_half_width == 0.09
    text = page(lena).split('id="plan"')[0]
    assert "± 9.0 points" in text and "reached" in text and "at about" in text
    assert value_of(page(lena), "half_width") == "9"


def test_a_bad_target_changes_nothing_and_an_empty_one_takes_it_away(lena):
    project = project_of(worked_example())
    Project.objects.filter(pk=project.pk).update(target_half_width=0.03)
    response = lena.post(reverse("planner", args=["june"]), {"target": "80"}, follow=True)
    assert "The target was not changed." in response.content.decode()
    assert Project.objects.get(slug="june").target_half_width == 0.03
    lena.post(reverse("planner", args=["june"]), {"target": ""})
    assert Project.objects.get(slug="june").target_half_width is None
