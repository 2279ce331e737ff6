"""Sensitivity analyses: each decision by hand, and the exclusion of raters with a quality alert."""

import pytest
from msgspec.structs import replace

from annotation.reporting.report import Report
from annotation.reporting.sections.sensitivity.figures import SensitivityEstimate, alerted_raters
from annotation.stats.interval_choice import headline
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import MILD, Row, documents_of_prompts, opposite_raters, project_of, report_of

pytestmark = pytest.mark.django_db


def votes(*items: list[dict], response: str = "q1") -> list[Row]:
    return [
        Row(response, "heron", f"r{rater}", answers, item)
        for item, given in enumerate(items)
        for rater, answers in enumerate(given)
    ]


def estimate(
    report: Report, analysis: str, measure: str = "accurate", system: str | None = None, without: tuple = ()
) -> SensitivityEstimate:
    (row,) = [row for row in report.sensitivity if row.analysis == analysis and tuple(row.without or ()) == without]
    return next(each for each in row.estimates if (each.measure, each.system) == (measure, system))


def frozen(rows: list[Row], slug: str = "june") -> Report:
    return report_of(project_of(rows, slug), slow=True)


@pytest.fixture(scope="module")
def opposite(module_rows) -> Report:
    """Return the frozen report of Kim and Bo, who cancel each other, and of two raters who are right."""
    return frozen(opposite_raters(), "opposite")


class TestExclusions:
    def test_single_exclusions_show_what_cancels_when_all_are_left_out(self, opposite):
        """Of four ratings a sentence 1/2 are accurate; without Kim 1/3, without Bo 2/3, without both again 1/2."""
        assert alerted_raters(opposite.raters) == ["bo", "kim"]
        for system in (None, "heron", "plover"):
            excluded = {("kim",): "without rater", ("bo",): "without rater", ("bo", "kim"): "without alerted raters"}
            shifts = [estimate(opposite, name, system=system, without=who).shift for who, name in excluded.items()]
            assert shifts == pytest.approx([-1 / 6, 1 / 6, 0])

    def test_the_figures_are_those_of_a_report_without_the_rater_and_a_live_report_has_them(self):
        rows = [*opposite_raters(), Row("q99", "heron", "kim", ACCURATE)]
        project = project_of([*rows, *(Row(f"q{n:02}", "wren", "kim", ACCURATE) for n in range(60))])
        live, filtered = report_of(project), report_of(project, without_raters=("kim",))
        assert [row.analysis for row in live.sensitivity] == [
            "as reported", "without rater", "without rater", "without alerted raters"
        ]  # fmt: skip
        own = filtered.systems[0].measures["accurate"]
        figures = estimate(live, "without rater", system="heron", without=("kim",))
        assert (figures.value, figures.n, figures.low, figures.high, figures.method) == (
            own.value, own.n, own.low, own.high, own.method
        )  # fmt: skip
        alone = estimate(live, "without rater", system="wren", without=("kim",))
        assert (alone.value, alone.n, alone.low, alone.method, alone.shift) == (None, 0, None, "none", None)

    def test_without_alerts_the_rows_are_absent(self):
        project = project_of([row for row in opposite_raters() if row.rater in ("ravi", "rosa")])
        assert not any(row.without for row in report_of(project, slow=True).sensitivity)
        assert "sensitivity" not in report_of(project).to_dict()


