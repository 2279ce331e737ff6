"""The files of a bundle, read into rows and arrays."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

Row = Mapping[str, str]
Figures = dict[str, Any]
"""Figures of a part of the report, by name, in the form of its JSON."""
Condition = dict[str, set[str]]  # question: answers
Cell = tuple[str, str, str]  # table, system, value
_HIDDEN = r'"\x0b\x0c\x1c-\x20\x85\xa0\xad\u034f\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff'
GUARDED = re.compile(  # an apostrophe keeps spreadsheets from evaluating what follows it
    rf"^'(?='*[\t\r\n])|(?:^|(?<=[;\t\r\n]))'(?='*[{_HIDDEN}]*[=+\-@\uff1d\uff0b\uff0d\uff20])"
)
ADJUDICATOR = "adjudicator"


def read_table(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV file."""
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield {key: GUARDED.sub("", cell) for key, cell in row.items()}


@dataclass(frozen=True)
class Ratio:
    """A proportion of the report: `part` and `key` are its place in a cell."""

    part: str
    key: str
    counts: Condition
    among: Condition


def holds(condition: Condition, row: Row) -> bool:
    return all(row["answers." + question] in answers for question, answers in condition.items())


class Study:
    """A bundle: `report`, `protocol`, all rows of ratings.csv, and those that the report counts."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.report: Figures = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        self.protocol: Figures = tomllib.loads((folder / "protocol.toml").read_text(encoding="utf-8"))
        self.rows = list(read_table(folder / "ratings.csv"))
        self.stored = [row for row in self.rows if row["in_report"] == "1"]
        self.counted = self.turned(self.stored)
        self.level: float = self.report["method"]["level"]
        self.seed: int = self.report["method"]["seed"]
        self.resamples: int = self.report["method"]["resamples"]
        self.inference: Figures = self.report.get("inference") or {}

    @cached_property
    def ratios(self) -> list[Ratio]:
        """The measures and the shares of options, from measures.csv."""
        parts: dict[tuple[str, str], tuple[Condition, Condition]] = defaultdict(
            lambda: (defaultdict(set), defaultdict(set))
        )
        for row in read_table(self.folder / "measures.csv"):
            counts, among = parts[row["part"], row["key"]]
            (counts if row["condition"] == "counts" else among)[row["question"]].add(row["answer"])
        return [Ratio(part, key, *conditions) for (part, key), conditions in parts.items()]

    @cached_property
    def measures(self) -> list[Ratio]:
        return [ratio for ratio in self.ratios if ratio.part == "measures"]

    @cached_property
    def questions(self) -> dict[str, list[str]]:
        """The choice questions in order, each with its options."""
        return {
            question["key"]: [option["key"] for option in question["options"]]
            for question in self.protocol["questions"]
            if question.get("kind", "choice") == "choice"
        }

    @cached_property
    def first_question(self) -> str:
        """The first question that a measure counts."""
        return next(key for key in self.questions if any(key in measure.counts for measure in self.measures))

    def left_out(self, question: str) -> set[str]:
        """Return the options of a question that no measure counting it has in its denominator."""
        amongs = [measure.among for measure in self.measures if question in measure.counts]
        if not amongs or not all(question in among for among in amongs):
            return set()
        return set(self.questions[question]) - set().union(*(among[question] for among in amongs))

    def count_assessed(self, rows: Sequence[Row]) -> int:
        """Count the ratings with an assessed answer to the first measured question; where items of different kinds are
        asked different questions, those in the denominator of some measure.
        """
        if any(question.get("kinds") for question in self.protocol["questions"]):
            return sum(any(holds(measure.among, row) for measure in self.measures) for row in rows)
        left_out, question = self.left_out(self.first_question), f"answers.{self.first_question}"
        return sum(bool(row[question]) and row[question] not in left_out for row in rows)

    def better(self, measure: str) -> str:
        definitions = {measure["key"]: measure for measure in self.protocol["measures"]}
        return definitions[measure].get("better", "neither")

    @property
    def is_about_pairs(self) -> bool:
        return bool(self.protocol.get("unit") == "pair")

    def turned(self, rows: Iterable[Row]) -> list[Row]:
        """Return the rows with the sides of a pair of responses as the report names its systems."""
        sides = [key for key, options in self.questions.items() if {"a", "b"} <= set(options)]
        return [_turn(row, sides) if row["is_turned"] == "1" else row for row in rows]

    @cached_property
    def own(self) -> list[Row]:
        """The raters' own ratings under the report's filters; adjudications do not replace them."""
        filters = self.report.get("filters") or {}
        if filters.get("answers") != "adjudicated":
            return [row for row in self.stored if row["role"] == "rater"]
        return [row for row in self.rows if row["role"] == "rater" and self._passes(row, filters)]

    def _passes(self, row: Row, filters: Figures) -> bool:
        excluded = {*(filters.get("without_raters") or ()), *self._below_gold(filters.get("least_gold"))}
        seconds, least = row["seconds"], filters.get("least_seconds")
        metadata: dict[str, set[str]] = defaultdict(set)
        for key, value in self.metadata[row["prompt"]]:
            metadata[key.removeprefix("prompt's ")].add(value)
        return (
            row["rater"] not in excluded
            and not (least is not None and seconds and float(seconds) < least)
            and row["report_system"] in (filters.get("systems") or [row["report_system"]])
            and all(metadata[key] & set(values) for key, values in (filters.get("metadata") or {}).items())
        )

    def _below_gold(self, least: float | None) -> set[str]:
        if least is None:
            return set()
        from .raters import gold_shares

        return {name for name, (k, n) in gold_shares(self).items() if n and k / n < least}

    @cached_property
    def metadata(self) -> dict[str, list[tuple[str, str]]]:
        """The metadata of each prompt, under the names of the report."""
        pairs: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in read_table(self.folder / "metadata.csv"):
            pairs[row["prompt"]].append((row["key"], row["value"]))
        return pairs

    def cells_of(self, row: Row) -> Iterator[Cell]:
        """Yield the cells of the report that a rating is in."""
        system = row["report_system"]
        yield "overall", "", ""
        yield "systems", system, ""
        if row["role"] == "rater":
            yield "rater", "", row["rater"]
        yield "week", "", week_of(row)
        for key, value in self.metadata[row["prompt"]]:
            yield key, "", value
            yield f"system × {key}", system, value


def week_of(row: Row) -> str:
    """Return the ISO week (UTC) of a rating, such as 2026-W47."""
    year, week, _ = datetime.fromisoformat(row["rated_at"]).astimezone(UTC).isocalendar()
    return f"{year}-W{week:02}"


def item_of(row: Row) -> tuple[str, str, str, int]:
    return row["response"], row["against"], row["unit"], int(row["item"])


def _turn(row: Row, questions: list[str]) -> Row:
    answers = {f"answers.{question}": row[f"answers.{question}"] for question in questions}
    return {**row, **{key: {"a": "b", "b": "a"}.get(answer, answer) for key, answer in answers.items()}}


def cluster_order(name: str) -> tuple[bool, str]:
    """Return the sort key of a cluster: documents by id, then prompts."""
    return name.startswith("prompt "), name


def numbered(values: Iterable[Any], order: Any = None) -> tuple[list[Any], np.ndarray]:
    """Return the distinct values in order, and the number of each value."""
    listed = list(values)
    names = sorted(set(listed), key=order)
    number = {name: i for i, name in enumerate(names)}
    return names, np.array([number[value] for value in listed], dtype=np.int64)
