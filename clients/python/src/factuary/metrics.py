"""The automatic metrics of a project: figures, single scores, and scores that were computed elsewhere."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import records
from .connection import file_of, form_of
from .jobs import Job, counts_of
from .records import MetricScore  # noqa: F401 -- as in earlier versions
from .records import MetricScoreCounts as ImportedScores  # noqa: F401 -- its earlier name
from .resources import Resource, Rows


class Metrics(Resource):
    """The automatic metrics of a project. They belong to its data set. For leads."""

    def results(self) -> Mapping[str, Any]:
        """Return means, predicted preferences and rank correlations, as `compare_metrics --json` prints them."""
        figures: Mapping[str, Any] = self._json("GET")
        return figures

    def compute(self) -> Job[Mapping[str, Any]]:
        """Start a job that computes the site's metrics, unless one is open; its result has the counts."""
        return self._start(counts_of)

    def scores(
        self, *, metric: str | None = None, response: str | None = None, source: str | None = None
    ) -> Rows[records.MetricScore]:
        """Return single scores. `source`: `computed` or `imported`."""
        return self._rows(records.MetricScore, "scores/", metric=metric, response=response, source=source)

    def import_scores(
        self, scores: str | Path | Iterable[Mapping[str, Any]], *, replace: bool = False, dry_run: bool = False
    ) -> records.MetricScoreCounts:
        """Store scores that were computed elsewhere, all or none, of up to 20,000 rows.

        `scores`: a file (JSON lines, CSV, Excel or Parquet), or rows such as
        `{"response": "q1-model-a", "metric": "bleurt", "value": 0.42}`, of a pair with `against`. A value that differs
        from a stored one needs `replace`. Raises InvalidRequestError, whose `errors["upload"]` name each line.
        """
        if isinstance(scores, str | Path):
            file = file_of(scores)
        else:
            file = "scores.jsonl", "".join(f"{json.dumps(dict(row))}\n" for row in scores).encode()
        form = form_of({"replace": replace, "dry_run": dry_run})
        return self._decode(records.MetricScoreCounts, self._json("POST", "scores/", form=form, files=[file]))