class TestAggregation:
    def test_the_majority_of_each_item_leaves_ties_out(self):
        """Pooled 3 of 6; of the three items one has an accurate majority, one an inaccurate one, one a tie."""
        figures = estimate(frozen(votes([ACCURATE, ACCURATE, MILD], [MILD], [ACCURATE, MILD])), "majority")
        assert (figures.value, figures.n, figures.shift) == (1 / 2, 2, 0)

    def test_its_interval_takes_items_of_a_prompt_together(self):
        """Twelve prompts with two items each: both have an accurate majority on every third, one on the others."""
        answers = [([ACCURATE] * 3, [MILD if n % 3 else ACCURATE] * 3) for n in range(12)]
        rows = [row for n, given in enumerate(answers) for row in votes(*given, response=f"q{n:02}")]
        figures = estimate(frozen(rows), "majority")
        expected = headline([1 if n % 3 else 2 for n in range(12)], [2] * 12)
        assert (figures.value, figures.n, figures.low, figures.high, figures.method) == (
            16 / 24, 24, expected.low, expected.high, "korn-graubard"
        )  # fmt: skip

    def test_dawid_and_skene_is_that_of_the_report_with_its_interval(self):
        answers = [[MILD if n < 20 else ACCURATE] * 2 + [ACCURATE if n % 5 else MILD] for n in range(60)]
        report = frozen([row for n, given in enumerate(answers) for row in votes(given, response=f"q{n:02}")])
        model, figures = report.aggregations[0].measures["accurate"].dawid_skene, estimate(report, "dawid-skene")
        assert (figures.value, figures.n, figures.low, figures.high) == (model.value, 60, model.low, model.high)
        assert figures.method == "percentile"
        assert model.value == pytest.approx(2 / 3, abs=1e-3)
        assert model.low < model.value < model.high

    def test_accurate_and_inaccurate_have_mirrored_intervals(self, opposite):
        """They divide the answers in the same way, where these have two options, and so share a model."""
        measures = opposite.aggregations[0].measures
        accurate, inaccurate = measures["accurate"].dawid_skene, measures["inaccurate"].dawid_skene
        assert (accurate.low, accurate.high) == pytest.approx((1 - inaccurate.high, 1 - inaccurate.low))

    def test_each_response_has_the_same_weight(self):
        """Shares 2/4 and 1 of two responses of different length: mean 3/4, pooled 3/5."""
        report = frozen([*votes([ACCURATE], [ACCURATE], [MILD], [MILD]), *votes([ACCURATE], response="q2")])
        figures = estimate(report, "responses equal")
        assert (figures.value, figures.n, figures.method) == (0.75, 2, "none")
        assert figures.shift == pytest.approx(3 / 4 - 3 / 5)

    def test_where_nothing_varies_the_bounds_are_those_of_a_proportion(self, opposite):
        """Sixty prompts with a sentence each, none severe: as for 0 of 60 items or responses."""
        expected = headline([0] * 60, [1] * 60)
        for analysis in ("majority", "dawid-skene", "responses equal"):
            figures = estimate(opposite, analysis, "severely_inaccurate", "heron")
            assert (figures.value, figures.low, figures.high) == (0, 0, expected.high)
            assert figures.method == "korn-graubard"


class TestNotAssessed:
    def test_worst_and_best_by_which_end_is_better(self):
        """3 of 4 assessed ratings are accurate, 3 more could not be assessed."""
        said = [ACCURATE, ACCURATE, CANNOT_ASSESS], [SEVERE, CANNOT_ASSESS, CANNOT_ASSESS], [ACCURATE]
        report = frozen(votes(*said))
        for measure, worst, best in (("accurate", 3 / 7, 6 / 7), ("inaccurate", 4 / 7, 1 / 7)):
            assert estimate(report, "not assessed as worst", measure).value == worst
            assert estimate(report, "not assessed as best", measure).value == best
            assert estimate(report, "not assessed as best", measure).n == 7

    def test_absent_where_every_rating_is_assessed_and_0_and_1_where_none_is(self, opposite):
        assert not any(row.analysis.startswith("not assessed") for row in opposite.sensitivity)
        report = frozen(votes([CANNOT_ASSESS, CANNOT_ASSESS]))
        values = [estimate(report, f"not assessed as {end}").value for end in ("worst", "best")]
        assert values == [0, 1] and estimate(report, "as reported").value is None


def test_documents_and_prompts_are_the_units_of_a_report_by_either():
    rows = [row for row in opposite_raters() if row.rater in ("ravi", "kim")]
    project = documents_of_prompts(project_of(rows), {f"q{n:02}": f"d{n % 12:02}" for n in range(60)})
    report = report_of(project, slow=True, cluster="prompt")
    for unit in ("prompt", "document"):
        figures, own = estimate(report, f"by {unit}"), report_of(project, cluster=unit).overall.measures["accurate"]
        assert (figures.low, figures.high, figures.shift) == (own.low, own.high, 0)


def test_the_first_analysis_is_the_report_and_it_reads_back(opposite):
    assert [row.analysis for row in opposite.sensitivity][-1] == "by prompt", "no document is shared"
    first = opposite.sensitivity[0]
    own = {(key, cell.system): p for cell in (opposite.overall, *opposite.systems) for key, p in cell.measures.items()}
    assert first.analysis == "as reported"
    assert {(e.measure, e.system): (e.value, e.low, e.high) for e in first.estimates} == {
        key: (p.value, p.low, p.high) for key, p in own.items()
    }
    assert {e.shift for e in first.estimates} == {0}
    assert Report.from_json(opposite.to_json()) == Report.from_dict(replace(opposite).to_dict())
