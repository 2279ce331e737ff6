"""The rows of an export of a project's ratings.

The order depends only on imported ids and names, so a copy of the project exports the same bytes. Excluded are
unfinished ratings, those from training, qualification and hidden gold, and all of excluded responses, because an import
would count them. A server-side cursor reads some thousands of rows at a time, so memory does not grow with the project.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import cast

from django.db.models import Expression, F, FloatField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Collate, NullIf

from ..models import Item, Project, Rating, SampledItem
from ..models.user_names import name_in_data
from ..pseudonyms import Pseudonyms, judge_names
from ..queue.exclusion import is_excluded
from ..rating import counting
from ..rating.bulk_storage import DETAIL_FIELDS
from .rating_columns import VERDICT_COLUMNS, Row
from .rating_inclusion import FetchedRating, InclusionReader

CHUNK_SIZE = 2_000
_FIELDS = {
    "response": F("item__response__key"),
    "against": F("item__against__key"),
    "unit": F("item__unit"),
    "position": F("item__position"),
    "rater_name": name_in_data("rater__"),
    "prompt": F("item__response__prompt__key"),
    "document": F("item__response__prompt__document__key"),
    "system": F("item__response__system__name"),
    "against_system": F("item__against__system__name"),
    "kind": F("item__kind"),
    "start": F("item__start"),
    "end": F("item__end"),
    "text": F("item__text"),
    "by_hand": Q(item__splitter=Item.BY_HAND),
}
_JUDGE_FIELDS: dict[str, Expression | F] = {
    "confidence": F("verdict__confidence"),
    "model": Coalesce(NullIf("verdict__judge__model", Value("")), "verdict__judge__rule"),
    "cost_usd": Cast("verdict__cost", FloatField()),
}
_SAMPLE_ROW = SampledItem.objects.filter(project=OuterRef("project"), item=OuterRef("item"))
_SAMPLE_FIELDS: dict[str, Subquery] = {
    "sampled": Subquery(_SAMPLE_ROW.values("is_drawn")),
    "probability": Subquery(_SAMPLE_ROW.values("probability")),
}
_OWN = ("role", "answers", *DETAIL_FIELDS)
_item_key = itemgetter("response", "against", "unit", "position")


def exported_ratings(project: Project) -> QuerySet[Rating]:
    """Return the ratings of an export: counted ones, and every other role's, of items that are not retired and
    responses that are not excluded.
    """
    ratings = Rating.objects.filter(counting.COUNTS | ~Q(role=Rating.Role.RATER), project=project)
    return ratings.filter(~is_excluded(project), item__retired_at=None)


def left_out(project: Project) -> dict[str, int]:
    """Return how many ratings an export excludes, by reason: unfinished; given in training, qualification or on hidden
    gold; other ratings of retired items, or of excluded responses.
    """
    outside_work = counting.count_outside_work(project)
    retired = Rating.objects.filter(
        ~counting.RATED_OUTSIDE_WORK, project=project, item__retired_at__isnull=False
    ).count()
    others = Rating.objects.filter(is_excluded(project), project=project, item__retired_at=None)
    excluded = others.exclude(counting.RATED_OUTSIDE_WORK).count()
    unfinished = counting.left_out(project).get("unfinished", 0)
    counts = {"unfinished": unfinished, "retired": retired, "excluded": excluded, **outside_work}
    return {reason: n for reason, n in counts.items() if n}


def iter_rows(
    project: Project,
    *,
    pseudonymous: bool = False,
    names: Pseudonyms | None = None,
    inclusion: InclusionReader | None = None,
    with_judges: bool = False,
    with_sample: bool = False,
    with_verdicts: bool = False,
) -> Iterator[Row]:
    """Return `columns()` of each rating, by response, unit, position, role and rater; also those of `inclusion`,
    VERDICT_COLUMNS `with_verdicts`, JUDGE_COLUMNS `with_judges`, and SAMPLE_COLUMNS `with_sample`. Raises Refused at
    once, not at the first row, if pseudonyms cannot be made.
    """
    also = {**(_JUDGE_FIELDS if with_judges else {}), **(_SAMPLE_FIELDS if with_sample else {})}
    own = tuple(column.name for column in VERDICT_COLUMNS) if with_verdicts else ()
    return _rows(project, names or (Pseudonyms(project) if pseudonymous else None), inclusion, own, also)


def _rows(
    project: Project,
    names: Pseudonyms | None,
    reader: InclusionReader | None,
    own_fields: tuple[str, ...],
    more_fields: Mapping[str, Expression | F | Subquery],
) -> Iterator[Row]:
    protocol = project.protocol
    order = [question.key for question in protocol.definition.questions]
    about = {"protocol": protocol.slug, "protocol_version": protocol.version, "protocol_sha256": protocol.sha256}
    judges = judge_names() if names else set()
    for _, ratings in groupby(_fetch_ratings(project, more_fields), key=_item_key):
        ratings_of_item = list(ratings)
        for rating in ratings_of_item:
            name = rating["rater_name"]
            rating["rater"] = names.pseudonym(name) if names and name not in judges else name
        inclusions = reader.columns_of(ratings_of_item) if reader else [None] * len(ratings_of_item)
        for rating, inclusion in sorted(
            zip(ratings_of_item, inclusions, strict=True), key=lambda pair: (pair[0]["role"], pair[0]["rater"])
        ):
            also = {name: cast(Row, rating)[name] for name in (*own_fields, *more_fields)}
            yield {**_row(rating, order, about), **also, **(inclusion or {})}


def _fetch_ratings(project: Project, also: Mapping[str, Expression | F | Subquery]) -> Iterator[FetchedRating]:
    response, against = Collate("item__response__key", "C"), Collate("item__against__key", "C")
    queryset = exported_ratings(project).order_by(response, against, "item__unit", "item__position")
    return cast("Iterator[FetchedRating]", queryset.values(*_OWN, **_FIELDS, **also).iterator(chunk_size=CHUNK_SIZE))


def _row(rating: FetchedRating, questions: list[str], about: dict[str, str]) -> Row:
    answers, fields = rating["answers"], cast(Row, rating)
    return {
        **{name: fields[name] for name in ("response", "against", "unit")},
        "item": rating["position"],
        "rater": rating["rater"],
        "role": rating["role"],
        "answers": {key: answers[key] for key in questions if key in answers},
        **{name: fields[name] for name in DETAIL_FIELDS if name != "verdict_shown"},
        **{name: fields[name] for name in ("prompt", "document", "system", "kind", "start", "end", "text", "by_hand")},
        **about,
    }
