"""The ratings of an item under review, with the passages that raters attached."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...models import Item, Project, Rating
from ...protocols import Option, Protocol, Question, are_swapped
from ...protocols.schema import WRITTEN
from ...protocols.web_addresses import addresses
from ...rating.evidence import STANCES
from ...reviewing.disagreements import Vote, options_of
from .anonymity import Anonymity

MAX_PASSAGE_LENGTH = 600  # code points of a passage that are shown


@dataclass(frozen=True)
class Passage:
    """A reference that a rater named: `paragraph` is an id of the article or empty, `words` the text.

    `start` and `end` are code points of the paragraph, both 0 where the reference names no place.
    """

    paragraph: str
    words: str
    start: int = 0
    end: int = 0
    stance: str = ""

    @classmethod
    def from_text(cls, paragraph: str, text: str, start: int, end: int, stance: str = "") -> "Passage":
        """Return the passage from `start` to `end` of the paragraph's `text`."""
        return cls(paragraph, _short(text[start:end]), start, end, stance)


@dataclass(frozen=True)
class ItemRating:
    """One rating: the rater's name or letter, the chosen options, and (question, text, links) of written answers."""

    rater_name: str
    rating: Rating
    options: tuple[Option, ...]
    texts: list[tuple[Question, str, list[str]]]
    passages: list[Passage]
    swapped: bool = False  # the rater saw the two answers of a pair in the other order, which the text refers to


@dataclass(frozen=True)
class ItemRatings:
    """The ratings of an item by role."""

    raters: list[ItemRating] = field(default_factory=list)
    judges: list[ItemRating] = field(default_factory=list)
    adjudications: list[ItemRating] = field(default_factory=list)
    gold: list[ItemRating] = field(default_factory=list)


def item_ratings(project: Project, item: Item, anonymity: Anonymity, paragraphs: Mapping[str, str]) -> ItemRatings:
    """Return all ratings of an item: those of raters in the order of their letters or names, others newest first."""
    protocol = project.protocol.translated
    ratings = (
        Rating.objects.filter(project=project, item=item)
        .select_related("rater", "assignment")
        .order_by("-rated_at", "-pk")
    )
    ratings_by_role: dict[str, list[ItemRating]] = {role: [] for role in Rating.Role.values}
    for rating in ratings:
        blind = rating.role == Rating.Role.RATER
        rater_name = anonymity.rater(rating.rater) if blind else str(rating.rater)
        ratings_by_role[rating.role].append(describe_rating(rating, rater_name, protocol, paragraphs))
    ratings_by_role["rater"].sort(
        key=lambda row: (0 if anonymity.shows_raters else len(row.rater_name), row.rater_name)
    )
    return ItemRatings(
        ratings_by_role["rater"], ratings_by_role["judge"], ratings_by_role["adjudicator"], ratings_by_role["gold"]
    )


def describe_rating(rating: Rating, rater_name: str, protocol: Protocol, paragraphs: Mapping[str, str]) -> ItemRating:
    """Return a rating with its options, written answers and passages; `paragraphs` has the article's texts by id."""
    written = [
        (q, str(rating.answers[q.key])) for q in protocol.questions if q.kind in WRITTEN and q.key in rating.answers
    ]
    texts = [(q, text, addresses(text) if q.kind == "urls" else []) for q, text in written]
    at_work = rating.assignment
    swapped = bool(written or rating.comment) and at_work is not None and are_swapped(protocol, at_work.public_id)
    return ItemRating(
        rater_name, rating, options_of(protocol, rating.answers), texts, _passages(rating.evidence, paragraphs), swapped
    )


def _passages(evidence: Any, paragraphs: Mapping[str, str]) -> list[Passage]:
    """Return the passages of `{"paragraph", "start", "end"}` in code points; show other imported JSON as it is."""
    references: Iterable[Any] = evidence if isinstance(evidence, list) else [evidence]
    return [_passage(reference, paragraphs) for reference in references if reference]


def _passage(reference: Any, paragraphs: Mapping[str, str]) -> Passage:
    number = reference.get("paragraph") if isinstance(reference, dict) else None
    if not isinstance(number, str) or number not in paragraphs:
        words = reference  # imported JSON that names none of the article's paragraphs
        if isinstance(reference, dict):
            words = next(
                (reference[key] for key in ("text", "quote") if isinstance(reference.get(key), str)), reference
            )
        return Passage("", _short(words if isinstance(words, str) else json.dumps(words, ensure_ascii=False)))
    text, start, end = paragraphs[number], reference.get("start"), reference.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        return Passage(number, _short(text))
    stance = reference.get("stance")
    return Passage.from_text(number, text, start, end, stance if stance in STANCES else "")


def _short(words: str) -> str:
    return words if len(words) <= MAX_PASSAGE_LENGTH else f"{words[:MAX_PASSAGE_LENGTH]}…"


def majority(votes: Iterable[Vote], raters: int) -> Vote | None:
    """Return the answer of more than half of the raters; None without one, or with one rater only."""
    return next((vote for vote in votes if raters > 1 and 2 * vote.n > raters), None)
