#!/usr/bin/env python3
"""Recompute a report from its ratings, and compare every figure.

python3 recompute.py            in the folder of the bundle; Python 3.11 or newer (pip install numpy scipy)

Reads ratings.csv, measures.csv (what each proportion counts), metadata.csv (metadata of the prompts) and protocol.toml,
computes each part of the report by the programs in the folder recomputation, and compares it with report.json.
Estimates with a judge are recomputed from hybrid_items.csv, weighted ones of people alone from sample_items.csv,
Fact-QA from fact_qa.csv, and the agreement of a judge with people from judge_items.csv.
Resampled intervals and swap tests are drawn again from the seed of the report. The checksum of report.json is compared.
Without SciPy the crossed models are not fitted again. Prints the comparison and what is not recomputed, and exits with
0, or with 1 and every figure that differs.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

try:
    from recomputation.report import recompute
    from recomputation.study import Study
except ModuleNotFoundError as error:
    sys.exit(f"recompute.py needs Python 3.11 or newer with NumPy (pip install numpy): {error}")

CLOSE = 1e-8
ROUNDED = 2e-5
"""For parts whose figures have six significant digits."""
SIX_DIGITS = ("crossed_models",)
LABELS = (
    "system",
    "value",
    "a",
    "b",
    "measure",
    "rater",
    "key",
    "analysis",
    "week",
    "prompt",
    "response",
    "judge",
    "figure",
)
NOT_FIGURES = ("schema", "protocol", "software", "method", "inference", "filters", "multi_valued")


class Comparison:
    """The figures compared, those that differ, and the figures of the report that were not recomputed, by part."""

    def __init__(self) -> None:
        self.compared: Counter[str] = Counter()
        self.differing: list[str] = []
        self.not_recomputed: Counter[str] = Counter()

    def compare(self, path: tuple[str, ...], recomputed: Any, reported: Any) -> None:
        """Compare two parts of the same form, figure by figure."""
        if isinstance(reported, dict) and isinstance(recomputed, dict):
            for key, value in reported.items():
                if key in recomputed:
                    self.compare((*path, key), recomputed[key], value)
                else:
                    self.miss((*path, key), value)
        elif isinstance(reported, list) and isinstance(recomputed, list) and len(reported) == len(recomputed):
            for number, (own, other) in enumerate(zip(recomputed, reported, strict=True)):
                self.compare((*path, label_of(other) or str(number)), own, other)
        else:
            self.compared[path[0]] += 1
            if not is_same(recomputed, reported, ROUNDED if path[0] in SIX_DIGITS else CLOSE):
                self.differing.append(f"{' / '.join(path)} is {recomputed} here, {reported} in the report")

    def miss(self, path: tuple[str, ...], reported: Any) -> None:
        """Count the figures of a part of the report that was not recomputed."""
        for figure in figures_of(reported):
            if isinstance(figure, int | float) and not isinstance(figure, bool):
                self.not_recomputed[" / ".join((path[0], path[-1]) if len(path) > 1 else path)] += 1


def label_of(row: Any) -> str:
    """Return the names of a row of the report: a, b, accurate."""
    if not isinstance(row, dict):
        return ""
    return ", ".join(str(row[key]) for key in LABELS if row.get(key) is not None and not isinstance(row[key], list))


def figures_of(part: Any) -> Iterator[Any]:
    """Yield the values in a part of the report."""
    if isinstance(part, dict | list):
        for value in part.values() if isinstance(part, dict) else part:
            yield from figures_of(value)
    else:
        yield part


def is_same(a: Any, b: Any, close: float) -> bool:
    """Return whether two values are equal; numbers up to `close` of the larger of 1 and the number itself."""
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) <= close * max(1.0, abs(b))
    return bool(a == b)


def checksum_differs(folder: Path) -> bool:
    """Return whether report.json differs from its checksum in SHA256SUMS."""
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}
    return sums["report.json"] != hashlib.sha256((folder / "report.json").read_bytes()).hexdigest()


def main() -> int:
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else FOLDER
    study, comparison = Study(folder), Comparison()
    recomputed = dict(recompute(study))
    for part, reported in study.report.items():
        if part in recomputed:
            comparison.compare((part,), recomputed[part], reported)
        elif part not in NOT_FIGURES:
            comparison.miss((part,), reported)
    if checksum_differs(folder):
        comparison.differing.insert(0, "report.json differs from its checksum in SHA256SUMS")
    total = sum(comparison.compared.values())
    print(f"{total} figures of {len(study.counted)} ratings compared, {len(comparison.differing)} differ.")
    print("Compared: " + ", ".join(f"{part} {n}" for part, n in comparison.compared.items()) + ".")
    if comparison.not_recomputed:
        missing = ", ".join(f"{part} ({n})" for part, n in comparison.not_recomputed.items())
        print(f"Not recomputed: {missing}.")
    print("\n".join(comparison.differing))
    return 1 if comparison.differing else 0


if __name__ == "__main__":
    sys.exit(main())
