"""Each rater compared with gold answers, adjudications and the other raters."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

import numpy as np

from .alerts import quality_alerts
from .intervals import Inference, Proportion, proportion, wilson
from .quantiles import NORMAL
from .study import ADJUDICATOR, Figures, Row, Study, cluster_order, holds, item_of, numbered, week_of

GOLD = "gold"
BEYOND, QUICK = 0.1, 2.0
USUAL_SPREAD, STEPS = 0.1, 200

Item = tuple[str, str, str, int]


def checked_answer(study: Study, row: Row) -> str | None:
    """Return the answer that is compared with gold: of the first question of a measure with a direction, by kind."""
    questions = [question for question in study.protocol["questions"] if question["key"] in study.questions]
    judged = [m for m in study.measures if study.better(m.key) != "neither"] or study.measures
    counted = [question for question in questions if any(question["key"] in m.counts for m in judged)]
    checked = [counted[0]]
    for question in counted[1:]:
        kinds = {kind for other in checked for kind in other.get("kinds", ())}
        if kinds and question.get("kinds") and kinds.isdisjoint(question["kinds"]):
            checked.append(question)
    answer = next((row[f"answers.{q['key']}"] for q in checked if row[f"answers.{q['key']}"]), None)
    return answer or ("" if any(q.get("show_when") for q in checked) else None)


def references(study: Study, role: str) -> dict[Item, tuple[str, str | None]]:
    """Return the newest answer of a role about each item: (author, checked answer)."""
    newest: dict[Item, Row] = {}
    for row in study.rows:
        if row["role"] == role:
            other = newest.get(item_of(row))
            if other is None or _age(row) > _age(other):
                newest[item_of(row)] = row
    return {item: (row["rater"], checked_answer(study, row)) for item, row in newest.items()}


def _age(row: Row) -> tuple[str, str, str]:
    """Return the sort key of references: the one that the report counts, else the newest."""
    return row["in_report"], row["rated_at"], row["rater"]


def reference_shares(study: Study, role: str, rows: Iterable[Row]) -> dict[str, tuple[int, int]]:
    """Return {rater: (right, compared)} with the references of a role that the rater did not give."""
    expected = references(study, role)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        author, answer = expected.get(item_of(row), (row["rater"], None))
        rater_answer = checked_answer(study, row)
        if author != row["rater"] and answer is not None and rater_answer is not None:
            counts[row["rater"]][0] += rater_answer == answer
            counts[row["rater"]][1] += 1
    return {name: (k, n) for name, (k, n) in counts.items()}


def gold_shares(study: Study) -> dict[str, tuple[int, int]]:
    """Return the accuracy on gold of every rater, whatever the report excludes."""
    return reference_shares(study, GOLD, [row for row in study.rows if row["role"] == "rater"])


def quality(study: Study, inference: Inference) -> dict[str, Figures]:
    """Return every figure of each rater, by name."""
    rows = study.own
    names = sorted({row["rater"] for row in rows})
    same, hits = agrees_with_others(study, rows), leniency_hits(study, rows)
    differences = differences_from_others(rows, hits)
    leniencies = leniency(rows, differences, names, inference)
    gold, adjudicated = (reference_shares(study, role, rows) for role in (GOLD, ADJUDICATOR))
    raters = {
        name: _figures(study, name, rows, same, hits, differences, leniencies[name], gold, adjudicated, inference)
        for name in names
    }
    outliers = outlying(study, rows, names, inference)
    for name, figures in raters.items():
        figures["flags"] = quality_alerts(name, raters, outliers)
    return raters


def _figures(
    study: Study,
    name: str,
    rows: Sequence[Row],
    same: list[int | None],
    hits: list[int | None],
    differences: list[float | None],
    lenient: Figures | None,
    gold: dict[str, tuple[int, int]],
    adjudicated: dict[str, tuple[int, int]],
    inference: Inference,
) -> Figures:
    own = [i for i, row in enumerate(rows) if row["rater"] == name]
    left_out = study.left_out(study.first_question)
    labels = [rows[i][f"answers.{study.first_question}"] for i in own]
    seconds = [float(rows[i]["seconds"]) for i in own if rows[i]["seconds"]]
    quick = sum(second < QUICK for second in seconds)
    return {
        "ratings": len(own),
        "assessed": sum(bool(label) and label not in left_out for label in labels),
        "gold": _wilson_share(gold.get(name, (0, 0)), inference),
        "adjudicated": _wilson_share(adjudicated.get(name, (0, 0)), inference),
        "leave_one_out": _clustered_share([(rows[i]["cluster"], same[i]) for i in own], inference),
        "leniency": lenient,
        "seconds": median(seconds) if seconds else None,
        "quick": {"value": quick / len(seconds), "k": quick, "n": len(seconds)} if seconds else None,
        "weeks": _weeks(rows, own, same, hits, differences),
    }


def _weeks(
    rows: Sequence[Row],
    own: Sequence[int],
    same: list[int | None],
    hits: list[int | None],
    differences: list[float | None],
) -> list[Figures]:
    by_week: dict[str, list[int]] = defaultdict(list)
    for i in own:
        by_week[week_of(rows[i])].append(i)
    return [
        {
            "week": week,
            "ratings": len(part),
            "accurate": _mean([hits[i] for i in part]),
            "leave_one_out": _mean([same[i] for i in part]),
            "leniency": _mean([differences[i] for i in part]),
        }
        for week, part in sorted(by_week.items())
    ]


def _mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return math.fsum(present) / len(present) if present else None


def _wilson_share(counts: tuple[int, int], inference: Inference) -> Figures | None:
    k, n = counts
    if not n:
        return None
    low, high = wilson(k, n, inference)
    return {"value": k / n, "k": k, "n": n, "low": low, "high": high}


def _clustered_share(values: Sequence[tuple[str, int | None]], inference: Inference) -> Figures | None:
    compared = [(cluster, value) for cluster, value in values if value is not None]
    if not compared:
        return None
    names, number = numbered((cluster for cluster, _ in compared), cluster_order)
    n = np.bincount(number, minlength=len(names)).astype(float)
    k = np.bincount(number, [value for _, value in compared], len(names))
    share: Proportion = proportion(k, n, Inference(inference.level, 0, inference.seed, inference.effective))
    return {"value": share.value, "k": share.k, "n": share.n, "low": share.low, "high": share.high}


def agrees_with_others(study: Study, rows: Sequence[Row]) -> list[int | None]:
    """Return for each rating whether it is the majority of the other labels of its item; None without one."""
    left_out, question = study.left_out(study.first_question), study.first_question
    labels = [row[f"answers.{question}"] if row[f"answers.{question}"] not in left_out else "" for row in rows]
    by_item: dict[Item, list[str]] = defaultdict(list)
    for row, label in zip(rows, labels, strict=True):
        if label:
            by_item[item_of(row)].append(label)
    return [_agrees(label, by_item[item_of(row)]) if label else None for row, label in zip(rows, labels, strict=True)]


def _agrees(label: str, labels: Sequence[str]) -> int | None:
    others = {other: labels.count(other) - (other == label) for other in set(labels)}
    most = max(others.values())
    if not most or list(others.values()).count(most) > 1:
        return None
    return int(others[label] == most)


def leniency_hits(study: Study, rows: Sequence[Row]) -> list[int | None]:
    """Return for each rating whether the measure `accurate`, or the first one, counts it; None if not assessed."""
    measure = next((m for m in study.measures if m.key == "accurate"), study.measures[0])
    return [int(holds(measure.counts, row)) if holds(measure.among, row) else None for row in rows]


def differences_from_others(rows: Sequence[Row], hits: Sequence[int | None]) -> list[float | None]:
    """Return each 0 or 1 less the mean of the others' on the item."""
    sums: dict[Item, list[int]] = defaultdict(lambda: [0, 0])
    for row, hit in zip(rows, hits, strict=True):
        if hit is not None:
            sums[item_of(row)][0] += hit
            sums[item_of(row)][1] += 1
    differences: list[float | None] = []
    for row, hit in zip(rows, hits, strict=True):
        k, n = sums[item_of(row)] if hit is not None else (0, 0)
        differences.append(None if hit is None or n < 2 else hit - (k - hit) / (n - 1))
    return differences


