"""The report of a study of the paper's size: how long it takes, and what memory.

158 prompts, 4 systems, 12 sentences, 10,000 resamples. The whole report is everything a page shows (without what jobs
compute: intervals of agreement and Dawid-Skene), from the database to the finished dictionary: built, as it is the
first time and after every change, and asked for again while nothing changed, when it is kept. What the tally says is
what a page of a large project shows at once: proportions by system and metadata, comparisons and ranks, with all their
resamples, from the database too. Each is built with its resamples and swaps drawn anew, and with those that the report
before it drew, as a server that has reported on as many prompts already builds it. The baseline is drawing the indices
of the resamples, 10,000 × 158, in the same run; or the budget of 150 ms and 100 MB; or, for 30 ratings a sentence, the
same of 3. Memory is the most that a new process held for its report, beyond one that has only loaded the code. The
multiples of drawing the indices go to standard error once more, as a table.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import perf_counter

import numpy as np

from ._study import Study, make
from .round_trip import measured

FEW = Study("few-ratings", prompts=158, systems=4, sentences=12, raters=3)
MANY = Study("many-ratings", prompts=158, systems=4, sentences=12, raters=30)
RESAMPLES, ROUNDS = 10_000, 15
BUDGET_SECONDS, BUDGET_MEGABYTES = 0.150, 100.0


def run() -> Iterator[dict]:
    """Yields one result a line; seconds are medians of runs taken in turn."""
    few, many = make(FEW), make(MANY)
    works: dict[str, Callable[[object], object]] = {
        "whole report, built": drawn_anew(whole),
        "whole report, built with draws kept": whole,
        "what the tally says, built": drawn_anew(first),
        "what the tally says, built with draws kept": first,
        "whole report again, nothing changed": again,
    }
    *times, drawing = in_turn(
        *(partial(work, project) for work in works.values() for project in (few, many)), draw_indices
    )
    of_few, of_many = (dict(zip(works, times[start::2], strict=True)) for start in (0, 1))
    yield line("whole report, built / its budget", of_few["whole report, built"], BUDGET_SECONDS, "s", FEW.ratings)
    for name in works:
        yield line(f"{name} / drawing the indices", of_few[name], drawing, "s", FEW.ratings)
        yield line(f"{name}: 30 ratings a sentence / 3", of_many[name], of_few[name], "s", MANY.ratings)
    print_table(drawing, of_few, of_many)
    idle = measured(loaded)[1]
    for study in (FEW, MANY):
        memory = (measured(build, study.slug)[1] - idle) / 1e6
        name = f"memory of the report with {study.raters} ratings a sentence / its budget"
        yield line(name, memory, BUDGET_MEGABYTES, "MB", study.ratings)


def whole(project: object) -> object:
    from annotation import reporting

    return reporting.build(project, choices())


def first(project: object) -> object:
    from annotation.reporting.build import build_from_tally

    return build_from_tally(project, choices())


def again(project: object) -> object:
    """As a page, a program or a download gets it. The first time it is built and kept."""
    from annotation.reporting import working_out

    return working_out.whole(project, choices())


def choices() -> object:
    from annotation.reporting.choices import Choices

    return Choices(resamples=RESAMPLES)


def drawn_anew(work: Callable[[object], object]) -> Callable[[object], object]:
    """The same, with nothing kept that the report before it drew: drawing is part of the time."""

    def forgetful(project: object) -> object:
        from annotation.stats import bootstrap, comparisons

        bootstrap._one_block.cache_clear()
        comparisons._one_block.cache_clear()
        return work(project)

    return forgetful


def build(slug: str) -> None:
    """The report in a process of its own."""
    from annotation.models import Project

    whole(Project.objects.get(slug=slug))


def loaded() -> None:
    """What a process needs that has the code and a connection, but no report."""
    import scipy.special  # noqa: F401 - the report loads it for its quantiles
    from django.db import connection

    from annotation import reporting  # noqa: F401 - the same

    connection.ensure_connection()


def draw_indices() -> object:
    return np.random.default_rng(1).integers(0, FEW.prompts, (RESAMPLES, FEW.prompts))


def in_turn(*works: Callable[[], object]) -> list[float]:
    """Median seconds of each, after a first run that fills caches and loads libraries."""
    rounds = [[seconds(work) for work in works] for _ in range(ROUNDS + 1)]
    return [median(column) for column in zip(*rounds[1:], strict=True)]


def seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def print_table(drawing: float, of_few: dict[str, float], of_many: dict[str, float]) -> None:
    print(f"\nmilliseconds, and in brackets multiples of drawing the indices ({1e3 * drawing:.1f} ms)", file=sys.stderr)
    print(f"{'ratings a sentence':<46}{'3':>9}{'30':>21}", file=sys.stderr)
    for name, seconds in of_few.items():
        cells = (f"{1e3 * each:9.1f} ({each / drawing:5.1f} ×)" for each in (seconds, of_many[name]))
        print(f"{name:<46}{'  '.join(cells)}", file=sys.stderr, flush=True)


def line(name: str, value: float, baseline: float, unit: str, n: int) -> dict:
    """One result; `ratio` is value / baseline."""
    return {
        "name": name,
        "value": round(value, 4),
        "unit": unit,
        "baseline": round(baseline, 4),
        "ratio": round(value / baseline, 3),
        "n": n,
    }
