"""Fact-QA in a report: its section, its tables, and the recomputation from fact_qa.csv in the bundle."""

import csv
import json

import numpy as np
import pytest
from scipy import stats

from annotation import reporting
from annotation.exporting.bundle import Bundle
from annotation.exporting.report_formats import render
from annotation.exporting.tidy_rows import tidy_rows
from annotation.jobs import Refused
from annotation.judging.tuning import record_tuning
from annotation.models import FactScore, Item, Rating, Response
from annotation.queue.exclusion import exclude
from annotation.reporting import Choices
from annotation.reporting.fact_qa_report import fact_qa_report
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.report_comparison import rebuild
from tests.exporting.test_bundle import run, unpacked, without_figures
from tests.fact_qa_studies import fact_qa_study, prompt, score_facts
from tests.reporting.test_fact_qa_report import scored_study

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.usefixtures("without_figures")]
__all__ = ["without_figures"]
CHOICES = Choices(resamples=200, cluster="prompt")


def counts_of(count: int, seed: int = 5) -> dict:
    """Return random numbers of facts by response; every tenth response has failed, one has no facts."""
    chance, counts = np.random.default_rng(seed), {}
    for number in range(count):
        totals = chance.integers(1, 6, 2)
        pairs = tuple((int(chance.integers(0, total + 1)), int(total)) for total in totals)
        counts[f"r{number:03}"] = None if number % 10 == 9 else pairs
    counts["r004"] = ((0, 0), (1, 2))
    return counts


@pytest.fixture
def project(tmp_path):
    project, _expected, _human = scored_study(tmp_path, "strict", count=64)
    score_facts(project, {**counts_of(60)})
    return project


def test_recompute_computes_the_section_from_the_files(project, tmp_path):
    Rating.objects.filter(role="rater", item__response__key__lt="r010").update(verdict_shown=True)
    frozen = reporting.freeze(project, CHOICES)
    folder = unpacked(frozen, tmp_path / "bundle")
    report = json.loads((folder / "report.json").read_text())
    [part] = report["fact_qa"]
    assert (part["responses"], part["scored"], part["failed"], part["missing"]) == (64, 54, 6, 4)
    assert part["overall"]["precision"]["method"] == part["overall"]["f1"]["method"] == "bca"
    done = run(folder)
    assert done.returncode == 0, done.stdout
    groups = [part["overall"], *part["systems"], *part["source_classes"], *part["question_types"]]
    # 16 figures of a group, with its name unless it is all responses; 5 of a correlation; 4 of the method, 6 counts.
    assert f"fact_qa {17 * len(groups) + 5 * 3 + 4 + 6 - 1}" in done.stdout
    assert "fact_qa /" not in done.stdout
    part["source_classes"][0]["f1"]["low"] += 0.01
    (folder / "report.json").write_text(json.dumps(report))
    assert "fact_qa / facts@1 / source_classes / explicit / f1 / low is" in run(folder).stdout


def test_the_section_equals_numpy_and_scipy_and_the_page_of_the_judge(project):
    report = reporting.build(project, CHOICES)
    [part] = report.fact_qa
    judge = FactScore.objects.first().judge
    assert part == fact_qa_report(project, judge, CHOICES)
    scored = FactScore.objects.filter(state="scored").order_by("response__key")
    p, r = (np.array(column, dtype=float) for column in zip(*scored.values_list("precision", "recall"), strict=True))
    with np.errstate(invalid="ignore"):
        f1 = np.where(p + r == 0, 0.0, 2 * p * r / np.where(p + r == 0, 1.0, p + r))
    figures = {"precision": p, "recall": r, "f1": f1}
    people = {row.response: row.means for row in report.responses}
    for name, values in figures.items():
        mean = getattr(part.overall, name)
        assert (mean.value, mean.n) == (pytest.approx(np.nanmean(values)), np.isfinite(values).sum())
        pairs = [
            (value, people[key][f"human_{name}"])
            for key, value in zip(scored.values_list("response__key", flat=True), values, strict=True)
            if key in people and people[key][f"human_{name}"] is not None and np.isfinite(value)
        ]
        row = next(each for each in part.correlations if each.figure == name)
        expected = stats.pearsonr(*zip(*pairs, strict=True))
        bounds = expected.confidence_interval(0.95)
        assert row.n == len(pairs) > 20
        assert (row.pearson, row.low, row.high) == pytest.approx((expected.statistic, bounds.low, bounds.high))


