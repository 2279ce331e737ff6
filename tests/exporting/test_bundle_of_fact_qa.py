"""Fact-QA in a report: its section, its tables, and the file of its bundle."""

from statistics import fmean

import pytest

from annotation import reporting
from annotation.exporting.bundle import Bundle
from annotation.exporting.report_formats import render
from annotation.jobs import Refused
from annotation.judging.tuning import record_tuning
from annotation.models import FactScore, Item, Rating
from annotation.queue.exclusion import exclude
from annotation.reporting import Choices
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.report_comparison import rebuild
from annotation.reporting.sections.all_tables import tidy_rows
from annotation.reporting.sections.fact_qa.figures import fact_qa_report
from annotation.stats.correlation import f1_of
from tests.exporting.bundles import counts_of, frozen, read_report, read_table, unpacked
from tests.fact_qa_studies import score_facts
from tests.reporting.fact_projects import scored_study

pytestmark = pytest.mark.django_db
CHOICES = Choices(resamples=100, cluster="prompt")


@pytest.fixture(scope="module")
def project(module_rows, tmp_path_factory):
    project, _expected, _human = scored_study(tmp_path_factory.mktemp("facts"), "strict", count=64)
    score_facts(project, counts_of(60))
    return project


@pytest.fixture(scope="module")
def report(project):
    return reporting.build(project, CHOICES)


def test_the_section_is_that_of_the_page_of_the_judge_with_means_of_what_is_defined(project, report):
    [part] = report.fact_qa
    assert (part.responses, part.scored, part.failed, part.missing) == (64, 54, 6, 4)
    assert part.overall.precision.method == part.overall.f1.method == "bca"
    assert part == fact_qa_report(project, FactScore.objects.first().judge, CHOICES)
    scores = list(FactScore.objects.filter(state="scored").values_list("precision", "recall"))
    figures = [(precision, recall, f1_of(precision, recall)) for precision, recall in scores]
    for name, values in zip(("precision", "recall", "f1"), zip(*figures, strict=True), strict=True):
        defined, mean = [value for value in values if value is not None], getattr(part.overall, name)
        assert (mean.value, mean.n) == (pytest.approx(fmean(defined)), len(defined))
    assert min(row.n for row in part.correlations) > 20


def test_documents_are_clusters_tuning_responses_are_left_out_and_each_judge_has_its_newest_version(project, tmp_path):
    judge = FactScore.objects.first().judge
    score_facts(project, {"r000": ((1, 2), (1, 1))}, "other", fact_source="document")
    record_tuning(judge, Item.objects.filter(response__key__in=["r000", "r009"]).values_list("pk", flat=True))
    stored = frozen(project, Choices(resamples=100, cluster="document"))
    part, _ = stored_report(stored).fact_qa
    assert (part.method.cluster, part.overall.f1.method) == ("document", "logit-t")
    assert (part.scored, part.failed, part.tuned) == (53, 6, 1), "r009 has failed"
    folder = unpacked(stored, tmp_path)
    rows = read_table(folder / "fact_qa.csv")
    assert len(rows) == 2 * 64 and {row["judge"] for row in rows} == {"facts@1", "other@1"}
    assert [row["response"] for row in rows if row["state"] == "tuned"] == ["r000"]
    assert rows[0]["cluster"] == "document d0" and "fact_list" not in rows[0]
    assert "fact_qa.csv" in (folder / "README.md").read_text()
    assert "tuned the judge’s prompt, in no figure: 1" in (folder / "tables" / "report.md").read_text()
    score_facts(project, {"r000": ((1, 2), (1, 1))}, fact_source="document")
    assert [part.judge for part in reporting.build(project, CHOICES).fact_qa] == ["facts@2", "other@1"]


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
    score_facts(project, {"r000": ((0, 7), (0, 7))})
    with pytest.raises(Refused, match="scores of Fact-QA or of metrics have changed"):
        list(Bundle(stored))
    result = rebuild(stored)
    assert not result.identical and result.data_changed
    assert result.differences[0].name == "1 / sha256"


def test_tables_and_methods_have_the_figures(report):
    [part] = report.fact_qa
    text, f1 = render(report, "markdown"), part.overall.f1
    for expected in (
        "## Fact-QA: precision and recall of facts",
        "## Fact-QA: correlation with people",
        f"{f1.value:.3f} [{f1.low:.3f} – {f1.high:.3f}]",
        "Judge facts@1 scored responses by Fact-QA (Fernandez et al., 2024; mode: strict)",
        "Of judge facts@1: failed, in no mean: 6; not scored yet: 4.",
        *("Explicit", "Implicit", "Insufficient", "Multi reasoning"),
    ):
        assert expected in text
    assert "fernandez2024" in render(report, "bibtex")
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
