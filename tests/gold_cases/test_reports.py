"""The gold cases of ../shared/stats, pushed through the product: rows of ratings in, a report out.

Collected only where the gold file is.
"""

from collections.abc import Iterable

import pytest

from annotation.models import Rating
from annotation.reporting import Choices, build
from annotation.reporting.data.groups import LEVEL
from tests.gold_cases.cases import CASES, answers, of_kind
from tests.reporting.project_rows import Row, import_project, project_of
from tests.stats.clusters import swap_p

MEASURES = ("accurate", "inaccurate", "severely_inaccurate")

pytestmark = pytest.mark.django_db


def rows_of(ratings: Iterable[dict]) -> list[Row]:
    return [
        Row(
            prompt=f"q{int(rating['question'][1:]):03}",
            system=rating["system"],
            rater=rating["rater"],
            answers=answers(rating["q1"], rating["q2"]),
            item=int(rating["sentence"][1:]),
            response=rating["response"],
            metadata={"question_type": rating["question_type"]},
        )
        for rating in ratings
    ]


def ratings_of(case: dict) -> list[dict]:
    data = case["input"]
    return data["ratings"] if "ratings" in data else ratings_of(CASES[data["ratings_of_case"]])


def report_of(case: dict) -> dict:
    return build(project_of(rows_of(ratings_of(case))), Choices(resamples=200)).to_dict()


@pytest.fixture
def imported_report(tmp_path):
    """Return the report of a case whose ratings came in through files."""
    return lambda case: build(import_project(rows_of(ratings_of(case)), tmp_path), Choices(resamples=200)).to_dict()


def same_counts(cell: dict, expected: dict, tolerance: float) -> None:
    assert (cell["ratings"], cell["assessed"]) == (expected["ratings"], expected["denominator"])
    assert cell["options"] == expected["counts"]
    assert cell["measures"]["severely_inaccurate"]["k"] == expected["n_severely_inaccurate"]
    for measure in MEASURES:
        assert cell["measures"][measure]["value"] == pytest.approx(expected[measure], abs=tolerance)


@pytest.mark.parametrize("case", of_kind("report"))
def test_the_report_has_the_counts_proportions_and_shares_of_the_gold_case(case):
    report, expected, tolerance = report_of(case), case["expected"], case["abs_tol"]
    same_counts(report["overall"], expected["overall"], tolerance)
    breakdowns = {
        "by_system": {cell["system"]: cell for cell in report["systems"]},
        "by_question_type": {cell["value"]: cell for cell in report["by"]["question_type"]},
        "by_rater": {cell["value"]: cell for cell in report["by"]["rater"]},
    }
    crossed: dict[str, dict] = {}
    for cell in report["by"]["system × question_type"]:
        crossed.setdefault(cell["system"], {})[cell["value"]] = cell
    pairs = [(breakdowns[name], expected[name]) for name in breakdowns]
    pairs += [(crossed[system], cells) for system, cells in expected["by_system_and_question_type"].items()]
    assert crossed.keys() == expected["by_system_and_question_type"].keys()
    for cells, expected_cells in pairs:
        assert cells.keys() == expected_cells.keys()
        for key, cell in cells.items():
            same_counts(cell, expected_cells[key], tolerance)
    for name, cell in breakdowns["by_system"].items():
        computed = {option: share["value"] for option, share in cell["shares"].items()}
        assert computed == pytest.approx(expected["option_shares_of_all_ratings"][name], abs=tolerance)
        assert {share["n"] for share in cell["shares"].values()} == {cell["ratings"]}
        assessed = {option: (share["k"], share["n"]) for option, share in cell["shares_of_assessed"].items()}
        counts = expected["by_system"][name]["counts"]
        assert assessed == {key: (n, cell["assessed"]) for key, n in counts.items() if key != "cannot_assess"}


@pytest.mark.parametrize("case", of_kind("cluster_interval"))
def test_the_closed_form_interval_of_each_system_is_that_of_the_gold_case(case):
    """Thirty prompts: too few for the bootstrap, so every cell has Korn and Graubard's interval."""
    assert case["params"]["level"] == LEVEL
    checked = 0
    for cell in report_of(case)["systems"]:
        for measure, interval in cell["measures"].items():
            expected = case["expected"][f"{cell['system']}/{measure}"]
            assert (interval["k"], interval["n"]) == (expected["k"], expected["n"])
            if "low_korn_graubard" in expected:
                assert interval["method"] == "korn-graubard"
                figures = [interval[key] for key in ("deff", "icc", "low", "high")]
                names = ("deff", "icc_anova", "low_korn_graubard", "high_korn_graubard")
                assert figures == pytest.approx([expected[name] for name in names], abs=case["abs_tol"])
                checked += 1
    assert checked > 3


