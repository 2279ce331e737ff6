"""The report of the study that fixtures/worked-example/README.md counts by hand."""

import json

import pytest

from annotation.reporting import Choices, build
from tests.reporting.project_rows import WORKED_EXAMPLE
from tests.seeds import seeded

EXPECTED = json.loads((WORKED_EXAMPLE / "expected.json").read_text())


pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


@pytest.fixture(scope="module")
def report(module_rows) -> dict:
    return build(seeded("june"), Choices(resamples=200)).to_dict()


def counted(cell: dict) -> dict:
    """Return a cell without the figures that the README does not count."""
    measures = {key: {name: measure[name] for name in ("value", "k", "n")} for key, measure in cell["measures"].items()}
    counts = {key: value for key, value in cell.items() if key not in ("shares", "shares_of_assessed")}
    return counts | {"measures": measures}


def by_value(cells: list[dict]) -> dict:
    return {(cell.get("system"), json.dumps(cell["value"])): cell for cell in cells}


def test_the_cells_of_all_ratings_of_the_systems_and_of_breakdowns_are_those_counted_by_hand(report):
    assert counted(report["overall"]) == EXPECTED["overall"]
    # 89 of 137: the 16 "can't assess" among the 153 ratings are in no denominator
    assert report["overall"]["measures"]["accurate"]["value"] == 89 / 137
    assert [counted(cell) for cell in report["systems"]] == EXPECTED["systems"]
    for name, cells in EXPECTED["by"].items():
        assert by_value(list(map(counted, report["by"][name]))) == by_value(cells), name


def test_a_severe_disputed_or_unsupported_sentence_is_not_severely_inaccurate(report):
    # Birch: 20 Severe, two of them about Disputed sentences of prompt 7
    birch = report["systems"][1]
    assert birch["questions"]["severity"]["severe"] == 20
    assert birch["measures"]["severely_inaccurate"]["k"] == 18


def test_nothing_to_assess_is_null_and_never_0(report):
    opinion = by_value(report["by"]["system × question_type"])["Birch", '"opinion"']
    for measure in opinion["measures"].values():
        counts = {"k": 0, "n": 0, "method": "none"}
        assert measure == counts | dict.fromkeys(("value", "low", "high", "deff", "icc"))


def test_twelve_prompts_get_a_closed_form_interval_and_fewer_than_ten_get_none(report):
    alder = report["systems"][0]["measures"]["accurate"]
    assert alder["method"] == "korn-graubard"
    assert alder["low"] < 61 / 70 < alder["high"]
    factual = by_value(report["by"]["question_type"])[None, '"factual"']["measures"]["accurate"]
    assert (factual["method"], factual["low"], factual["high"]) == ("none", None, None)


def test_a_system_without_a_rating_to_assess_on_some_prompts_has_fewer_clusters(report):
    """Birch's prompt 12 has nothing to assess, so eleven prompts are compared with Alder's."""
    assert {row["prompts"] for row in report["comparisons"]} == {11}


def test_the_head_says_what_the_figures_are_made_of(report):
    counts = {"ratings": 153, "assessed": 137, "prompts": 12, "responses": 24, "items": 51, "raters": 3}
    assert report["data"] | counts == report["data"]
    assert report["data"]["left_out"] == {}
    assert report["method"] == {"level": 0.95, "cluster": "prompt", "resamples": 200, "seed": 1}