def test_the_file_has_one_row_for_each_response_and_judge(project, tmp_path):
    score_facts(project, {"r000": ((1, 2), (1, 1))}, "other", fact_source="document")
    folder = unpacked(reporting.freeze(project, CHOICES), tmp_path / "bundle")
    with open(folder / "fact_qa.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 64 and {row["judge"] for row in rows} == {"facts@1", "other@1"}
    assert rows[0]["cluster"] == "prompt q000" and "fact_list" not in rows[0]
    assert "fact_qa.csv" in (folder / "README.md").read_text()
    done = run(folder)
    assert (done.returncode, "fact_qa /" in done.stdout) == (0, False), done.stdout


def test_documents_are_clusters_where_they_are_the_unit_of_the_report(project, tmp_path):
    frozen = reporting.freeze(project, Choices(resamples=200, cluster="document"))
    [part] = stored_report(frozen).fact_qa
    assert (part.method.cluster, part.overall.f1.method) == ("document", "logit-t")
    done = run(unpacked(frozen, tmp_path / "bundle"))
    assert (done.returncode, "0 differ" in done.stdout) == (0, True), done.stdout


def test_recompute_excludes_responses_that_tuned_the_prompt(project, tmp_path):
    judge = FactScore.objects.first().judge
    record_tuning(judge, Item.objects.filter(response__key__in=["r000", "r009"]).values_list("pk", flat=True))
    folder = unpacked(reporting.freeze(project, CHOICES), tmp_path / "bundle")
    [part] = json.loads((folder / "report.json").read_text())["fact_qa"]
    assert (part["scored"], part["failed"], part["tuned"]) == (53, 6, 1), "r009 has failed"
    with open(folder / "fact_qa.csv", encoding="utf-8", newline="") as file:
        assert [row["response"] for row in csv.DictReader(file) if row["state"] == "tuned"] == ["r000"]
    done = run(folder)
    assert (done.returncode, "0 differ" in done.stdout) == (0, True), done.stdout
    assert "tuned the judge’s prompt, in no figure: 1" in (folder / "tables" / "report.md").read_text()


def test_a_report_without_scores_has_no_section_and_no_file(tmp_path):
    project, _expected, _human = scored_study(tmp_path, "strict", count=12)
    frozen = reporting.freeze(project, CHOICES)
    assert "fact_qa" not in json.loads(frozen.document)
    folder = unpacked(frozen, tmp_path / "bundle")
    assert not list(folder.glob("fact_qa*")) and "fact_qa" not in (folder / "README.md").read_text()
    assert "Fact-QA" not in (folder / "tables" / "report.md").read_text()


def test_the_newest_version_of_each_judge_is_in_the_report(project):
    score_facts(project, {"r000": ((1, 2), (1, 1))}, fact_source="document")
    score_facts(project, {"r000": ((1, 2), (1, 1))}, "other")
    assert [part.judge for part in reporting.build(project, CHOICES).fact_qa] == ["facts@2", "other@1"]


def test_filters_and_exclusions_apply(project):
    [part] = reporting.build(project, Choices(resamples=200, systems=("system-1",))).fact_qa
    assert (part.responses, [row.value for row in part.systems]) == (32, ["system-1"])
    sheets = project.sheets.filter(response__key__in=["r000", "r001"]).values_list("pk", flat=True)
    exclude(project, list(sheets), "Broken.", actor=None)
    [part] = reporting.build(project, CHOICES).fact_qa
    assert (part.responses, part.scored) == (62, 52)


def test_no_bundle_is_made_when_scores_have_changed_and_a_rebuild_says_so(project):
    frozen = reporting.freeze(project, CHOICES)
    assert rebuild(frozen).identical
    score_facts(project, {"r000": ((0, 7), (0, 7))})
    with pytest.raises(Refused, match="Fact-QA scores have changed"):
        list(Bundle(frozen))
    result = rebuild(frozen)
    assert not result.identical and result.data_changed
    assert result.differences[0].name == "1 / sha256"


def test_tables_and_methods_have_the_figures(project):
    report = reporting.build(project, CHOICES)
    [part] = report.fact_qa
    text = render(report, "markdown")
    assert "## Fact-QA: precision and recall of facts" in text and "## Fact-QA: correlation with people" in text
    f1 = part.overall.f1
    assert f"{f1.value:.3f} [{f1.low:.3f} – {f1.high:.3f}]" in text
    assert "Judge facts@1 scored responses by Fact-QA (Fernandez et al., 2024; mode: strict)" in text
    assert "Of judge facts@1: failed, in no mean: 6; not scored yet: 4." in text
    assert "fernandez2024" in render(report, "bibtex")
    for name in ("Explicit", "Implicit", "Insufficient", "Multi reasoning"):
        assert name in text
    for format in ("latex", "html"):
        assert "Fact-QA: precision and recall of facts" in render(report, format)
    rows = {(row["system"], row["value"], row["key"]): row for row in tidy_rows(report) if row["table"] == "fact_qa"}
    assert rows["", "facts@1", "f1"]["estimate"] == f1.value
    assert rows["system-0", "facts@1", "recall"]["estimate"] == part.systems[0].recall.value
    assert rows["", "facts@1: implicit", "f1"]["low"] == part.source_classes[1].f1.low
    [r] = [row for row in tidy_rows(report) if (row["table"], row.get("key")) == ("fact_qa_correlations", "recall")]
    assert r["estimate"] == part.correlations[1].pearson


def test_without_ratings_the_report_has_the_scores(tmp_path):
    project = fact_qa_study(tmp_path, (prompt(number) for number in range(12)))
    score_facts(project, dict.fromkeys(Response.objects.values_list("key", flat=True), ((1, 2), (1, 1))))
    report = reporting.build(project, Choices(resamples=200))
    assert (report.data.ratings, report.fact_qa[0].overall.precision.value) == (0, 0.5)
    assert "Judge facts@1 scored responses by Fact-QA" in render(report, "markdown")
    assert "| facts@1 | All | All responses | 0.500" in render(report, "markdown")
