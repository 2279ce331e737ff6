"""The structure of a custom file, guessed from its first rows: its columns and their likely fields."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePath
from typing import Any

from .article_files import ARTICLES, is_article
from .column_mapping import FIELDS, SEVERAL, Columns
from .input_files import FileReader, SourceFile
from .problems import Problems, plain_name
from .rows import RowReader, rows_in
from .tabular_files import Row

SAMPLE_ROWS = 200
MIN_DISTINCT_ROWS = 10  # with fewer rows, values that all differ mean nothing
MAX_VALUE_LENGTH = 200  # characters of a group's name; a longer value is text
SAMPLES = 3
SAMPLE_LENGTH = 160

_NAMES: dict[str, tuple[str, ...]] = {
    "prompt": ("prompt", "question", "query", "instruction", "input", "prompt_text", "question_text", "user"),
    "prompt_id": ("prompt_id", "question_id", "query_id", "qid", "q_id", "prompt_key"),
    "response": ("response", "answer", "output", "completion", "generation", "response_text", "answer_text", "reply"),
    "response_id": ("response_id", "answer_id", "output_id"),
    "system": ("system", "model", "model_name", "system_name", "model_id", "llm"),
    "reference": ("reference", "gold", "gold_answer", "reference_answer", "ground_truth", "expected", "target"),
    "document": ("document", "article", "context", "passage", "source_text", "document_text", "article_text"),
    "document_id": ("document_id", "doc_id", "article_id", "file", "filename", "file_name", "pdf", "document_file"),
    "document_title": ("document_title", "article_title", "doc_title"),
}
_IN_A_LIST = re.compile(
    r"(.*\.)?(responses|answers|outputs|completions|generations|candidates|systems|models)\[\]\.(text|content)", re.I
)
_ONE_A_SYSTEM = re.compile(
    r"(response|answer|ans|output|completion)[_ .-].+|.+[_ .-](response|answer|ans|output|completion)", re.I
)
_NOT_A_SYSTEM = re.compile(r"(^|[_ .-])(id|ids|type|gold|reference|correct|length|tokens|score|label)($|[_ .-])", re.I)


@dataclass
class Column:
    """A column of the mapping page: how many of the rows have it, and sample values."""

    name: str
    filled: int = 0
    samples: list[str] = field(default_factory=list)

    def take(self, value: Any) -> None:
        """Note one row's value."""
        self.filled += 1
        sample = value if isinstance(value, str) else str(value)
        sample = " ".join(sample[: 4 * SAMPLE_LENGTH].split())
        if len(self.samples) < SAMPLES and sample and sample not in self.samples:
            self.samples.append(sample[:SAMPLE_LENGTH] + ("…" if len(sample) > SAMPLE_LENGTH else ""))


@dataclass
class RowSample:
    """The first rows of the non-empty files, and their columns."""

    rows: list[Row]
    columns: dict[str, Column]
    articles: list[str]

    @property
    def names(self) -> list[str]:
        return list(self.columns)


def sample_rows(files: Iterable[SourceFile], reader: RowReader = rows_in) -> RowSample:
    """Return the first rows of all files together, read by `reader`. Raise Refused if one of them cannot be read."""
    rows: list[Row] = []
    articles: list[str] = []
    for source in files:
        file_reader = FileReader(source)
        if is_article(file_reader):
            articles.append(source.display_name)
        elif len(rows) < SAMPLE_ROWS:
            with Problems() as problems:
                rows += islice(reader(file_reader, problems), SAMPLE_ROWS - len(rows))
    columns: dict[str, Column] = {}
    for row in rows:
        for name, value in row.values.items():
            column = columns.setdefault(name, Column(name))
            if value not in (None, "", []):
                column.take(value)
    return RowSample(rows, columns, articles)


def guess_columns(sample: RowSample) -> Columns:
    """Return the mapping that the columns' names suggest. Other columns are metadata: of the prompt if all rows of a
    prompt agree, else of the response; columns unsuitable for a breakdown (long texts, lists of lists, a different
    value in each row) are left out. The result may lack a prompt.
    """
    by_name = {plain_name(name.rsplit("[].", 1)[-1].rsplit(".", 1)[-1]): name for name in reversed(sample.names)}
    columns_by_field: dict[str, tuple[str, ...]] = {}
    for field_name, names in _NAMES.items():
        if column := next((by_name[name] for name in names if name in by_name), ""):
            columns_by_field[field_name] = (column,)
    if (
        "document_id" not in columns_by_field
        and "document" in columns_by_field
        and _are_files(sample, columns_by_field["document"][0])
    ):
        columns_by_field["document_id"] = columns_by_field.pop("document")
    _guess_files(sample, columns_by_field)
    if "response" not in columns_by_field and (column := next(filter(_IN_A_LIST.fullmatch, sample.names), "")):
        columns_by_field["response"] = (column,)
    if "response" not in columns_by_field:
        used_names = {name for names in columns_by_field.values() for name in names}
        answer_columns = [
            n
            for n in sample.names
            if n not in used_names and _ONE_A_SYSTEM.fullmatch(n) and not _NOT_A_SYSTEM.search(n)
        ]
        if answer_columns:
            columns_by_field["response"] = tuple(answer_columns)
            if len(answer_columns) > 1:
                columns_by_field.pop("system", None)
    _guess_id(sample, columns_by_field)
    if "response" not in columns_by_field:
        for about in ("system", "response_id"):
            columns_by_field.pop(about, None)
    used_columns = {name for names in columns_by_field.values() for name in names}
    columns_by_field["leave_out"] = columns_by_field.get("leave_out", ()) + tuple(
        name for name in sample.names if name not in used_columns and not _divides(sample, name)
    )
    return map_remaining_columns(Columns(columns_by_field), sample)


