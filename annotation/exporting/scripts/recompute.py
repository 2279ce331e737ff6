#!/usr/bin/env python3
"""Recompute a report from its ratings, and compare: counts, proportions, design effects, means, closed-form intervals.

python3 recompute.py            in the folder of the bundle; Python 3.9 or newer, nothing else

Reads ratings.csv (rows with in_report = 1), measures.csv (what each proportion counts), means.csv (the definition of
means over responses, if there are any), metadata.csv (metadata of the prompts) and report.json. Prints
the comparison and exits with 0, or with 1 and every figure that differs. Bootstrap intervals (method "bca") need the
resamples and are not recomputed; the counts and means below them are.
"""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from statistics import NormalDist
from typing import Any

HERE = Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
HERE = HERE if HERE.is_dir() else HERE.parent
CLOSE = 1e-8
MIN_CLUSTERS = 10
GUARDED = re.compile("'+[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")  # an apostrophe keeps spreadsheets from evaluating

Row = Mapping[str, str]
Cell = tuple[str, str, str]  # table, system, value
Figure = tuple[str, str]  # part of the report, key
Condition = dict[str, set[str]]  # question: answers
Figures = dict[Figure, tuple[Condition, Condition]]  # numerator, denominator
Means = dict[str, tuple[list[str], list[str], dict[str, float]]]  # measures, question, worth of each answer
Sums = Mapping[str, list[float]]  # cluster: [k, n]
ByResponse = dict[tuple[Cell, object], dict[tuple[str, str, str], list[float]]]


