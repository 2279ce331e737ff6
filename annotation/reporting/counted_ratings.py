"""The ratings, items and responses behind a report, for its provenance record."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, QuerySet
from msgspec import to_builtins

from ..models import Item, Project, Rating, Response
from ..rating.counting import counted_ratings
from .choices import Choices
from .data.study import read_study
from .report import Report


@dataclass(frozen=True)
class RatedResponseLength:
    """One response: its system, how many of its items have a counted rating, and its words."""

    system: str
    items: int
    words: int


@dataclass(frozen=True)
class CountedRatings:
    """`first`, `last`: when the first and the last were given; `imported`: how many were; `guidelines`: ratings by
    version, "" for none; `splitters`: rated items by version, "" where they came with the data; `not_rated`: the other
    items of the same responses by kind, which raters are not asked about; `marked_claim_free`: rated items that are
    marked as likely free of claims, by reason.
    """

    first: datetime | None
    last: datetime | None
    imported: int
    guidelines: Mapping[str, int]
    splitters: Mapping[str, int]
    not_rated: Mapping[str, int]
    marked_claim_free: Mapping[str, int]
    lengths: list[RatedResponseLength]


def read_counted_ratings(project: Project, report: Report) -> CountedRatings:
    """Summarize the raters' ratings that the report counts. Seven queries, and those of its filters."""
    ratings = _ratings_of(project, report)
    times = ratings.aggregate(first=Min("rated_at"), last=Max("rated_at"))
    items = list(ratings.values_list("item", "item__response", "item__against", "item__splitter").distinct())
    by_guidelines = dict(ratings.values_list("guidelines").annotate(n=Count("pk")).order_by("guidelines"))
    items_by_response = Counter(pk for _, *pair, _ in items for pk in pair if pk)
    return CountedRatings(
        **times,
        imported=ratings.filter(assignment=None).count(),
        guidelines={"" if number is None else str(number): n for number, n in by_guidelines.items()},
        splitters=dict(sorted(Counter(splitter for *_, splitter in items).items())),
        not_rated=_not_rated(project, items_by_response),
        marked_claim_free=_marked_claim_free([item for item, *_ in items]),
        lengths=_lengths(items_by_response),
    )


def _ratings_of(project: Project, report: Report) -> QuerySet[Rating]:
    """Return the raters' ratings under the filters of the report."""
    if not report.filters:
        return counted_ratings(project).order_by()
    choices, _ = Choices.from_mapping(to_builtins(report.filters))
    counted = read_study(project, choices).by_raters
    return Rating.objects.filter(pk__in=counted.rating_id.tolist()).order_by()


def _not_rated(project: Project, responses: Collection[int]) -> dict[str, int]:
    """Count the items of these responses whose kind is not rated, by kind in alphabetical order."""
    unit = project.protocol.definition.unit
    items = Item.objects.filter(response__in=list(responses), unit=unit, rate=False, retired_at=None)
    return dict(items.order_by("kind").values_list("kind").annotate(n=Count("pk")))


def _marked_claim_free(items: Collection[int]) -> dict[str, int]:
    """Count these items by the reason why they are marked, in the order of `Item.ClaimFree`."""
    marked = Item.objects.filter(pk__in=items).exclude(claim_free="")
    counts = dict(marked.order_by().values_list("claim_free").annotate(n=Count("pk")))
    return {str(reason): counts[reason] for reason in Item.ClaimFree.values if reason in counts}


def _lengths(items: Mapping[int, int]) -> list[RatedResponseLength]:
    """Return the lengths of the responses with rated items: `items` by response."""
    responses = Response.objects.filter(pk__in=list(items)).order_by("pk").values_list("pk", "system__name", "text")
    return [RatedResponseLength(system, items[pk], len(text.split())) for pk, system, text in responses.iterator()]
