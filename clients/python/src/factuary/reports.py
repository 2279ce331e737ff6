"""Reports: live and frozen, with their estimates by measure and system."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import records
from .decoding import decode
from .errors import AnswerError
from .estimates import Estimate, html_table
from .jobs import Job, JobState, counts_of
from .records import AgreementChange, Difference, Link, MeasureChange  # noqa: F401 -- as in earlier versions
from .records import ComparedProportion as Proportion  # noqa: F401 -- its earlier name
from .records import FrozenRow as FrozenReport  # noqa: F401 -- its earlier name
from .records import ReportComparison as Comparison  # noqa: F401 -- its earlier name
from .resources import Resource, Rows

if TYPE_CHECKING:
    import pandas

FILES = ("json", "csv", "md", "tex", "html", "bib")


@dataclass(frozen=True)
class Report:
    """A report: `document` is its JSON (schema factuary-report/1). `id` is None for a live report.

    `report["accurate"]` is the estimate over all systems, `report["accurate", "model-a"]` that of a system.
    """

    document: Mapping[str, Any] = field(repr=False)
    id: str | None = None
    frozen_at: datetime | None = None
    provenance: Mapping[str, Any] | None = field(default=None, repr=False)
    _resource: Resource | None = field(default=None, repr=False, compare=False)

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(cell["system"] for cell in self.document["systems"])

    @property
    def measures(self) -> tuple[str, ...]:
        """The keys of the measures, means and scores."""
        return tuple(_figures(self.document["overall"]))

    def __getitem__(self, key: str | tuple[str, str]) -> Estimate:
        """Return the estimate of a measure, over all systems or of one. Raises KeyError."""
        measure, system = (key, None) if isinstance(key, str) else key
        cells = {cell["system"]: cell for cell in self.document["systems"]}
        if system is not None and system not in cells:
            raise KeyError(f"the report has no system {system!r}; it has {', '.join(cells)}")
        figures = _figures(self.document["overall"] if system is None else cells[system])
        if measure not in figures:
            raise KeyError(f"the report has no measure {measure!r}; it has {', '.join(figures)}")
        return decode(Estimate, {"k": None, **figures[measure], "measure": measure, "system": system})

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

    def estimates(self) -> list[Estimate]:
        """Return all estimates: of each measure over all systems, then of each system."""
        estimates = []
        for measure in self.measures:
            estimates += [self[measure], *(self[measure, system] for system in self.systems)]
        return estimates

    def to_pandas(self) -> "pandas.DataFrame":
        """Return all estimates as a data frame. Needs pandas: `pip install factuary-client[pandas]`."""
        import pandas

        return pandas.DataFrame(self.estimates())

    def _repr_html_(self) -> str:
        """Return the estimates as a table with a figure, for a notebook."""
        head = f"Report {self.id}" if self.id else "Live report"
        return html_table(head, "{slug}, version {version}".format(**self.document["protocol"]), self.estimates())

    def file(self, kind: str) -> bytes:
        """Return a file of a frozen report: `json`, `csv`, `md`, `tex`, `html` or `bib`."""
        return self._frozen._bytes(f"files/report.{kind}/")

    def save(self, path: str | Path) -> None:
        """Store the file of a frozen report that the ending of `path` names."""
        kind = Path(path).suffix.removeprefix(".")
        if kind not in FILES:
            raise ValueError(f"{path}: the ending must be one of {', '.join(FILES)}")
        Path(path).write_bytes(self.file(kind))

    def compare(self, earlier: "Report | str") -> records.ReportComparison:
        """Return the differences from an earlier frozen report of the project to this one."""
        earlier_id = earlier.id if isinstance(earlier, Report) else earlier
        return self._frozen._get(records.ReportComparison, "comparison/", earlier=earlier_id)

    def rebuild(self) -> Job[Mapping[str, Any]]:
        """Start a job that builds the report again from the present ratings.

        Its result has `identical`, and the `differences` where the bytes are others.
        """
        return self._frozen._start(counts_of, "rebuild/")

    def share(self, note: str = "", *, with_names: bool = False) -> records.NewLinkAddress:
        """Make a link with which anyone can read the frozen report. Its address is in this answer only."""
        return self._frozen._write(records.NewLinkAddress, "POST", "links/", note=note, with_names=with_names)

    def links(self) -> Rows[records.Link]:
        """Return the links to the frozen report, without their addresses."""
        return self._frozen._rows(records.Link, "links/")

    def revoke(self, link: records.Link | records.NewLinkAddress | str) -> None:
        """Revoke a link."""
        self._frozen._json("DELETE", f"links/{link if isinstance(link, str) else link.id}/")

    @property
    def _frozen(self) -> Resource:
        if self._resource is None:
            raise ValueError("only a frozen report has files and links: project.reports.freeze()")
        return self._resource


def _figures(cell: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the measures, means and scores of a cell by key."""
    return {**cell["measures"], **(cell.get("means") or {}), **(cell.get("scores") or {})}


class Reports(Resource):
    """The reports of a project. Choices are those of docs/api: `seed`, `resamples`, `cluster`, `judge`, `systems` …"""

    def __iter__(self) -> Iterator[records.FrozenRow]:
        """Yield the frozen reports, the newest first, without their figures."""
        return iter(self._rows(records.FrozenRow, "reports/"))

    def get(self, report_id: str) -> Report:
        """Return a frozen report."""
        report = self._json("GET", f"reports/{report_id}/")
        frozen_at = datetime.fromisoformat(report["frozen_at"])
        resource = Resource(self._connection, f"{self._path}reports/{report_id}/")
        return Report(report["report"], report["id"], frozen_at, report["provenance"], resource)

    def freeze(self, **choices: Any) -> Job[Report]:
        """Start a job that computes the report of the present ratings and freezes it."""
        return self._start(self._of_job, "reports/", **choices)

    def _of_job(self, job: JobState) -> Report:
        if job.report is None:
            raise AnswerError(f"the job {job.id} is done without a report")
        return self.get(job.report)

    def live(self, *, timeout: float | None = 600, **choices: Any) -> Report:
        """Return the report of the present ratings. A large one is computed by a job, for which this waits."""
        answer = self._connection.send("GET", f"{self._path}report/", query=choices)
        document = answer.json()
        if answer.status_code == 202:
            job: Job[None] = Job(self._connection, document["id"], lambda _: None)
            job.wait(timeout=timeout)
            document = self._connection.json("GET", f"reports/{job.id}/")["result"]
        return Report(document)
