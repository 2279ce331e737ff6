"""Comparison of two reports: differences of their origins, and the change of every figure.

A frozen report rebuilt from the current data is such a pair too: with the same data, protocol, choices and versions the
bytes are the same; if they are not, the comparison names the cause.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice

import msgspec

from .. import models
from ..jobs import Progress
from ..models import Job
from .build import build
from .choices import AUTO, Choices
from .data.study import data_sha256
from .frozen_reports import stored_report
from .parts import Filters, MeasureProportion
from .report import Report

REBUILD = "rebuild_report"
"""The kind of the job."""
ORIGINS = ("protocol", "software", "data", "method", "inference", "filters")
MAX_PATHS = 20
ABSENT = "absent"


@dataclass(frozen=True)
class Difference:
    """One difference: the `part` of the report (`data`), the name of the value, and both values."""

    part: str
    name: str
    old: object
    new: object


@dataclass(frozen=True)
class MeasureChange:
    """One figure of two reports. `system` is None for all together; a side that has no such figure is None.

    `old` and `new` are measures of a cell (value, k, n, low, high, method); `change` is new − old, None where a side is
    undefined.
    """

    measure: str
    system: str | None
    old: MeasureProportion | None
    new: MeasureProportion | None
    change: float | None


@dataclass(frozen=True)
class AgreementChange:
    """One coefficient of agreement on one question, in both reports."""

    question: str
    coefficient: str
    old: float | None
    new: float | None
    change: float | None


@dataclass(frozen=True)
class RebuildResult:
    """Whether a rebuilt report has the same bytes as the frozen one, and the differences if not."""

    identical: bool
    differences: list[Difference]

    @property
    def data_changed(self) -> bool:
        """Whether the project has other data than when the report was frozen, also such that no figure uses, as the
        number of answers in unfinished responses.
        """
        return any(
            d.part == "data"
            or (d.part in ("hybrid", "weighted_estimates") and d.name == "sha256")
            or (d.part in ("fact_qa", "metrics") and (d.name.endswith("sha256") or ABSENT in (d.old, d.new)))
            for d in self.differences
        )


def choices_of(report: Report) -> Choices:
    values = {
        "seed": report.method.seed,
        "resamples": report.method.resamples,
        "cluster": report.chosen_cluster or AUTO,
        "judge": report.hybrid.judge if report.hybrid else "",
    }
    return Choices.accepted(values | msgspec.to_builtins(report.filters or Filters()))


def current_data_hash(frozen: models.Report) -> str:
    """Return the hash of the current data, as a report frozen now would have it."""
    return data_sha256(frozen.project, choices_of(stored_report(frozen)))


def rebuild(frozen: models.Report, progress: Progress | None = None) -> RebuildResult:
    """Rebuild the report from the current data with the choices it was frozen with, and compare the bytes."""
    old = stored_report(frozen)
    new = build(frozen.project, choices_of(old), agreement_intervals=True, progress=progress)
    if new.to_json().decode() == frozen.document:
        return RebuildResult(True, [])
    return RebuildResult(False, origins(old, new) or differing_figures(old, new))


def rebuild_job(job: Job, progress: Progress) -> dict[str, object]:
    """Run by the Celery task. The job's `report` parameter is the public id of a frozen report of its project."""
    reports = models.Report.objects.select_related("project__protocol")
    rebuilt = rebuild(reports.get(project=job.project, public_id=job.params["report"]), progress)
    return {"identical": rebuilt.identical, "differences": [asdict(line) for line in rebuilt.differences]}


def origins(old: Report, new: Report) -> list[Difference]:
    differences = []
    for part in ORIGINS:
        before, after = (msgspec.to_builtins(getattr(report, part)) or {} for report in (old, new))
        for key in dict.fromkeys((*before, *after)):
            if before.get(key) != after.get(key):
                differences.append(Difference(part, key, before.get(key), after.get(key)))
    return differences


def measures(old: Report, new: Report) -> list[MeasureChange]:
    before, after = ({cell.system: cell.measures for cell in (*each.systems, each.overall)} for each in (old, new))
    systems = [*sorted({name for name in (*before, *after) if name is not None}), None]
    changes = []
    for key in dict.fromkeys((*old.overall.measures, *new.overall.measures)):
        for system in systems:
            earlier, later = before.get(system, {}).get(key), after.get(system, {}).get(key)
            changes.append(MeasureChange(key, system, earlier, later, later.minus(earlier) if later else None))
    return changes


def agreement(old: Report, new: Report, coefficients: tuple[str, ...]) -> list[AgreementChange]:
    rows = []
    for question in dict.fromkeys((*old.agreement, *new.agreement)):
        before, after = old.agreement.get(question), new.agreement.get(question)
        for name in coefficients:
            a = before.coefficients[name] if before else None
            b = after.coefficients[name] if after else None
            rows.append(AgreementChange(question, name, a, b, None if a is None or b is None else b - a))
    return rows


def differing_figures(old: Report, new: Report) -> list[Difference]:
    """Return the first paths at which two reports differ, for when their origins do not."""
    paths = islice(differing_paths(old.to_dict(), new.to_dict()), MAX_PATHS)
    return [Difference(path[0] if path else "", " / ".join(path[1:]), a, b) for path, a, b in paths]


def differing_paths(
    old: object, new: object, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object, object]]:
    """Yield (path, old, new) of the values that differ in two JSON objects; ABSENT for one that is not there."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from differing_paths(old.get(key, ABSENT), new.get(key, ABSENT), (*path, key))
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        for number, (a, b) in enumerate(zip(old, new, strict=True), start=1):
            yield from differing_paths(a, b, (*path, _name(a) or str(number)))
    elif old != new:
        yield path, old, new


def _name(value: object) -> str:
    """Name an object of a list by its identifying keys; "" where it has none."""
    keys = ("system", "value", "rater", "measure", "a", "b", "analysis")
    return " · ".join(value[key] for key in keys if isinstance(value.get(key), str)) if isinstance(value, dict) else ""
