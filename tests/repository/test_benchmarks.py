"""Benchmarks print one JSON object a line; a run fails if one breaks or a figure is not within its bounds."""

import json
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks._figure import Figure
from benchmarks.request_profile import OUTSIDE, Stopwatch

FAST = Figure("fast: large / small", 1.25, 1, "s", 40, at_most=1.3)
SLOW = Figure("slow: large / small", 0.00291234567, 0.002, "s", 40, at_most=1.3)
FEW = Figure("ratings a second", 95, 190, "1/s", 3, at_least=1)


class NoServices:
    """Stands for PostgreSQL and Valkey of a run."""

    def start(self) -> None: ...

    def remove(self) -> None: ...


def run(monkeypatch: pytest.MonkeyPatch, *figures: Figure, error: Exception | None = None) -> int:
    """Run a benchmark that yields these figures; return the exit status."""

    def measure() -> Iterator[Figure]:
        yield from figures
        if error:
            raise error

    module = ModuleType("benchmarks.commands")
    module.run = measure
    monkeypatch.setitem(sys.modules, "benchmarks.commands", module)
    monkeypatch.setattr(benchmarks.TemporaryServices, "new", NoServices)
    monkeypatch.setattr(benchmarks, "set_up_django", lambda services: None)
    return benchmarks.main(["commands"])


def test_a_run_within_the_bounds_succeeds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, FAST, Figure("memory", 450_000_000, 0, "bytes", 1)) == 0
    printed = capsys.readouterr()
    assert [json.loads(line) for line in printed.out.splitlines()] == [
        {"name": "fast: large / small", "value": 1.25, "unit": "s", "baseline": 1, "ratio": 1.25, "n": 40},
        {"name": "memory", "value": 450_000_000, "unit": "bytes", "baseline": 0, "ratio": None, "n": 1},
    ]
    assert "error" not in printed.err


def test_a_figure_out_of_its_bounds_fails_the_run_and_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, SLOW, FAST, FEW) == 1
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 3
    assert printed.err.splitlines()[1:] == [
        "error: slow: large / small: 0.00291235 s is 1.456 times the baseline of 0.002, which must be at most 1.3",
        "error: ratings a second: 95 1/s is 0.5 times the baseline of 190, which must be at least 1",
    ]


def test_a_benchmark_that_breaks_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, FAST, error=RuntimeError("no site")) == 1
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 1
    assert printed.err.endswith("error: benchmark commands broke; its traceback is above\n")


def test_the_time_of_a_part_within_another_one_is_counted_once() -> None:
    seconds = iter([0, 1, 3, 6, 10])
    watch = Stopwatch(lambda: next(seconds))
    with watch.part("view"), watch.part("database"):
        pass
    assert watch.seconds == {OUTSIDE: 1, "view": 2 + 4, "database": 3}
