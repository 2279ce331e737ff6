#!/usr/bin/env python3
"""Check the figures of a report that a paper quotes, with code that shares nothing with Factuary's.

    python3 recompute.py [FOLDER]     the folder of the bundle; Python 3.11 or newer with NumPy and SciPy

Computed again from ratings.csv, measures.csv, metadata.csv and protocol.toml are counts; proportions with their
intervals; differences of systems with intervals, p of the swap tests and Holm's adjustment; and agreement with its
intervals. From hybrid_items.csv and sample_items.csv: estimates with a judge, and weighted ones of people alone.
Resamples and random swaps are drawn again from the seed of the report. Each figure is compared with report.json, and
this file with its checksum. The program ends with 0, or with 1 and every figure that differs, and names what it does
not compute: recompute.R computes means over responses and fits the crossed models, and `manage.py rebuild_bundle` of
Factuary builds the whole report again.
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

try:
    import numpy as np
    from scipy.stats import beta, norm, t
except ModuleNotFoundError as problem:
    sys.exit(f"recompute.py needs Python 3.11 or newer with NumPy and SciPy (pip install numpy scipy): {problem}")

Row = dict[str, str]
Figures = dict[str, Any]
"""Figures of a part of the report, by name, in the form of its JSON."""
Condition = dict[str, set[str]]
"""Question to answers: it holds where every question has one of its answers."""

# 1. Files ------------------------------------------------------------------------------------------------------------

_HIDDEN = r'"\x0b\x0c\x1c-\x20\x85\xa0\xad\u034f\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff'
GUARD = re.compile(  # an apostrophe keeps spreadsheets from evaluating what follows it
    rf"^'(?='*[\t\r\n])|(?:^|(?<=[;\t\r\n]))'(?='*[{_HIDDEN}]*[=+\-@\uff1d\uff0b\uff0d\uff20])"
)


def read_table(path: Path) -> list[Row]:
    """Return the rows of a CSV file."""
    with open(path, encoding="utf-8", newline="") as file:
        return [{key: GUARD.sub("", cell) for key, cell in row.items()} for row in csv.DictReader(file)]


def item_of(row: Row) -> tuple[str, str, str, int]:
    return row["response"], row["against"], row["unit"], int(row["item"])


def week_of(row: Row) -> str:
    """Return the ISO week (UTC) of a rating, such as 2026-W47."""
    year, week, _ = datetime.fromisoformat(row["rated_at"]).astimezone(UTC).isocalendar()
    return f"{year}-W{week:02}"


def numbered(values: Iterable[Any]) -> tuple[list[Any], np.ndarray]:
    """Return the distinct values in order, and the number of each value. Resamples draw clusters by their numbers."""
    listed = list(values)
    names = sorted(set(listed))
    number = {name: i for i, name in enumerate(names)}
    return names, np.array([number[value] for value in listed], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Ratio:
    """A proportion of the report: `part` and `key` are its place in a cell, the conditions what is k and n."""

    part: str
    key: str
    counts: Condition
    among: Condition


class Ratings:
    """Some ratings in their clusters, those of the report or prompts."""

    def __init__(self, bundle: Bundle, rows: Sequence[Row], *, by_prompt: bool = False):
        self.bundle, self.rows = bundle, rows
        names = (f"prompt {row['prompt']}" if by_prompt else row["cluster"] for row in rows)
        self.clusters, self.cluster = numbered(names)

    def holds(self, condition: Condition) -> np.ndarray:
        """Return which ratings meet a condition."""
        met = np.ones(len(self.rows), dtype=bool)
        for question, answers in condition.items():
            met &= np.array([row[f"answers.{question}"] in answers for row in self.rows], dtype=bool)
        return met

    @cache  # noqa: B019 - until the program ends
    def masks(self, ratio: Ratio) -> tuple[np.ndarray, np.ndarray]:
        """Return which ratings a ratio counts, and which are in its denominator."""
        among = self.holds(ratio.among)
        return self.holds(ratio.counts) & among, among


class Bundle:
    """The files: `counted` are the ratings that the report counts, `own` the raters' own ones, for agreement."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.reported: Figures = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        self.protocol: Figures = tomllib.loads((folder / "protocol.toml").read_text(encoding="utf-8"))
        method, self.inference = self.reported["method"], self.reported.get("inference") or {}
        effective = self.inference.get("degrees_of_freedom") == "effective"
        self.is_by_document = method["cluster"] == "document" and bool(self.inference)
        self.method = Method((1 + method["level"]) / 2, method["resamples"], method["seed"], effective)
        self.questions: dict[str, list[str]] = {
            question["key"]: [option["key"] for option in question["options"]]
            for question in self.protocol["questions"]
            if question.get("kind", "choice") == "choice"
        }
        self.metadata: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in read_table(folder / "metadata.csv"):
            self.metadata[row["prompt"]].append((row["key"], row["value"]))
        ratios: dict[tuple[str, str], Ratio] = {}
        for row in read_table(folder / "measures.csv"):
            place = row["part"], row["key"]
            ratio = ratios.setdefault(place, Ratio(*place, defaultdict(set), defaultdict(set)))
            (ratio.counts if row["condition"] == "counts" else ratio.among)[row["question"]].add(row["answer"])
        self.ratios = list(ratios.values())
        self.measures = [ratio for ratio in self.ratios if ratio.part == "measures"]
        self.first_question = next(key for key in self.questions if any(key in m.counts for m in self.measures))
        self.rows = read_table(folder / "ratings.csv")
        in_report = [row for row in self.rows if row["in_report"] == "1"]
        self.counted = Ratings(self, self.turned(in_report))
        self.own = [row for row in in_report if row["role"] == "rater"]
        filters = self.reported.get("filters") or {}
        if filters.get("answers") == "adjudicated":  # adjudications replace ratings, but not for agreement
            self.own = [row for row in self.rows if row["role"] == "rater" and self._passes(row, filters)]

    def turned(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows with the sides of a pair of responses as the report names its systems."""
        sides = [f"answers.{key}" for key, options in self.questions.items() if {"a", "b"} <= set(options)]
        turn = {"a": "b", "b": "a"}
        others = [{name: turn.get(row.get(name, ""), row.get(name, "")) for name in sides} for row in rows]
        return [row | other if row["is_turned"] == "1" else row for row, other in zip(rows, others, strict=True)]

    def _passes(self, row: Row, filters: Figures) -> bool:
        """Return whether a rating meets the filters; the report lists the raters that are not excluded."""
        least, seconds = filters.get("least_seconds"), row["seconds"]
        values = {(key.removeprefix("prompt's "), value) for key, value in self.metadata[row["prompt"]]}
        conditions = ({(key, each) for each in options} for key, options in (filters.get("metadata") or {}).items())
        return (
            row["rater"] in {rater["rater"] for rater in self.reported["raters"]}
            and not (least is not None and seconds and float(seconds) < least)
            and row["report_system"] in (filters.get("systems") or [row["report_system"]])
            and all(values & pairs for pairs in conditions)
        )

    def left_out(self, question: str) -> set[str]:
        """Return the options that no measure about a question has in its denominator, such as "can't assess"."""
        amongs = [measure.among for measure in self.measures if question in measure.counts]
        if not amongs or not all(question in among for among in amongs):
            return set()
        return set(self.questions[question]) - set().union(*(among[question] for among in amongs))


# 2. Resamples and intervals ------------------------------------------------------------------------------------------

MIN_CLUSTERS, ENOUGH_CLUSTERS, ENOUGH_EVENTS = 10, 50, 20
VERY_UNEQUAL = 1.5  # clusters for each effective one
ALIKE = 1e-12  # replicates that differ by rounding alone


@dataclass(frozen=True)
class Method:
    """`upper`: the probability below the upper bound. `effective`: as `is_unequal` says, in reports since 0.8.0."""

    upper: float
    resamples: int
    seed: int
    effective: bool

    def is_unequal(self, clusters: int, effective: float) -> bool:
        """Return whether clusters of very unequal sizes count as so many effective ones."""
        return self.effective and clusters > VERY_UNEQUAL * effective

    def degrees(self, clusters: int, effective: float) -> float:
        return max(1.0, effective - 1) if self.is_unequal(clusters, effective) else clusters - 1


@cache
def weights(clusters: int, count: int, seed: int) -> np.ndarray:
    """Return how often each cluster is drawn in each of `count` resamples (PCG64), shape (count, clusters)."""
    drawn = np.random.default_rng(seed).integers(0, clusters, (count, clusters))
    places = (drawn + np.arange(count)[:, None] * clusters).ravel()
    return np.bincount(places, minlength=count * clusters).reshape(count, clusters).astype(np.float64)


def effective_clusters(n: np.ndarray) -> float:
    """Return N² / Σ n²: how many clusters of equal size those with these sizes are worth."""
    return float(n.sum()) ** 2 / float((n * n).sum()) if n.any() else 0.0


def proportion(k: np.ndarray, n: np.ndarray, method: Method) -> Figures:
    """Return Σ k / Σ n over clusters with design effect and interval: BCa, Korn and Graubard's, or none."""
    hits, total = int(k.sum()), int(n.sum())
    figures = {"value": hits / total if total else None, "k": hits, "n": total, "deff": design_effect(k, n)}
    if np.count_nonzero(n) < MIN_CLUSTERS:
        return figures | {"low": None, "high": None, "method": "none"}
    bounds = None
    if is_enough(k, n, effective_clusters(n), method):
        bounds = bca(replicates(k, n, method), k.sum() / n.sum(), leave_one_out(k, n), method)
    low, high = bounds or korn_graubard(k, n, method)
    return figures | {"low": low, "high": high, "method": "bca" if bounds else "korn-graubard"}


def is_enough(k: np.ndarray, n: np.ndarray, effective: float, method: Method) -> bool:
    """Return whether there are enough clusters, hits and misses for the bootstrap, and no very unequal clusters."""
    clusters, hits = int(np.count_nonzero(n)), k.sum()
    enough = clusters >= ENOUGH_CLUSTERS and min(hits, n.sum() - hits) >= ENOUGH_EVENTS
    return bool(method.resamples and enough and not method.is_unequal(clusters, effective))


def design_effect(k: np.ndarray, n: np.ndarray) -> float | None:
    """Return the linearized variance over that of independent ratings; None where it is 0/0."""
    hits, total, clusters = int(k.sum()), int(n.sum()), int(np.count_nonzero(n))
    if clusters < 2 or not 0 < hits < total:
        return None
    p = hits / total
    variance = clusters / (clusters - 1) * float(((k - p * n)[n > 0] ** 2).sum()) / total**2
    return variance / (p * (1 - p) / total)


def korn_graubard(k: np.ndarray, n: np.ndarray, method: Method) -> tuple[float, float]:
    """Return Clopper and Pearson's bounds on the effective number of ratings (Korn and Graubard 1998)."""
    deff = max(design_effect(k, n) or 1.0, 1.0)
    degrees = method.degrees(int(np.count_nonzero(n)), effective_clusters(n))
    size = float(n.sum()) / deff * (norm.ppf(method.upper) / t.ppf(method.upper, degrees)) ** 2
    return clopper_pearson(float(k.sum() / n.sum()), size, method)


def clopper_pearson(p: float, size: float, method: Method) -> tuple[float, float]:
    """Return the bounds of p of `size` trials, which need not be whole."""
    hits = size if p >= 1 else p * size
    low = 0.0 if hits <= 0 else float(beta.ppf(1 - method.upper, hits, size - hits + 1))
    return low, 1.0 if hits >= size else float(beta.ppf(method.upper, hits + 1, size - hits))


def replicates(k: np.ndarray, n: np.ndarray, method: Method) -> np.ndarray:
    """Return k / n in each resample; NaN where no rating was drawn."""
    drawn = weights(len(n), method.resamples, method.seed)
    with np.errstate(invalid="ignore"):
        return (drawn @ k) / (drawn @ n)


def leave_one_out(k: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return the proportion without each cluster that has a rating."""
    with np.errstate(invalid="ignore"):
        return (k.sum() - k[n > 0]) / (n.sum() - n[n > 0])


def bca(drawn: np.ndarray, estimate: float, left_out: np.ndarray, method: Method) -> tuple[float, float] | None:
    """Return bias-corrected and accelerated bounds (Efron 1987); None where they are undefined."""
    finite = drawn[np.isfinite(drawn)]
    if not len(finite) or np.ptp(finite) < ALIKE:
        return None
    ties = abs(finite - estimate) <= ALIKE
    below = (np.count_nonzero((finite < estimate) & ~ties) + np.count_nonzero(ties) / 2) / len(finite)
    if not 0 < below < 1:
        return None
    left_out = left_out[np.isfinite(left_out)]
    d = left_out.mean() - left_out
    squares = float((d * d).sum())
    acceleration = float((d**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0
    bias, z = norm.ppf(below), norm.ppf(method.upper)
    sides = [bias + (bias + side) / (1 - acceleration * (bias + side)) for side in (-z, z)]
    low, high = np.quantile(finite, norm.cdf(sides))
    return float(low), float(high)


# 3. Cells ------------------------------------------------------------------------------------------------------------


def cells(ratings: Ratings, by_prompt: Ratings | None) -> dict[str, list[Figures]]:
    """Return the figures of the cells of each table of the report, also `by_prompt` where documents are the unit."""
    bundle = ratings.bundle
    members: dict[str, dict[tuple[str, str], list[int]]] = defaultdict(lambda: defaultdict(list))
    for i, row in enumerate(ratings.rows):
        system = row["report_system"]
        names = [("overall", "", ""), ("systems", system, ""), ("by week", "", week_of(row))]
        names += [("by rater", "", row["rater"])] if row["role"] == "rater" else []
        for key, value in bundle.metadata[row["prompt"]]:
            names += [(f"by {key}", "", value), (f"by system × {key}", system, value)]
        for table, *cell in names:
            members[table][cell[0], cell[1]].append(i)
    members["overall"] = members["overall"] or {("", ""): []}
    is_assessed = assessed(ratings)
    tables: dict[str, list[Figures]] = defaultdict(list)
    for table, cells_of_table in members.items():
        is_whole = table in ("overall", "systems")
        for (system, value), numbers in sorted(cells_of_table.items()):
            own = np.array(numbers, dtype=np.int64)
            answered = {key: Counter(ratings.rows[i][f"answers.{key}"] for i in numbers) for key in bundle.questions}
            counts = {key: {each: answered[key][each] for each in each_of} for key, each_of in bundle.questions.items()}
            figures: Figures = {name: text for name, text in (("system", system), ("value", value)) if text}
            figures |= {"ratings": len(own), "assessed": int(is_assessed[own].sum())}
            figures |= {"options": counts.pop(bundle.first_question), "questions": counts}
            for ratio in bundle.ratios if is_whole else bundle.measures:
                estimate = figures.setdefault(ratio.part, {})[ratio.key] = _proportion(ratings, own, ratio)
                if is_whole and by_prompt:
                    other = _proportion(by_prompt, own, ratio)
                    estimate["by_prompt"] = {side: other[side] for side in ("low", "high", "method")}
            tables[table].append(figures)
    return tables


def assessed(ratings: Ratings) -> np.ndarray:
    """Return which answers to the first measured question are assessed; of several kinds of items, to any measured."""
    bundle = ratings.bundle
    if any(question.get("kinds") for question in bundle.protocol["questions"]):
        return np.any([ratings.masks(measure)[1] for measure in bundle.measures], axis=0)
    question = bundle.first_question
    return ratings.holds({question: set(bundle.questions[question]) - bundle.left_out(question)})


def _proportion(ratings: Ratings, members: np.ndarray, ratio: Ratio) -> Figures:
    hits, among = (mask[members] for mask in ratings.masks(ratio))
    k, n = (np.bincount(ratings.cluster[members[mask]], minlength=len(ratings.clusters)) for mask in (hits, among))
    return proportion(k, n, ratings.bundle.method)


# 4. Comparisons of systems -------------------------------------------------------------------------------------------

MAX_EXACT = 16  # clusters of which all swaps are tried
NEARLY_TIED = 1e-9
SIGNIFICANCE, NEAR, MORE, MAX_SWAPS = 0.05, 4, 10, 50_000_000
BLOCK = 2_000_000
Pair = Sequence[np.ndarray]
"""k and n of the first system, k and n of the second, by cluster, of the prompts that both have."""


def comparisons(bundle: Bundle) -> Iterator[Figures]:
    """Yield each two systems on each measure: the difference with its interval, p and p by Holm within the measure."""
    ratings = bundle.counted
    systems, system = numbered(row["report_system"] for row in ratings.rows)
    prompts, prompt = numbered(row["prompt"] for row in ratings.rows)
    unit = np.zeros(len(prompts), dtype=np.int64)
    unit[prompt] = ratings.cluster
    for measure in bundle.measures:
        k, n = (np.zeros((len(systems), len(prompts))) for _ in range(2))
        for table, mask in zip((k, n), ratings.masks(measure), strict=True):
            np.add.at(table, (system[mask], prompt[mask]), 1)
        rows: list[Figures] = []
        pairs: list[Pair] = []
        for a, b in combinations(range(len(systems)), 2):
            common = (n[a] > 0) & (n[b] > 0)
            sides = [side * common for side in (k[a], n[a], k[b], n[b])]
            pairs.append([np.bincount(unit, side, len(ratings.clusters)) for side in sides])
            row = {"a": systems[a], "b": systems[b], "measure": measure.key, "prompts": int(common.sum())}
            rows.append(row | difference(pairs[-1], bundle.method))
            if bundle.is_by_document:
                over_prompts = difference(sides, bundle.method)
                rows[-1]["by_prompt"] = {name: over_prompts[name] for name in ("low", "high", "method")}
        is_studentized = bundle.inference.get("swap_statistic") == "studentized"
        tests = swap_tests(pairs, bundle.method, is_studentized)
        yield from (row | test for row, test in zip(rows, tests, strict=True))


def difference(pair: Pair, method: Method) -> Figures:
    """Return the difference of two ratios with its interval: BCa, t, or (since 0.8.0) MOVER where nothing varies."""
    k_a, n_a, k_b, n_b = pair
    clusters = int(np.count_nonzero(n_a))
    figures: Figures = {"clusters": clusters, "difference": None, "low": None, "high": None, "method": "t"}
    if not clusters:
        return figures
    a, b, effective = k_a.sum() / n_a.sum(), k_b.sum() / n_b.sum(), min(map(effective_clusters, (n_a, n_b)))
    figures["difference"] = (k_a.sum() * n_b.sum() - k_b.sum() * n_a.sum()) / (n_a.sum() * n_b.sum())
    residuals = (k_a - a * n_a) / n_a.sum() - (k_b - b * n_b) / n_b.sum()
    se = math.sqrt(clusters / (clusters - 1) * float(residuals @ residuals)) if clusters > 1 else 0.0
    if method.effective and clusters >= MIN_CLUSTERS and (a in (0, 1) or b in (0, 1) or se < ALIKE):
        (low_a, high_a), (low_b, high_b) = (korn_graubard(k, n, method) for k, n in (pair[:2], pair[2:]))
        below, above = math.hypot(a - low_a, high_b - b), math.hypot(high_a - a, b - low_b)  # Zou and Donner 2008
        return figures | {"low": a - b - below, "high": a - b + above, "method": "mover"}
    if all(is_enough(k, n, effective, method) for k, n in (pair[:2], pair[2:])):
        drawn = replicates(k_a, n_a, method) - replicates(k_b, n_b, method)
        left_out = leave_one_out(k_a, n_a) - leave_one_out(k_b, n_b)
        if interval := bca(drawn, a - b, left_out, method):
            return figures | {"low": interval[0], "high": interval[1], "method": "bca"}
    if clusters < 2:
        return figures
    if method.is_unequal(clusters, effective):
        figures["degrees_of_freedom"] = method.degrees(clusters, effective)
    half = t.ppf(method.upper, method.degrees(clusters, effective)) * se
    return figures | {"low": figures["difference"] - half, "high": figures["difference"] + half}


def swap_tests(pairs: Sequence[Pair], method: Method, is_studentized: bool) -> list[Figures]:
    """Return p, adjusted p and the number of random swaps of each pair: more where the adjusted p is near .05."""
    pairs = [[side[pair[1] > 0] for side in pair] for pair in pairs]
    swaps = [None if len(pair[0]) <= MAX_EXACT else method.resamples for pair in pairs]
    ps = [swap_p(pair, method.resamples, method.seed, is_studentized) for pair in pairs]
    for i, (p, adjusted) in enumerate(zip(list(ps), holm(ps), strict=True)):
        draws = MORE * method.resamples
        if p and adjusted and swaps[i] and draws * len(pairs[i][0]) <= MAX_SWAPS:
            error = math.sqrt(p * (1 - p) / method.resamples) * adjusted / p
            if abs(adjusted - SIGNIFICANCE) < NEAR * error:
                ps[i], swaps[i] = swap_p(pairs[i], draws, method.seed, is_studentized), draws
    return [{"p": p, "p_holm": q, "swaps": n} for p, q, n in zip(ps, holm(ps), swaps, strict=True)]


def swap_p(pair: Pair, draws: int, seed: int, is_studentized: bool) -> float | None:
    """Return p of swapping the systems within clusters: over all swaps up to 16 clusters, else over random ones."""
    clusters = len(pair[0])
    if not clusters:
        return None
    observed = float(_statistic(pair, np.zeros((1, clusters)), is_studentized)[0])
    drawn = (_statistic(pair, swaps, is_studentized) for swaps in _swaps(clusters, draws, seed))
    extreme = sum(int(np.count_nonzero(part >= observed * (1 - NEARLY_TIED) - 1e-15)) for part in drawn)
    return extreme / 2 ** (clusters - 1) if clusters <= MAX_EXACT else (extreme + 1) / (draws + 1)


def _statistic(pair: Pair, swaps: np.ndarray, is_studentized: bool) -> np.ndarray:
    """Return |D|, or D² / Σ d² if it is studentized, under each row of swaps (0 or 1 for each cluster)."""
    k_a, n_a, k_b, n_b = pair
    k_1, k_2 = k_a + swaps * (k_b - k_a), k_b + swaps * (k_a - k_b)
    n_1, n_2 = n_a + swaps * (n_b - n_a), n_b + swaps * (n_a - n_b)
    hits_1, hits_2, total_1, total_2 = (side.sum(axis=1, keepdims=True) for side in (k_1, k_2, n_1, n_2))
    bare = ((hits_1 * total_2 - hits_2 * total_1) / (total_1 * total_2))[:, 0]  # exactly 0 where nothing differs
    if not is_studentized:
        return np.abs(bare)
    d = (k_1 - hits_1 / total_1 * n_1) / total_1 - (k_2 - hits_2 / total_2 * n_2) / total_2
    variance, squares = (d * d).sum(axis=1), bare * bare
    is_tiny = variance <= 1e-24 * (1 + squares)
    return np.where(squares == 0, 0.0, np.where(is_tiny, 1e300, squares / np.where(is_tiny, 1.0, variance)))


def _swaps(clusters: int, draws: int, seed: int) -> Iterator[np.ndarray]:
    """Yield blocks of swaps: all that keep the first cluster, up to 16 clusters, else random bits (PCG64)."""
    if clusters <= MAX_EXACT:
        numbers = np.arange(2 ** (clusters - 1)) * 2
        yield ((numbers[:, None] >> np.arange(clusters)) & 1).astype(np.float64)
        return
    generator, rows = np.random.default_rng(seed), max(1, BLOCK // clusters)
    for start in range(0, draws, rows):
        count = min(rows, draws - start) * clusters
        bits = np.frombuffer(generator.bytes(math.ceil(count / 8)), dtype=np.uint8)
        yield np.unpackbits(bits, count=count).reshape(-1, clusters).astype(np.float64)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Return Holm's adjusted p values in the given order; undefined ones stay None."""
    order = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, i) in enumerate(order):
        adjusted[i] = highest = max(highest, min(1.0, p * (len(order) - rank)))
    return adjusted


# 5. Agreement --------------------------------------------------------------------------------------------------------

MAX_UNDEFINED = 0.05  # of the resamples


def labels_for(bundle: Bundle, question: str) -> tuple[list[str], list[str | None], bool]:
    """Return the categories, the label of each of the raters' own ratings, and whether the categories are ordered."""
    rows = bundle.own
    if question in bundle.questions:  # else a scale that follows from the measure `accurate`
        options = [key for key in bundle.questions[question] if key not in bundle.left_out(question)]
        answers = [row[f"answers.{question}"] for row in rows]
        return options, [answer if answer in options else None for answer in answers], False
    accurate = next(measure for measure in bundle.measures if measure.key == "accurate")
    is_scale = question == "severity_scale"
    misses = [(row["answers.severity"] or None) if is_scale else "not_accurate" for row in rows]
    states = zip(*Ratings(bundle, rows).masks(accurate), misses, strict=True)
    labels = [("accurate" if hit else miss) if is_among else None for hit, is_among, miss in states]
    return ["accurate", "not_severe", "severe"] if is_scale else ["accurate", "not_accurate"], labels, is_scale


def agreement(bundle: Bundle, question: str) -> Figures:
    """Return the agreement about one question, over items with two labels or more."""
    categories, labels, is_ordered = labels_for(bundle, question)
    q, method = len(categories), bundle.method
    labeled = [(row, label) for row, label in zip(bundle.own, labels, strict=True) if label is not None]
    cluster_of = {item_of(row): row["cluster"] for row, _ in labeled}
    items, item = numbered(item_of(row) for row, _ in labeled)
    counts = np.zeros((len(items), q))
    np.add.at(counts, (item, np.array([categories.index(label) for _, label in labeled], dtype=np.int64)), 1)
    is_shared = counts.sum(axis=1) > 1
    terms = _terms(counts)
    values = _coefficients(terms.sum(axis=0, keepdims=True), q, is_ordered)
    figures: Figures = {name: float(value[0]) if np.isfinite(value[0]) else None for name, value in values.items()}
    shared = [cluster_of[name] for name, is_of_two in zip(items, is_shared, strict=True) if is_of_two]
    intervals: dict[str, list[float] | None] = dict.fromkeys(values)
    if len(within := set(shared)) >= MIN_CLUSTERS and method.resamples:
        used = np.array([cluster_of[name] in within for name in items])
        names, number = numbered([cluster_of[name] for name in items if cluster_of[name] in within])
        sums = np.zeros((len(names), terms.shape[1]))
        np.add.at(sums, number, terms[used])
        drawn = _coefficients(weights(len(names), method.resamples, method.seed) @ sums, q, is_ordered)
        intervals = {name: _percentile(replicates_of, method) for name, replicates_of in drawn.items()}
        if figures["percent"] in (0, 1) and method.effective and intervals["percent"] is None:
            n = np.bincount(numbered(shared)[1])
            intervals["percent"] = list(korn_graubard(n * figures["percent"], n, method))
    raters = {row["rater"] for (row, _), number in zip(labeled, item, strict=True) if is_shared[number]}
    return {"items": int(is_shared.sum()), "raters": len(raters), **figures, "intervals": intervals}


def _terms(counts: np.ndarray) -> np.ndarray:
    """Return what each item adds: items with a pair, its agreement, items, shares of labels, coincidences."""
    q, n = counts.shape[1], counts.sum(axis=1, keepdims=True)
    is_paired, others = (n > 1).astype(float), np.where(n > 1, n - 1, 1)
    agreeing = (counts * (counts - 1)).sum(axis=1, keepdims=True) / (n * others) * is_paired
    coincidences = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(q)
    coincidences = coincidences.reshape(len(counts), q * q) / others * is_paired
    return np.concatenate([is_paired, agreeing, np.ones_like(n), counts / n, coincidences], axis=1)


def _coefficients(sums: np.ndarray, q: int, is_ordered: bool) -> dict[str, np.ndarray]:
    """Return the coefficients of each row of sums; NaN where they are undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        percent, used = sums[:, 1] / sums[:, 0], sums[:, 3 : 3 + q] / sums[:, 2:3]
        fleiss, gwet = (used**2).sum(axis=1), (used * (1 - used)).sum(axis=1) / (q - 1 or math.nan)
        kappa, ac1 = (np.where(1 - e > 1e-12, (percent - e) / (1 - e), np.nan) for e in (fleiss, gwet))
        alpha = _alpha(sums[:, 3 + q :].reshape(len(sums), q, q), is_ordered)
        return {"percent": percent, "fleiss_kappa": kappa, "gwet_ac1": ac1, "krippendorff_alpha": alpha}


def _alpha(coincidences: np.ndarray, is_ordered: bool) -> np.ndarray:
    """Return Krippendorff's alpha, nominal or ordinal, of each table of coincidences."""
    margins = coincidences.sum(axis=2)
    distance = np.broadcast_to(1 - np.eye(margins.shape[1]), coincidences.shape)
    if is_ordered:
        middle = margins.cumsum(axis=1) - margins / 2
        distance = (middle[:, :, None] - middle[:, None, :]) ** 2
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (margins[:, :, None] * margins[:, None, :] * distance).sum(axis=(1, 2))
    return np.where(expected > 0, 1 - (margins.sum(axis=1) - 1) * observed / expected, np.nan)


def _percentile(drawn: np.ndarray, method: Method) -> list[float] | None:
    finite = drawn[np.isfinite(drawn)]
    if len(finite) < (1 - MAX_UNDEFINED) * len(drawn) or np.ptp(finite) < ALIKE:
        return None
    return [float(bound) for bound in np.quantile(finite, [1 - method.upper, method.upper])]


# 6. Samples, with a judge and without --------------------------------------------------------------------------------

FEWEST_DIFFERENCES = 2  # items on which people and judge differ that bounds with the judge assume at least


class Estimate:
    """A ratio over units with unequal sampling probabilities, from people's ratings and a judge's verdicts.

    With w = 1/π for rated items and 0 for the others, y hits among a assessed ratings of people, and the judge's hit f
    among g, both times the overlap: θ = [Σwy − λΣ(w−v)f] / [Σwa − λΣ(w−v)g], its variance C/(C−1) Σ z_c² over units,
    where z_c is the sum of w(y − θa) − λ(w−v)(f − θg) over the denominator. v is 0 for an item that tuned the judge's
    prompt, and else 1 over the probability that it did not: 1 without such items.
    """

    def __init__(self, lambda_: float, columns: Sequence[np.ndarray], units: int, method: Method):
        unit, w, v, y, a, f, g = columns
        self.lambda_, self.method = lambda_, method
        self.value: float | None = None
        self.low: float | None = None
        self.high: float | None = None
        sizes, self.z = np.bincount(unit, w * a, units), np.zeros(units)
        self.rated_units = int((sizes > 0).sum())
        bottom = (w * a).sum() - lambda_ * ((w - v) * g).sum()
        if not self.rated_units or bottom <= 0:
            return
        self.value = p = ((w * y).sum() - lambda_ * ((w - v) * f).sum()) / bottom
        self.z = np.bincount(unit, w * (y - p * a) - lambda_ * (w - v) * (f - p * g), units) / bottom
        self.counted = units if lambda_ else self.rated_units
        self.degrees = method.degrees(self.rated_units, effective_clusters(sizes))
        if self.rated_units < MIN_CLUSTERS:
            return
        self.variance, self.added = self.counted / (self.counted - 1) * float(self.z @ self.z), 0.0
        most = (w * a).sum() ** 2 / (w * w * a).sum()
        if lambda_:  # at least that of a few items on which people and judge differ, at most that of people alone
            items = (w * a).sum() ** 2 / ((w * a) ** 2).sum()
            least = min(Estimate(0.0, columns, units, method).variance, lambda_ * FEWEST_DIFFERENCES / items**2)
            self.added, most = max(0.0, least - self.variance), max(most, float((g > 0).sum()))
        spread, variance = p * (1 - p), self.variance + self.added
        size = min(most, spread / variance) if spread > 0 and variance > 0 else most
        size *= (norm.ppf(method.upper) / t.ppf(method.upper, self.degrees)) ** 2
        self.low, self.high = clopper_pearson(p, size, method)

    @property
    def bounds(self) -> Figures:
        return {"value": self.value, "low": self.low, "high": self.high}

    def minus(self, other: Estimate) -> Figures:
        """Return the difference of two systems' estimates with its interval."""
        if self.value is None or other.value is None:
            return {"difference": None, "low": None, "high": None}
        value = self.value - other.value
        if min(self.rated_units, other.rated_units) < MIN_CLUSTERS:
            return {"difference": value, "low": None, "high": None}
        counted, z = max(self.counted, other.counted), self.z - other.z
        se = math.sqrt(counted / (counted - 1) * float(z @ z) + self.added + other.added)
        half = t.ppf(self.method.upper, min(self.degrees, other.degrees)) * se
        return {"difference": value, "low": value - half, "high": value + half}


class Sample:
    """The items of a sample with people's ratings `used` of them, and the verdicts of a judge, if there are any."""

    def __init__(self, bundle: Bundle, file: str, used: Iterable[Row], overlap: int = 1):
        self.bundle, self.overlap = bundle, overlap
        self.items = Ratings(bundle, bundle.turned(read_table(bundle.folder / file)))
        self.systems, self.system = numbered(row["report_system"] for row in self.items.rows)
        self.ratings = Ratings(bundle, list(used))
        number = {item_of(row): i for i, row in enumerate(self.items.rows)}
        self.item = np.array([number.get(item_of(row), -1) for row in self.ratings.rows], dtype=np.int64)
        self.verdict = np.array([row.get("verdict", "") for row in self.items.rows])
        self.drawn = np.array([row["is_drawn"] == "1" for row in self.items.rows])
        self.tuned = self.verdict == "tuned"
        self.rated = (self._sum(np.ones(len(self.item))) > 0) & self.drawn & ~self.tuned
        probability = np.array([float(row["probability"]) for row in self.items.rows])
        self.weight, self.verdict_weight = np.zeros(len(number)), np.zeros(len(number))
        for n in range(len(self.systems)):  # rated items, and tuning items, are a random part of their system's
            own, rated = self.system == n, (self.system == n) & self.rated
            drawn, others = (
                self.tuned[own & part].sum() / max(1, (own & part).sum()) for part in (self.drawn, ~self.drawn)
            )
            tuned = probability * drawn + (1 - probability) * others
            self.verdict_weight[own & ~self.tuned] = 1 / (1 - tuned[own & ~self.tuned])
            self.weight[rated] = (own & self.drawn).sum() / rated.sum() / probability[rated] if rated.any() else 0.0

    def _sum(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of the values of the ratings of each item."""
        return np.bincount(self.item[self.item >= 0], values[self.item >= 0], len(self.items.rows))

    def columns(self, measure: Ratio, items: np.ndarray) -> list[np.ndarray]:
        """Return unit, w, v, y, a, f and g of some items."""
        y, a = (self.rated * self._sum(mask.astype(float)) for mask in self.ratings.masks(measure))
        f = g = np.zeros(len(self.items.rows))
        if (self.verdict != "").any():
            f, g = (self.overlap * (mask & (self.verdict == "rated")) for mask in self.items.masks(measure))
        return [column[items] for column in (self.items.cluster, self.weight, self.verdict_weight, y, a, f, g)]

    def estimate(self, columns: Sequence[np.ndarray], *, with_judge: bool) -> Estimate:
        """Return the estimate with the best λ; people alone where that leaves 0 to 1, or all verdicts are alike."""
        units, method, (unit, w, v, y, a, f, g) = len(self.items.clusters), self.bundle.method, columns
        alone = Estimate(0.0, columns, units, method)
        is_constant = self.bundle.inference.get("constant_verdicts") == "people alone" and f.sum() in (0, g.sum())
        if not with_judge or alone.value is None or is_constant:
            return alone
        people = np.bincount(unit, w * (y - alone.value * a), units)
        judge = np.bincount(unit, (w - v) * (f - alone.value * g), units)
        people, judge = people - people.mean(), judge - judge.mean()
        scale = max(1.0, float((np.bincount(unit, (w - v) * g, units) ** 2).sum()))
        lambda_ = min(1.0, max(0.0, (people @ judge) / (judge @ judge))) if judge @ judge > 1e-24 * scale else 0.0
        combined = Estimate(lambda_, columns, units, method)
        return combined if combined.value is not None and 0 < combined.value < 1 else alone

    def figures(self, *, with_judge: bool) -> Figures:
        """Return the part of the report."""
        everything = np.ones(len(self.items.rows), dtype=bool)
        groups = [(None, everything), *((name, self.system == n) for n, name in enumerate(self.systems))]
        cells: list[Figures] = []
        estimates: dict[tuple[str | None, str], Estimate] = {}
        for name, items in groups:
            used, measures = items & ~self.tuned, {}
            for measure in self.bundle.measures:
                columns = self.columns(measure, items)
                alone, (a, f, g) = self.estimate(columns, with_judge=False), columns[4:]
                combined = estimates[name, measure.key] = self.estimate(columns, with_judge=with_judge)
                measures[measure.key] = alone.bounds | {"n": int(a.sum()), "units": alone.rated_units}
                if with_judge:
                    judge = {"judge_alone": f.sum() / g.sum() if g.any() else None, "n_judge": int((g > 0).sum())}
                    people = {"lambda": combined.lambda_, "human": measures[measure.key]}
                    measures[measure.key] = combined.bounds | people | judge
            parts = {"items": used, "drawn": used & self.drawn, "rated": used & self.rated}
            counts = {key: int(mask.sum()) for key, mask in parts.items()}
            cells.append({"system": name, **counts, "measures": measures})
        differences = [
            {"a": a, "b": b, "measure": m.key, **estimates[a, m.key].minus(estimates[b, m.key])}
            for m in self.bundle.measures
            for a, b in combinations(self.systems, 2)
        ]
        units = {"units": len(self.items.clusters)}
        return units | {"overall": cells[0], "systems": cells[1:], "comparisons": differences}


def hybrid(bundle: Bundle) -> Figures:
    """Return the estimates with a judge: of ratings before which no verdict was shown."""
    used = [row for row in bundle.counted.rows if row.get("verdict_shown") != "1"]
    sample = Sample(bundle, "hybrid_items.csv", used, bundle.reported["hybrid"]["overlap"])
    states = Counter(sample.verdict.tolist())
    counts = {"verdicts": states["rated"], "failed": states["failed"], "tuned": states["tuned"]}
    return counts | {"verdict_shown": len(bundle.counted.rows) - len(used)} | sample.figures(with_judge=True)


# 7. Comparison with the report ---------------------------------------------------------------------------------------

CLOSE = 1e-8
LABELS = ("system", "value", "a", "b", "measure")
NOT_FIGURES = ("schema", "protocol", "software", "method", "inference", "filters", "multi_valued")


def computed(bundle: Bundle) -> Iterator[tuple[str, Any]]:
    """Yield the parts of the report that are computed here, in its form."""
    reported, ratings, rows = bundle.reported, bundle.counted, bundle.counted.rows
    sets: dict[str, set[Any]] = {
        "prompts": {row["prompt"] for row in rows},
        "responses": {(row["response"], row["against"]) for row in rows},
        "items": {item_of(row) for row in rows},
        "raters": {row["rater"] for row in bundle.own},
        "documents": {row["document"] for row in rows if row["document"]},
        "without_document": {row["prompt"] for row in rows if not row["document"]},
    }
    tables = cells(ratings, Ratings(bundle, rows, by_prompt=True) if bundle.is_by_document else None)
    overall = tables["overall"][0]
    counts = {name: len(values) for name, values in sets.items()}
    yield "data", {"ratings": len(rows), "assessed": overall["assessed"], **counts}
    yield from (("overall", overall), ("systems", tables["systems"]))
    yield "by", {name: tables[f"by {name}"] for name in reported["by"]}
    yield "comparisons", list(comparisons(bundle)) if reported["comparisons"] else []
    yield "agreement", {question: agreement(bundle, question) for question in reported["agreement"]}
    if "reason" not in reported.get("hybrid", {"reason": ""}):
        yield "hybrid", hybrid(bundle)
    if reported.get("weighted_estimates", {}).get("overall"):
        yield "weighted_estimates", Sample(bundle, "sample_items.csv", rows).figures(with_judge=False)


class Comparison:
    """The number of figures compared by part, those that differ, and the number of those not computed here."""

    def __init__(self) -> None:
        self.compared, self.not_computed = Counter[str](), Counter[str]()
        self.differing: list[str] = []

    def compare(self, path: tuple[str, ...], own: Any, reported: Any) -> None:
        """Compare two parts of the same form, figure by figure."""
        if isinstance(reported, list) and reported and isinstance(reported[0], dict):
            own, reported = ({label_of(row, i): row for i, row in enumerate(rows)} for rows in (own, reported))
            self.differing += [f"{' / '.join((*path, name))} is not in the report" for name in own.keys() - reported]
        if isinstance(reported, dict) and isinstance(own, dict):
            for key, value in reported.items():
                if key in own:
                    self.compare((*path, key), own[key], value)
                else:
                    self.skip((*path, key), value)
        else:
            self.compared[path[0]] += 1
            if not is_same(own, reported):
                self.differing.append(f"{' / '.join(path)} is {own} here, {reported} in the report")

    def skip(self, path: tuple[str, ...], reported: Any) -> None:
        """Count the figures of a part of the report that is not computed here."""
        if isinstance(reported, dict | list):
            for value in reported.values() if isinstance(reported, dict) else reported:
                self.skip(path, value)
        elif isinstance(reported, int | float) and not isinstance(reported, bool):
            self.not_computed[" / ".join(dict.fromkeys((path[0], path[-1])))] += 1


def label_of(row: Figures, number: int) -> str:
    """Return the names of a row of the report, such as `a, b, accurate`; of one without names its number."""
    return ", ".join(row[key] for key in LABELS if isinstance(row.get(key), str)) or str(number)


def is_same(own: Any, reported: Any) -> bool:
    """Return whether two values are equal; numbers up to CLOSE of the larger of 1 and the number."""
    if isinstance(own, list) and isinstance(reported, list):
        return len(own) == len(reported) and all(map(is_same, own, reported))
    if isinstance(own, int | float) and isinstance(reported, int | float):
        return abs(own - reported) <= CLOSE * max(1.0, abs(reported))
    return bool(own == reported)


def main(folder: Path) -> int:
    """Compare, print what was compared, and return 1 if a figure differs."""
    bundle, comparison = Bundle(folder), Comparison()
    own = dict(computed(bundle))
    for part, reported in bundle.reported.items():
        if part in own:
            comparison.compare((part,), own[part], reported)
        elif part not in NOT_FIGURES:
            comparison.skip((part,), reported)
    digest = hashlib.sha256((folder / "report.json").read_bytes()).hexdigest()
    if f"{digest}  report.json" not in (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        comparison.differing.insert(0, "report.json differs from its checksum in SHA256SUMS")
    total, ratings, differing = comparison.compared.total(), len(bundle.counted.rows), comparison.differing
    print(f"{total} figures of {ratings} ratings compared, {len(differing)} differ.")
    for title, numbers in (("Compared", comparison.compared), ("Not computed here", comparison.not_computed)):
        print(f"{title}: " + ", ".join(f"{part} ({n})" for part, n in numbers.items()) + ".")
    print("\n".join(differing))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent))
