"""Problems of input files."""

import pytest

from annotation.importing.problems import Problems
from annotation.jobs import Refused


def test_problems_are_in_the_order_of_the_lines_of_each_file():
    with pytest.raises(Refused) as refused, Problems() as problems:
        problems.add("b.csv:12", "unknown prompt")
        problems.add("b.csv:2", "empty response")
        problems.add("a.csv:7", "late: 3:1")
        problems.add("b.csv:112", "empty response")
    assert refused.value.problems == [
        "b.csv:2: empty response",
        "b.csv:12: unknown prompt",
        "b.csv:112: empty response",
        "a.csv:7: late: 3:1",
    ]


def test_the_twentieth_problem_ends_the_reading_in_order_too():
    with pytest.raises(Refused) as refused, Problems() as problems:
        for line in range(30, 0, -1):
            problems.add(f"a.csv:{line}", "empty")
    assert refused.value.problems == [f"a.csv:{line}: empty" for line in range(11, 31)]
