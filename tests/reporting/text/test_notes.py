"""Names of breakdowns, and the notes below them."""

import pytest
from msgspec.structs import replace

from annotation.reporting.text import notes
from tests.cast import ACCURATE
from tests.reporting.project_rows import Row, project_of, report_of, store_rating

pytestmark = pytest.mark.django_db


def test_a_key_that_is_called_like_a_part_of_the_report_is_told_apart():
    metadata = dict.fromkeys(("rater", "week", "prompt's week", "system × kind", "kind", "n", "system"), "x")
    assert list(report_of(project_of([Row("q1", "heron", "ravi", ACCURATE, metadata=metadata)])).by) == [
        "kind", "n", "prompt's prompt's week", "prompt's rater", "system", "prompt's system × kind",
        "prompt's week", "rater",
        "system × kind", "system × n", "system × prompt's prompt's week", "system × prompt's rater",
        "system × system", "system × prompt's system × kind", "system × prompt's week",
    ]  # fmt: skip


def test_keys_with_several_values_are_named_and_ratings_of_prompts_without_a_value_are_counted():
    several = {"kind": ["a", "b"], "area": ["x"], "rater": ["1", "2"]}
    prompts = {"q1": several, "q2": several | {"kind": []}, "q3": {"area": "x", "rater": "1"}}
    rows = [
        Row(key, "heron", "ravi", ACCURATE, n, metadata=metadata) for key, metadata in prompts.items() for n in (0, 1)
    ]
    report = report_of(project_of(rows))
    assert report.multi_valued == ["kind", "prompt's rater"]
    assert report.without_value == {"kind": 4}
    none = "4 ratings of prompts without a value are in no row."
    assert notes.breakdown_note(report, "kind").endswith(f"{notes.SEVERAL_VALUES} {none}")
    assert "in no row" not in notes.breakdown_note(report, "area")
    assert "in no row" not in notes.breakdown_note(replace(report, without_value={}), "kind")


def test_an_adjudication_is_in_no_rater_s_row():
    project = project_of([Row("q1", "heron", "ravi", ACCURATE, item) for item in (0, 1)])
    store_rating(project, "adjudicator", "lena", ACCURATE)
    report = report_of(project, answers="adjudicated")
    assert notes.breakdown_note(report, "rater").endswith(" 1 adjudication is in no row.")
