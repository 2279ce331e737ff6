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


FAST_LINE = {"name": "fast: large / small", "value": 1.25, "unit": "s", "baseline": 1, "ratio": 1.25, "n": 40}
MEMORY_LINE = {"name": "memory", "value": 450_000_000, "unit": "bytes", "baseline": 0, "ratio": None, "n": 1}


@pytest.mark.parametrize(
    ("figures", "error", "printed", "errors"),
    [
        ([FAST, Figure("memory", 450_000_000, 0, "bytes", 1)], None, [FAST_LINE, MEMORY_LINE], []),
        (
            [SLOW, FAST, FEW],
            None,
            [..., FAST_LINE, ...],
            [
                "slow: large / small: 0.00291235 s is 1.456 times the baseline of 0.002, which must be at most 1.3",
                "ratings a second: 95 1/s is 0.5 times the baseline of 190, which must be at least 1",
            ],
        ),
        ([FAST], RuntimeError("no site"), [FAST_LINE], ["benchmark commands broke; its traceback is above"]),
    ],
    ids=["within the bounds", "out of the bounds", "broken"],
)
def test_figures_are_printed_and_one_out_of_its_bounds_or_a_broken_benchmark_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], figures, error, printed, errors
) -> None:
    def measure() -> Iterator[Figure]:
        yield from figures
        if error:
            raise error

    module = ModuleType("benchmarks.commands")
    module.run = measure
    monkeypatch.setitem(sys.modules, "benchmarks.commands", module)
    monkeypatch.setattr(benchmarks.TemporaryServices, "new", NoServices)
    monkeypatch.setattr(benchmarks, "set_up_django", lambda services: None)
    assert benchmarks.main(["commands"]) == int(bool(errors))
    shown = capsys.readouterr()
    lines = [json.loads(line) for line in shown.out.splitlines()]
    assert [expected if expected is ... else line for line, expected in zip(lines, printed, strict=True)] == printed
    assert [line for line in shown.err.splitlines() if "error: " in line] == [f"error: {line}" for line in errors]


def test_the_time_of_a_part_within_another_one_is_counted_once() -> None:
    seconds = iter([0, 1, 3, 6, 10])
    watch = Stopwatch(lambda: next(seconds))
    with watch.part("view"), watch.part("database"):
        pass
    assert watch.seconds == {OUTSIDE: 1, "view": 2 + 4, "database": 3}
