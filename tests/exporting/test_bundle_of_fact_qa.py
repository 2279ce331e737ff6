"""Fact-QA in a report: its section, its tables, and the recomputation from fact_qa.csv in the bundle."""

import numpy as np
import pytest
from scipy import stats

from annotation import reporting
from annotation.exporting.bundle import Bundle
from annotation.exporting.report_formats import render
from annotation.exporting.tidy_rows import tidy_rows
from annotation.jobs import Refused
from annotation.judging.tuning import record_tuning
from annotation.models import FactScore, Item, Rating
from annotation.queue.exclusion import exclude
from annotation.reporting import Choices
from annotation.reporting.fact_qa_report import fact_qa_report
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.report_comparison import rebuild
from tests.exporting.bundles import counts_of, frozen, read_report, read_table, run, run_with, unpacked
from tests.fact_qa_studies import score_facts
from tests.reporting.fact_qa_scores import scored_study

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
CHOICES = Choices(resamples=100, cluster="prompt")


@pytest.fixture(scope="module")
def project(module_rows, tmp_path_factory):
    project, _expected, _human = scored_study(tmp_path_factory.mktemp("facts"), "strict", count=64)
    score_facts(project, counts_of(60))
    return project


@pytest.fixture(scope="module")
def report(project):
    return reporting.build(project, CHOICES)


def assert_the_program_agrees(folder) -> None:
    done = run(folder)
    assert (done.returncode, "0 differ" in done.stdout) == (0, True), done.stdout


def test_recompute_computes_the_section_from_the_files(project, tmp_path):
    Rating.objects.filter(role="rater", item__response__key__lt="r010").update(verdict_shown=True)
    folder = unpacked(frozen(project, CHOICES), tmp_path)
    report = read_report(folder)
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
    assert "fact_qa / facts@1 / source_classes / explicit / f1 / low is" in run_with(folder, report)


def test_the_section_equals_numpy_and_scipy_and_the_page_of_the_judge(project, report):
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


def test_the_file_has_one_row_for_each_response_and_the_newest_version_of_each_judge(project, tmp_path):
    score_facts(project, {"r000": ((1, 2), (1, 1))}, "other", fact_source="document")
    folder = unpacked(frozen(project, CHOICES), tmp_path)
    rows = read_table(folder / "fact_qa.csv")
    assert len(rows) == 2 * 64 and {row["judge"] for row in rows} == {"facts@1", "other@1"}
    assert rows[0]["cluster"] == "prompt q000" and "fact_list" not in rows[0]
    assert "fact_qa.csv" in (folder / "README.md").read_text()
    assert_the_program_agrees(folder)
    score_facts(project, {"r000": ((1, 2), (1, 1))}, fact_source="document")
    assert [part.judge for part in reporting.build(project, CHOICES).fact_qa] == ["facts@2", "other@1"]


def test_documents_are_clusters_and_responses_that_tuned_the_prompt_are_left_out(project, tmp_path):
    judge = FactScore.objects.first().judge
    record_tuning(judge, Item.objects.filter(response__key__in=["r000", "r009"]).values_list("pk", flat=True))
    stored = frozen(project, Choices(resamples=100, cluster="document"))
    [part] = stored_report(stored).fact_qa
    assert (part.method.cluster, part.overall.f1.method) == ("document", "logit-t")
    assert (part.scored, part.failed, part.tuned) == (53, 6, 1), "r009 has failed"
    folder = unpacked(stored, tmp_path)
    assert [row["response"] for row in read_table(folder / "fact_qa.csv") if row["state"] == "tuned"] == ["r000"]
    assert_the_program_agrees(folder)
    assert "tuned the judge’s prompt, in no figure: 1" in (folder / "tables" / "report.md").read_text()


def test_a_report_without_scores_has_no_section_and_no_file(project, tmp_path):
    FactScore.objects.all().delete()
    folder = unpacked(frozen(project, CHOICES), tmp_path)
    assert "fact_qa" not in read_report(folder)
    assert not list(folder.glob("fact_qa*")) and "fact_qa" not in (folder / "README.md").read_text()
    assert "Fact-QA" not in (folder / "tables" / "report.md").read_text()


def test_filters_and_exclusions_apply(project):
    [part] = reporting.build(project, Choices(resamples=100, systems=("system-1",))).fact_qa
    assert (part.responses, [row.value for row in part.systems]) == (32, ["system-1"])
    sheets = project.sheets.filter(response__key__in=["r000", "r001"]).values_list("pk", flat=True)
    exclude(project, list(sheets), "Broken.", actor=None)
    [part] = reporting.build(project, CHOICES).fact_qa
    assert (part.responses, part.scored) == (62, 52)


def test_no_bundle_is_made_when_scores_have_changed_and_a_rebuild_says_so(project):
    stored = frozen(project, CHOICES)
    assert rebuild(stored).identical
    score_facts(project, {"r000": ((0, 7), (0, 7))})
    with pytest.raises(Refused, match="Fact-QA scores have changed"):
        list(Bundle(stored))
    result = rebuild(stored)
    assert not result.identical and result.data_changed
    assert result.differences[0].name == "1 / sha256"


def test_tables_and_methods_have_the_figures(report):
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


def test_without_ratings_the_report_has_the_scores(project, report):
    Rating.objects.all().delete()
    empty, mean = reporting.build(project, CHOICES), report.fact_qa[0].overall.precision.value
    assert (empty.data.ratings, empty.fact_qa[0].overall.precision.value) == (0, mean)
    text = render(empty, "markdown")
    assert "Judge facts@1 scored responses by Fact-QA" in text
    assert f"| facts@1 | All | All responses | {mean:.3f}" in text
