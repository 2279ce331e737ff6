"""Two reports side by side: what differs in what they were made from, and by how much every figure changed.

A frozen report built again from today's data is such a pair too: with the same data, protocol, choices and versions the
bytes are the same, and where they are not, this says what is behind it.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ..jobs import Progress, Refused
from ..models import Job, Report
from .build import as_bytes, build
from .choices import Choices
from .data.report_input import data_sha256

REBUILD = "rebuild_report"
"""The kind of the job."""
ORIGINS = ("protocol", "software", "data", "method", "filters")
MOST_PATHS = 20
ABSENT = "absent"


@dataclass(frozen=True)
class Difference:
    """One thing that is not the same: `part` of the report (`data`), what in it, and both values."""

    part: str
    what: str
    old: Any
    new: Any


@dataclass(frozen=True)
class Change:
    """One figure of two reports. `system` is None for all together; a side that has no such figure is None.

    `old` and `new` are measures of a cell (value, k, n, low, high, method); `change` is new − old, None where a side is
    undefined.
    """

    measure: str
    system: str | None
    old: dict[str, Any] | None
    new: dict[str, Any] | None
    change: float | None


@dataclass(frozen=True)
class Agreed:
    """One coefficient of agreement on one question, in both reports."""

    question: str
    coefficient: str
    old: float | None
    new: float | None
    change: float | None


@dataclass(frozen=True)
class Rebuilt:
    """Whether a frozen report came out byte for byte the same, and what differs if not."""

    identical: bool
    differences: list[Difference]


def choices_of(document: dict[str, Any]) -> Choices:
    """The choices that a report was made with, read from the report itself."""
    method, filters = document["method"], document.get("filters", {})
    chosen = {name: method[name] for name in ("seed", "resamples", "cluster")}
    choices, problems = Choices.from_mapping({**chosen, **filters})
    if problems:
        raise Refused(f"{field}: {' '.join(lines)}" for field, lines in problems.items())
    return choices


def data_now(report: Report) -> str:
    """The hash of today's data, as the report would have it were it frozen now."""
    return data_sha256(report.project, choices_of(json.loads(report.document)))


def rebuild(report: Report, progress: Progress | None = None) -> Rebuilt:
    """Build the report again from today's data with the choices it was frozen with, and compare the bytes."""
    old = json.loads(report.document)
    new = build(report.project, choices_of(old), agreement_intervals=True, progress=progress)
    found = as_bytes(new).decode()
    if found == report.document:
        return Rebuilt(True, [])
    return Rebuilt(False, origins(old, new) or figures_that_differ(old, new))


def rebuild_job(job: Job, progress: Progress) -> dict[str, Any]:
    """What the Celery task runs. The job's `report` parameter is the public id of a frozen report of its project."""
    report = Report.objects.select_related("project__protocol").get(project=job.project, public_id=job.params["report"])
    found = rebuild(report, progress)
    return {"identical": found.identical, "differences": [asdict(line) for line in found.differences]}


def origins(old: dict[str, Any], new: dict[str, Any]) -> list[Difference]:
    """What differs in protocol, software, data, method and filters."""
    return [
        Difference(part, what, before.get(what), after.get(what))
        for part in ORIGINS
        for before, after in [(old.get(part, {}), new.get(part, {}))]
        for what in dict.fromkeys((*before, *after))
        if before.get(what) != after.get(what)
    ]


def measures(old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    """Every measure of every system, then of all together, by measure."""
    before, after = _cells(old), _cells(new)
    systems = sorted({name for name in (*before, *after) if name is not None})
    keys = dict.fromkeys((*before[None]["measures"], *after[None]["measures"]))
    return [
        _change(key, system, before.get(system, {}), after.get(system, {}))
        for key in keys
        for system in (*systems, None)
    ]


def agreement(old: dict[str, Any], new: dict[str, Any], coefficients: tuple[str, ...]) -> list[Agreed]:
    """The coefficients of each question that either report asks."""
    before, after = old["agreement"], new["agreement"]
    return [
        Agreed(question, name, one, other, None if one is None or other is None else other - one)
        for question in dict.fromkeys((*before, *after))
        for name in coefficients
        for one, other in [(before.get(question, {}).get(name), after.get(question, {}).get(name))]
    ]


def figures_that_differ(old: Any, new: Any, most: int = MOST_PATHS) -> list[Difference]:
    """The first places at which two reports differ, for when nothing that they were made from does."""
    found: list[Difference] = []
    for path, one, other in _paths(old, new, ()):
        if len(found) == most:
            break
        found.append(Difference(path[0] if path else "", " / ".join(path[1:]), one, other))
    return found


def _cells(report: dict[str, Any]) -> dict[str | None, dict[str, Any]]:
    return {None: report["overall"]} | {cell["system"]: cell for cell in report["systems"]}


def _change(key: str, system: str | None, before: dict[str, Any], after: dict[str, Any]) -> Change:
    old, new = before.get("measures", {}).get(key), after.get("measures", {}).get(key)
    known = old is not None and new is not None and old["value"] is not None and new["value"] is not None
    return Change(key, system, old, new, new["value"] - old["value"] if known else None)


def _paths(old: Any, new: Any, at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _paths(old.get(key, ABSENT), new.get(key, ABSENT), (*at, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for place, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _paths(one, other, (*at, _name(one, place)))
    elif old != new:
        yield at, old, new


def _name(cell: Any, place: int) -> str:
    """What a cell of a list is called: its names, else its number."""
    names = (
        [str(cell[key]) for key in ("system", "value", "rater", "measure") if key in cell]
        if isinstance(cell, dict)
        else []
    )
    return " · ".join(names) or str(place + 1)
