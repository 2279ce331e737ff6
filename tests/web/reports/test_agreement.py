"""The page about agreement."""

import re

import pytest

from annotation.models import Rating
from annotation.reporting import Choices
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person
from tests.exporting.bundles import frozen as freeze
from tests.reporting.project_rows import DISPUTED, Row, project_of
from tests.web.reports.pages import get_page, section

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
RAVI_AND_ROSA = ("ravi", "rosa")


def of_accuracy(lena, rows: list[Row], slug: str = "own") -> str:
    """Return the section about accuracy on the page of a project of these ratings."""
    project_of(rows, slug)
    return section(get_page(lena, "agreement", slug), "question-accuracy", "id")


def coefficients(lena, rows: list[Row], slug: str = "own", *, freezes: bool = False) -> tuple[list[str], str]:
    """Return the cells of the row about accuracy in the table of coefficients, and the note below the table."""
    project = project_of(rows, slug)
    if freezes:
        freeze(project)
    html = section(get_page(lena, "agreement", slug), "coefficients", "id")
    row = html.split("<tbody>")[1].split("</tr>")[0]
    cells = [re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<td.*?</td>", row)]
    return cells, html.split("</table>")[1]


def test_every_question_and_the_two_derived_ones_have_their_coefficients(lena):
    text = get_page(lena, "agreement", "june")
    table = section(text, "coefficients", "id")
    for question in ("Accuracy", "Severity", "Accurate or not", "Severity scale"):
        assert re.search(rf'<th scope="row">{question}</th>.*?data-label="Agreement"><b>\d\d\.\d %', table), question
    assert 'data-label="Gwet’s AC1"' in table and 'data-label="Fleiss’ kappa"' in table
    assert "On the severity scale, alpha is ordinal." in table and "No interval" not in table
    assert 'id="question-severity_scale"' in text
    assert "accurate &lt; an issue that is not severe &lt; a severe issue" in text


def test_each_two_raters_with_the_figure_and_the_shared_items_in_words(lena):
    rows = [Row(f"q{n}", "heron", rater, ACCURATE) for n in range(4) for rater in RAVI_AND_ROSA]
    html = of_accuracy(lena, [*rows, Row("q0", "heron", "tom", SEVERE)])
    assert 'title="ravi and rosa: 100 % on 4">100 %<small>4</small>' in html
    assert 'title="ravi and tom: 0 % on 1">0 %<small>1</small>' in html
    html = get_page(lena, "agreement", "own", query="?figure=ac1")
    assert 'title="ravi and rosa: 1.000 on 4">1.000<small>4</small>' in html
    rows = [Row("q1", "heron", rater, ACCURATE) for rater in RAVI_AND_ROSA]
    rows += [Row("q2", "heron", rater, ACCURATE) for rater in ("rosa", "tom")]
    assert 'aria-label="none shared"' in of_accuracy(lena, rows, "apart")


def test_what_is_undefined_is_a_dash_with_the_reason(lena):
    row, note = coefficients(lena, [Row("q1", "heron", rater, ACCURATE) for rater in RAVI_AND_ROSA])
    assert row == ["1", "2", "100.0 %", "–", "1.000", "–"]
    assert note.count("all answers are the same, so chance alone would agree as often") == 1
    assert "“–” for Accuracy (Fleiss’ kappa, Krippendorff’s alpha)" in note
    project_of([Row("q1", "heron", "ravi", ACCURATE), Row("q2", "heron", "rosa", CANNOT_ASSESS)], "apart")
    text = get_page(lena, "agreement", "apart")
    assert "No item has two answers to this question yet" in text and "None" not in text


def test_intervals_come_from_the_newest_frozen_report_of_the_same_data(lena, frozen):
    text = get_page(lena, "agreement", "june")
    assert f'Intervals: from the <a href="/reports/{frozen.public_id}/">report frozen on' in text
    assert "200 resamples of prompts, seed 1." in text
    assert "Freeze report and compute intervals" not in text
    assert re.search(
        r'data-label="Agreement"><b>[\d.]+ %</b> ?<i>[\d.]+ – [\d.]+</i>', section(text, "coefficients", "id")
    )
    Rating.objects.filter(rater=person("tom")).delete()
    assert "live numbers, without intervals" in get_page(lena, "agreement", "june")
    freeze(frozen.project, Choices(resamples=100, systems=("Alder",)))
    text = get_page(lena, "agreement", "june")
    assert "Freeze report and compute intervals" in text, "a report of a part of the ratings lends none"


def test_coefficients_without_interval_say_why(lena):
    rows = [Row(f"q{n:02}", "heron", rater, (ACCURATE, SEVERE)[n % 2]) for n in range(12) for rater in RAVI_AND_ROSA]
    row, note = coefficients(lena, rows, "agreed", freezes=True)
    assert row[2].split() == ["100.0", "%", "67.9", "–", "100.0"] and row[3:] == ["1.000"] * 3
    assert "all raters agree, so nothing varies from prompt to prompt" in note
    # Of three raters two agree on every sentence: a third of the pairs, whatever is drawn.
    answers = (ACCURATE, SEVERE, SEVERE, ACCURATE, ACCURATE, SEVERE)
    rows = [Row(f"q{n:02}", "heron", f"r{r}", answers[(3 * n + r) % 6]) for n in range(13) for r in range(3)]
    row, note = coefficients(lena, rows, "third", freezes=True)
    assert row[2] == "33.3 %" and "No interval for Accuracy (Agreement" in note
    assert "it is the same in every resample" in note and "undefined in too many" not in note


def test_forty_raters_fit_with_their_names_and_the_pairs_that_agree_least(lena):
    first = [Row(f"q{n}", "heron", "rater00", ACCURATE if n % 2 else DISPUTED) for n in range(20)]
    rows = [*first, *(Row(f"q{n}", "heron", f"rater{r:02}", ACCURATE) for n in range(20) for r in range(1, 40))]
    html = of_accuracy(lena, rows)
    assert 'class="table pairs many"' in html
    assert html.count('<td data-level="') == 40 * 39 // 2
    assert "<li>rater00 and rater01: 50 % on 20</li>" in html
