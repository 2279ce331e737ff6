"""Reports: live and frozen, with their estimates by measure and system."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .connection import Connection
from .errors import AnswerError
from .jobs import Job, JobState
from .notebook import report_html
from .records import Rows, decode

if TYPE_CHECKING:
    import pandas

FILES = ("json", "csv", "md", "tex", "html", "bib")


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval: `k` of `n`, or a mean or score over `n`, where `k` is None.

    `value`, `low` and `high` are None where they are undefined. `method` names the interval.
    """

    measure: str
    system: str | None
    value: float | None
    low: float | None
    high: float | None
    k: int | None
    n: int
    method: str

    def __str__(self) -> str:
        """Return value, interval, k, n and method in one line."""
        count = f"n = {self.n}" if self.k is None else f"{self.k} of {self.n}"
        return f"{_number(self.value)} [{_number(self.low)}, {_number(self.high)}], {count}, {self.method}"


@dataclass(frozen=True)
class Difference:
    """A difference of two reports' origins: a value of `protocol`, `software`, `data`, `method` or `filters`."""

    part: str
    name: str
    old: Any
    new: Any


@dataclass(frozen=True)
class Proportion:
    """A figure of one of two reports that are compared."""

    value: float | None
    k: int
    n: int
    low: float | None
    high: float | None
    method: str


@dataclass(frozen=True)
class MeasureChange:
    """A measure of two reports, over all systems where `system` is None; `change` is new − old."""

    measure: str
    system: str | None
    old: Proportion | None
    new: Proportion | None
    change: float | None


@dataclass(frozen=True)
class AgreementChange:
    """A coefficient of agreement of two reports."""

    question: str
    coefficient: str
    old: float | None
    new: float | None
    change: float | None


@dataclass(frozen=True)
class Comparison:
    """What differs between two frozen reports."""

    same_bytes: bool
    origins: tuple[Difference, ...]
    measures: tuple[MeasureChange, ...]
    agreement: tuple[AgreementChange, ...]


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


@dataclass(frozen=True)
class Report:
    """A report: `document` is its JSON (schema factuary-report/1). `id` is None for a live report.

    `report["accurate"]` is the estimate over all systems, `report["accurate", "model-a"]` that of a system.
    """

    document: Mapping[str, Any] = field(repr=False)
    id: str | None = None
    frozen_at: datetime | None = None
    provenance: Mapping[str, Any] | None = field(default=None, repr=False)
    _connection: Connection | None = field(default=None, repr=False, compare=False)
    _path: str = field(default="", repr=False, compare=False)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(cell["system"] for cell in self.document["systems"])

    @property
    def measures(self) -> tuple[str, ...]:
        """The keys of the measures, means and scores."""
        return tuple(_figures(self.document["overall"]))

    def __getitem__(self, key: str | tuple[str, str]) -> Estimate:
        """Return the estimate of a measure, over all systems or of one. Raises KeyError."""
        measure, system = (key, None) if isinstance(key, str) else key
        figures = _figures(self._cell(system))
        if measure not in figures:
            raise KeyError(f"the report has no measure {measure!r}; it has {', '.join(figures)}")
        figure = figures[measure]
        return Estimate(
            measure,
            system,
            figure["value"],
            figure["low"],
            figure["high"],
            figure.get("k"),
            figure["n"],
            figure["method"],
        )

    def with_judge(self, measure: str, system: str | None = None) -> Estimate:
        """Return the estimate from people's ratings and the judge that the report was made with.

        `n` is the number of people's ratings. Raises KeyError where there is none.
        """
        hybrid = self.document.get("hybrid") or {"reason": "the report was made without a judge"}
        if hybrid.get("reason"):
            raise KeyError(f"there is no estimate with a judge: {hybrid['reason']}")
        parts = {part["system"]: part for part in [hybrid["overall"], *hybrid["systems"]]}
        if system not in parts or measure not in parts[system]["measures"]:
            raise KeyError(f"there is no estimate with a judge for {measure!r} of {system or 'all systems'}")
        figure = parts[system]["measures"][measure]
        bounds = (figure["value"], figure["low"], figure["high"])
        return Estimate(measure, system, *bounds, None, figure["human"]["n"], "prediction-powered")

    def _cell(self, system: str | None) -> Mapping[str, Any]:
        overall: Mapping[str, Any] = self.document["overall"]
        if system is None:
            return overall
        cells: dict[str, Mapping[str, Any]] = {cell["system"]: cell for cell in self.document["systems"]}
        if system not in cells:
            raise KeyError(f"the report has no system {system!r}; it has {', '.join(cells)}")
        return cells[system]

    def estimates(self) -> list[Estimate]:
        """Return all estimates: of each measure over all systems, then of each system."""
        systems: list[str | None] = [None, *self.systems]
        return [
            self[measure] if system is None else self[measure, system]
            for measure in self.measures
            for system in systems
        ]

    def to_pandas(self) -> "pandas.DataFrame":
        """Return all estimates as a data frame. Needs pandas: `pip install factuary-client[pandas]`."""
        import pandas

        return pandas.DataFrame(self.estimates())

    def _repr_html_(self) -> str:
        """Return the estimates as a table with a figure, for a notebook."""
        return report_html(self)

    def file(self, kind: str) -> bytes:
        """Return a file of a frozen report: `json`, `csv`, `md`, `tex`, `html` or `bib`."""
        connection, path = self._frozen()
        return connection.send("GET", f"{path}files/report.{kind}/").content

    def save(self, path: str | Path) -> None:
        """Store the file of a frozen report that the ending of `path` names."""
        kind = Path(path).suffix.removeprefix(".")
        if kind not in FILES:
            raise ValueError(f"{path}: the ending must be one of {', '.join(FILES)}")
        Path(path).write_bytes(self.file(kind))

    def compare(self, earlier: "Report | str") -> Comparison:
        """Return the differences from an earlier frozen report of the project to this one."""
        connection, path = self._frozen()
        earlier_id = earlier.id if isinstance(earlier, Report) else earlier
        return decode(Comparison, connection.get(f"{path}comparison/", {"earlier": earlier_id}))

    def rebuild(self) -> Job[Mapping[str, Any]]:
        """Start a job that builds the report again from the present ratings.

        Its result has `identical`, and the `differences` where the bytes are others.
        """
        connection, path = self._frozen()
        return Job(connection, connection.post(f"{path}rebuild/")["id"], lambda job: job.result or {})

    def share(self, note: str = "", *, with_names: bool = False) -> "Link":
        """Make a link with which anyone can read the frozen report. Its address is in this answer only."""
        connection, path = self._frozen()
        return decode(Link, connection.post(f"{path}links/", {"note": note, "with_names": with_names}))

    def links(self) -> Rows["Link"]:
        """Return the links to the frozen report, without their addresses."""
        connection, path = self._frozen()
        return Rows(connection, f"{path}links/", Link, {})

    def revoke(self, link: "Link | str") -> None:
        """Revoke a link."""
        connection, path = self._frozen()
        connection.delete(f"{path}links/{link.id if isinstance(link, Link) else link}/")

    def _frozen(self) -> tuple[Connection, str]:
        if self._connection is None or self.id is None:
            raise ValueError("only a frozen report has files and links: project.reports.freeze()")
        return self._connection, self._path


