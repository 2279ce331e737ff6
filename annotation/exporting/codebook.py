"""The meaning of every column, answer and figure of a bundle, generated from the protocol."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..csv_guarding import csv_text
from ..protocols import Condition, Protocol
from ..reporting.tables.markdown import escaped
from ..reporting.tables.tidy import guarded
from .protocol_markdown import asked_when, in_words
from .rating_columns import ANSWERS, BUNDLE_COLUMNS, Column, columns, flat_columns
from .study_files import STUDY_FILES, StudyFile, columns_of

HEAD = ("file", "column", "kind", "value", "meaning")
MEASURES_FILE, MEANS_FILE, METADATA_FILE = "measures.csv", "means.csv", "metadata.csv"
SCORES_FILE = "scores.csv"
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


@dataclass(frozen=True)
class Entry:
    """One line of the codebook. `value` is empty if the line describes the column itself; `own`: the meaning is this
    program's Markdown, not the protocol's text.
    """

    file: str
    column: str
    kind: str
    value: str
    meaning: str
    own: bool = False


def entries(protocol: Protocol, files: Mapping[str, StudyFile] = STUDY_FILES) -> Iterator[Entry]:
    """Yield every column of every file, each followed by its values if they are known. `files`: the JSON Lines."""
    for column in (*flat_columns(protocol), *BUNDLE_COLUMNS):
        yield _entry("ratings.csv", column, protocol)
        yield from _options(column, protocol)
    for column in columns():
        if column.name == ANSWERS:
            yield _entry("ratings.jsonl", column, protocol)
    for column in MEASURE_COLUMNS:
        yield _entry(MEASURES_FILE, column, protocol)
        if column.name == "key":
            yield from _measures(protocol)
    if protocol.means:
        yield from (_entry(MEANS_FILE, column, protocol) for column in MEAN_COLUMNS)
    if protocol.scores:
        for column in SCORE_COLUMNS:
            yield _entry(SCORES_FILE, column, protocol)
            if column.name == "key":
                yield from _scores(protocol)
    yield from (_entry(METADATA_FILE, column, protocol) for column in METADATA_COLUMNS)
    for name, file in files.items():
        yield from (_entry(name, column, protocol) for column in columns_of(file.line))


def codebook_csv(protocol: Protocol, files: Mapping[str, StudyFile] = STUDY_FILES) -> str:
    """Return the codebook for programs; `files`: of a bundle, the JSON Lines."""
    lines = ([guarded(getattr(entry, name)) for name in HEAD] for entry in entries(protocol, files))
    return csv_text([HEAD, *lines])


def codebook_markdown(protocol: Protocol, files: Mapping[str, StudyFile] = STUDY_FILES) -> str:
    """Return the codebook for people, one table per file."""
    entries_by_file: dict[str, list[Entry]] = {}
    for entry in entries(protocol, files):
        entries_by_file.setdefault(entry.file, []).append(entry)
    parts = ["# Codebook", f"Protocol `{protocol.slug}`, version {protocol.version}: {protocol.title}."]
    for file, lines in entries_by_file.items():
        parts += [f"## {file}", _table(lines)]
    return "\n\n".join([*parts, CLOSING_NOTE]) + "\n"


CLOSING_NOTE = (
    "Times are in UTC. An empty cell is an absent value. What a spreadsheet would take for a formula, in a cell or "
    "after a semicolon, tab or line break in it, has one apostrophe before it, which is not part of the text. "
    "`ratings.jsonl` has the ratings of `ratings.csv`, one JSON object a line, as an import reads them; in the other "
    "`.jsonl` files a field is absent where it is empty, false, or the usual value (`kind` is sentence, `rate` is "
    "true); `report.json` and the files under `tables` are the report."
)


def measure_rows(protocol: Protocol) -> Iterator[tuple[str, str, str, str, str]]:
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


def mean_rows(protocol: Protocol) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield the rows of means.csv, which a bundle contains if the protocol defines means."""
    for mean in protocol.means:
        yield from ((mean.key, measure, "", "", "") for measure in mean.of)
        yield from ((mean.key, "", mean.question, answer, repr(worth)) for answer, worth in mean.values)


def score_rows(protocol: Protocol) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield the rows of scores.csv, which a bundle contains if the protocol defines scores."""
    for score in protocol.scores:
        for question, answers in score.among.items():
            yield from ((score.key, "", "", question, answer) for answer in answers)
        for place, entry in enumerate(score.weights, 1):
            for question, answers in entry.when.items():
                yield from ((score.key, str(place), repr(entry.weight), question, answer) for answer in answers)


def _scores(protocol: Protocol) -> Iterator[Entry]:
    for score in protocol.scores:
        among = f"among those where {in_words(score.among, protocol)}" if score.among else "among all"
        weights = "; ".join(f"{entry.weight:g} where {in_words(entry.when, protocol)}" for entry in score.weights)
        meaning = f"{score.label}: {score.description} Weights per 100 ratings, {among}: {weights}."
        yield Entry(SCORES_FILE, "key", "score", score.key, meaning)


def _conditions(part: str, key: str, counts: Condition, among: Condition) -> Iterator[tuple[str, str, str, str, str]]:
    for name, condition in (("counts", counts), ("among", among)):
        for question, answers in condition.items():
            yield from ((part, key, name, question, answer) for answer in answers)


def _entry(file: str, column: Column, protocol: Protocol) -> Entry:
    if not column.name.startswith(f"{ANSWERS}."):
        return Entry(file, column.name, column.kind, "", column.holds, own=True)
    question = protocol.question(column.name.removeprefix(f"{ANSWERS}."))
    meaning = " ".join(filter(None, [question.text, question.help, asked_when(question, protocol)]))
    return Entry(file, column.name, column.kind, "", meaning)


def _options(column: Column, protocol: Protocol) -> Iterator[Entry]:
    key = column.name.removeprefix(f"{ANSWERS}.")
    if key == column.name:
        return
    for option in protocol.question(key).options:
        meaning = f"{option.label}: {option.definition}" if option.definition else option.label
        yield Entry("ratings.csv", column.name, "answer", option.key, meaning)


def _measures(protocol: Protocol) -> Iterator[Entry]:
    for measure in protocol.measures:
        counted = f"counts where {in_words(measure.counts, protocol)}"
        among = f"among those where {in_words(measure.among, protocol)}" if measure.among else "among all"
        meaning = f"{measure.label}: {measure.description} It {counted}, {among}."
        yield Entry(MEASURES_FILE, "key", "measure", measure.key, meaning)


def _table(lines: list[Entry]) -> str:
    rows = [
        f"| {f'`{line.column}`' if not line.value else ''} | {line.kind} | {f'`{line.value}`' if line.value else ''} "
        f"| {line.meaning if line.own else escaped(line.meaning)} |"
        for line in lines
    ]
    return "\n".join(["| column | kind | value | meaning |", "|---|---|---|---|", *rows])
