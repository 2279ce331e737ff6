"""The order of the values of a breakdown in figures and tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from annotation.reporting.text.names import SCALES, ordered_cells, ordered_values
from tests.reporting.report_builders import cell


@pytest.mark.parametrize(
    "ascending",
    [
        ["zero", "two", "five", "infinity"],  # nlp_background of Qasper
        ["unfamiliar", "familiar", "research"],  # topic_background of Qasper
        ["no", "somewhat", "yes"],  # paper_read of Qasper
        ["low", "medium", "high"],
        ["Never", "Rarely", "Sometimes", "Often", "Always"],
        ["very_easy", "easy", "hard"],
        ["2", "5", "10", "100", "1,000"],
        ["< 10", "10-20", "20+", "> 100"],
        ["0.5 %", "1 %", "12.5 %"],
        ["one", "three", "twenty", "twenty-one", "hundred"],
        ["none", "1", "2"],
    ],
)
def test_numbers_and_scales_ascend(ascending):
    assert ordered_values(sorted(ascending)) == ascending
    assert ordered_values(reversed(ascending)) == ascending


@pytest.mark.parametrize("values", [["b", "a"], ["low", "other"], ["1.2.3", "1.10.0"], ["two systems", "one"], []])
def test_other_values_keep_their_order(values):
    assert ordered_values(values) == values


@given(st.lists(st.text(max_size=6)))
def test_no_value_is_lost_or_added(values):
    assert sorted(ordered_values(values)) == sorted(set(values))


def test_a_scale_names_each_step_once():
    assert all(len(set(scale)) == len(scale) for scale in SCALES)


def test_the_values_of_each_system_ascend():
    values = ("five", "infinity", "two", "zero")
    cells = [replace(cell(system=system), value=value) for system in ("tern", "heron") for value in values]
    labels = [(each.system, each.value) for each in ordered_cells(cells)]
    assert labels == [(s, v) for s in ("tern", "heron") for v in ("zero", "two", "five", "infinity")]
