"""The columns of an export of ratings: name, meaning and source of each, in one list for every format.

An import reads the first ten; the others are for analyses of the file without the database. A test compares the list
with `docs/export-columns.md`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from django.db.models import BooleanField, ExpressionWrapper, FloatField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce, NullIf

from .. import protocols
from ..models import Item, Project, Rating, SampledItem
from ..models.user_names import name_in_data
from ..reporting.choices import DOCUMENT

ANSWERS = "answers"
CHUNK_SIZE = 2_000
Row = Mapping[str, object]
"""Column name to value, of the type that the column's kind says; None where it is absent."""


class RatingRow(TypedDict):
    """What this package reads of a row of exported ratings."""

    response: str
    unit: str
    item: int
    rater: str
    role: str
    answers: dict[str, str]
    comment: str
    seconds: float | None
    rated_at: datetime
    prompt: str
    document: str | None
    system: str
    start: int | None
    end: int | None
    text: str
    against_system: NotRequired[str | None]
    in_report: NotRequired[bool]
    report_system: NotRequired[str]
    is_turned: NotRequired[bool]
    cluster: NotRequired[str]


@dataclass(frozen=True)
class Column:
    """One column. `kind` is text, whole, number, truth, time or json. `source`: the field or expression of a query that
    has the values, if it has another name.
    """

    name: str
    kind: str
    holds: str
    source: str | Combinable = ""


def read_values(rows: QuerySet[Any], columns: Iterable[Column]) -> Iterator[tuple[Any, ...]]:
    return rows.values_list(*(column.source or column.name for column in columns)).iterator(chunk_size=CHUNK_SIZE)


def named_rows(columns: Iterable[Column], values: Iterable[Iterable[object]]) -> Iterator[Row]:
    """Yield rows of values as rows with the names of their columns."""
    names = [column.name for column in columns]
    return (dict(zip(names, row, strict=True)) for row in values)


def cluster_name(prompt: str, document: str | None, cluster: str) -> str:
    """Return the sampling unit (cluster) of a report. Prompts without a document are their own clusters."""
    return f"document {document}" if cluster == DOCUMENT and document is not None else f"prompt {prompt}"


ITEM_COLUMNS = (
    Column("response", "text", "imported id of the response", "response__key"),
    Column("against", "text", "imported id of the other response of a pair; empty otherwise", "against__key"),
    Column("unit", "text", "what is rated: sentence, claim, fact, response or pair"),
    Column(
        "item", "whole", "position of the item in response and unit, from 0, over all spans, rated or not", "position"
    ),
)
SPAN_COLUMNS = (
    Column("start", "whole", "first code point of the item in the response's text"),
    Column("end", "whole", "code point after its last"),
    Column("text", "text", "the item's text"),
)


def _of_item(columns: Iterable[Column]) -> Iterator[Column]:
    return (replace(column, source=f"item__{column.source or column.name}") for column in columns)


_FIRST = (
    *_of_item(ITEM_COLUMNS),
    Column("rater", "text", "user name (of a renamed account the first one), or pseudonym", name_in_data("rater__")),
    Column("role", "text", "rater, judge, gold or adjudicator"),
)
_ANSWERS = Column(ANSWERS, "json", "question key to answer; in CSV and Parquet a column `answers.KEY` a question")
_IS_BY_HAND = ExpressionWrapper(Q(item__splitter=Item.BY_HAND), BooleanField())
_LAST = (
    Column("comment", "text", "the rater's comment"),
    Column("evidence", "json", "passages the rater named; in CSV and Parquet as JSON, empty if there are none"),
    Column("suggestions", "text", "whether passages were suggested: `off`, `on`, `used`; empty if unknown"),
    Column("guidelines", "whole", "version of the project's guidelines at the time; empty if there were none"),
    Column("seconds", "number", "time spent, in seconds; empty if it was not measured"),
    Column("rated_at", "time", "when the answer was saved last, UTC"),
    Column("prompt", "text", "imported id of the prompt", "item__response__prompt__key"),
    Column(
        "document",
        "text",
        "imported id of the document; empty if the prompt has none",
        "item__response__prompt__document__key",
    ),
    Column("system", "text", "system that produced the response", "item__response__system__name"),
    Column("kind", "text", "what the item is in the text: sentence, item, table_row, math", "item__kind"),
    *_of_item(SPAN_COLUMNS),
    Column("by_hand", "truth", "1 if a person edited the sentence boundaries or entered the fact, else 0", _IS_BY_HAND),
)
_PROTOCOL = (
    Column("protocol", "text", "slug of the protocol"),
    Column("protocol_version", "text", "its version"),
    Column("protocol_sha256", "text", "SHA-256 of its text"),
)
VERDICT_COLUMNS = (
    Column(
        "verdict_shown",
        "truth",
        "1 if it was given or changed after a judge's verdict about the response was shown, else 0",
    ),
)
"""Additional columns of ratings of which one was given or changed after verdicts were shown, and of every bundle."""
INCLUSION_COLUMNS = (
    Column("in_report", "truth", "1 if the report was computed from this rating, else 0"),
    Column("report_system", "text", "what the report calls the system; of a pair both, `a vs b`"),
    Column("is_turned", "truth", "1 if the report names a pair's second system first: `a` and `b` change places"),
    Column("cluster", "text", "sampling unit (cluster): the prompt, or the document if the report says so"),
)
AGAINST_SYSTEM = (Column("against_system", "text", "system of the second response", "item__against__system__name"),)
"""From which INCLUSION_COLUMNS are computed; no file has it."""
BUNDLE_COLUMNS = (*VERDICT_COLUMNS, *INCLUSION_COLUMNS)
"""Additional columns of a bundle's ratings."""
JUDGE_COLUMNS = (
    Column(
        "confidence",
        "number",
        "confidence of the judge, 0 to 1: share of votes or probability; empty if unknown",
        "verdict__confidence",
    ),
    Column(
        "model",
        "text",
        "model, or rule, of the judge",
        Coalesce(NullIf("verdict__judge__model", Value("")), "verdict__judge__rule"),
    ),
    Column(
        "cost_usd", "number", "cost of the requests in USD; empty without prices", Cast("verdict__cost", FloatField())
    ),
)
"""Additional columns of exported ratings of a project that a judge of this site has rated; empty for people."""


def sample_columns(project: Project, item: str = "item") -> tuple[Column, ...]:
    """Return the additional columns of a project with a sample; `item`: the field of a row that has its item."""
    if not project.sampling_design:
        return ()
    samples = SampledItem.objects.filter(project=project, item=OuterRef(item))
    is_drawn, probability = (Subquery(samples.values(field)) for field in ("is_drawn", "probability"))
    return (
        Column("sampled", "truth", "1 if the item was drawn, so that raters were asked about it, else 0", is_drawn),
        Column("probability", "number", "probability with which the project's design drew the item", probability),
    )


def verdict_columns(project: Project) -> tuple[Column, ...]:
    """Return VERDICT_COLUMNS if a rating of the project was given or changed after verdicts were shown."""
    return VERDICT_COLUMNS if Rating.objects.filter(project=project, verdict_shown=True).exists() else ()


def columns() -> tuple[Column, ...]:
    return (*_FIRST, _ANSWERS, *_LAST, *_PROTOCOL)


def flat_columns(protocol: protocols.Protocol) -> tuple[Column, ...]:
    """Return the columns of a table: one for each question instead of `answers`."""
    answers = (Column(f"{ANSWERS}.{q.key}", "text", q.text) for q in protocol.questions)
    return (*_FIRST, *answers, *_LAST, *_PROTOCOL)


def flat(row: Row) -> Row:
    answers = row[ANSWERS]
    return (
        {**row, **{f"{ANSWERS}.{key}": value for key, value in answers.items()}} if isinstance(answers, dict) else row
    )
