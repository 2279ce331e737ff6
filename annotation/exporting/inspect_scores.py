"""People's scores of responses that came from an Inspect log, one line for each sample and epoch of it.

A score's value has the share of each measure over the ratings of the response that count, as a report takes it, and its
metadata the numbers. `eval_id`, `sample_id` and `epoch` join it to the log, and `choice` to one of several choices.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..importing.eval_logs.inspect import SAMPLE
from ..models import Project, Rating
from ..protocols import Measure, holds
from .rated_responses import RatedResponse, RatedRow, rated_responses

SCORER = "factuary"


def has_inspect_samples(project: Project) -> bool:
    """Return whether a response of the project came from an Inspect log."""
    return project.dataset.responses.filter(metadata__has_key=SAMPLE).exists()


def write_inspect_scores(project: Project, rows: Iterable[RatedRow]) -> Iterator[bytes]:
    """Yield the scores as JSON lines."""
    measures = project.protocol.definition.measures
    for rated in rated_responses(project, rows):
        sample = rated.response.metadata.get(SAMPLE)
        rows = [row for (role, _rater), rows in rated.ratings.items() if role == Rating.Role.RATER for row in rows]
        if sample and rows:
            yield f"{json.dumps(_score(rated, sample, rows, measures), ensure_ascii=False)}\n".encode()


def _score(
    rated: RatedResponse, sample: dict[str, Any], rows: list[RatedRow], measures: Iterable[Measure]
) -> dict[str, Any]:
    counts = {measure.key: _counts(measure, rows) for measure in measures}
    shares = {key: round(k / n, 6) if n else None for key, (k, n) in counts.items()}
    numbers = {key: {"k": k, "n": n} for key, (k, n) in counts.items()}
    raters = len({row["rater"] for row in rows})
    return {
        **{name: sample.get(name) for name in ("eval_id", "task", "sample_id", "epoch")},
        **({"choice": sample["choice"]} if "choice" in sample else {}),
        "response": rated.response.key,
        "scorer": SCORER,
        "score": {"value": shares, "metadata": {"measures": numbers, "ratings": len(rows), "raters": raters}},
    }


def _counts(measure: Measure, rows: Iterable[RatedRow]) -> tuple[int, int]:
    """Return how many ratings a measure counts, and among how many."""
    among = [row["answers"] for row in rows if holds(measure.among, row["answers"])]
    return sum(holds(measure.counts, answers) for answers in among), len(among)
