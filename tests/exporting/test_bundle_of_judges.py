"""The bundle of a report with a judge: its items, the judge card, and the recomputation of its estimates."""

import json

import pytest

from annotation.exporting.bundle import Bundle
from annotation.jobs import Refused
from annotation.models import Rating, SampledItem
from annotation.reporting import Choices
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.tables.latex import escaped
from tests.cast import ACCURATE, SEVERE
from tests.exporting.bundles import (
    assert_nothing_differs,
    drawn_where_uncertain,
    frozen,
    judged_study,
    read_report,
    read_table,
    run_with,
    unpacked,
)
from tests.reporting.project_rows import MILD, Row, judge_items, project_of
from tests.reporting.sampled_studies import items_of, random_study

pytestmark = pytest.mark.django_db
CHOICES = Choices(resamples=100, judge="j")


@pytest.fixture(scope="module")
def judged(module_rows):
    return frozen(judged_study(15, "judged"), CHOICES)


@pytest.fixture(scope="module")
def folder(judged, tmp_path_factory):
    return unpacked(judged, tmp_path_factory.mktemp("bundle"))


def figures_of(folder, *columns: str) -> dict:
    """Return the rows of report.csv by the values of some columns."""
    return {tuple(row[name] for name in columns): row for row in read_table(folder / "tables" / "report.csv")}


def test_recompute_computes_estimates_and_agreement_without_ratings_after_verdicts_and_tuning_items(judged, folder):
    printed = assert_nothing_differs(folder)
    # Three cells with three measures of 11 figures and three counts; three differences of six; seven other counts.
    assert f"hybrid ({3 * (3 * 11 + 4) + 3 * 6 + 5})" in printed
    hybrid, part = stored_report(judged).hybrid, stored_report(judged).judge_against_people
    assert (hybrid.verdict_shown, hybrid.tuned) == (7, 2)
    assert part.weights is None and part.calibration.n > 50 and part.calibration.ece > 0.1
    report = read_report(folder)
    report["hybrid"]["overall"]["measures"]["accurate"]["lambda"] += 0.01
    assert "hybrid / overall / measures / accurate / lambda is" in run_with(folder, report)


def test_the_program_too_ignores_a_judge_whose_verdicts_are_all_alike_unless_the_report_is_older(tmp_path):
    """The judge calls no mistake severe: of that measure an older report had a λ above 0. The sample is weighted."""
    project = judged_study(17, "weighted")
    severe = Rating.objects.filter(project=project, role="judge", answers__severity="severe")
    severe.update(answers=MILD, choices=MILD)
    stored = frozen(drawn_where_uncertain(project), CHOICES)
    assert stored_report(stored).judge_against_people.weights is not None
    folder = unpacked(stored, tmp_path, tables=False)
    report = read_report(folder)
    measure = report["hybrid"]["overall"]["measures"]["severely_inaccurate"]
    assert (measure["judge_alone"], measure["lambda"], measure["value"]) == (0, 0, measure["human"]["value"])
    assert_nothing_differs(folder)
    del report["inference"]["constant_verdicts"]
    assert "hybrid / overall / measures / severely_inaccurate / lambda is" in run_with(folder, report)


def test_the_items_and_the_judge_card_are_in_the_bundle(judged, folder):
    rows, project = read_table(folder / "hybrid_items.csv"), judged.project
    assert len(rows) == len(items_of(project))
    assert sum(row["is_drawn"] == "1" for row in rows) == SampledItem.objects.filter(is_drawn=True).count()
    assert {row["verdict"] for row in rows} == {"rated", "failed", "tuned"}
    first = rows[0]
    item = SampledItem.objects.get(item__response__key=first["response"], item__position=first["item"])
    assert float(first["probability"]) == item.probability
    card = json.loads((folder / "judge_card.json").read_text())
    assert (card["schema"], card["judge"]["name"]) == ("factuary-judge-comparison/1", "j@1")
    assert (folder / "judge_card.md").read_text().startswith("# Judge card: j@1\n")
    assert "hybrid_items.csv" in (folder / "README.md").read_text()


