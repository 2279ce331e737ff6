"""The lead's pages about raters: what they show, and that a switch is really set."""

import re

import pytest
from django.urls import reverse

from annotation.models import Item, Project, Rating
from annotation.reporting.sections.raters.figures import RaterWeek
from annotation.web.reports.raters import _week_line
from tests.cast import ACCURATE, SEVERE, person
from tests.reporting.project_rows import MILD, Row, opposite_raters, project_of, worked_example
from tests.web.pages import queries
from tests.web.reports.pages import get_page

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def flagged(module_rows) -> Project:
    """Return a project of twelve prompts of ten sentences: Ravi and Rosa find every second one inaccurate, Tom none."""
    answers = {"ravi": (ACCURATE, MILD), "rosa": (ACCURATE, MILD), "tom": (ACCURATE, ACCURATE)}
    return project_of(
        Row(f"q{n:02}", "heron", name, answer[i % 2], i)
        for n in range(12)
        for i in range(10)
        for name, answer in answers.items()
    )


def row_of(text: str, name: str) -> str:
    return re.search(rf"<tr><th scope=\"row\"><a href=\"[^\"]+\">{name}</a>.*?</tr>", text).group()


def test_everybody_stands_there_by_name_with_gold_agreement_and_leniency(lena, flagged):
    for item in Item.objects.filter(position=1):
        Rating.objects.create(
            project=flagged, item=item, rater=person("ines"), role="gold", answers=MILD, choices=MILD,
            rated_at="2026-11-16T09:00Z",
        )  # fmt: skip
    text = get_page(lena, "raters", "june")
    names = re.findall(r'<th scope="row"><a href="/projects/june/raters/(\w+)/">', text)
    assert names == ["ravi", "rosa", "tom"]
    assert "<b>0.0 %</b> <i>0.0 – 24.2</i> <small>0 of 12</small>" in row_of(text, "tom")
    assert "<b>100.0 %</b> <i>75.8 – 100.0</i> <small>12 of 12</small>" in row_of(text, "ravi")
    assert "raw +50.0" in row_of(text, "tom")
    assert re.findall(r'href="#rules">([a-z ]+)</a>', row_of(text, "tom")) == ["below gold", "lenient", "disagrees"]
    assert "no gold" not in row_of(text, "ravi")
    assert "fewer than 10 units" not in row_of(text, "ravi")


def test_the_rules_of_quality_alerts_and_the_report_without_chosen_raters_are_shown(lena, flagged):
    text = get_page(lena, "raters", "june")
    for words in ("below 70 %", "beyond +10 points", "beyond −10 points", "below 1/3", "20 timed"):
        assert words in text
    assert "<b>66.7 %</b> <i>" in text and "240 of 360" in text
    assert "<b>50.0 %</b> <i>" in text and "120 of 240" in text
    assert '<td class="right" data-label="Change, points">−16.7</td>' in text
    assert "/projects/june/report/?live=1&amp;without_raters=tom" in text
    text = get_page(lena, "raters", "june", query="?compare=1&without=ravi&without=tom&without=nobody")
    assert "without_raters=ravi&amp;without_raters=tom" in text
    assert "60 of 120" in text
    text = get_page(lena, "raters", "june", query="?compare=1")
    assert "No raters selected" in text and "Excluding tom" not in text
    text = get_page(lena, "raters", "june", query="?compare=1&without=ravi&without=rosa&without=tom")
    assert "no ratings remain" in text


def test_each_rater_with_an_alert_is_excluded_alone_and_then_all_and_without_an_alert_nobody(lena):
    """Kim finds everything accurate and Bo nothing: without one the share moves by a sixth, without both not."""
    project_of(opposite_raters(), "opposite")
    text = get_page(lena, "raters", "opposite")
    heads = re.findall(r'<h3 class="label">\s*(.*?)\s*</h3>', text, re.S)
    assert heads == ["Excluding bo", "Excluding kim", "Excluding bo, kim"]
    assert (
        text.count('data-label="Change, points">−16.7</td>')
        == text.count('data-label="Change, points">+16.7</td>')
        == 4
    )
    assert text.count('data-label="Change, points">0.0</td>') >= 6
    assert "Report excluding bo, kim" in text and 'value="kim" checked' not in " ".join(text.split())
    project_of(worked_example(), "plain")
    assert "No rater has a quality alert" in get_page(lena, "raters", "plain")


def test_a_raters_own_page_has_flags_weeks_and_mixed_up_answers(lena, flagged):
    text = get_page(lena, "rater", "june", "tom")
    assert "<b>Lenient.</b>" in text and "without_raters=tom" in text
    week = r'<th scope="row">\d+ \w{3} \d{4}</th>'
    cells = '<td class="right" data-label="Ratings">120</td><td class="right" data-label="[^"]+">100.0 %</td>'
    assert re.search(week + cells, text)
    assert "Compared with the other raters of the same sentence" in text
    # Beside each of Tom's 60 wrong answers two others said inaccurate.
    assert re.search(r'<th scope="row">Inaccurate</th><td class="right" data-level="5">120</td>', text)
    assert "Against gold answers" not in text


def test_who_did_not_rate_here_is_not_found_and_without_ratings_the_page_says_what_will_come(lena, flagged):
    for name in ("otto", "lena", "nobody"):
        assert lena.get(f"/projects/june/raters/{name}/").status_code == 404
    project_of([], "empty")
    text = get_page(lena, "raters", "empty")
    assert "No rater has finished a response yet" in text and "None" not in text


def test_pages_of_few_and_of_many_raters_take_the_same_queries_and_a_hostile_name_is_text(lena):
    odd = '<b>"x'
    for slug, raters in (("few", 2), ("many", 9)):
        project_of((Row("q1", odd, f"r{n}", SEVERE) for n in range(raters)), slug)
    for name in ("raters", "agreement"):
        few, many = (queries(lena, reverse(name, args=[slug])) for slug in ("few", "many"))
        assert few == many, name
    text = get_page(lena, "raters", "few", query="?without=r0")
    assert "<b>&quot;x" not in text and odd not in text


def test_a_line_of_weeks_has_gaps_where_nothing_was_assessed():
    weeks = [
        RaterWeek(week=f"2026-W{n}", ratings=1, accurate=value, leave_one_out=None, leniency=None)
        for n, value in enumerate((1.0, 0.5, None, 0.0), start=10)
    ]
    line = _week_line(weeks)
    assert re.findall(r'points="([^"]*)"', line) == ["2.0,2.0 32.7,11.0"]
    assert 'cx="94.0" cy="20.0"' in line and line.count("<circle") == 1
    assert "<title>2026-W10: 100 % (n = 1), 2026-W11: 50 % (n = 1), 2026-W13: 0 % (n = 1)</title>" in line
    assert _week_line(weeks[:1]) == "one week"


def test_of_many_raters_left_out_the_number_is_said_and_of_few_prompts_that_there_is_no_interval(lena):
    project_of([Row(f"q{n}", "heron", f"rater{rater}", ACCURATE) for n in range(4) for rater in range(5)], "many")
    text = get_page(lena, "raters", "many", query="?" + "&".join(f"without=rater{n}" for n in range(4)))
    assert "Report excluding these 4 raters" in text and "Excluding these 4 raters" in text
    assert not re.search(r"[^ ]<small>", text), "a share keeps its counts apart"
    assert "no interval: fewer than 10 units" in row_of(text, "rater4")
    text = get_page(lena, "raters", "many", query="?without=rater0&without=rater1")
    assert "Report excluding rater0, rater1</a>" in text
