"""A protocol's TOML text that is edited part by part: parts are added and moved, keys change with all references."""

from collections import Counter
from collections.abc import Mapping
from string import ascii_lowercase
from typing import cast

from .draft_fields import (
    EXAMPLE,
    Fields,
    Terms,
    conditions,
    entries,
    example_answers,
    keys_of,
    list_name,
    strings,
    tables,
    text_of,
)
from .loading import TAKEN_SHORTCUTS
from .toml_document import TomlDocument, TomlValue
from .toml_lines import KeyPath

STARTER = """\
slug = ""
version = "1"
title = ""
unit = "sentence"
intro = ""

[[questions]]
key = "correct"
text = "Is the sentence correct?"
kind = "choice"

[[questions.options]]
key = "yes"
label = "Correct"
shortcut = "1"
sign = "✓"
tone = "accurate"

[[questions.options]]
key = "no"
label = "Incorrect"
shortcut = "2"
sign = "✕"
tone = "inaccurate"

[[questions.options]]
key = "cannot_assess"
label = "Can't assess"
shortcut = "3"
sign = "–"
tone = "cannot"

# Can't assess is not among the answers that a measure is taken over: it is left out of every proportion.

[[measures]]
key = "correct"
label = "Correct"
description = "Rated Correct, of all ratings except Can't assess."
counts = { correct = ["yes"] }
among = { correct = ["yes", "no"] }
better = "higher"
"""
"""The text that a new protocol begins with."""


_NEW_ITEM: Mapping[str, TomlValue] = {"text": "", "answers": {}, "explanation": ""}


class ProtocolDraft:
    """A TOML text whose lists hold tables (`draft_fields.has_parts`)."""

    def __init__(self, source: str) -> None:
        self._document = TomlDocument(source)
        self.fields: Fields = self._document.fields

    @property
    def source(self) -> str:
        return self._document.text

    def set(self, path: KeyPath, value: TomlValue | None) -> None:
        """Set a value of a table; None and an empty condition remove it."""
        self._document.set(path, None if value == {} else value)
        self.fields = self._document.fields

    # Keys

    def rename(self, renames: Mapping[KeyPath, str]) -> None:
        """Give tables, by their paths, other keys, in all that refers to them too.

        References stay as they are where a key, before or after, is that of two tables.
        """
        new = _NewKeys(self.fields, renames)
        for path, terms in conditions(self.fields):
            self._set_changed(path, terms, new.condition(terms))
        for n, mean in enumerate(entries(self.fields, "means")):
            self._rename_in_mean(("means", n), mean, new)
        for n, correlation in enumerate(entries(self.fields, "correlations")):
            between = strings(correlation.get("between"))
            self._set_changed(("correlations", n, "between"), between, [new.means.get(key, key) for key in between])
        for path, answers in example_answers(self.fields):
            self._set_changed(path, cast(TomlValue, answers), new.answers(answers))
        for path, key in renames.items():
            self._document.set((*path, "key"), key)
        self.fields = self._document.fields

    def _rename_in_mean(self, path: KeyPath, mean: Fields, new: "_NewKeys") -> None:
        parts, question, values = strings(mean.get("of")), text_of(mean, "question"), mean.get("values")
        keys = {**new.measures, **new.means}
        self._set_changed((*path, "of"), parts, [keys.get(key, key) for key in parts])
        self._set_changed((*path, "question"), question, new.questions.get(question, question))
        if isinstance(values, dict):
            renamed = {new.options.get((question, key), key): value for key, value in values.items()}
            self._set_changed((*path, "values"), cast(TomlValue, values), cast(TomlValue, renamed))

    def _set_changed(self, path: KeyPath, before: TomlValue, after: TomlValue) -> None:
        if after != before:
            self._document.set(path, after)

    # Parts

    def add_table(self, path: KeyPath) -> KeyPath:
        """Add the worked example with an empty item, or its practice item; return the path."""
        is_example = path == (EXAMPLE,)
        self._document.add_table(path, {"prompt": "", "items": [_NEW_ITEM]} if is_example else _NEW_ITEM)
        self.fields = self._document.fields
        return path

    def add(self, name: str, parent: KeyPath = ()) -> KeyPath:
        """Append a table to the list `name` of a table; return its path."""
        path = (*parent, name)
        table = dict(tables(self.fields))[parent]
        self._document.append(path, self._new_table(name, keys_of(table, name)))
        self.fields = self._document.fields
        return (*path, len(entries(dict(tables(self.fields))[parent], name)) - 1)

    def _new_table(self, name: str, keys: list[str]) -> Mapping[str, TomlValue]:
        if name == "weights":
            return {"when": {}, "weight": 1}
        if name == "items":
            return _NEW_ITEM
        stem = name.removesuffix("s")
        numbered = (f"{stem}_{n}" for n in range(1, len(set(keys)) + 2))
        table: dict[str, TomlValue] = {"key": next(key for key in numbered if key not in keys)}
        if name == "questions":
            options = [{"key": f"option_{n}", "label": ""} for n in (1, 2)]
            return {**table, "text": "", "kind": "choice", "options": options}
        table |= {"label": ""}
        if name == "options" and (shortcut := self._free_shortcut()):
            table |= {"shortcut": shortcut}
        return table

    def _free_shortcut(self) -> str:
        used = {text_of(table, "shortcut") for _path, table in tables(self.fields)}
        free = [key for key in "123456789" + ascii_lowercase if key not in used and key not in TAKEN_SHORTCUTS]
        return free[0] if free else ""

    def remove(self, path: KeyPath) -> None:
        """Remove a table. An option is removed from the conditions that name others beside it too."""
        if list_name(path) == "options":
            question, key = (text_of(dict(tables(self.fields))[each], "key") for each in (path[:2], path))
            for where, terms in conditions(self.fields):
                rest = [value for value in terms.get(question, []) if value != key]
                if rest and len(rest) < len(terms[question]):
                    self._document.set(where, {**terms, question: rest})
        self._document.remove(path)
        self.fields = self._document.fields

    def move(self, path: KeyPath, step: int) -> KeyPath:
        """Move a table by one place (`step` 1 or -1); return its new path, the same at the end of the list."""
        where, n = path[:-1], cast(int, path[-1])
        length = len(entries(dict(tables(self.fields))[where[:-1]], list_name(path)))
        if not 0 <= n + step < length:
            return path
        self._document.swap(where, min(n, n + step))
        self.fields = self._document.fields
        return (*where, n + step)