def _divides(sample: RowSample, name: str) -> bool:
    """Return whether the column could divide prompts into meaningful groups."""
    values = [row.values[name] for row in sample.rows if row.values.get(name) not in (None, "", [], {})]
    single = [value for each in values for value in (each if isinstance(each, list) else [each])]
    if any(isinstance(value, dict | list) or len(str(value)) > MAX_VALUE_LENGTH for value in single):
        return False
    return bool(single) and (len(values) < MIN_DISTINCT_ROWS or len(set(map(str, single))) < len(values))


def map_remaining_columns(columns: Columns, sample: RowSample) -> Columns:
    """Return the mapping with a field for every column of the file. Columns without a field become metadata; missing
    columns are dropped unless they identify a prompt or a response.
    """
    columns_by_field = {field: list(columns.by_field.get(field, ())) for field in FIELDS}
    mapped = columns.mapped
    for name in sample.names:
        if name not in mapped:
            about_prompt = not columns.column_of("response") or _is_of_prompt(sample, name, columns)
            columns_by_field["metadata" if about_prompt else "response_metadata"].append(name)
    return Columns({field: tuple(names) for field, names in columns_by_field.items() if names})


def _guess_files(sample: RowSample, columns_by_field: dict[str, tuple[str, ...]]) -> None:
    """Guess the column that names articles, whatever its name."""
    used_columns = {name for names in columns_by_field.values() for name in names}
    if not {"document", "document_id"} & columns_by_field.keys():
        named = (
            name for name in sample.names if name not in used_columns and "[]." not in name and _are_files(sample, name)
        )
        if column := next(named, ""):
            columns_by_field["document_id"] = (column,)


def _guess_id(sample: RowSample, columns_by_field: dict[str, tuple[str, ...]]) -> None:
    """Guess whether `id` is the prompt's or of the rows: then a prompt has several, and each one prompt. An id that
    repeats with another prompt is guessed to be the prompt's, which is an error that names it. That of rows is
    metadata; only where an answer repeats it is the response's, if each row has another one."""
    name = next((name for name in sample.names if plain_name(name) == "id"), "")
    if not name or "prompt" not in columns_by_field:
        return
    prompt_columns = [
        column for field in ("prompt", "document", "document_id") for column in columns_by_field.get(field, ())
    ]
    rows = [row.values for row in sample.rows if row.values.get(name) not in (None, "")]
    pairs = {(str(row[name]), str([row.get(column) for column in prompt_columns])) for row in rows}
    ids, prompts = ({pair[n] for pair in pairs} for n in (0, 1))
    responses = columns_by_field.get("response", ())
    are_of_rows = responses and len(prompts) < len(pairs) == len(ids)
    if not are_of_rows and "prompt_id" not in columns_by_field:
        columns_by_field |= {"prompt_id": (name,)} if rows else {}
    elif responses:
        prompt_columns += columns_by_field.get("system", ())
        answers = {
            (str(row[name]), str([column, *(row.get(each) for each in (column, *prompt_columns))]))
            for row in rows
            for column in responses
        }
        field = "response_metadata"
        if len({answer for _id, answer in answers}) < len(answers) and "response_id" not in columns_by_field:
            field = "response_id" if len(responses) == 1 and len(ids) == len(rows) else "leave_out"
        columns_by_field[field] = (name,)


def _is_of_prompt(sample: RowSample, name: str, columns: Columns) -> bool:
    if "[]." in name:
        return False
    key = columns.column_of("prompt_id") or columns.column_of("prompt")
    value_of_prompt: dict[str, str] = {}
    return all(
        value_of_prompt.setdefault(str(row.values.get(key)), str(row.values.get(name))) == str(row.values.get(name))
        for row in sample.rows
    )


def _are_files(sample: RowSample, name: str) -> bool:
    """Return whether the column names files: by their extensions, or articles in the same folder."""
    article_names = {PurePath(article).stem for article in sample.articles}
    samples = sample.columns[name].samples
    return bool(samples) and all(s.lower().endswith(ARTICLES) or PurePath(s).name in article_names for s in samples)


assert set(_NAMES) | set(SEVERAL) == set(FIELDS)