def read(name: str) -> Iterator[Row]:
    with open(HERE / name, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield {key: cell[1:] if GUARDED.match(cell) else cell for key, cell in row.items()}


def conditions() -> Figures:
    """Return {(part of the report, key): (numerator, denominator)}, each {question: set of answers}."""
    figures: Figures = defaultdict(lambda: (defaultdict(set), defaultdict(set)))
    for row in read("measures.csv"):
        counts, among = figures[row["part"], row["key"]]
        (counts if row["condition"] == "counts" else among)[row["question"]].add(row["answer"])
    return dict(figures)


def means_wanted() -> Means:
    """Return {mean: (measures whose proportions are averaged, question, {answer: worth})}."""
    means: Means = defaultdict(lambda: ([], [], {}))
    for row in read("means.csv") if (HERE / "means.csv").exists() else ():
        measures, question, worth = means[row["key"]]
        if row["measure"]:
            measures.append(row["measure"])
        else:
            question[:] = [row["question"]]
            worth[row["answer"]] = float(row["worth"])
    return dict(means)


def holds(condition: Condition, row: Row) -> bool:
    return all(row["answers." + question] in answers for question, answers in condition.items())


def pair_questions(figures: Figures) -> list[str]:
    """Return the questions whose figures count answers `a` and `b`, the sides of a pair of responses."""
    named: Condition = defaultdict(set)
    for condition in (condition for pair in figures.values() for condition in pair):
        for question, answers in condition.items():
            named[question] |= answers
    return [question for question, answers in named.items() if {"a", "b"} <= answers]


def swap_if_turned(row: Row, questions: list[str]) -> Row:
    """Return the row with its sides swapped if the report swaps the pair."""
    if row["is_turned"] != "1":
        return row
    answers = {"answers." + question: row["answers." + question] for question in questions}
    return {**row, **{key: {"a": "b", "b": "a"}.get(answer, answer) for key, answer in answers.items()}}


def cells_of(row: Row, metadata: Mapping[str, list[tuple[str, str]]]) -> Iterator[Cell]:
    """Yield the cells of the report that a rating is in: (table, system, value)."""
    system = row["report_system"]
    yield "overall", "", ""
    yield "systems", system, ""
    if row["role"] == "rater":
        yield "rater", "", row["rater"]
    year, week, _ = datetime.fromisoformat(row["rated_at"]).astimezone(timezone.utc).isocalendar()  # noqa: UP017 - 3.9 has no other
    yield "week", "", f"{year}-W{week:02}"
    for key, value in metadata[row["prompt"]]:
        yield key, "", value
        yield f"system × {key}", system, value


def counted(figures: Figures, means: Means) -> tuple[dict[tuple[Cell, Figure], Sums], dict[Cell, int], ByResponse]:
    """Return {(cell, figure): {cluster: [k, n]}}, the number of ratings in each cell, and the sums for means: {(cell,
    measure or question): {(cluster, response): [sum, n]}}.
    """
    metadata: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in read("metadata.csv"):
        metadata[row["prompt"]].append((row["key"], row["value"]))
    tables: dict[tuple[Cell, Figure], Sums] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    by_response: ByResponse = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    ratings: dict[Cell, int] = defaultdict(int)
    questions = pair_questions(figures)
    for row in read("ratings.csv"):
        if row["in_report"] != "1":
            continue
        row = swap_if_turned(row, questions)
        hits = [(figure, holds(counts, row)) for figure, (counts, among) in figures.items() if holds(among, row)]
        worths = list(contributions(row, hits, means)) if means else ()
        for cell in cells_of(row, metadata):
            ratings[cell] += 1
            for figure, hit in hits:
                add(tables[cell, figure][row["cluster"]], hit)
            for figure_key, worth in worths:
                add(by_response[cell, figure_key][row["cluster"], row["response"], row["against"]], worth)
    return tables, ratings, by_response


def add(sums: list[float], value: float) -> None:
    sums[0] += value
    sums[1] += 1


def contributions(row: Row, met: list[tuple[Figure, bool]], means: Means) -> Iterator[tuple[Figure | str, float]]:
    """Yield what a rating adds to its response's values: (("measures", measure) or mean, its worth from 0 to 1)."""
    hits = dict(met)
    for measure in {("measures", key) for measures, _, _ in means.values() for key in measures}:
        if measure in hits:
            yield measure, hits[measure]
    for key, (_, question, worth) in means.items():
        answer = row["answers." + question[0]] if question else None
        if answer in worth:
            yield key, worth[answer]


def values_of(by_response: ByResponse, cell: Cell, key: str, measures: list[str]) -> Iterator[tuple[str, float]]:
    """Yield (cluster, value) of the responses of a cell with a value. The harmonic mean of two zeros is 0."""
    parts = [by_response[cell, ("measures", measure)] for measure in measures] or [by_response[cell, key]]
    for response in set.intersection(*(set(part) for part in parts)):
        shares = [part[response][0] / part[response][1] for part in parts]
        total = sum(shares)
        yield response[0], shares[0] if len(shares) == 1 else 2 * shares[0] * shares[1] / total if total else 0.0


def mean_with_t(
    values: Sequence[tuple[str, float]], level: float
) -> tuple[float | None, int, float | None, float | None]:
    """Return (mean, n, low, high) of [(cluster, value)]: the linearized interval with t."""
    clusters: dict[str, list[float]] = defaultdict(list)
    for cluster, value in values:
        clusters[cluster].append(value)
    n, c = len(values), len(clusters)
    if n == 0:
        return None, 0, None, None
    mean = math.fsum(value for _, value in values) / n
    if c < MIN_CLUSTERS or len({value for _, value in values}) == 1:
        return mean, n, None, None
    squares = math.fsum((math.fsum(group) - mean * len(group)) ** 2 for group in clusters.values())
    half = t_quantile((1 + level) / 2, c - 1) * math.sqrt(c / (c - 1) * squares) / n
    return mean, n, mean - half, mean + half


def reported(document: Any) -> Iterator[tuple[Cell, Any]]:
    """Yield every cell of the report with its (table, system, value)."""
    yield ("overall", "", ""), document["overall"]
    for cell in document["systems"]:
        yield ("systems", cell["system"], ""), cell
    for table, cells in document["by"].items():
        for cell in cells:
            yield (table, cell.get("system", ""), cell["value"]), cell


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    f, c, d = 1.0, 1.0, 0.0
    for step in range(200_000):
        m = step // 2
        if step == 0:
            term = 1.0
        elif step % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + term * d or 1e-300)
        c = 1 + term / c or 1e-300
        f *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * (f - 1)


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the quantile by bisection in 60 steps, more digits than the comparison needs."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if beta_cdf(middle, a, b) < p else (low, middle)
    return (low + high) / 2


def t_quantile(p: float, df: float) -> float:
    """Return t for p above one half, from the beta quantile: x = df / (df + t²) is Beta(df/2, 1/2)."""
    x = beta_quantile(2 * (1 - p), df / 2, 0.5)
    return math.sqrt(df * (1 - x) / x)


