"""A data set in its published format, with labels from the project's ratings."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db.models.functions import Collate

from ..importing.expertqa_labels import PROTOCOL as CLAIMS
from ..importing.lfqa_eval import DOCUMENTS
from ..importing.lfqa_ratings import CODES, PREFERENCES
from ..importing.lfqa_ratings import PROTOCOL as PAIRS
from ..jobs import Refused
from ..models import Item, Project
from ..models.user_names import name_in_data
from ..protocols import are_swapped
from ..rating.counting import counted_ratings
from ..site.database_transactions import one_snapshot
from .expertqa import expertqa_lines
from .ratings import OnWritten

CHUNK_SIZE = 500


def lfqa_lines(project: Project) -> Iterator[str]:
    """Yield ratings of pairs as published preferences of lfqa_eval, by pair and rater: -1 (A is better), 0 (a tie),
    1 (B is better).

    The two answers have the data set's order, whatever order the rater saw. Comments are unchanged, so `sides_swapped`
    marks lines whose rater saw the other order: "A" in the comment is `answer_b`.
    """
    related = ("item__response__prompt", "item__response__system", "item__against__system", "assignment")
    ratings = counted_ratings(project).filter(item__unit=Item.Unit.PAIR, item__retired_at=None)
    key, rater = Collate("item__response__key", "C"), Collate(name_in_data("rater__"), "C")
    for rating in ratings.select_related(*related).order_by(key, "item", rater).iterator(chunk_size=CHUNK_SIZE):
        first, second = rating.item.response, rating.item.against
        if second is None:
            raise ValueError(f"rating {rating.pk} is about a pair without a second response")
        row: dict[str, object] = {"question": first.prompt.text, "answer_a": first.text, "answer_b": second.text}
        for name, response in (("doc_a", first), ("doc_b", second)):
            if DOCUMENTS in response.metadata:
                row[name] = response.metadata[DOCUMENTS]
        row |= {"answer_a_type": first.system.name, "answer_b_type": second.system.name}
        row |= {name: CODES[rating.answers[key]] for key, name in PREFERENCES.items() if key in rating.answers}
        if words := rating.answers.get("justification"):
            row["justification"] = words
            assignment = rating.assignment
            if assignment and are_swapped(project.protocol.definition, assignment.public_id):
                row["sides_swapped"] = True
        yield json.dumps(row, ensure_ascii=False)


@dataclass(frozen=True)
class Published:
    """A published format: its protocol, its lines, and whether unrated lines are written as they were loaded."""

    title: str
    protocol: str
    lines: Callable[[Project], Iterator[str]]
    keeps_lines: bool


FORMATS = {
    "expertqa": Published("ExpertQA", CLAIMS, expertqa_lines, keeps_lines=True),
    "lfqa_eval": Published("lfqa_eval", PAIRS, lfqa_lines, keeps_lines=False),
}
"""By the format in which the data set was loaded."""


def published_format(project: Project) -> Published | None:
    """Return the published format of the project's data set, or None."""
    selected = FORMATS.get(project.dataset.format)
    return selected if selected and selected.protocol == project.protocol.slug else None


class DatasetExport:
    """Iterate once for the file's bytes, JSON lines of one snapshot; after that `lines` is their number. `on_written`
    is called with the number of lines written so far.

    Raises Refused at once if the project's data set was loaded from another format, or is rated by another protocol.
    """

    content_type = "application/jsonl; charset=utf-8"

    def __init__(self, project: Project, format: str, on_written: OnWritten | None = None):
        if project.dataset.format != format or format not in FORMATS:
            came = f"data set {project.dataset.slug!r} was imported from format {project.dataset.format}"
            raise Refused([f"{came}, and only data imported from {format} can be exported as {format}"])
        if published_format(project) is None:
            asks = f"project {project.slug!r} is rated by {project.protocol.slug}"
            raise Refused([f"{asks}, but the format {format} supports only {FORMATS[format].protocol}"])
        self.project, self.format = project, format
        self.filename = f"{project.slug}-{format}.jsonl"
        self.lines = 0
        self._on_written = on_written or (lambda written: None)

    def __iter__(self) -> Iterator[bytes]:
        self.lines = 0
        with one_snapshot():
            for line in FORMATS[self.format].lines(self.project):
                self.lines += 1
                self._on_written(self.lines)
                yield f"{line}\n".encode()
