"""A folder that `datasets.load_dataset` reads: ratings, items and responses as Parquet, and a card that describes them.

The card's front matter names the files and the type of every column; the text below describes the data. Systems are
named; references and annotations of the data set are excluded, because they are not ours.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Collate

from ..models import Item, Project, Response, SampledItem, Sheet, Tally
from ..models.rated_items import is_rated
from ..protocols import Protocol
from ..pseudonyms import Pseudonyms
from ..reporting.tables.markdown import escaped
from ..site.database_snapshot import one_snapshot
from .protocol_markdown import guidelines
from .rating_columns import ANSWERS, Column, Row, flat, flat_columns, sample_columns, verdict_columns
from .rating_rows import CHUNK_SIZE, iter_rows
from .ratings import RATINGS_PER_CALL, OnWritten
from .writers import write_table
from .zip_stream import Archive

CONTENT_TYPE = "application/zip"
RESPONSES = (
    Column("response", "text", "imported id of the response"),
    Column("prompt", "text", "imported id of the prompt"),
    Column("prompt_text", "text", "text of the prompt"),
    Column("metadata", "json", "metadata of the prompt, as JSON; empty if there is none"),
    Column("document", "text", "imported id of the prompt's document; empty if there is none"),
    Column("document_title", "text", "its title"),
    Column("system", "text", "system that produced the response"),
    Column("text", "text", "text of the response, as imported"),
)
ITEMS = (
    Column("response", "text", "imported id of the response"),
    Column("against", "text", "imported id of the other response of a pair; empty otherwise"),
    Column("unit", "text", "what is rated: sentence, claim, fact, response or pair"),
    Column("item", "whole", "position of the item in response and unit, from 0, over all spans, rated or not"),
    Column("kind", "text", "what the item is in the text: sentence, item, table_row, heading, code, math, reasoning"),
    Column("rate", "truth", "whether raters were asked about it"),
    Column("claim_free", "text", "why it is likely free of claims; empty if it is not"),
    Column("start", "whole", "first code point of the item in the response's text"),
    Column("end", "whole", "code point after its last"),
    Column("text", "text", "the item's text"),
)
_TYPES = {"whole": "int64", "number": "float64", "time": "timestamp[us, tz=UTC]", "truth": "bool"}
TAGS = ("factuality", "human-evaluation")


@dataclass(frozen=True)
class Config:
    """One table of the data set: its name, the meaning of a row, and its columns."""

    name: str
    holds: str
    columns: tuple[Column, ...]


def _rating_columns(project: Project, protocol: Protocol) -> tuple[Column, ...]:
    return (*flat_columns(protocol), *verdict_columns(project), *sample_columns(project))


def configs(project: Project, protocol: Protocol) -> tuple[Config, ...]:
    """Return the tables; the first is loaded by default."""
    return (
        Config("ratings", "one rating a row", _rating_columns(project, protocol)),
        Config("items", "one part of a response a row, rated or not", (*ITEMS, *sample_columns(project))),
        Config("responses", "one response a row, with what was asked", RESPONSES),
    )


class HuggingFace:
    """Iterate once for the bytes of a zip of the folder. `on_written` is called with the number of ratings written."""

    content_type = CONTENT_TYPE

    def __init__(self, project: Project, *, with_names: bool = False, on_written: OnWritten | None = None):
        self.project, self.with_names = project, with_names
        self._names = None if with_names else Pseudonyms(project)
        self._on_written = on_written or (lambda written: None)
        self._folder = f"{project.slug}-dataset{'-with-names' * with_names}"
        self.filename = f"{self._folder}.zip"

    def __iter__(self) -> Iterator[bytes]:
        protocol = self.project.protocol.definition
        with one_snapshot():
            archive = Archive(self._folder)
            yield from archive.add("README.md", [card(self.project, protocol, with_names=self.with_names).encode()])
            yield from archive.add(
                "data/ratings.parquet", write_table(map(flat, self._ratings()), _rating_columns(self.project, protocol))
            )
            yield from archive.add(
                "data/items.parquet", write_table(self._items(), (*ITEMS, *sample_columns(self.project)))
            )
            yield from archive.add("data/responses.parquet", write_table(self._responses(), RESPONSES))
            yield from archive.add("protocol.toml", [self.project.protocol.source.encode()])
            yield from archive.end()

    def _ratings(self) -> Iterator[Row]:
        with_sample = bool(self.project.sampling_design)
        rows = iter_rows(self.project, names=self._names, with_sample=with_sample, with_verdicts=True)
        for number, row in enumerate(rows):
            if number % RATINGS_PER_CALL == 0:
                self._on_written(number)
            yield row

    def _responses(self) -> Iterator[Row]:
        responses = _in_project(self.project).order_by(Collate("key", "C")).values_list(
            "key", "prompt__key", "prompt__text", "prompt__metadata", "prompt__document__key",
            "prompt__document__title", "system__name", "text",
        )  # fmt: skip
        return _named_rows(RESPONSES, responses.iterator(chunk_size=CHUNK_SIZE))

    def _items(self) -> Iterator[Row]:
        items = Item.objects.filter(response__in=_in_project(self.project), retired_at=None)
        is_asked = Case(When(is_rated(self.project), then=Value(True)), default=Value(False))
        response, against = Collate("response__key", "C"), Collate("against__key", "C")
        ordered = items.order_by(response, against, "unit", "position").values_list(
            "response__key", "against__key", "unit", "position", "kind", is_asked, "claim_free", "start", "end",
            "text", *(_sample_values(self.project) if self.project.sampling_design else ()),
        )  # fmt: skip
        return _named_rows((*ITEMS, *sample_columns(self.project)), ordered.iterator(chunk_size=CHUNK_SIZE))


def _sample_values(project: Project) -> tuple[Subquery, Subquery]:
    """Return SAMPLE_COLUMNS of items, null for those that cannot be rated."""
    rows = SampledItem.objects.filter(project=project, item=OuterRef("pk"))
    return Subquery(rows.values("is_drawn")), Subquery(rows.values("probability"))


def card(project: Project, protocol: Protocol, *, with_names: bool) -> str:
    """Return README.md: front matter for programs, then text."""
    naming_note = "by user name" if with_names else "under pseudonyms"
    parts = [
        f"---\n{_front_matter(project, protocol)}---",
        f"# {escaped(project.title)}",
        f"Ratings of responses of language models, {protocol.unit} by {protocol.unit}, under the protocol "
        f"*{escaped(protocol.title)}* (`{protocol.slug}` {protocol.version}). Raters are listed {naming_note}.",
        _usage(),
        *(_config(config) for config in configs(project, protocol)),
        "## Questions",
        "#" + guidelines(protocol, project.guidelines.all()).replace("\n#", "\n##").strip(),
        "## Limitations",
        NOTES,
    ]
    return "\n\n".join(parts) + "\n"


NOTES = (
    "Ratings of one prompt resemble each other: intervals that take them as independent are too narrow. A proportion "
    "is taken among the answers that its measure names. Rows with the role `gold`, `adjudicator` or `judge` "
    "are not ratings of raters. License and languages are not filled in: the publisher adds them to the lines "
    "above."
)


def _usage() -> str:
    return (
        "```python\nfrom datasets import load_dataset\n\n"
        'ratings = load_dataset("path/to/this/folder", "ratings", split="train")\n```'
    )


def _config(config: Config) -> str:
    lines = [f"| `{column.name}` | {_type(column)} | {_column_description(column)} |" for column in config.columns]
    table = "\n".join(["| column | type | description |", "|---|---|---|", *lines])
    return f"## {config.name}: {config.holds}\n\n{table}"


def _column_description(column: Column) -> str:
    """Return a question's text without markup; other columns hold Markdown."""
    return escaped(column.holds) if column.name.startswith(f"{ANSWERS}.") else column.holds