def has_effective_degrees(document: Any) -> bool:
    """Return whether the degrees of freedom are those of effective clusters; older reports do not say so."""
    return (document.get("inference") or {}).get("degrees_of_freedom") == "effective"


def degrees_of_freedom(sizes: list[float], effective: bool) -> float:
    """Return the clusters less one; of very unequal ones (CV² of sizes above .5) their effective number less one."""
    worth = sum(sizes) ** 2 / sum(n * n for n in sizes)
    return max(1, worth - 1) if effective and len(sizes) > 1.5 * worth else len(sizes) - 1


def korn_graubard(
    clusters: Sums, level: float, effective: bool
) -> tuple[float, float, float | None, float | None, float | None, float | None]:
    """Return (k, n, share, design effect, low, high) of {cluster: [k, n]}; undefined values are None."""
    k, n, c = sum(k for k, _ in clusters.values()), sum(n for _, n in clusters.values()), len(clusters)
    if n == 0:
        return k, n, None, None, None, None
    p = k / n
    if c < 2:
        return k, n, p, None, None, None
    variance = c / (c - 1) * sum((k_c - p * n_c) ** 2 for k_c, n_c in clusters.values()) / n**2
    deff = variance / (p * (1 - p) / n) if 0 < k < n else None
    if c < MIN_CLUSTERS:
        return k, n, p, deff, None, None
    upper = (1 + level) / 2
    degrees = degrees_of_freedom([n_c for _, n_c in clusters.values()], effective)
    size = n / max(deff or 1, 1) * (NormalDist().inv_cdf(upper) / t_quantile(upper, degrees)) ** 2
    hits = size if k == n else p * size
    low = beta_quantile(1 - upper, hits, size - hits + 1) if k > 0 else 0.0
    high = beta_quantile(upper, hits + 1, size - hits) if k < n else 1.0
    return k, n, p, deff, low, high


def same(a: float | None, b: float | None) -> bool:
    return a == b if a is None or b is None else abs(a - b) <= CLOSE * max(1, abs(b))


def compare(document: Any) -> Iterator[tuple[tuple[str, ...] | None, str, float | None, float | None]]:
    """Yield (where, what, recomputed, reported) for each figure, and (None, method, None, None) for each interval."""
    figures, means, level = conditions(), means_wanted(), document["method"]["level"]
    effective = has_effective_degrees(document)
    tables, ratings, by_response = counted(figures, means)
    for cell, figures_of_cell in reported(document):
        yield cell, "ratings", ratings[cell], figures_of_cell["ratings"]
        for part, key in figures:
            if part not in figures_of_cell or key not in figures_of_cell[part]:
                continue
            estimate = figures_of_cell[part][key]
            clusters = tables[cell, (part, key)]
            k, n, value, deff, low, high = korn_graubard(clusters, level, effective)
            recomputed = {"k": k, "n": n, "value": value}
            if "deff" in estimate:
                recomputed["deff"] = deff
            if estimate["method"] != "bca":
                recomputed |= {"low": low, "high": high}
            for name, figure in recomputed.items():
                yield (*cell, part, key), name, figure, estimate[name]
            yield None, estimate["method"], None, None
        for key, (measures, _, _) in means.items():
            value, n, low, high = mean_with_t(list(values_of(by_response, cell, key, measures)), level)
            estimate = figures_of_cell["means"][key]
            recomputed = {"value": value, "n": n} | ({} if estimate["method"] == "bca" else {"low": low, "high": high})
            for name, figure in recomputed.items():
                yield (*cell, "means", key), name, figure, estimate[name]
            yield None, estimate["method"], None, None


def main() -> int:
    report = json.loads((HERE / "report.json").read_text(encoding="utf-8"))
    compared, differing = 0, []
    methods: dict[str, int] = defaultdict(int)
    for where, figure, recomputed, value in compare(report):
        if where is None:
            methods[figure] += 1
            continue
        compared += 1
        if not same(recomputed, value):
            differing.append(f"{' / '.join(filter(None, where))}: {figure} is {recomputed} here, {value} in the report")
    print(f"{compared} figures of {report['data']['ratings']} ratings compared, {len(differing)} differ.")
    print(
        "Intervals by method: " + ", ".join(f"{name} {n}" for name, n in sorted(methods.items())) + " (bca: not here)."
    )
    print("\n".join(differing))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