def leniency(
    rows: Sequence[Row], differences: Sequence[float | None], names: Sequence[str], inference: Inference
) -> dict[str, Figures | None]:
    """Return each rater's leniency, shrunk toward 0 by an empirical prior of its spread."""
    by_rater: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for row, difference in zip(rows, differences, strict=True):
        if difference is not None:
            by_rater[row["rater"]].append((row["cluster"], difference))
    raw = {name: math.fsum(d for _, d in values) / len(values) for name, values in by_rater.items()}
    variance = _variance(by_rater, raw)
    present = [name for name in names if name in raw]
    variances = np.array([variance / len(by_rater[name]) for name in present])
    shrunk = _shrink(np.array([raw[name] for name in present]), variances)
    z = NORMAL.inv_cdf(inference.upper)
    estimates: dict[str, Figures | None] = dict.fromkeys(names)
    for name, (value, sd) in zip(present, shrunk, strict=True):
        bounds = {"low": value - z * sd, "high": value + z * sd}
        estimates[name] = {"value": value, **bounds, "raw": raw[name], "items": len(by_rater[name])}
    return estimates


def _variance(by_rater: dict[str, list[tuple[str, float]]], raw: dict[str, float]) -> float:
    residuals = [(name, c, d - raw[name]) for name, values in by_rater.items() for c, d in values]
    if not residuals:
        return 0.25
    squares = math.fsum(d * d for _, _, d in residuals)
    groups: dict[tuple[str, str], list[float]] = defaultdict(list)
    for name, cluster, d in residuals:
        groups[name, cluster].append(d)
    together = math.fsum(math.fsum(group) ** 2 for group in groups.values())
    within = (squares + 0.25) / (len(residuals) - len(by_rater) + 1)
    return within * max(1.0, together / squares if squares > 0 else 1.0)


