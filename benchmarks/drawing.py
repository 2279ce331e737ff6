"""Creating a project with a sample: the time for each item with 300,000 items beside 10,000."""

from collections.abc import Iterator
from itertools import count
from statistics import median
from time import perf_counter
from typing import Any

from ._figure import Figure
from ._study import Study, make_project

SMALL, LARGE = 10_000, 300_000
SYSTEMS, SENTENCES, DRAWN = 2, 20, 0.03
ROUNDS, SMALL_PER_LARGE = 3, 3
MOST_GROWTH = 1.8
DESIGNS = ("uniform", "responses")


def run() -> Iterator[Figure]:
    """Yield a figure for each design: medians in seconds for each item."""
    sources = {items: study_of(items) for items in (SMALL, LARGE)}
    numbers = count(1)
    for design in DESIGNS:
        times: dict[int, list[float]] = {SMALL: [], LARGE: []}
        for items in ([SMALL] * SMALL_PER_LARGE + [LARGE]) * ROUNDS:
            times[items].append(time_for_each(sources[items], items, design, next(numbers)))
        small, large = median(times[SMALL]), median(times[LARGE])
        name = f"drawing ({design}), for each item: {LARGE:,} items / {SMALL:,}"
        yield Figure(name, large, small, "s", ROUNDS, at_most=MOST_GROWTH)


def study_of(items: int) -> Any:
    """Create a data set with so many sentences; return a project over it."""
    return make_project(Study(f"drawing-{items}", items // (SYSTEMS * SENTENCES), SYSTEMS, SENTENCES, raters=1))


def time_for_each(source: Any, items: int, design: str, number: int) -> float:
    """Return the seconds that a project with a sample takes, without its deletion, over its items."""
    from annotation.projects.create import create_project
    from annotation.projects.deleting import delete_project

    started = perf_counter()
    project = create_project(
        f"sample-{number}",
        source.dataset,
        source.protocol,
        sampling_design=design,
        sample_size=round(DRAWN * items),
    )
    seconds = perf_counter() - started
    delete_project(project)
    return seconds / items
