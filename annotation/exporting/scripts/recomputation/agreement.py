"""Agreement coefficients with their bootstrap intervals, pairs of raters, and the items with most disagreement."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from .intervals import ALIKE, MIN_CLUSTERS, Inference, exact_bounds
from .study import Figures, Row, Study, cluster_order, holds, item_of, numbered

NAMES = ("percent", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha")
MAX_UNDEFINED = 0.05
MAX_ITEMS, MAX_RATERS = 20, 60

Label = Callable[[Row], "str | None"]


def labelings(study: Study) -> dict[str, tuple[list[str], Label, bool]]:
    """Return {question: (categories, the label of a rating, whether the categories are ordered)}."""
    labelings_by_question: dict[str, tuple[list[str], Label, bool]] = {}
    for question, options in study.questions.items():
        left_out = study.left_out(question)
        labelings_by_question[question] = (
            [key for key in options if key not in left_out],
            _answer_to(question, left_out),
            False,
        )
    accurate = next((m for m in study.measures if m.key == "accurate"), None)
    if accurate:

        def accurate_or_not(row: Row) -> str | None:
            if not holds(accurate.among, row):
                return None
            return "accurate" if holds(accurate.counts, row) else "not_accurate"

        def severity(row: Row) -> str | None:
            label = accurate_or_not(row)
            return label if label != "not_accurate" else row["answers.severity"] or None

        labelings_by_question["accurate_or_not"] = (["accurate", "not_accurate"], accurate_or_not, False)
        if set(study.questions.get("severity", ())) == {"not_severe", "severe"}:
            labelings_by_question["severity_scale"] = (["accurate", "not_severe", "severe"], severity, True)
    return labelings_by_question


def _answer_to(question: str, left_out: set[str]) -> Label:
    def label(row: Row) -> str | None:
        answer = row[f"answers.{question}"]
        return answer if answer and answer not in left_out else None

    return label


def agreement(study: Study, question: str, inference: Inference) -> Figures:
    """Return every figure of the agreement about one question, without the pairs of raters."""
    categories, label_of, is_ordered = labelings(study)[question]
    rows = [(row, label) for row in study.own if (label := label_of(row)) is not None]
    items, item = numbered(item_of(row) for row, _ in rows)
    counts = np.zeros((len(items), len(categories)))
    for number, (_, label) in zip(item.tolist(), rows, strict=True):
        counts[number, categories.index(label)] += 1
    shared = counts.sum(axis=1) > 1
    raters = {row["rater"] for number, (row, _) in zip(item.tolist(), rows, strict=True) if shared[number]}
    clusters = {item_of(row): row["cluster"] for row, _ in rows}
    terms = _terms(counts)
    estimates = _coefficients(terms.sum(axis=0, keepdims=True), len(categories), is_ordered)
    of_items = [clusters[item_key] for item_key in items]
    intervals = _intervals(terms, shared, of_items, len(categories), is_ordered, inference)
    exact = _exact_interval(float(estimates["percent"][0]), of_items, shared, inference)
    return {
        "items": int(shared.sum()),
        "raters": len(raters),
        **{name: _defined(estimates[name][0]) for name in NAMES},
        "intervals": {**intervals, "percent": intervals["percent"] or exact},
    }


def _exact_interval(
    percent: float, clusters: list[str], shared: np.ndarray, inference: Inference
) -> list[float] | None:
    """Return the bounds of the agreement where raters agree on all items or on none; None elsewhere."""
    if percent not in (0, 1) or not inference.effective or not inference.resamples:
        return None
    _, number = numbered([cluster for cluster, is_shared in zip(clusters, shared, strict=True) if is_shared])
    low, high, _ = exact_bounds(np.bincount(number), inference, all_hit=percent == 1)
    return None if low is None or high is None else [low, high]


def _terms(counts: np.ndarray) -> np.ndarray:
    """Return what each item adds: items with a pair, its agreement, items, shares of labels, coincidences."""
    q = counts.shape[1]
    n = counts.sum(axis=1, keepdims=True)
    paired = (n > 1).astype(float)
    pairs = np.where(n > 1, n - 1, 1)
    agreeing = (counts * (counts - 1)).sum(axis=1, keepdims=True) / (n * pairs) * paired
    coincidences = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(q)
    coincidences = coincidences.reshape(len(counts), q * q) / pairs * paired
    return np.concatenate([paired, agreeing, np.ones_like(n), counts / n, coincidences], axis=1)


def _coefficients(sums: np.ndarray, q: int, is_ordered: bool) -> dict[str, np.ndarray]:
    """Return the coefficients of each row of sums; NaN where they are undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        percent = sums[:, 1] / sums[:, 0]
        used = sums[:, 3 : 3 + q] / sums[:, 2:3]
        coincidences = sums[:, 3 + q :].reshape(len(sums), q, q)
        fleiss = (used**2).sum(axis=1)
        gwet = (used * (1 - used)).sum(axis=1) / (q - 1) if q > 1 else np.full(len(sums), np.nan)
        return {
            "percent": percent,
            "fleiss_kappa": _beyond(percent, fleiss),
            "gwet_ac1": _beyond(percent, gwet),
            "krippendorff_alpha": _alpha(coincidences, is_ordered),
        }


def _beyond(percent: np.ndarray, chance: np.ndarray) -> np.ndarray:
    return np.where(1 - chance > 1e-12, (percent - chance) / (1 - chance), np.nan)