def _shrink(raw: np.ndarray, variances: np.ndarray) -> list[tuple[float, float]]:
    """Return (mean, standard deviation) of each true leniency over the posterior of the spread (a grid)."""
    spreads = (np.arange(STEPS) + 0.5) / STEPS
    total = spreads[:, None] ** 2 + variances
    logs = -0.5 * (np.log(total) + raw * raw / total).sum(axis=1) - np.log(1 + (spreads / USUAL_SPREAD) ** 2)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    weight_of_data = spreads**2 / (spreads**2 + variances[:, None])
    estimates = []
    for d, v, part in zip(raw.tolist(), variances.tolist(), weight_of_data, strict=True):
        first, second = float((weights * part).sum()), float((weights * part * part).sum())
        estimates.append((d * first, math.sqrt(v * first + d * d * max(0.0, second - first**2))))
    return estimates


def outlying(study: Study, rows: Sequence[Row], names: Sequence[str], inference: Inference) -> dict[str, float]:
    """Return the raters whose leniency lies beyond ± BEYOND, outliers one at a time, the farthest first."""
    remaining = list(rows)
    outliers: dict[str, float] = {}
    while True:
        differences = differences_from_others(remaining, leniency_hits(study, remaining))
        estimates = leniency(remaining, differences, names, inference)
        beyond = {n: e["value"] for n, e in estimates.items() if e and (e["low"] > BEYOND or e["high"] < -BEYOND)}
        if not beyond:
            return outliers
        farthest = max(map(abs, beyond.values()))
        removed = {name: value for name, value in beyond.items() if abs(value) > farthest - 1e-9}
        outliers |= removed
        remaining = [row for row in remaining if row["rater"] not in removed]
