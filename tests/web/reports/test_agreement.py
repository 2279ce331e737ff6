"""The page about agreement."""

import re

import pytest
from django.urls import reverse

from annotation import reporting
from annotation.models import Rating, Report
from annotation.reporting.choices import Choices
from tests.cast import ACCURATE, CANNOT_ASSESS, person
from tests.reporting.project_rows import Row, project_of, worked_example
from tests.web.pages import without_layout

pytestmark = pytest.mark.django_db


@pytest.fixture
def lena(client):
    client.force_login(person("lena"))
    return client


def page(client, slug: str = "june", query: str = "") -> str:
    response = client.get(reverse("agreement", args=[slug]) + query)
    assert response.status_code == 200
    return without_layout(response.content.decode())


def section(text: str, question: str) -> str:
    return text.split(f'id="question-{question}"')[1].split("</section>")[0]


def test_every_question_and_the_two_derived_ones_have_their_coefficients(lena):
    project_of(worked_example())
    text = page(lena)
    for question in ("accuracy", "severity", "accurate_or_not", "severity_scale"):
        html = section(text, question)
        assert re.search(r"<dt>Agreement</dt><dd>\d\d\.\d %", html), question
        assert "<dt>Gwet’s AC1</dt>" in html and "<dt>Fleiss’ kappa</dt>" in html
    assert "Krippendorff’s alpha, ordinal" in section(text, "severity_scale")
    assert "accurate &lt; an issue that is not severe &lt; a severe issue" in text


def test_each_two_raters_with_the_figure_and_the_shared_items_in_words(lena):
    rows = [Row(f"q{n}", "heron", rater, ACCURATE) for n in range(4) for rater in ("ravi", "rosa")]
    rows += [Row("q0", "heron", "tom", {"accuracy": "inaccurate", "severity": "severe"})]
    project_of(rows)
    html = section(page(lena), "accuracy")
    assert 'title="ravi and rosa: 100 % on 4">100 %<small>4</small>' in html
    assert 'title="ravi and tom: 0 % on 1">0 %<small>1</small>' in html
    html = section(page(lena, query="?figure=ac1"), "accuracy")
    assert 'title="ravi and rosa: 1.000 on 4">1.000<small>4</small>' in html


def test_raters_who_share_nothing_have_a_dot(lena):
    rows = [Row("q1", "heron", rater, ACCURATE) for rater in ("ravi", "rosa")]
    rows += [Row("q2", "heron", rater, ACCURATE) for rater in ("rosa", "tom")]
    project_of(rows)
    assert 'aria-label="none shared"' in section(page(lena), "accuracy")


def test_one_answer_only_is_a_dash_with_the_reason(lena):
    project_of([Row("q1", "heron", rater, ACCURATE) for rater in ("ravi", "rosa")])
    html = section(page(lena), "accuracy")
    for label in ("Fleiss’ kappa", "Krippendorff’s alpha"):
        assert f"<dt>{label}</dt><dd>–</dd>" in html
    assert html.count("Undefined: all answers are the same") == 1
    assert "<dd>100.0 %</dd>" in html


def test_nobody_sharing_a_sentence_is_said(lena):
    project_of([Row("q1", "heron", "ravi", ACCURATE), Row("q2", "heron", "rosa", CANNOT_ASSESS)])
    text = page(lena)
    assert "No item has two answers to this question yet" in text and "None" not in text


def test_intervals_come_from_the_newest_frozen_report_of_the_same_data(lena):
    project = project_of(worked_example())
    assert "Freeze report and compute intervals" in page(lena)
    reporting.freeze(project, Choices(resamples=200))
    text = page(lena)
    address = f"/reports/{Report.objects.get().public_id}/"
    assert f'Intervals: from the <a href="{address}">report frozen on' in text
    assert "200 resamples of prompts, seed 1." in text
    assert "Freeze report and compute intervals" not in text
    assert re.search(r"<dt>Agreement</dt><dd>[\d.]+ % <small>\[[\d.]+ – [\d.]+\]</small>", section(text, "accuracy"))
    Rating.objects.filter(rater=person("tom"), item__response__prompt__key="1").delete()
    Rating.objects.filter(rater=person("tom")).delete()
    assert "live numbers, without intervals" in page(lena)


def test_a_frozen_report_of_a_part_of_the_ratings_lends_no_intervals(lena):
    project = project_of(worked_example())
    Rating.objects.filter(rater=person("tom")).update(seconds=1)
    reporting.freeze(project, Choices(resamples=200, systems=("Alder",)))
    assert "Freeze report and compute intervals" in page(lena)


def test_full_agreement_has_a_lower_bound_and_coefficients_without_interval_say_why(lena):
    answers = (ACCURATE, {"accuracy": "inaccurate", "severity": "severe"})
    rows = [Row(f"q{n:02}", "heron", rater, answers[n % 2]) for n in range(12) for rater in ("ravi", "rosa")]
    reporting.freeze(project_of(rows), Choices(resamples=200))
    html = section(page(lena), "accuracy")
    assert re.search(r"<dd>100.0 % .*?67.9 – 100", html)
    assert "<dd>1.000</dd>" in html and html.count("No interval: all raters agree") == 1
    assert "[100" not in html and "[1.000" not in html


def test_agreement_that_no_draw_changes_is_not_said_to_be_undefined(lena):
    """Of three raters two agree on every sentence: a third of the pairs, whatever is drawn."""
    issue = {"accuracy": "inaccurate", "severity": "severe"}
    answers = (ACCURATE, issue, issue, ACCURATE, ACCURATE, issue)
    rows = [Row(f"q{n:02}", "heron", f"r{r}", answers[(3 * n + r) % 6]) for n in range(13) for r in range(3)]
    reporting.freeze(project_of(rows), Choices(resamples=200))
    html = section(page(lena), "accuracy")
    assert "<dd>33.3 %</dd>" in html and html.count("No interval: it is the same in every resample") == 1
    assert "undefined in too many" not in html


def test_forty_raters_fit_with_their_names_and_the_pairs_that_agree_least(lena):
    rows = [
        Row(
            f"q{n}", "heron", f"rater{r:02}", ACCURATE if r or n % 2 else {"accuracy": "disputed", "severity": "severe"}
        )
        for n in range(20)
        for r in range(40)
    ]
    project_of(rows)
    html = section(page(lena), "accuracy")
    assert 'class="table pairs many"' in html
    assert html.count('<td data-level="') == 40 * 39 // 2 + 0
    assert "<li>rater00 and rater01: 50 % on 20</li>" in html
