"""The automatic metrics of a project: figures, single scores, and scores that were computed elsewhere."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .connection import Connection, File
from .jobs import Job
from .records import Rows, decode


@dataclass(frozen=True)
class MetricScore:
    """The value of a metric for a response, or for a pair: above 0, `response` is better than `against`.

    `response` and `against` are imported ids; `source` is `computed` (by the site) or `imported`.
    """

    response: str
    against: str | None
    metric: str
    value: float
    source: str


@dataclass(frozen=True)
class ImportedScores:
    """The numbers of `scores` in a file, by metric, and of those that are `new` or have a `changed` value."""

    scores: Mapping[str, int]
    new: int
    changed: int


class Metrics:
    """The automatic metrics of a project. They belong to its data set. For leads."""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection, self._path = connection, f"projects/{project}/metrics/"

    def results(self) -> Mapping[str, Any]:
        """Return means, predicted preferences and rank correlations, as `compare_metrics --json` prints them."""
        figures: Mapping[str, Any] = self._connection.get(self._path)
        return figures

    def compute(self) -> Job[Mapping[str, Any]]:
        """Start a job that computes the site's metrics, unless one is open; its result has the counts."""
        return Job(self._connection, self._connection.post(self._path)["id"], lambda job: job.result or {})

    def scores(
        self, *, metric: str | None = None, response: str | None = None, source: str | None = None
    ) -> Rows[MetricScore]:
        """Return single scores. `source`: `computed` or `imported`."""
        query = {"metric": metric, "response": response, "source": source}
        return Rows(self._connection, f"{self._path}scores/", MetricScore, query)

    def import_scores(
        self, scores: str | Path | Iterable[Mapping[str, Any]], *, replace: bool = False, dry_run: bool = False
    ) -> ImportedScores:
        """Store scores that were computed elsewhere, all or none, of up to 20,000 rows.

        `scores`: a file (JSON lines, CSV, Excel or Parquet), or rows such as
        `{"response": "q1-model-a", "metric": "bleurt", "value": 0.42}`, of a pair with `against`. A value that differs
        from a stored one needs `replace`. Raises InvalidRequestError, whose `errors["upload"]` name each line.
        """
        form = {"replace": json.dumps(replace), "dry_run": json.dumps(dry_run)}
        answer = self._connection.send("POST", f"{self._path}scores/", form=form, files=[_file(scores)])
        return decode(ImportedScores, answer.json())


def _file(scores: str | Path | Iterable[Mapping[str, Any]]) -> File:
    if isinstance(scores, str | Path):
        return Path(scores).name, Path(scores).read_bytes()
    return "scores.jsonl", "".join(f"{json.dumps(dict(row))}\n" for row in scores).encode()
