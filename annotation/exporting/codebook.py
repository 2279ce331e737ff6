"""The meaning of every column, answer and figure of a bundle, and its tables that follow from the protocol."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from ..csv_guarding import csv_text
from ..protocols import Condition, Protocol
from ..reporting.tables.markdown import escaped
from ..reporting.tables.tidy import guarded
from .protocol_markdown import asked_when, in_words, those_where
from .rating_columns import ANSWERS, Column, Row, named_rows

MEASURES_FILE, MEANS_FILE, SCORES_FILE, METADATA_FILE = "measures.csv", "means.csv", "scores.csv", "metadata.csv"
HEAD = ("file", "column", "kind", "value", "meaning")
Cells = tuple[str, str, str, str, str]
MEASURE_COLUMNS = (
    Column("part", "text", "where report.json has the figure: measures, shares or shares_of_assessed of a cell"),
    Column("key", "text", "its key there: a measure, or an option"),
    Column("condition", "text", "counts: what is counted; among: what it is counted among; no such row: all ratings"),
    Column("question", "text", "a question of the protocol"),
    Column("answer", "text", "an answer with which the condition holds; it must hold for every question named"),
)
MEAN_COLUMNS = (
    Column("key", "text", "a mean over responses, as report.json calls it"),
    Column("measure", "text", "a response's value is its own proportion under it; under two, their harmonic mean"),
    Column("question", "text", "or a response's value is the mean of what its ratings answered to this question"),
    Column("answer", "text", "an answer to it"),
    Column("worth", "number", "what that answer is worth"),
)
SCORE_COLUMNS = (
    Column("key", "text", "a score, as report.json calls it: the sum of weights per 100 ratings"),
    Column("place", "whole", "the place of a weight, from 1: the first whose condition holds counts; empty for among"),
    Column("weight", "number", "the weight of a rating; a rating for which no condition holds weighs 0"),
    Column("question", "text", "a question of the condition, which must hold for every question named"),
    Column("answer", "text", "an answer with which the condition holds; without a place: the ratings it is among"),
)
METADATA_COLUMNS = (
    Column("prompt", "text", "imported id of the prompt"),
    Column("key", "text", "what is known of it, as report.json calls the table"),
    Column("value", "text", "a value of it; a prompt with several values has several rows"),
)
CLOSING_NOTE = (
    "Times are in UTC. An empty cell is an absent value. What a spreadsheet would take for a formula, in a cell or "
    "after a semicolon, tab or line break in it, has one apostrophe before it, which is not part of the text. "
    "`ratings.jsonl` has the ratings of `ratings.csv`, one JSON object a line, as an import reads them; in the other "
    "`.jsonl` files a field is absent where it is empty, false, or the usual value (`kind` is sentence, `rate` is "
    "true); `report.json` and the files under `tables` are the report."
)


class Entry(NamedTuple):
    """One line of the codebook. `value` is empty if the line describes the column itself; `own`: the meaning is this
    program's Markdown, not the protocol's text.
    """

    file: str
    column: str
    kind: str
    value: str
    meaning: str
    own: bool = False


def entries(protocol: Protocol, columns_by_file: Mapping[str, Iterable[Column]]) -> Iterator[Entry]:
    """Yield every column of every file, each followed by its values if they are known."""
    for file, columns_of_file in columns_by_file.items():
        for column in columns_of_file:
            if not column.name.startswith(f"{ANSWERS}."):
                yield Entry(file, column.name, column.kind, "", column.holds, own=True)
                if column.name == "key":
                    yield from _figures(file, protocol)
                continue
            question = protocol.question(column.name.removeprefix(f"{ANSWERS}."))
            meaning = " ".join(filter(None, [question.text, question.help, asked_when(question, protocol)]))
            yield Entry(file, column.name, column.kind, "", meaning)
            for option in question.options:
                meaning = f"{option.label}: {option.definition}" if option.definition else option.label
                yield Entry(file, column.name, "answer", option.key, meaning)


def _figures(file: str, protocol: Protocol) -> Iterator[Entry]:
    """Yield the measures, or the scores, of the protocol as values of the column of their keys."""
    for measure in protocol.measures if file == MEASURES_FILE else ():
        counted = f"counts where {in_words(measure.counts, protocol)}, among {those_where(measure.among, protocol)}"
        meaning = f"{measure.label}: {measure.description} It {counted}."
        yield Entry(file, "key", "measure", measure.key, meaning)
    for score in protocol.scores if file == SCORES_FILE else ():
        weights = "; ".join(f"{entry.weight:g} where {in_words(entry.when, protocol)}" for entry in score.weights)
        counted = f"Weights per 100 ratings, among {those_where(score.among, protocol)}: {weights}."
        yield Entry(file, "key", "score", score.key, f"{score.label}: {score.description} {counted}")


def codebook_csv(protocol: Protocol, columns_by_file: Mapping[str, Iterable[Column]]) -> str:
    rows = (map(guarded, entry[: len(HEAD)]) for entry in entries(protocol, columns_by_file))
    return csv_text([HEAD, *rows])


def codebook_markdown(protocol: Protocol, columns_by_file: Mapping[str, Iterable[Column]]) -> str:
    parts = ["# Codebook", f"Protocol `{protocol.slug}`, version {protocol.version}: {protocol.title}."]
    for file, entries_of_file in groupby(entries(protocol, columns_by_file), key=attrgetter("file")):
        table = ["| column | kind | value | meaning |", "|---|---|---|---|"]
        for entry in entries_of_file:
            cells = ("", f"`{entry.value}`") if entry.value else (f"`{entry.column}`", "")
            meaning = entry.meaning if entry.own else escaped(entry.meaning)
            table.append(f"| {cells[0]} | {entry.kind} | {cells[1]} | {meaning} |")
        parts += [f"## {file}", "\n".join(table)]
    return "\n\n".join([*parts, CLOSING_NOTE]) + "\n"


def protocol_tables(protocol: Protocol) -> dict[str, tuple[Sequence[Column], Iterable[Row]]]:
    """Return columns and rows of the files that follow from the protocol, if it defines means and scores."""
    tables = {
        MEASURES_FILE: (MEASURE_COLUMNS, list(measure_rows(protocol))),
        MEANS_FILE: (MEAN_COLUMNS, list(mean_rows(protocol))),
        SCORES_FILE: (SCORE_COLUMNS, list(score_rows(protocol))),
    }
    return {name: (columns, named_rows(columns, rows)) for name, (columns, rows) in tables.items() if rows}


def measure_rows(protocol: Protocol) -> Iterator[Cells]:
    """Yield the rows of measures.csv: measures, then the shares of the options of the first measured question."""
    for measure in protocol.measures:
        yield from _conditions("measures", measure.key, measure.counts, measure.among)
    first = protocol.first_measured_question
    left_out = protocol.left_out(first.key)
    assessed = [key for key in first.option_keys if key not in left_out]
    condition = Condition.of({first.key: first.option_keys} if protocol.asks_by_kind else {})
    for key in first.option_keys:
        yield from _conditions("shares", key, Condition.of({first.key: [key]}), condition)
    for key in assessed:
        among = Condition.of({first.key: assessed})
        yield from _conditions("shares_of_assessed", key, Condition.of({first.key: [key]}), among)


def mean_rows(protocol: Protocol) -> Iterator[Cells]:
    for mean in protocol.means:
        yield from ((mean.key, measure, "", "", "") for measure in mean.of)
        yield from ((mean.key, "", mean.question, answer, repr(worth)) for answer, worth in mean.values)


def score_rows(protocol: Protocol) -> Iterator[Cells]:
    for score in protocol.scores:
        for question, answers in score.among.items():
            yield from ((score.key, "", "", question, answer) for answer in answers)
        for place, entry in enumerate(score.weights, 1):
            for question, answers in entry.when.items():
                yield from ((score.key, str(place), repr(entry.weight), question, answer) for answer in answers)


def _conditions(part: str, key: str, counts: Condition, among: Condition) -> Iterator[Cells]:
    for name, condition in (("counts", counts), ("among", among)):
        for question, answers in condition.items():
            yield from ((part, key, name, question, answer) for answer in answers)
