"""The columns of an export of ratings and their meaning: one list for every format.

An import reads the first ten; the others are for analyses of the file without the database. A test compares the list
with `docs/export-columns.md`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from .. import protocols
from ..models import Project, Rating

ANSWERS = "answers"
Row = Mapping[str, object]
"""Column name to value, of the type that the column's kind says; None where it is absent."""


@dataclass(frozen=True)
class Column:
    """One column. `kind` is text, whole, number, truth, time or json; `needed`: an import requires it."""

    name: str
    kind: str
    holds: str


_FIRST = (
    Column("response", "text", "imported id of the response"),
    Column("against", "text", "imported id of the other response of a pair; empty otherwise"),
    Column("unit", "text", "what is rated: sentence, claim, fact, response or pair"),
    Column("item", "whole", "position of the item in response and unit, from 0, over all spans, rated or not"),
    Column("rater", "text", "user name (of a renamed account the first one), or pseudonym"),
    Column("role", "text", "rater, judge, gold or adjudicator"),
)
_ANSWERS = Column(ANSWERS, "json", "question key to answer; in CSV and Parquet a column `answers.KEY` a question")
_LAST = (
    Column("comment", "text", "the rater's comment"),
    Column("evidence", "json", "passages the rater named; in CSV and Parquet as JSON, empty if there are none"),
    Column("suggestions", "text", "whether passages were suggested: `off`, `on`, `used`; empty if unknown"),
    Column("guidelines", "whole", "version of the project's guidelines at the time; empty if there were none"),
    Column("seconds", "number", "time spent, in seconds; empty if it was not measured"),
    Column("rated_at", "time", "when the answer was saved last, UTC"),
    Column("prompt", "text", "imported id of the prompt"),
    Column("document", "text", "imported id of the document; empty if the prompt has none"),
    Column("system", "text", "system that produced the response"),
    Column("kind", "text", "what the item is in the text: sentence, item, table_row, math"),
    Column("start", "whole", "first code point of the item in the response's text"),
    Column("end", "whole", "code point after its last"),
    Column("text", "text", "the item's text"),
    Column("by_hand", "truth", "1 if a person edited the sentence boundaries or entered the fact, else 0"),
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
BUNDLE_COLUMNS = (*VERDICT_COLUMNS, *INCLUSION_COLUMNS)
"""Additional columns of a bundle's ratings."""
JUDGE_COLUMNS = (
    Column("confidence", "number", "confidence of the judge, 0 to 1: share of votes or probability; empty if unknown"),
    Column("model", "text", "model, or rule, of the judge"),
    Column("cost_usd", "number", "cost of the requests in USD; empty without prices"),
)
"""Additional columns of exported ratings of a project that a judge of this site has rated; empty for people."""

SAMPLE_COLUMNS = (
    Column("sampled", "truth", "1 if the item was drawn, so that raters were asked about it, else 0"),
    Column("probability", "number", "probability with which the project's design drew the item"),
)
"""Additional columns of exported ratings of a project with a sample."""


def sample_columns(project: Project) -> tuple[Column, ...]:
    """Return SAMPLE_COLUMNS if the project has a sample."""
    return SAMPLE_COLUMNS if project.sampling_design else ()


def verdict_columns(project: Project) -> tuple[Column, ...]:
    """Return VERDICT_COLUMNS if a rating of the project was given or changed after verdicts were shown."""
    return VERDICT_COLUMNS if Rating.objects.filter(project=project, verdict_shown=True).exists() else ()


def columns() -> tuple[Column, ...]:
    """Return the fields of a JSON line, in order."""
    return (*_FIRST, _ANSWERS, *_LAST)


def flat_columns(protocol: protocols.Protocol) -> tuple[Column, ...]:
    """Return the columns of a table: one for each question instead of `answers`."""
    answers = (Column(f"{ANSWERS}.{q.key}", "text", q.text) for q in protocol.questions)
    return (*_FIRST, *answers, *_LAST)


def flat(row: Row) -> Row:
    """Return a row with one column for each answer."""
    answers = row[ANSWERS]
    return (
        {**row, **{f"{ANSWERS}.{key}": value for key, value in answers.items()}} if isinstance(answers, dict) else row
    )
