"""The gold cases of ../shared/stats, pushed through the product: rows of ratings in, a report out.

Collected only where the gold file is.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from annotation.models import Rating
from annotation.reporting import Choices, build
from annotation.reporting.cells import LEVEL
from tests.reporting.given import Row, project_of

GOLDEN = Path(__file__).parents[3] / "shared" / "stats" / "golden.json"
CASES = {case["id"]: case for case in json.loads(GOLDEN.read_text())["cases"]}
MEASURES = ("accurate", "inaccurate", "severely_inaccurate")

pytestmark = pytest.mark.django_db


def of_kind(kind: str) -> list:
    return [pytest.param(case, id=case["id"]) for case in CASES.values() if case["kind"] == kind]


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


def answers(q1: str, q2: str | None) -> dict:
    """A problem without a severity counts as not severe in these cases (the product refuses such a rating)."""
    problem = q1 in ("inaccurate", "unsupported", "disputed")
    return {"accuracy": q1} | ({"severity": q2 or "not_severe"} if problem else {})


def report_of(case: dict) -> dict:
    ratings = case["input"]["ratings"]
    return build(project_of(rows_of(ratings)), Choices(resamples=200))


def same_counts(cell: dict, expected: dict, tolerance: float) -> None:
    assert (cell["ratings"], cell["assessed"]) == (expected["ratings"], expected["denominator"])
    assert cell["options"] == expected["counts"]
    assert cell["measures"]["severely_inaccurate"]["k"] == expected["n_severely_inaccurate"]
    for measure in MEASURES:
        assert cell["measures"][measure]["value"] == pytest.approx(expected[measure], abs=tolerance)


@pytest.mark.parametrize("case", of_kind("report"))
def test_the_report_has_the_counts_and_proportions_of_the_gold_case(case):
    report, expected, tolerance = report_of(case), case["expected"], case["abs_tol"]
    same_counts(report["overall"], expected["overall"], tolerance)
    breakdowns = {
        "by_system": {cell["system"]: cell for cell in report["systems"]},
        "by_question_type": {cell["value"]: cell for cell in report["by"]["question_type"]},
        "by_rater": {cell["value"]: cell for cell in report["by"]["rater"]},
        "by_system_and_question_type": {
            (cell["system"], cell["value"]): cell for cell in report["by"]["system × question_type"]
        },
    }
    both = expected["by_system_and_question_type"]
    expected = expected | {
        "by_system_and_question_type": {(system, kind): both[system][kind] for system in both for kind in both[system]}
    }
    for name, cells in breakdowns.items():
        assert cells.keys() == expected[name].keys()
        for key, cell in cells.items():
            same_counts(cell, expected[name][key], tolerance)


@pytest.mark.parametrize("case", of_kind("cluster_interval"))
def test_the_closed_form_interval_of_each_system_is_that_of_the_gold_case(case):
    """Thirty prompts: too few for the bootstrap, so every cell has Korn and Graubard's interval."""
    report, tolerance = report_of(case), case["abs_tol"]
    assert case["params"]["level"] == LEVEL
    checked = 0
    for cell in report["systems"]:
        for measure, found in cell["measures"].items():
            expected = case["expected"][f"{cell['system']}/{measure}"]
            assert (found["k"], found["n"]) == (expected["k"], expected["n"])
            if "low_korn_graubard" not in expected:
                continue
            assert found["method"] == "korn-graubard"
            assert found["deff"] == pytest.approx(expected["deff"], abs=tolerance)
            assert found["low"] == pytest.approx(expected["low_korn_graubard"], abs=tolerance)
            assert found["high"] == pytest.approx(expected["high_korn_graubard"], abs=tolerance)
            checked += 1
    assert checked > 3


@pytest.mark.parametrize("case", of_kind("paired_difference"))
def test_the_comparison_of_two_systems_is_that_of_the_gold_case(case):
    report, expected, tolerance = report_of(case), case["expected"], case["abs_tol"]
    names = {case["input"]["system_a"], case["input"]["system_b"]}
    found = next(
        row
        for row in report["comparisons"]
        if {row["a"], row["b"]} == names and row["measure"] == case["input"]["measure"]
    )
    sign = 1 if found["a"] == case["input"]["system_a"] else -1
    assert found["prompts"] == expected["questions_in_common"]
    assert sign * found["difference"] == pytest.approx(expected["difference"], abs=tolerance)
    assert sorted(sign * found[end] for end in ("low", "high")) == pytest.approx(
        [expected["low_t"], expected["high_t"]], abs=tolerance
    )
    assert found["p"] == pytest.approx(expected["permutation_p"], abs=tolerance)


def labels_as_ratings(case: dict) -> list[Row]:
    """Sentences and raters of a case whose categories are the five answers."""
    return [
        Row("q1", "alpha", f"r{rater:02}", answers(label, None), item)
        for item, labels in enumerate(case["input"]["units"])
        for rater, label in enumerate(labels)
        if label is not None
    ]


def accuracy_cases() -> list:
    wanted = {"accurate", "disputed", "unsupported", "inaccurate"}
    return [case for case in of_kind("agreement") if set(case.values[0]["params"]["categories"]) <= wanted]


@pytest.mark.parametrize("case", accuracy_cases())
def test_the_agreement_is_that_of_the_gold_case(case):
    """Two categories are asked of `accurate_or_not`, four of the question itself."""
    report = build(project_of(labels_as_ratings(case)), Choices(resamples=200))
    key = "accuracy" if len(case["params"]["categories"]) == 4 else "accurate_or_not"
    found, expected, tolerance = report["agreement"][key], case["expected"], case["abs_tol"]
    assert found["items"] == expected["units_with_2"]
    assert Rating.objects.count() == report["data"]["ratings"]
    pairs = {
        "percent": "percent_agreement",
        "fleiss_kappa": "fleiss_kappa",
        "gwet_ac1": "gwet_ac1",
        "krippendorff_alpha": "krippendorff_nominal",
    }
    for ours, theirs in pairs.items():
        assert found[ours] == pytest.approx(expected[theirs], abs=tolerance)


def test_the_cases_are_there():
    assert len(of_kind("report")) >= 3
    assert len(accuracy_cases()) >= 3
