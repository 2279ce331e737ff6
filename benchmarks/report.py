"""The report of a study of the paper's size: time and memory.

158 prompts, 4 systems, 12 sentences, 10,000 resamples. The whole report is everything a page shows (without what jobs
compute: intervals of agreement and Dawid-Skene), from the database to the finished report: the first time, with drawing
the resamples and swaps; after a changed answer, with the draws of the report before; and again while nothing changed,
from the cache. The report of the tally is what a page of a large project shows at once: proportions by system and
metadata, comparisons and ranks, with all resamples; with and without drawing them.

Studies have 3 ratings a sentence, by three raters who rate everything or by thirty who take turns, or 30 ratings a
sentence by these thirty. The baseline is drawing the indices of the resamples, 10,000 × 158, in the same run, all in
one call, or resample by resample as textbooks write it, which takes ten times as long; or the budget of 1 s, which a
person waits for without a break, and 100 MB; or, for 30 ratings a sentence, the same with 3 by as many raters: each
rater is a row of the report, with intervals of its own. Memory is the most that a new process held for its report,
beyond one that has only loaded the code. The multiples of drawing the indices go to standard error once more, as a
table.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ._figure import Figure
from ._study import Study, make
from .round_trip import measured

if TYPE_CHECKING:
    from annotation.reporting.choices import Choices

FEW = Study("few-ratings", prompts=158, systems=4, sentences=12, raters=3)
TURNS = Study("ratings-in-turn", prompts=158, systems=4, sentences=12, raters=3, pool=30)
MANY = Study("many-ratings", prompts=158, systems=4, sentences=12, raters=30)
RESAMPLES, ROUNDS = 10_000, 15
BUDGET_SECONDS, BUDGET_MEGABYTES = 1.0, 100.0


def run() -> Iterator[Figure]:
    """Yield one result a line; seconds are medians of runs taken in turn."""
    studies = {FEW: make(FEW), TURNS: make(TURNS), MANY: make(MANY)}
    works: dict[str, Callable[[Any], float]] = {
        "whole report, for the first time": first_time,
        "whole report, after an answer was changed": after_a_change,
        "what the tally says, drawn anew": tally_drawn_anew,
        "what the tally says, draws kept": tally,
        "whole report again, nothing changed": again,
    }
    *medians, drawing, one_by_one = in_turn(
        *(partial(work, project) for work in works.values() for project in studies.values()), draw_indices, draw_in_turn
    )
    times = {
        study: dict(zip(works, medians[number :: len(studies)], strict=True)) for number, study in enumerate(studies)
    }
    for name in list(works)[:2]:
        for study, seconds_of in times.items():
            yield Figure(
                f"{name}, {description(study)} / its budget",
                seconds_of[name],
                BUDGET_SECONDS,
                "s",
                study.ratings,
                at_most=1,
            )
    for name in works:
        yield Figure(f"{name} / drawing the indices", times[FEW][name], drawing, "s", FEW.ratings)
        yield Figure(f"{name} / drawing them resample by resample", times[FEW][name], one_by_one, "s", FEW.ratings)
        yield Figure(f"{name}: 30 ratings a sentence / 3", times[MANY][name], times[TURNS][name], "s", MANY.ratings)
    print_table(drawing, times)
    idle = measured(loaded)[1]
    for study in (FEW, MANY):
        memory = (measured(build, study.slug)[1] - idle) / 1e6
        name = f"memory of the report with {study.raters} ratings a sentence / its budget"
        yield Figure(name, memory, BUDGET_MEGABYTES, "MB", study.ratings, at_most=1)


def description(study: Study) -> str:
    return f"{study.raters} ratings a sentence by {study.people} raters"


def first_time(project: Any) -> float:
    from django.core.cache import cache

    cache.clear()
    forget_draws()
    return seconds(whole, project)


def after_a_change(project: Any) -> float:
    """Change the first answer of the first sentence, after a report that drew the resamples."""
    from annotation.models import Rating

    whole(project)
    rating = Rating.objects.filter(project=project).order_by("item_id", "rater_id")[0]
    answers = {"accuracy": "accurate" if rating.choices["accuracy"] == "cannot_assess" else "cannot_assess"}
    Rating.objects.filter(pk=rating.pk).update(answers=answers, choices=answers)
    return seconds(whole, project)


def tally_drawn_anew(project: Any) -> float:
    forget_draws()
    return tally(project)


def tally(project: Any) -> float:
    from annotation.reporting.build import build_from_tally

    return seconds(build_from_tally, project, choices())


def again(project: Any) -> float:
    """Return the time of a report that is in the cache, as a page, a program or a download gets it."""
    from annotation.reporting import live

    live.live_report(project, choices(), live.Extent.COMPLETE)
    return seconds(live.live_report, project, choices(), live.Extent.COMPLETE)


def whole(project: Any) -> object:
    from annotation import reporting

    return reporting.build(project, choices())


def choices() -> "Choices":
    from annotation.reporting.choices import Choices

    return Choices(resamples=RESAMPLES)


def forget_draws() -> None:
    """Clear the cached draws, so that drawing is a part of the time."""
    from annotation.stats import bootstrap, swap_tests

    bootstrap._one_block.cache_clear()
    swap_tests._one_block.cache_clear()


def build(slug: str) -> None:
    """Build the report, in a process of its own."""
    from annotation.models import Project

    whole(Project.objects.get(slug=slug))


def loaded() -> None:
    """Load the code and open a connection, without a report."""
    import scipy.special  # noqa: F401 - the report loads it for its quantiles
    from django.db import connection

    from annotation import reporting  # noqa: F401 - the same

    connection.ensure_connection()


def draw_indices() -> float:
    return seconds(np.random.default_rng(1).integers, 0, FEW.prompts, (RESAMPLES, FEW.prompts))


def draw_in_turn() -> float:
    generator = np.random.default_rng(1)
    return seconds(lambda: [generator.integers(0, FEW.prompts, FEW.prompts) for _ in range(RESAMPLES)])


def in_turn(*works: Callable[[], float]) -> list[float]:
    """Return the median seconds of each, after a first run that loads libraries."""
    rounds = [[work() for work in works] for _ in range(ROUNDS + 1)]
    return [median(column) for column in zip(*rounds[1:], strict=True)]


def seconds(work: Callable[..., object], *arguments: object) -> float:
    start = perf_counter()
    work(*arguments)
    return perf_counter() - start


def print_table(drawing: float, times: dict[Study, dict[str, float]]) -> None:
    print(f"\nmilliseconds, and in brackets multiples of drawing the indices ({1e3 * drawing:.1f} ms)", file=sys.stderr)
    heads = "".join(f"{f'{study.raters} by {study.people} raters':>21}" for study in times)
    print(f"{'ratings a sentence':<43}{heads}", file=sys.stderr)
    for name in times[FEW]:
        cells = "".join(f"{f'{1e3 * row[name]:.1f} ({row[name] / drawing:5.1f} ×)':>21}" for row in times.values())
        print(f"{name:<43}{cells}", file=sys.stderr, flush=True)
