"""Every question's answers are on the page of a report and in its files, not only those of the first."""

import re

import pytest

from annotation.exporting.report_formats import render, table_files
from annotation.models import Project, Rating
from annotation.reporting import build
from tests.cast import ACCURATE, newest_version
from tests.exporting.bundles import FEW
from tests.reporting.project_rows import Row, project_of
from tests.web.reports.pages import get_page, section

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
SEVERITY = "do you think the issue is severe?"


def table(text: str, caption: str, nth: int = 0) -> str:
    """Return the text of the nth table whose caption has these words, with spaces between cells."""
    parts = (part.partition("</caption>") for part in text.split("<table")[1:])
    rows = [head + end + body for head, end, body in parts if end and caption in head]
    return re.sub(r"(<[^>]*>|\s)+", " ", rows[nth].split("</table>")[0])


def severity_counts(report: dict, system: str) -> tuple[int, int, int]:
    found_cell = next(cell for cell in report["systems"] if cell["system"] == system)["questions"]["severity"]
    return found_cell["severe"], found_cell["not_severe"], sum(found_cell.values())


def share_of(count: int, all_of: int) -> str:
    return f"{100 * count / all_of:.1f} %"


def test_page_and_files_have_a_table_of_every_question(lena, june, frozen):
    report = build(june, FEW)
    severe, not_severe, answers = severity_counts(report.to_dict(), "Birch")
    assert answers > 20
    shares = [f"{share_of(count, answers)} {count} of {answers}" for count in (severe, not_severe)]
    row = f"Birch {' '.join(shares)} {answers} "
    live = get_page(lena, "report", "june", query="?live=1")
    for text in (live, get_page(lena, "frozen_report", frozen.public_id)):
        assert row in table(text, SEVERITY)
        assert "All systems" in table(text, SEVERITY)
    kappa = report.agreement["accuracy"].fleiss_kappa
    assert f"<b>{kappa:.3f}</b>".replace("0.", ".") in live, "with the three digits that studies publish"
    text = render(report, "markdown").split("## Distribution of answers: ")[1].split("\n## ")[0]
    assert f"| Birch | {share_of(severe, answers)} ({severe}/{answers})" in text
    names = {name.split("-", 1)[1] for name, _ in table_files(report)}
    assert {"answers-to-severity.md", "answers-to-severity.tex"} <= names


def test_shares_are_of_those_who_were_asked_by_system_and_in_a_breakdown(lena, june):
    """Published labels may leave the first question out (null) and answer others: it was asked all the same."""
    some = june.ratings.filter(rater__username="rosa", choices__accuracy="accurate")[:5]
    june.ratings.filter(pk__in=[rating.pk for rating in some]).update(choices={"severity": "severe"})
    report = build(june, FEW).to_dict()
    rosa, overall = next(cell for cell in report["by"]["rater"] if cell["value"] == "rosa"), report["overall"]
    assert sum(rosa["options"].values()) == rosa["ratings"] - 5
    text = get_page(lena, "report", "june", query="?by=rater")
    accurate, severity = rosa["options"]["accurate"], rosa["questions"]["severity"]
    by_rater, severe, asked = "Distribution of answers by rater", severity["severe"], sum(severity.values())
    assert f" rosa {share_of(accurate, rosa['ratings'])} {accurate} of {rosa['ratings']} " in table(text, by_rater)
    assert f" rosa {share_of(severe, asked)} {severe} of {asked} " in table(text, by_rater, nth=1)
    in_all = share_of(overall["options"]["accurate"], overall["ratings"])
    assert f"All systems {in_all} " in table(text, "Distribution of answers")


def test_a_question_that_nobody_answered_has_no_table(lena, june):
    june.ratings.filter(answers__has_key="severity").delete()
    text = get_page(lena, "report", "june")
    assert "Other question" not in text
    assert SEVERITY not in " ".join(part.split("</caption>")[0] for part in text.split("<caption")[1:])


def test_what_raters_disagreed_on_most_stands_with_its_prompt_and_no_imported_ids(lena, june):
    worst = build(june, FEW).to_dict()["disagreements"][0]
    prompt = june.dataset.prompts.get(key=worst["prompt"])
    prompt.text = "Where do the swifts sleep?"
    prompt.save()
    html = section(get_page(lena, "report", "june"), "disputed")
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
    measures = section(text, "proportions").split("</table>")[0]
    assert "With factual information" in measures and 'class="secondary"' not in measures
    assert " heron 100.0 % 8 of 8 " in table(text, "How accurate is the factual information?")
