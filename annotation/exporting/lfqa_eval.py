"""A project's ratings of pairs as published preferences: one line per rating, -1 (A is better), 0 (a tie), 1 (B is
better).

The two answers have the data set's order, whatever order the rater saw. Comments are unchanged, so `sides_swapped`
marks lines whose rater saw the other order: "A" in the comment is `answer_b`.
"""

import json
from collections.abc import Iterator

from django.db.models.functions import Collate

from ..importing.lfqa_eval import DOCUMENTS
from ..importing.lfqa_ratings import CODES, PREFERENCES
from ..models import Item, Project, Rating, Response
from ..models.user_names import name_in_data
from ..protocols import are_swapped
from ..rating.counting import counted_ratings

CHUNK_SIZE = 500


def lfqa_lines(project: Project) -> Iterator[str]:
    """Yield one JSON object per counted rating, by pair and rater."""
    related = ("item__response__prompt", "item__response__system", "item__against__system", "assignment")
    ratings = counted_ratings(project).filter(item__unit=Item.Unit.PAIR, item__retired_at=None)
    key, rater = Collate("item__response__key", "C"), Collate(name_in_data("rater__"), "C")
    for rating in ratings.select_related(*related).order_by(key, "item", rater).iterator(chunk_size=CHUNK_SIZE):
        yield json.dumps(_row(project, rating), ensure_ascii=False)


def _row(project: Project, rating: Rating) -> dict[str, object]:
    first, second = rating.item.response, rating.item.against
    if second is None:
        raise ValueError(f"rating {rating.pk} is about a pair without a second response")
    return {
        "question": first.prompt.text,
        "answer_a": first.text,
        "answer_b": second.text,
        **_documents("doc_a", first),
        **_documents("doc_b", second),
        "answer_a_type": first.system.name,
        "answer_b_type": second.system.name,
        **{name: CODES[rating.answers[key]] for key, name in PREFERENCES.items() if key in rating.answers},
        **_justification(project, rating),
    }


def _documents(name: str, response: Response) -> dict[str, object]:
    return {name: response.metadata[DOCUMENTS]} if DOCUMENTS in response.metadata else {}


def _justification(project: Project, rating: Rating) -> dict[str, object]:
    words = rating.answers.get("justification")
    if not words:
        return {}
    at_work = rating.assignment
    if at_work is None or not are_swapped(project.protocol.definition, at_work.public_id):
        return {"justification": words}
    return {"justification": words, "sides_swapped": True}
