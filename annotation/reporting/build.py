"""The report: one dictionary in the contract's shape, ready for JSON.

It holds no time, no project and no database id, and everything in it is in a fixed order, so the same data, protocol,
seed and resamples give the same bytes wherever they are.
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
from ..rating.counting import left_out
from ..stats.bootstrap import Resamples
from . import breakdowns
from .agreement import Bootstrap, Confusion, agreement, confusions
from .cells import LEVEL, Cells, all_together
from .choices import Choices
from .comparing import comparisons
from .fingerprint import data_sha256
from .scan import Scan, scan
from .tallies import Tallies, read_tallies

SCHEMA = "factuary-report/1"
STEPS = 5  # of freezing: four here, then the figures
DEFAULT = Choices()


def build(
    project: Project,
    choices: Choices = DEFAULT,
    *,
    agreement_intervals: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The report of this moment under these choices. Intervals of agreement are None unless asked for: they take
    seconds.

    Raises ValueError for choices that `Choices.problems` finds fault with.
    """
    if problems := choices.problems():
        raise ValueError("; ".join(f"{field}: {lines[0]}" for field, lines in problems.items()))
    say = progress or Progress()
    say(0, STEPS, "Reading the ratings")
    tallies, scanned, data = _read(project)
    drawn = Resamples(len(tallies.prompts), choices.resamples, choices.seed) if tallies.prompts else None
    cells = Cells(project.protocol.definition, tallies.answers, len(tallies.prompts), drawn)
    say(1, STEPS, "Intervals of the proportions")
    proportions = _proportions(tallies, scanned, cells)
    say(2, STEPS, "Comparing the systems")
    compared = comparisons(tallies, cells, seed=choices.seed, draws=choices.resamples)
    say(3, STEPS, "Agreement between raters")
    agreed = agreement(scanned, cells, Bootstrap(choices.resamples, choices.seed) if agreement_intervals else None)
    return {
        "schema": SCHEMA,
        "protocol": _protocol(project),
        "software": {"factuary": __version__, "numpy": np.__version__},
        "data": data | {"assessed": proportions["overall"]["assessed"]},
        "method": {
            "level": LEVEL,
            "cluster": choices.cluster,
            "resamples": choices.resamples,
            "seed": choices.seed,
        },
        "filters": choices.filters(),
        **proportions,
        "comparisons": compared,
        "ranks": [],
        "aggregations": [],
        "agreement": agreed,
        "rater_pairs": None,
        "raters": [],
    }


def _read(project: Project) -> tuple[Tallies, Scan, dict[str, Any]]:
    with one_snapshot():
        tallies = read_tallies(project)
        scanned = scan(project, tallies)
        return tallies, scanned, _data(project, tallies, scanned)


def _data(project: Project, tallies: Tallies, scanned: Scan) -> dict[str, Any]:
    return {
        "sha256": data_sha256(project),
        "ratings": int(tallies.entries.n.sum()),
        "assessed": 0,
        "left_out": dict(sorted(left_out(project).items())),
        "prompts": len(tallies.prompts),
        "responses": tallies.responses,
        "items": len(scanned.prompt_of),
        "raters": len(scanned.names),
    }


def _protocol(project: Project) -> dict[str, str]:
    pinned = project.protocol
    return {"slug": pinned.slug, "version": pinned.version, "sha256": pinned.sha256}


def _proportions(tallies: Tallies, scanned: Scan, cells: Cells) -> dict[str, Any]:
    entries = tallies.entries
    return {
        "overall": cells.of(entries, all_together(entries))[0],
        "systems": cells.of(entries, breakdowns.by_system(tallies)),
        "by": _by(tallies, scanned, cells),
    }


def _by(tallies: Tallies, scanned: Scan, cells: Cells) -> dict[str, list[dict[str, Any]]]:
    """Every metadata key, the raters, then every metadata key within systems."""
    keys, entries = breakdowns.metadata_keys(tallies), tallies.entries
    return {
        **{name: cells.of(entries, breakdowns.by_metadata(tallies, key)) for name, key in keys.items()},
        breakdowns.RATER: cells.of(scanned.entries(), breakdowns.by_rater(scanned)),
        **{
            f"system × {name}": cells.of(entries, breakdowns.by_system_and_metadata(tallies, key))
            for name, key in keys.items()
        },
    }


def agreement_now(project: Project) -> tuple[dict[str, Any], dict[str, Confusion]]:
    """The `data` and `agreement` of this moment's report, and which answers are mixed up, by question."""
    tallies, scanned, data = _read(project)
    cells = Cells(project.protocol.definition, tallies.answers, len(tallies.prompts), None)
    return {"data": data, "agreement": agreement(scanned, cells, None)}, confusions(scanned, cells)


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
