"""The parts of a protocol that is being edited: its tables and conditions as they stand, with or without mistakes.

The fields are those of a TOML text. A path leads to a table or a value, as in `toml_lines`.
"""

from collections.abc import Iterator, Mapping
from typing import cast

from .toml_lines import KeyPath

Fields = Mapping[str, object]
Terms = dict[str, list[str]]
"""A condition: question key -> values."""

LISTS = ("questions", "measures", "means", "correlations", "scores")
INNER_LISTS = {"questions": "options", "scores": "weights", "example": "items"}
EXAMPLE, PRACTICE = "example", "practice"
CONDITIONS = {
    "questions": ("show_when", "require_when"),
    "measures": ("counts", "among"),
    "scores": ("among",),
    "weights": ("when",),
}


def entries(fields: Fields, key: str) -> list[Fields]:
    """Return the tables of a list; none where there is no list."""
    value = fields.get(key)
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def has_parts(fields: Fields) -> bool:
    """Return whether the example and each list hold tables and nothing else, so that the parts can be edited."""
    example = fields.get(EXAMPLE, {})
    if not isinstance(example, dict) or not isinstance(example.get(PRACTICE, {}), dict):
        return False
    lists: list[tuple[Fields, str]] = [(fields, key) for key in LISTS]
    lists += [(entry, inner) for key, inner in INNER_LISTS.items() for entry in entries(fields, key)]
    lists.append((example, INNER_LISTS[EXAMPLE]))
    present = [(table[key], entries(table, key)) for table, key in lists if key in table]
    return all(isinstance(value, list) and len(value) == len(tables_) for value, tables_ in present)


def tables(fields: Fields) -> Iterator[tuple[KeyPath, Fields]]:
    """Yield each table with its path: the protocol, then its parts in the order of the form."""
    yield (), fields
    for name in LISTS:
        for n, entry in enumerate(entries(fields, name)):
            yield (name, n), entry
            inner = INNER_LISTS.get(name, "")
            for m, inner_entry in enumerate(entries(entry, inner)):
                yield (name, n, inner, m), inner_entry
    example = fields.get(EXAMPLE)
    if isinstance(example, dict):
        yield (EXAMPLE,), example
        inner = INNER_LISTS[EXAMPLE]
        for n, entry in enumerate(entries(example, inner)):
            yield (EXAMPLE, inner, n), entry
        if isinstance(example.get(PRACTICE), dict):
            yield (EXAMPLE, PRACTICE), example[PRACTICE]


def list_name(path: KeyPath) -> str:
    """Return the name of the list that a table is in, or of a table in no list; "" for the protocol."""
    if not path:
        return ""
    return cast(str, path[-2] if isinstance(path[-1], int) else path[-1])


def conditions(fields: Fields) -> Iterator[tuple[KeyPath, Terms]]:
    """Yield each condition that a table has or can have, with its path."""
    for path, table in tables(fields):
        for name in CONDITIONS.get(list_name(path), ()):
            yield (*path, name), terms_of(table, name)


def example_answers(fields: Fields) -> Iterator[tuple[KeyPath, Fields]]:
    """Yield the answers of each item of the worked example, with their path."""
    for path, table in tables(fields):
        answers = table.get("answers")
        if path[:1] == (EXAMPLE,) and isinstance(answers, dict):
            yield (*path, "answers"), answers


def terms_of(table: Fields, name: str) -> Terms:
    """Return a condition as far as it can be read."""
    value = table.get(name)
    return {key: strings(values) for key, values in value.items()} if isinstance(value, dict) else {}


def strings(values: object) -> list[str]:
    """Return the strings of a list; none where there is no list."""
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []


def text_of(table: Fields, key: str) -> str:
    """Return a text; "" where there is none."""
    value = table.get(key)
    return value if isinstance(value, str) else ""


def keys_of(fields: Fields, name: str) -> list[str]:
    """Return the keys of the tables of a list."""
    return [text_of(entry, "key") for entry in entries(fields, name)]


def options_by_question(fields: Fields, before: int | None = None) -> dict[str, list[Fields]]:
    """Return the options of each choice question by its key; only of the first `before` questions."""
    questions = entries(fields, "questions")[:before]
    return {text_of(each, "key"): entries(each, "options") for each in questions if each.get("kind") == "choice"}