def _figures(cell: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the measures, means and scores of a cell by key."""
    return {**cell["measures"], **(cell.get("means") or {}), **(cell.get("scores") or {})}


@dataclass(frozen=True)
class Link:
    """A link to a frozen report. `address` is empty except in the answer that made it."""

    id: str
    note: str
    with_names: bool
    made_by: str | None
    made_at: datetime
    revoked_at: datetime | None
    address: str = ""


@dataclass(frozen=True)
class FrozenReport:
    """A frozen report in a list, without its figures."""

    id: str
    frozen_at: datetime
    frozen_by: str | None
    data_sha256: str
    method: Mapping[str, Any] | None
    filters: Mapping[str, Any]


class Reports:
    """The reports of a project. Choices are those of docs/api: `seed`, `resamples`, `cluster`, `judge`, `systems` …"""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection, self._project = connection, f"projects/{project}/"

    def __iter__(self) -> Any:
        """Yield the frozen reports, the newest first, without their figures."""
        return iter(Rows(self._connection, f"{self._project}reports/", FrozenReport, {}))

    def get(self, report_id: str) -> Report:
        """Return a frozen report."""
        path = f"{self._project}reports/{report_id}/"
        answer = self._connection.get(path)
        return Report(
            answer["report"],
            answer["id"],
            datetime.fromisoformat(answer["frozen_at"]),
            answer["provenance"],
            self._connection,
            path,
        )

    def freeze(self, **choices: Any) -> Job[Report]:
        """Start a job that computes the report of the present ratings and freezes it."""
        started = self._connection.post(f"{self._project}reports/", choices)
        return Job(self._connection, started["id"], self._of_job)

    def _of_job(self, job: JobState) -> Report:
        if job.report is None:
            raise AnswerError(f"the job {job.id} is done without a report")
        return self.get(job.report)

    def live(self, *, timeout: float | None = 600, **choices: Any) -> Report:
        """Return the report of the present ratings. A large one is computed by a job, for which this waits."""
        answer = self._connection.send("GET", f"{self._project}report/", query=choices)
        document = answer.json()
        if answer.status_code == 202:
            job: Job[None] = Job(self._connection, document["id"], lambda _: None)
            job.wait(timeout=timeout)
            document = self._connection.get(f"reports/{job.id}/")["result"]
        return Report(document)