def _alpha(coincidences: np.ndarray, is_ordered: bool) -> np.ndarray:
    """Return Krippendorff's alpha, nominal or ordinal, of each table of coincidences."""
    margins = coincidences.sum(axis=2)
    total = margins.sum(axis=1)
    distance = np.broadcast_to(1 - np.eye(margins.shape[1]), coincidences.shape)
    if is_ordered:
        middle = margins.cumsum(axis=1) - margins / 2
        distance = (middle[:, :, None] - middle[:, None, :]) ** 2
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (margins[:, :, None] * margins[:, None, :] * distance).sum(axis=(1, 2))
    return np.where(expected > 0, 1 - (total - 1) * observed / expected, np.nan)


def _intervals(
    terms: np.ndarray, shared: np.ndarray, clusters: list[str], q: int, is_ordered: bool, inference: Inference
) -> dict[str, list[float] | None]:
    paired = {cluster for cluster, is_shared in zip(clusters, shared.tolist(), strict=True) if is_shared}
    if len(paired) < MIN_CLUSTERS or not inference.resamples:
        return dict.fromkeys(NAMES)
    is_paired = np.array([cluster in paired for cluster in clusters])
    names, number = numbered([c for c in clusters if c in paired], cluster_order)
    sums = np.zeros((len(names), terms.shape[1]))
    np.add.at(sums, number, terms[is_paired])
    drawn = _coefficients(inference.weights(len(names)) @ sums, q, is_ordered)
    return {name: _percentile(drawn[name], inference) for name in NAMES}


def _percentile(drawn: np.ndarray, inference: Inference) -> list[float] | None:
    finite = drawn[np.isfinite(drawn)]
    if len(finite) < (1 - MAX_UNDEFINED) * len(drawn) or np.ptp(finite) < ALIKE:
        return None
    return [float(bound) for bound in np.quantile(finite, [1 - inference.upper, inference.upper])]


def _defined(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def rater_pairs(study: Study, question: str) -> list[Figures]:
    """Return each two raters with common labeled items: items, percent and Gwet's AC1."""
    categories, label_of, _ = labelings(study)[question]
    labels: dict[tuple[Any, ...], dict[str, str]] = defaultdict(dict)
    for row in study.own:
        if (label := label_of(row)) is not None:
            labels[item_of(row)][row["rater"]] = label
    tables: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for by_rater in labels.values():
        for a, b in combinations(sorted(by_rater), 2):
            tables[a, b].append((by_rater[a], by_rater[b]))
    if len({row["rater"] for row in study.own}) > MAX_RATERS:
        return []
    return [{"a": a, "b": b, **_pair(tables[a, b], categories)} for a, b in sorted(tables)]


def _pair(labels: list[tuple[str, str]], categories: list[str]) -> Figures:
    counts = np.array([[(label == c) + (other == c) for c in categories] for label, other in labels], dtype=float)
    estimates = _coefficients(_terms(counts).sum(axis=0, keepdims=True), len(categories), False)
    return {
        "items": len(labels),
        "percent": _defined(estimates["percent"][0]),
        "ac1": _defined(estimates["gwet_ac1"][0]),
    }


def disagreements(study: Study) -> tuple[list[Figures], dict[str, int] | None]:
    """Return the score, ratings and answers of the items that raters disagree on most, worst first, and how many items
    tie with the last one, if not all of them are shown.
    """
    by_item: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in study.own:
        by_item[item_of(row)].append(row)
    scored = [(_score(study, rows), rows) for rows in by_item.values()]
    worst = sorted((-score, -len(rows), _place(rows[0]), i) for i, (score, rows) in enumerate(scored) if score)
    listed = worst[:MAX_ITEMS]
    ties = [sum(row[:2] == listed[-1][:2] for row in rows) for rows in (worst, listed)] if listed else [0, 0]
    tie = {"items": ties[0], "shown": ties[1]} if ties[0] > ties[1] else None
    return [_disagreement(study, -score / 100, scored[i][1]) for score, _, _, i in listed], tie


def _place(row: Row) -> tuple[Any, ...]:
    units = ["sentence", "claim", "fact", "response", "pair"]
    return row["prompt"], row["response"], row["against"], units.index(row["unit"]), int(row["item"])


def _score(study: Study, rows: Sequence[Row]) -> int:
    """Return the disagreement in hundredths: pairs that differ in each aspect over those of an even split."""
    apart = 0
    for question in study.questions:
        apart += _pairs_apart([row[f"answers.{question}"] for row in rows])
    for measure in study.measures:
        apart += _pairs_apart([holds(measure.counts, row) for row in rows if holds(measure.among, row)])
    even = max(1, len(rows) ** 2 // 4)
    return (200 * apart + even) // (2 * even)


def _pairs_apart(values: Sequence[Any]) -> int:
    return (len(values) ** 2 - sum(n * n for n in Counter(values).values())) // 2


def _disagreement(study: Study, score: float, rows: Sequence[Row]) -> Figures:
    turned = study.turned(rows) if not study.is_about_pairs else rows
    first = rows[0]
    return {
        "prompt": first["prompt"],
        "response": first["response"],
        "item": int(first["item"]),
        "system": first["report_system"],
        "disagreement": score,
        "ratings": len(rows),
        "assessed": study.count_assessed(turned),
        "answers": answer_counts(study, turned),
    }


def answer_counts(study: Study, rows: Sequence[Row]) -> Mapping[str, dict[str, int]]:
    """Return how often each option of each choice question was chosen."""
    return {
        question: {option: sum(row[f"answers.{question}"] == option for row in rows) for option in options}
        for question, options in study.questions.items()
    }