@pytest.mark.parametrize("case", of_kind("paired_difference"))
def test_the_comparison_of_two_systems_is_that_of_the_gold_case(case, imported_report):
    report, expected, about = imported_report(case), case["expected"], case["input"]
    names = {about["system_a"], about["system_b"]}
    [comparison] = (
        row for row in report["comparisons"] if {row["a"], row["b"]} == names and row["measure"] == about["measure"]
    )
    sign = 1 if comparison["a"] == about["system_a"] else -1
    assert (comparison["prompts"], comparison["method"]) == (expected["questions_in_common"], "t")
    figures = [sign * comparison["difference"], *sorted(sign * comparison[end] for end in ("low", "high"))]
    of_case = [expected[key] for key in ("difference", "low_t", "high_t")]
    assert figures == pytest.approx(of_case, abs=case["abs_tol"])
    # The case's `permutation_p` is of the bare difference, which test_stats.py checks.
    assert report["inference"]["swap_statistic"] == "studentized"
    assert comparison["p"] == swap_p(*zip(*expected["cluster_counts_ka_na_kb_nb"], strict=True))


@pytest.mark.parametrize("case", of_kind("sentence_aggregation"))
def test_majorities_and_averages_are_those_of_the_gold_case(case, imported_report):
    report, tolerance = imported_report(case), case["abs_tol"]
    rows = {row["system"]: row["measures"] for row in report["aggregations"]}
    assert rows.keys() == {None, *case["expected"]}
    for system, expected in case["expected"].items():
        votes, accurate = expected["majority"], rows[system]["accurate"]
        for measure in ("accurate", "inaccurate"):
            majority = rows[system][measure]["majority"]
            assert majority["value"] == pytest.approx(votes[measure], abs=tolerance)
            assert (majority["n"], majority["undecided"]) == (votes["decided"], votes["undecided"])
        averages = [accurate[f"macro_{unit}"] for unit in ("item", "response", "prompt")]
        of_case = [expected[f"macro_accurate_by_{unit}"] for unit in ("sentence", "response", "question")]
        assert averages == pytest.approx(of_case, abs=tolerance)


@pytest.mark.parametrize("case", of_kind("dawid_skene"))
def test_dawid_and_skenes_shares_are_those_of_the_gold_case(case, tmp_path):
    """All items are sentences of one response; what the labels are called makes no difference to the estimate."""
    labels = [
        Row("q1", "alpha", rater, answers(label, None), int(item[1:]))
        for item, rater, label in case["input"]["answers"]
    ]
    report = build(import_project(labels, tmp_path), Choices(resamples=200), agreement_intervals=True).to_dict()
    (overall, _), shares = report["aggregations"], case["expected"]["class_share"]
    for measure in ("accurate", "inaccurate"):
        estimate = overall["measures"][measure]["dawid_skene"]
        assert estimate["value"] == pytest.approx(shares[measure], abs=case["abs_tol"])
        assert estimate["items"] == len(case["expected"]["label"])


def labels_as_ratings(case: dict) -> list[Row]:
    """Return the sentences and raters of a case whose categories are the five answers."""
    return [
        Row("q1", "alpha", f"r{rater:02}", answers(label, None), item)
        for item, labels in enumerate(case["input"]["units"])
        for rater, label in enumerate(labels)
        if label is not None
    ]


def accuracy_cases() -> list:
    options = {"accurate", "disputed", "unsupported", "inaccurate"}
    return [case for case in of_kind("agreement") if set(case.values[0]["params"]["categories"]) <= options]


@pytest.mark.parametrize("case", accuracy_cases())
def test_the_agreement_is_that_of_the_gold_case(case):
    """Two categories are asked of `accurate_or_not`, four of the question itself."""
    report = build(project_of(labels_as_ratings(case)), Choices(resamples=200)).to_dict()
    key = "accuracy" if len(case["params"]["categories"]) == 4 else "accurate_or_not"
    computed, expected = report["agreement"][key], case["expected"]
    assert computed["items"] == expected["units_with_2"]
    assert Rating.objects.count() == report["data"]["ratings"]
    figures = [computed[name] for name in ("percent", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha")]
    names = ("percent_agreement", "fleiss_kappa", "gwet_ac1", "krippendorff_nominal")
    assert figures == [pytest.approx(expected[name], abs=case["abs_tol"]) for name in names]


def test_the_cases_are_there():
    assert len(of_kind("report")) >= 3
    assert len(accuracy_cases()) >= 3
