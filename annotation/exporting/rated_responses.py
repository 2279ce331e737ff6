"""Responses with their ratings, for programs that have one record for each text."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any

from ..models import Item, Project, Rating, Response

RatedRow = Mapping[str, Any]
"""A row of an export (`rating_columns.Row`), whose values this package reads."""
BATCH = 200  # responses that are fetched at once
EXPORTED_ROLES = (Rating.Role.RATER, Rating.Role.JUDGE, Rating.Role.GOLD)


@dataclass
class RatedResponse:
    """A response, and its ratings by rater and role, each in the order of the items."""

    response: Response
    ratings: dict[tuple[str, str], list[RatedRow]] = field(default_factory=dict)

    @property
    def fields(self) -> dict[str, Any]:
        """Return prompt, response and document under the names that an import recognizes."""
        response, prompt = self.response, self.response.prompt
        fields: dict[str, Any] = {"prompt": prompt.text, "prompt_id": prompt.key, "response": response.text}
        fields |= {"response_id": response.key, "system": response.system.name}
        fields |= {"reference": prompt.reference} if prompt.reference else {}
        if prompt.document:
            paragraphs = [p["text"] for section in prompt.document.sections for p in section["paragraphs"]]
            fields |= {"document": "\n".join(paragraphs), "document_id": prompt.document.key}
            fields |= {"document_title": prompt.document.title} if prompt.document.title else {}
        return fields

    @property
    def metadata(self) -> dict[str, Any]:
        """Return the prompt's metadata."""
        return dict(self.response.prompt.metadata)


def rated_responses(project: Project, rows: Iterable[RatedRow]) -> Iterator[RatedResponse]:
    """Yield each response of `rows`, an export's rows, with them. Adjudicated answers and pairs are left out."""
    groups = (list(group) for _key, group in groupby(rows, key=lambda row: row["response"]))
    while batch := list(islice(groups, BATCH)):
        keys = [group[0]["response"] for group in batch]
        found = project.dataset.responses.select_related("prompt__document", "system").filter(key__in=keys)
        responses = {response.key: response for response in found}
        for group in batch:
            rated = RatedResponse(responses[group[0]["response"]])
            for row in group:
                if row["role"] in EXPORTED_ROLES and row["unit"] != Item.Unit.PAIR:
                    rated.ratings.setdefault((row["role"], row["rater"]), []).append(row)
            if rated.ratings:
                yield rated


def json_list(records: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Yield a JSON list of records, one per line."""
    before = b"[\n"
    for record in records:
        yield before + json.dumps(record, ensure_ascii=False).encode()
        before = b",\n"
    yield b"[]\n" if before == b"[\n" else b"\n]\n"