def test_without_estimates_the_bundle_has_the_judge_card_and_refuses_changed_verdicts(tmp_path):
    answers = [ACCURATE, SEVERE, ACCURATE, MILD] * 3
    project = project_of(
        Row(f"q{n}", "heron", rater, given) for n, given in enumerate(answers) for rater in ("ravi", "rosa")
    )
    judge_items(project, {(f"q{n}.heron", 0): given for n, given in enumerate([SEVERE, *answers[1:]])})
    stored = frozen(project, CHOICES)
    assert stored_report(stored).hybrid.reason is not None
    folder = unpacked(stored, tmp_path)
    card = json.loads((folder / "judge_card.json").read_text())
    report = read_report(folder)
    part = report["judge_against_people"]
    assert card["accuracy"] == part["majority"]["accuracy"] == 11 / 12
    assert (folder / "judge_card.md").read_text().startswith("# Judge card: j@1\n")
    readme = (folder / "README.md").read_text()
    assert "judge_card.json" in readme and "hybrid_items.csv" not in readme
    assert "judge_items.csv" in readme and "verdicts.jsonl" in readme
    text = (folder / "tables" / "report.md").read_text()
    assert "## Judge against people: j@1" in text and "| Inaccurate |" in text
    tex = (folder / "tables" / "report.tex").read_text()
    assert "Judge against people" in tex
    assert card["use"] and all(sentence in text and escaped(sentence) in tex for sentence in card["use"])
    rows = figures_of(folder, "table", "key", "figure")
    found = rows["judge_detection", "any_problem", "mcc"]
    assert float(found["estimate"]) == part["detection"]["any_problem"]["mcc"] and found["n"] == "12"
    assert float(rows["judge_against_people", "Judge, against the majority of people", "kappa"]["low"])


def test_no_bundle_is_made_when_verdicts_have_changed(judged):
    verdict = Rating.objects.filter(role="judge").first()
    verdict.answers = verdict.choices = {"accuracy": "disputed", "severity": "severe"}
    verdict.save()
    with pytest.raises(Refused, match="verdicts of the judge or the sample have changed"):
        list(Bundle(judged))


def test_tables_and_methods_have_the_estimates(judged, folder):
    text = (folder / "tables" / "report.md").read_text()
    measure = stored_report(judged).hybrid.overall.measures["accurate"]
    assert "## People and judge: j" in text and "Judge alone (not an estimate)" in text
    for heading in (
        "People’s answers (rows) and the judge’s (columns)",
        "Bias: the judge’s rate less people’s, in percentage points",
        "Calibration",
    ):
        assert f"Judge j@1: {heading}" in text
    assert f"from {measure.human.n} ratings of people in {measure.human.units} prompts and judge j@1 on" in text
    assert "(Angelopoulos et al., 2023)" in text
    assert "angelopoulos2023" in (folder / "methods.bib").read_text()
    rows = figures_of(folder, "table", "system", "figure", "key")
    assert float(rows["hybrid", "", "people and judge", "accurate"]["estimate"]) == measure.value
    assert float(rows["hybrid", "", "judge alone", "accurate"]["estimate"]) == measure.judge_alone
    part, rows = stored_report(judged).judge_against_people, figures_of(folder, "table", "figure", "key")
    assert float(rows["judge_calibration", "brier", ""]["estimate"]) == part.calibration.brier
    assert float(rows["judge_detection", "f1", "any_problem"]["estimate"]) == part.detection["any_problem"].f1
    for extension in ("tex", "html"):
        assert "People and judge" in (folder / "tables" / f"report.{extension}").read_text()


def test_weighted_estimates_of_people_alone_are_in_the_files_and_recomputed(tmp_path):
    project = random_study(14)
    stored = frozen(drawn_where_uncertain(project), Choices(resamples=100))
    folder = unpacked(stored, tmp_path)
    # Three cells with three measures of five figures and three counts; three differences of six; the units.
    assert f"weighted_estimates ({3 * (3 * 5 + 4) + 3 * 6 + 1})" in assert_nothing_differs(folder)
    part = stored_report(stored).weighted_estimates
    rows = figures_of(folder, "table", "system", "key")
    assert float(rows["weighted_estimates", "", "accurate"]["low"]) == part.overall.measures["accurate"].low
    assert float(rows["weighted_comparisons", "heron", "accurate"]["estimate"]) == part.comparisons[0].difference
    for extension in ("tex", "md", "html"):
        assert "People alone, weighted" in (folder / "tables" / f"report.{extension}").read_text()
    readme = (folder / "README.md").read_text()
    assert "sample_items.csv" in readme and "judge_card" not in readme
    assert not list(folder.glob("hybrid*")) and not list(folder.glob("*judge*")), "no judge was chosen"
    report = read_report(folder)
    report["weighted_estimates"]["systems"][0]["measures"]["accurate"]["high"] += 0.01
    assert "weighted_estimates / systems / heron / measures / accurate / high is" in run_with(folder, report)
    SampledItem.objects.filter(project=project, is_drawn=True).update(probability=0.9)
    with pytest.raises(Refused, match="verdicts of the judge or the sample have changed"):
        list(Bundle(stored))
