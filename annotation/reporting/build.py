"""The report: one dictionary in the contract's shape, ready for JSON.

It holds no time, no project and no database id, and everything in it is in a fixed order, so the same data, protocol
and choices give the same bytes wherever they are.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from django.db import connection, transaction

from .. import __version__
from ..jobs import Progress
from ..models import Project
from ..stats.bootstrap import Resamples
from . import breakdowns
from .aggregations import aggregations
from .agreement import Bootstrap, agreement
from .cells import LEVEL, Cells, Groups, all_together
from .choices import DEFAULT, Choices
from .comparing import comparisons
from .ranks import ranks
from .rater_pairs import rater_pairs
from .raters import raters_of
from .reading import Reading, read
from .tallies import Entries

SCHEMA = "factuary-report/1"
STEPS = 6  # of freezing: five here, then the figures


def build(
    project: Project,
    choices: Choices = DEFAULT,
    *,
    agreement_intervals: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The report of this moment under these choices.

    Without `agreement_intervals`, what takes seconds is None: the intervals of agreement, each two raters, and Dawid
    and Skene's estimates. Raises ValueError for choices that `Choices.problems` finds fault with.
    """
    if problems := choices.problems():
        raise ValueError("; ".join(f"{field}: {lines[0]}" for field, lines in problems.items()))
    say = progress or Progress()
    say(0, STEPS, "Reading the ratings")
    with one_snapshot():
        found = read(project, choices)
        cells = cells_of(project, found, choices)
        say(1, STEPS, "Raters")
        raters = raters_of(project, found.own, cells)
        digest = found.sha256
    say(2, STEPS, "Intervals of the proportions")
    proportions = _proportions(found, cells)
    say(3, STEPS, "Comparing the systems")
    compared = comparisons(found.tallies, cells, choices)
    placed = ranks(found.tallies, cells)
    say(4, STEPS, "Agreement between raters")
    bootstrap = Bootstrap(choices.resamples, choices.seed) if agreement_intervals else None
    agreed = _agreement(found, cells, bootstrap)
    return {
        "schema": SCHEMA,
        "protocol": _protocol(project),
        "software": {"factuary": __version__, "numpy": np.__version__},
        "data": {"sha256": digest, **_data(found, proportions["overall"]["assessed"])},
        "method": {"level": LEVEL, "cluster": choices.cluster, "resamples": choices.resamples, "seed": choices.seed},
        "filters": choices.filters(),
        **proportions,
        "multi_valued": breakdowns.multi_valued(found.tallies),
        "comparisons": compared,
        "ranks": placed,
        "aggregations": aggregations(found.tallies, found.standing, cells, slow=agreement_intervals),
        "agreement": agreed,
        "raters": raters,
    }


def cells_of(project: Project, found: Reading, choices: Choices) -> Cells:
    """What makes the cells of a report, with its resamples."""
    clusters = found.tallies.clusters
    drawn = Resamples(clusters, choices.resamples, choices.seed) if clusters else None
    return Cells(project.protocol.definition, found.tallies.answers, clusters, drawn)


def _data(found: Reading, assessed: int) -> dict[str, Any]:
    return {
        "ratings": int(found.tallies.entries.n.sum()),
        "assessed": assessed,
        "left_out": found.left_out,
        "prompts": len(found.tallies.prompts),
        "responses": len(found.tallies.sources.keys),
        "items": len(found.standing.item_ids),
        "raters": len(found.own.names),
    }


def _protocol(project: Project) -> dict[str, str]:
    pinned = project.protocol
    return {"slug": pinned.slug, "version": pinned.version, "sha256": pinned.sha256}


def _proportions(found: Reading, cells: Cells) -> dict[str, Any]:
    """`overall`, `systems` and `by`, all computed together."""
    entries = found.tallies.entries
    names: list[str] = []
    groups: list[tuple[Entries, Groups]] = [
        (entries, all_together(entries)),
        (entries, breakdowns.by_system(found.tallies)),
    ]
    for name, of, divided in _breakdowns(found):
        names.append(name)
        groups.append((of, divided))
    overall, systems, *by = cells.of_all(groups)
    return {"overall": overall[0], "systems": systems, "by": dict(zip(names, by, strict=True))}


def _agreement(found: Reading, cells: Cells, bootstrap: Bootstrap | None) -> dict[str, Any]:
    """Agreement between raters is about what they said themselves, adjudicated or not. Each two raters take as long as
    there are pairs of ratings of one item, so they come with the intervals."""
    pairs = rater_pairs(found.own, cells) if bootstrap else {}
    return {key: {**of, "rater_pairs": pairs.get(key)} for key, of in agreement(found.own, cells, bootstrap).items()}


def _breakdowns(found: Reading) -> Iterator[tuple[str, Entries, Groups]]:
    """Every metadata key, the raters, the weeks if there are several, then every metadata key within systems."""
    entries, rated = found.tallies.entries, found.standing.entries(found.tallies.sources)
    keys = breakdowns.metadata_keys(found.tallies)
    for name, key in keys.items():
        yield name, entries, breakdowns.by_metadata(found.tallies, key)
    yield breakdowns.RATER, rated, breakdowns.by_rater(found.standing)
    if len(found.standing.weeks) > 1:
        yield breakdowns.WEEK, rated, breakdowns.by_week(found.standing)
    for name, key in keys.items():
        yield f"{breakdowns.WITHIN_SYSTEM}{name}", entries, breakdowns.by_system_and_metadata(found.tallies, key)


def agreement_now(project: Project, choices: Choices = DEFAULT) -> dict[str, Any]:
    """The `agreement` of this moment's report, without intervals."""
    with one_snapshot():
        found = read(project, choices)
    return _agreement(
        found, Cells(project.protocol.definition, found.tallies.answers, found.tallies.clusters, None), None
    )


def as_bytes(report: dict[str, Any]) -> bytes:
    """The report as a file: UTF-8, in its own order, numbers in the shortest form that reads back the same."""
    return (json.dumps(report, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Every query sees the same moment. Within a transaction that has begun already, that one's rules hold."""
    nested = connection.in_atomic_block
    with transaction.atomic():
        if not nested:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield
