"""The report of a study of the paper's size: how long it takes, and what memory.

158 prompts, 4 systems, 12 sentences, 10,000 resamples. The whole report is everything a page shows (without what jobs
compute: intervals of agreement and Dawid-Skene), from the database to the finished dictionary: built, as it is the
first time and after every change, and asked for again while nothing changed, when it is kept. What the tally says is
the greater part of building it, which a page of a large project shows at once: proportions by system and metadata,
comparisons and ranks, with all their resamples, from the database too. The baseline is drawing the indices of the
resamples, 10,000 × 158, in the same run; or the budget of 150 ms and 100 MB; or, for 30 ratings a sentence, the same of
3. Memory is the most that a new process held for its report, beyond one that has only loaded the code.
"""

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
    *times, drawing = in_turn(
        *(partial(work, project) for work in (whole, first, again) for project in (few, many)), draw_indices
    )
    of_few, of_many, first_of_few, first_of_many, again_of_few, again_of_many = times
    yield line("whole report, built / its budget", of_few, BUDGET_SECONDS, "s", FEW.ratings)
    yield line("whole report, built / drawing the indices", of_few, drawing, "s", FEW.ratings)
    yield line("whole report, built: 30 ratings a sentence / 3", of_many, of_few, "s", MANY.ratings)
    yield line("what the tally says, built / drawing the indices", first_of_few, drawing, "s", FEW.ratings)
    yield line("what the tally says, built: 30 ratings a sentence / 3", first_of_many, first_of_few, "s", MANY.ratings)
    yield line("whole report again, nothing changed / drawing the indices", again_of_few, drawing, "s", FEW.ratings)
    yield line("whole report again: 30 ratings a sentence / 3", again_of_many, again_of_few, "s", MANY.ratings)
    idle = measured(loaded)[1]
    for study in (FEW, MANY):
        memory = (measured(build, study.slug)[1] - idle) / 1e6
        name = f"memory of the report with {study.raters} ratings a sentence / its budget"
        yield line(name, memory, BUDGET_MEGABYTES, "MB", study.ratings)


def whole(project: object) -> object:
    from annotation import reporting

    return reporting.build(project, forget())


def first(project: object) -> object:
    from annotation.reporting.build import build_from_tally

    return build_from_tally(project, forget())


def again(project: object) -> object:
    """As a page, a program or a download gets it. The first time it is built and kept."""
    from annotation.reporting import working_out

    return working_out.whole(project, forget())


def forget() -> object:
    """The default choices, and no swaps kept from the report before: drawing them is part of the time."""
    from annotation.reporting.choices import Choices
    from annotation.stats import comparisons

    comparisons._one_block.cache_clear()
    return Choices(resamples=RESAMPLES)


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