class _NewKeys:
    """Old key -> new key, for questions, options (by the old key of their question), measures and means."""

    def __init__(self, fields: Fields, renames: Mapping[KeyPath, str]) -> None:
        self.questions = _unambiguous(fields, renames, ("questions",))
        self.measures = _unambiguous(fields, renames, ("measures",))
        self.means = _unambiguous(fields, renames, ("means",))
        self.options = {
            (key, old): new
            for n, key in enumerate(keys_of(fields, "questions"))
            for old, new in _unambiguous(entries(fields, "questions")[n], renames, ("questions", n, "options")).items()
        }

    def condition(self, terms: Terms) -> Terms:
        """Return a condition with the new keys."""
        return {
            self.questions.get(question, question): [self.options.get((question, value), value) for value in values]
            for question, values in terms.items()
        }

    def answers(self, answers: Fields) -> TomlValue:
        """Return the answers of an item of the worked example with the new keys."""
        return {
            self.questions.get(key, key): self.options.get((key, cast(str, value)), cast(str, value))
            for key, value in answers.items()
        }


def _unambiguous(table: Fields, renames: Mapping[KeyPath, str], path: KeyPath) -> dict[str, str]:
    """Return the new keys of the list at `path`, without those that two tables have."""
    before = keys_of(table, cast(str, path[-1]))
    after = [renames.get((*path, n), key) for n, key in enumerate(before)]
    counts = Counter(before), Counter(after)
    return {
        old: new
        for old, new in zip(before, after, strict=True)
        if old != new and counts[0][old] == 1 and counts[1][new] == 1
    }
