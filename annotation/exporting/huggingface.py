"""A folder that `datasets.load_dataset` reads: ratings, items and responses as Parquet, and a card that describes them.

The card's front matter names the files and the type of every column; the text below describes the data. Systems are
named; references and annotations of the data set are excluded, because they are not ours.
"""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db.models import Case, Q, Value, When
from django.db.models.functions import Collate

from ..models import Item, Project, Response, Sheet, Tally
from ..models.rated_items import is_rated
from ..pseudonyms import Pseudonyms
from ..reporting.tables.markdown import escaped
from ..site.database_transactions import one_snapshot
from .protocol_markdown import guidelines
from .rating_columns import (
    ANSWERS,
    ITEM_COLUMNS,
    SPAN_COLUMNS,
    Column,
    flat,
    flat_columns,
    named_rows,
    read_values,
    sample_columns,
    verdict_columns,
)
from .ratings import OnWritten, RowCounter, iter_rows
from .writers import Archive, write_parquet

RESPONSES = (
    Column("response", "text", "imported id of the response", "key"),
    Column("prompt", "text", "imported id of the prompt", "prompt__key"),
    Column("prompt_text", "text", "text of the prompt", "prompt__text"),
    Column("metadata", "json", "metadata of the prompt, as JSON; empty if there is none", "prompt__metadata"),
    Column("document", "text", "imported id of the prompt's document; empty if there is none", "prompt__document__key"),
    Column("document_title", "text", "its title", "prompt__document__title"),
    Column("system", "text", "system that produced the response", "system__name"),
    Column("text", "text", "text of the response, as imported"),
)
_TYPES = {"whole": "int64", "number": "float64", "time": "timestamp[us, tz=UTC]", "truth": "bool"}
NOTES = (
    "Ratings of one prompt resemble each other: intervals that take them as independent are too narrow. A proportion "
    "is taken among the answers that its measure names. Rows with the role `gold`, `adjudicator` or `judge` "
    "are not ratings of raters. License and languages are not filled in: the publisher adds them to the lines "
    "above."
)
USAGE = """```python
from datasets import load_dataset

ratings = load_dataset("path/to/this/folder", "ratings", split="train")
```"""


class Config(NamedTuple):
    """One table of the data set: its name, the meaning of a row, and its columns."""

    name: str
    holds: str
    columns: tuple[Column, ...]


def configs(project: Project) -> tuple[Config, Config, Config]:
    """Return the tables: ratings, which are loaded by default, items and responses."""
    ratings = (*flat_columns(project.protocol.definition), *verdict_columns(project), *sample_columns(project))
    is_asked = Case(When(is_rated(project), then=Value(True)), default=Value(False))
    items = (
        *ITEM_COLUMNS,
        Column(
            "kind", "text", "what the item is in the text: sentence, item, table_row, heading, code, math, reasoning"
        ),
        Column("rate", "truth", "whether raters were asked about it", is_asked),
        Column("claim_free", "text", "why it is likely free of claims; empty if it is not"),
        *SPAN_COLUMNS,
        *sample_columns(project, "pk"),
    )
    return (
        Config("ratings", "one rating a row", ratings),
        Config("items", "one part of a response a row, rated or not", items),
        Config("responses", "one response a row, with what was asked", RESPONSES),
    )


class HuggingFace:
    """Iterate once for the bytes of a zip of the folder. `on_written` is called with the number of ratings written."""

    content_type = "application/zip"

    def __init__(self, project: Project, *, with_names: bool = False, on_written: OnWritten | None = None):
        self.project, self.with_names = project, with_names
        self._names = None if with_names else Pseudonyms(project)
        self._on_written = on_written
        self._folder = f"{project.slug}-dataset{'-with-names' * with_names}"
        self.filename = f"{self._folder}.zip"

    def __iter__(self) -> Iterator[bytes]:
        project = self.project
        with one_snapshot():
            tables = configs(project)
            more = (*verdict_columns(project), *sample_columns(project))
            # The responses that are rated or to be rated in the project
            sheets, tallies = Sheet.objects.filter(project=project), Tally.objects.filter(project=project, n__gt=0)
            seconds = sheets.filter(against__isnull=False).values("against")
            responses = Response.objects.filter(
                Q(pk__in=sheets.values("response")) | Q(pk__in=seconds) | Q(pk__in=tallies.values("response"))
            )
            items = Item.objects.filter(response__in=responses, retired_at=None).order_by(
                Collate("response__key", "C"), Collate("against__key", "C"), "unit", "position"
            )
            rows = (
                map(flat, RowCounter(self._on_written).counted(iter_rows(project, more, names=self._names))),
                named_rows(tables[1].columns, read_values(items, tables[1].columns)),
                named_rows(RESPONSES, read_values(responses.order_by(Collate("key", "C")), RESPONSES)),
            )
            archive = Archive(self._folder)
            yield from archive.add("README.md", [card(project, tables, with_names=self.with_names).encode()])
            for table, rows_of_table in zip(tables, rows, strict=True):
                yield from archive.add(f"data/{table.name}.parquet", write_parquet(rows_of_table, table.columns))
            yield from archive.add("protocol.toml", [project.protocol.source.encode()])
            yield from archive.end()


def card(project: Project, tables: Iterable[Config], *, with_names: bool) -> str:
    protocol = project.protocol.definition
    # Texts are written as JSON strings, which are valid YAML.
    front = ["---", f"pretty_name: {_json(project.title)}", "tags:", "- factuality", "- human-evaluation", "configs:"]
    features, descriptions = ["dataset_info:"], []
    for number, (name, holds, columns) in enumerate(tables):
        front += [f"- config_name: {name}", *(["  default: true"] if number == 0 else [])]
        front += ["  data_files:", "  - split: train", f"    path: data/{name}.parquet"]
        features += [f"- config_name: {name}", "  features:"]
        lines = [f"## {name}: {holds}", "", "| column | type | description |", "|---|---|---|"]
        for column in columns:
            type_name = _TYPES.get(column.kind, "string")
            features += [f"  - name: {_json(column.name)}", f"    dtype: {_json(type_name)}"]
            # A question's text has no markup; other columns hold Markdown.
            is_answer = column.name.startswith(f"{ANSWERS}.")
            description = escaped(column.holds) if is_answer else column.holds
            lines.append(f"| `{column.name}` | {type_name} | {description} |")
        descriptions.append("\n".join(lines))
    parts = [
        "\n".join([*front, *features, "---"]),
        f"# {escaped(project.title)}",
        f"Ratings of responses of language models, {protocol.unit} by {protocol.unit}, under the protocol "
        f"*{escaped(protocol.title)}* (`{protocol.slug}` {protocol.version}). Raters are listed "
        f"{'by user name' if with_names else 'under pseudonyms'}.",
        USAGE,
        *descriptions,
        "## Questions",
        "#" + guidelines(protocol, project.guidelines.all()).replace("\n#", "\n##").strip(),
        "## Limitations",
        NOTES,
    ]
    return "\n\n".join(parts) + "\n"


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
