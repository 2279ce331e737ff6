"""People's scores of responses that came from an Inspect log, one line for each sample and epoch of it.

A score's value has the share of each measure over the ratings of the response that count, as a report takes it, and its
metadata the numbers. `eval_id`, `sample_id` and `epoch` join it to the log, and `choice` to one of several choices.
"""

import json
from collections.abc import Iterable, Iterator

from ..importing.eval_logs.inspect import SAMPLE
from ..models import Project, Rating
from ..protocols import holds
from .annotation_tools import rated_responses
from .rating_columns import RatingRow

SCORER = "factuary"


def has_inspect_samples(project: Project) -> bool:
    return project.dataset.responses.filter(metadata__has_key=SAMPLE).exists()


def write_inspect_scores(project: Project, rows: Iterable[RatingRow]) -> Iterator[bytes]:
    measures = project.protocol.definition.measures
    for rated in rated_responses(project, rows):
        sample = rated.response.metadata.get(SAMPLE)
        ratings = [row for (role, _rater), rows in rated.ratings.items() if role == Rating.Role.RATER for row in rows]
        if not sample or not ratings:
            continue
        shares, numbers = {}, {}
        for measure in measures:
            among = [row["answers"] for row in ratings if holds(measure.among, row["answers"])]
            k, n = sum(holds(measure.counts, answers) for answers in among), len(among)
            shares[measure.key], numbers[measure.key] = (round(k / n, 6) if n else None), {"k": k, "n": n}
        raters = len({row["rater"] for row in ratings})
        score = {
            **{name: sample.get(name) for name in ("eval_id", "task", "sample_id", "epoch")},
            **({"choice": sample["choice"]} if "choice" in sample else {}),
            "response": rated.response.key,
            "scorer": SCORER,
            "score": {"value": shares, "metadata": {"measures": numbers, "ratings": len(ratings), "raters": raters}},
        }
        yield f"{json.dumps(score, ensure_ascii=False)}\n".encode()
