"""Ratings in the formats of other programs: Label Studio, Argilla, and scores for Inspect."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC
from itertools import groupby, islice

from ..importing.eval_logs.inspect import SAMPLE
from ..models import Item, Project, Rating, Response
from ..protocols import Protocol, holds
from .rating_columns import RatingRow

BATCH = 200  # responses that are fetched at once
EXPORTED_ROLES = (Rating.Role.RATER, Rating.Role.JUDGE, Rating.Role.GOLD)
TO_NAME = "response"  # in Label Studio, the tag of the text
COMMENT = "comment"  # in Label Studio, the control of the comments
Record = dict[str, object]
"""A record of another program's file, which becomes JSON."""


@dataclass
class RatedResponse:
    """A response, and its ratings by role and rater, each in the order of the items."""

    response: Response
    ratings: dict[tuple[str, str], list[RatingRow]] = field(default_factory=dict)

    @property
    def fields(self) -> Record:
        """Return prompt, response and document under the names that an import recognizes."""
        response, prompt = self.response, self.response.prompt
        fields: Record = {
            "prompt": prompt.text,
            "prompt_id": prompt.key,
            "response": response.text,
            "response_id": response.key,
            "system": response.system.name,
        }
        if prompt.reference:
            fields["reference"] = prompt.reference
        if prompt.document:
            paragraphs = [p["text"] for section in prompt.document.sections for p in section["paragraphs"]]
            fields |= {"document": "\n".join(paragraphs), "document_id": prompt.document.key}
            fields |= {"document_title": prompt.document.title} if prompt.document.title else {}
        return fields


def rated_responses(project: Project, rows: Iterable[RatingRow]) -> Iterator[RatedResponse]:
    """Yield each response of `rows`, an export's rows, with them. Adjudicated answers and pairs are left out."""
    groups = (list(group) for _key, group in groupby(rows, key=lambda row: row["response"]))
    while batch := list(islice(groups, BATCH)):
        keys = [group[0]["response"] for group in batch]
        responses = project.dataset.responses.select_related("prompt__document", "system").filter(key__in=keys)
        response_by_key = {response.key: response for response in responses}
        for group in batch:
            rated = RatedResponse(response_by_key[group[0]["response"]])
            for row in group:
                if row["role"] in EXPORTED_ROLES and row["unit"] != Item.Unit.PAIR:
                    rated.ratings.setdefault((row["role"], row["rater"]), []).append(row)
            if rated.ratings:
                yield rated


def _json_list(records: Iterable[Record]) -> Iterator[bytes]:
    before = b"[\n"
    for record in records:
        yield before + json.dumps(record, ensure_ascii=False).encode()
        before = b",\n"
    yield b"[]\n" if before == b"[\n" else b"\n]\n"


def write_label_studio(project: Project, rows: Iterable[RatingRow]) -> Iterator[bytes]:
    """Yield a Label Studio export as one JSON list: a task for each response, with annotations of raters and
    predictions of judges.

    Answers about a whole response are choices, those about sentences are labels of spans. `from_name` is the question's
    key, `to_name` is `response`, and a label is the option's label.
    """
    protocol, responses = project.protocol.definition, enumerate(rated_responses(project, rows), 1)
    return _json_list(_task(number, rated, protocol) for number, rated in responses)


def _task(number: int, rated: RatedResponse, protocol: Protocol) -> Record:
    annotations, predictions = [], []
    for n, ((role, rater), rows) in enumerate(rated.ratings.items(), 1):
        results = [result for row in rows for result in _results(row, protocol)]
        if role == Rating.Role.JUDGE:
            predictions.append({"model_version": rater, "result": results})
            continue
        seconds = [row["seconds"] for row in rows if row["seconds"] is not None]
        first_at = min(row["rated_at"] for row in rows).astimezone(UTC)
        annotations.append(
            {
                "id": n,
                "completed_by": {"email": rater},
                "result": results,
                "was_cancelled": False,
                "ground_truth": role == Rating.Role.GOLD,
                "created_at": first_at.isoformat(timespec="microseconds").replace("+00:00", "Z"),
                "lead_time": round(sum(seconds), 3) if seconds else None,
            }
        )
    data = {**rated.response.prompt.metadata, **rated.fields}
    return {"id": number, "data": data, "annotations": annotations, "predictions": predictions}


def _results(row: RatingRow, protocol: Protocol) -> Iterator[Record]:
    """Yield the results of one rating; those about a sentence share the id of its region."""
    results: list[tuple[str, str, Record]] = []
    for key, answer in row["answers"].items():
        question = protocol.question(key)
        if not question.options:
            results.append((key, "textarea", {"text": [answer]}))
            continue
        label = next((option.label for option in question.options if option.key == answer), answer)
        kind = "labels" if row["unit"] != TO_NAME and not question.once else "choices"
        results.append((key, kind, {kind: [label]}))
    if row["comment"]:
        results.append((COMMENT, "textarea", {"text": [row["comment"]]}))
    for key, kind, value in results:
        if row["unit"] != TO_NAME and kind != "choices":
            # The text of a text area has the same key as the text of a span.
            span = {"start": row["start"], "end": row["end"], **({} if kind == "textarea" else {"text": row["text"]})}
            value = span | value
        region = f"{row['unit']}-{row['item']}"
        yield {"id": region, "from_name": key, "to_name": TO_NAME, "type": kind, "value": value}


def write_argilla(project: Project, rows: Iterable[RatingRow]) -> Iterator[bytes]:
    """Yield Argilla records, as `dataset.records.to_list()` writes them, as one JSON list: one for each rated item.

    The response's text is a field; responses are the answers of raters, suggestions those of the first judge: Argilla
    has one suggestion for each question. `user_id` is the user name.
    """
    return _json_list(record for rated in rated_responses(project, rows) for record in _records(rated))


def _records(rated: RatedResponse) -> Iterator[Record]:
    items: dict[int, list[RatingRow]] = {}
    for rows in rated.ratings.values():
        for row in rows:
            items.setdefault(row["item"], []).append(row)
    for position, rows in sorted(items.items()):
        fields = rated.fields
        key = fields["response_id"]
        if rows[0]["unit"] != Item.Unit.RESPONSE:  # a record about a sentence has its text, and no spans
            key = f"{key}#{position}"
            fields |= {"response": rows[0]["text"], "response_id": key}
        answers: dict[str, list[Record]] = {}
        for row in rows:
            if row["role"] == Rating.Role.RATER:
                for question, value in row["answers"].items():
                    answers.setdefault(question, []).append({"value": value, "user_id": row["rater"]})
        judged = [row for row in rows if row["role"] == Rating.Role.JUDGE][:1]
        yield {
            "id": key,
            "fields": fields,
            "metadata": rated.response.prompt.metadata,
            "suggestions": {
                question: {"value": value, "score": None, "agent": row["rater"]}
                for row in judged
                for question, value in row["answers"].items()
            },
            "responses": answers,
            "vectors": {},
            "status": "completed",
        }


SCORER = "factuary"


def has_inspect_samples(project: Project) -> bool:
    return project.dataset.responses.filter(metadata__has_key=SAMPLE).exists()


def write_inspect_scores(project: Project, rows: Iterable[RatingRow]) -> Iterator[bytes]:
    """Yield people's scores of responses that came from an Inspect log, a JSON line for each sample and epoch of it.

    A score's value has the share of each measure over the ratings of the response that count, as a report takes it, and
    its metadata the numbers. `eval_id`, `sample_id` and `epoch` join it to the log, `choice` to one of several choices.
    """
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
