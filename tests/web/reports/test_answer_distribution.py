"""Every question's answers are on the page of a report and in its files, not only those of the first."""

import re

import pytest

from annotation.exporting.report_formats import render, table_files
from annotation.models import Project, Rating
from annotation.reporting import Choices, build
from tests.cast import ACCURATE, newest_version
from tests.reporting.project_rows import Row, project_of
from tests.web.reports.pages import get_page

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
FEW = Choices(resamples=100)

SEVERITY = "do you think the issue is severe?"


def table(text: str, caption: str, nth: int = 0) -> str:
    """Return the text of the nth table whose caption has these words, with spaces between cells."""
    rows = [
        part for part in text.split("<table")[1:] if "</caption>" in part and caption in part.split("</caption>")[0]
    ]
    return re.sub(r"(<[^>]*>|\s)+", " ", rows[nth].split("</table>")[0])


def severity_counts(report: dict, system: str) -> tuple[int, int, int]:
    found_cell = next(cell for cell in report["systems"] if cell["system"] == system)["questions"]["severity"]
    return found_cell["severe"], found_cell["not_severe"], sum(found_cell.values())


def test_the_page_has_a_table_of_every_question_also_in_a_breakdown(lena, june, frozen):
    report = build(june, FEW).to_dict()
    severe, not_severe, answers = severity_counts(report, "Birch")
    assert answers > 20
    row = f"Birch {100 * severe / answers:.1f} % {severe} {100 * not_severe / answers:.1f} % {not_severe} {answers} "
    live = get_page(lena, "report", "june", query="?live=1&by=rater")
    for text in (live, get_page(lena, "frozen_report", frozen.public_id)):
        assert row in table(text, SEVERITY)
        assert "All systems" in table(text, SEVERITY)
    rosa = next(cell for cell in report["by"]["rater"] if cell["value"] == "rosa")
    accurate, ratings, severe = rosa["options"]["accurate"], rosa["ratings"], rosa["questions"]["severity"]
    assert f" rosa {100 * accurate / ratings:.1f} % {accurate} " in table(live, "How accurate is the sentence", nth=1)
    share = 100 * severe["severe"] / sum(severe.values())
    assert f" rosa {share:.1f} % {severe['severe']} " in table(live, SEVERITY, nth=1)
    kappa = report["agreement"]["accuracy"]["fleiss_kappa"]
    assert f"Fleiss’ kappa <b>{kappa:.3f}</b>".replace("0.", ".") in live, "with the three digits that studies publish"


def test_shares_of_the_first_question_are_of_the_same_ratings_by_system_and_in_a_breakdown(lena, june):
    """Published labels may leave the first question out (null) and answer others: it was asked all the same."""
    some = Rating.objects.filter(project=june, rater__username="rosa", choices__accuracy="accurate")[:5]
    Rating.objects.filter(pk__in=[rating.pk for rating in some]).update(choices={"severity": "severe"})
    report = build(june, FEW).to_dict()
    rosa = next(cell for cell in report["by"]["rater"] if cell["value"] == "rosa")
    assert sum(rosa["options"].values()) == rosa["ratings"] - 5
    text = get_page(lena, "report", "june", query="?by=rater")
    accurate, ratings = rosa["options"]["accurate"], rosa["ratings"]
    assert f" rosa {100 * accurate / ratings:.1f} % {accurate} " in table(text, "How accurate is the sentence", nth=1)
    overall = report["overall"]
    assert f"All systems {100 * overall['options']['accurate'] / overall['ratings']:.1f} % " in table(
        text, "How accurate"
    )


def test_a_question_that_nobody_answered_has_no_table(lena, june):
    june.ratings.filter(answers__has_key="severity").delete()
    text = get_page(lena, "report", "june")
    assert "Other question" not in text
    assert not [part for part in text.split("<caption>")[1:] if SEVERITY in part.split("</caption>")[0]]


def test_files_for_reading_have_them_and_files_of_tables_too(june):
    report = build(june, FEW)
    severe, _, answers = severity_counts(report.to_dict(), "Birch")
    text = render(report, "markdown").split("## Distribution of answers: ")[1].split("\n## ")[0]
    assert f"| Birch | {100 * severe / answers:.1f} % ({severe}/{answers})" in text
    names = [name.split("-", 1)[1] for name, _ in table_files(report)]
    assert {"answers-to-severity.md", "answers-to-severity.tex"} <= set(names)


def test_what_raters_disagreed_on_most_stands_with_its_prompt_and_no_imported_ids(lena, june):
    worst = build(june, FEW).to_dict()["disagreements"][0]
    prompt = june.dataset.prompts.get(key=worst["prompt"])
    prompt.text = "Where do the swifts sleep?"
    prompt.save()
    html = get_page(lena, "report", "june").split('aria-labelledby="disputed"')[1].split("</section>")[0]
    assert f"{worst['system']} · Where do the swifts sleep?" in html
    assert f"{worst['response']}, sentence" not in html


def test_of_two_options_the_other_one_has_no_column_beside_the_measures(lena):
    """With factual information: the rest are those without, and a column of their own headed No would say no more."""
    project = project_of([Row(f"q{n:02}", "heron", "ravi", ACCURATE) for n in range(12)], "web")
    Project.objects.filter(pk=project.pk).update(protocol=newest_version("web-factuality"))
    for n, rating in enumerate(Rating.objects.filter(project=project)):
        answers = {"factual": "yes", "accuracy": "accurate"} if n % 3 else {"factual": "no"}
        Rating.objects.filter(pk=rating.pk).update(answers=answers, choices=answers)
    text = get_page(lena, "report", "web")
    table_of_measures = text.split('aria-labelledby="proportions"')[1].split("</table>")[0]
    assert "With factual information" in table_of_measures and 'class="secondary"' not in table_of_measures
    assert " heron 100.0 % 8 " in table(text, "How accurate is the factual information?")