def _front_matter(project: Project, protocol: Protocol) -> str:
    """Return YAML. Texts are written as JSON strings, which are valid YAML."""
    lines = [
        f"pretty_name: {_yaml_string(project.title)}",
        "tags:",
        *(f"- {tag}" for tag in TAGS),
    ]
    lines.append("configs:")
    for number, config in enumerate(configs(project, protocol)):
        lines += [f"- config_name: {config.name}", *(["  default: true"] if number == 0 else [])]
        lines += ["  data_files:", "  - split: train", f"    path: data/{config.name}.parquet"]
    lines.append("dataset_info:")
    for config in configs(project, protocol):
        lines += [f"- config_name: {config.name}", "  features:"]
        for column in config.columns:
            lines += [f"  - name: {_yaml_string(column.name)}", f"    dtype: {_yaml_string(_type(column))}"]
    return "\n".join(lines) + "\n"


def _type(column: Column) -> str:
    return _TYPES.get(column.kind, "string")


def _yaml_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _in_project(project: Project) -> QuerySet[Response]:
    """Return the responses that are rated or to be rated in the project."""
    sheets, rated = Sheet.objects.filter(project=project), Tally.objects.filter(project=project, n__gt=0)
    pairs = sheets.filter(against__isnull=False)
    in_sheets = Q(pk__in=sheets.values("response")) | Q(pk__in=pairs.values("against"))
    return Response.objects.filter(in_sheets | Q(pk__in=rated.values("response")))


def _named_rows(columns: Iterable[Column], value_rows: Iterable[tuple[Any, ...]]) -> Iterator[Row]:
    names = [column.name for column in columns]
    return (dict(zip(names, row, strict=True)) for row in value_rows)
