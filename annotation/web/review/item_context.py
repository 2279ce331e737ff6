"""One item under review as its page shows it: what everybody said, with the passages they named."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...models import Document, Item, Project, Rating
from ...protocols import Option, Protocol, are_swapped
from ...protocols.schema import WRITTEN
from ...protocols.web_addresses import addresses
from ...reviewing.disagreements import Vote, options_of
from .anonymity import Names

LONGEST_PASSAGE = 600  # code points of a passage that are shown


@dataclass(frozen=True)
class Passage:
    """A place that a rater named: `paragraph` is one of the article's ids or empty, `words` what is there."""

    paragraph: str
    words: str


@dataclass(frozen=True)
class Opinion:
    """One rating: who (a letter, where names are hidden), the chosen options, the texts by question, and the rest."""

    who: str
    rating: Rating
    options: tuple[Option, ...]
    texts: list[tuple[str, str, list[str]]]
    passages: list[Passage]
    swapped: bool = False  # the rater had the two answers of a pair the other way round, and words keep their meaning

    @property
    def tone(self) -> str:
        return self.options[0].tone if self.options else "neutral"


@dataclass(frozen=True)
class Opinions:
    """Everything that was said of an item, by role."""

    raters: list[Opinion] = field(default_factory=list)
    judges: list[Opinion] = field(default_factory=list)
    adjudications: list[Opinion] = field(default_factory=list)
    gold: list[Opinion] = field(default_factory=list)


def opinions(project: Project, item: Item, names: Names) -> Opinions:
    """All ratings of an item: raters in the order of their letters or names, the others the newest first."""
    protocol, paragraphs = project.protocol.worded, _paragraphs(item.response.prompt.document)
    ratings = (
        Rating.objects.filter(project=project, item=item)
        .select_related("rater", "assignment")
        .order_by("-rated_at", "-pk")
    )
    opinions_by_role: dict[str, list[Opinion]] = {role: [] for role in Rating.Role.values}
    for rating in ratings:
        blind = rating.role == Rating.Role.RATER
        rater_name = names.rater(rating.rater) if blind else str(rating.rater)
        opinions_by_role[rating.role].append(_said(rating, rater_name, protocol, paragraphs))
    opinions_by_role["rater"].sort(key=lambda one: (len(one.who), one.who) if not names.shows_raters else (0, one.who))
    return Opinions(
        opinions_by_role["rater"], opinions_by_role["judge"], opinions_by_role["adjudicator"], opinions_by_role["gold"]
    )


def _said(rating: Rating, rater_name: str, protocol: Protocol, paragraphs: Mapping[str, str]) -> Opinion:
    written = [
        (q, str(rating.answers[q.key])) for q in protocol.questions if q.kind in WRITTEN and q.key in rating.answers
    ]
    texts = [(q.text, text, addresses(text) if q.kind == "urls" else []) for q, text in written]
    at_work = rating.assignment
    swapped = bool(written or rating.comment) and at_work is not None and are_swapped(protocol, at_work.public_id)
    return Opinion(
        rater_name, rating, options_of(protocol, rating.answers), texts, _passages(rating.evidence, paragraphs), swapped
    )


def _paragraphs(document: Document | None) -> dict[str, str]:
    sections = document.sections if document else []
    return {paragraph["id"]: paragraph["text"] for section in sections for paragraph in section["paragraphs"]}


def _passages(evidence: Any, paragraphs: Mapping[str, str]) -> list[Passage]:
    """`{"paragraph", "start", "end"}` in code points; any other JSON that came with a rating is shown as it is."""
    places: Iterable[Any] = evidence if isinstance(evidence, list) else [evidence]
    return [_passage(place, paragraphs) for place in places if place]


def _passage(place: Any, paragraphs: Mapping[str, str]) -> Passage:
    number = place.get("paragraph") if isinstance(place, dict) else None
    if not isinstance(number, str) or number not in paragraphs:
        return Passage("", _short(_quoted(place)))
    text, start, end = paragraphs[number], place.get("start"), place.get("end")
    whole = type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text)
    return Passage(number, _short(text if whole else text[start:end]))


def _quoted(place: Any) -> str:
    """The words of a passage that names none of the article's paragraphs."""
    if isinstance(place, dict):
        words = next((place[key] for key in ("text", "quote") if isinstance(place.get(key), str)), None)
        return words if words is not None else json.dumps(place, ensure_ascii=False)
    return place if isinstance(place, str) else json.dumps(place, ensure_ascii=False)


def _short(words: str) -> str:
    return words if len(words) <= LONGEST_PASSAGE else f"{words[:LONGEST_PASSAGE]}…"


def majority(votes: Iterable[Vote], raters: int) -> Vote | None:
    """The answer that more than half of the raters gave; None where there is none, or one rater only."""
    return next((vote for vote in votes if raters > 1 and 2 * vote.n > raters), None)
