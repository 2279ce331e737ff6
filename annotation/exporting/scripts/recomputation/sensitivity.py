"""The measures under other decisions about the analysis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .cells import hundredths_of, largest_of
from .intervals import Inference, exact_bounds, mean, proportion
from .items import Vote, votes_of, winner
from .study import Figures, Ratio, Row, Study, cluster_order, holds, item_of, numbered


def estimates(study: Study, analysis: Figures, inference: Inference) -> Iterator[Figures]:
    """Yield the estimates of one analysis, in the order of the report."""
    own = {
        (key, cell.get("system")): figures["value"]
        for cell in (study.report["overall"], *study.report["systems"])
        for key, figures in cell["measures"].items()
    }
    for estimate in analysis["estimates"]:
        measure = next(measure for measure in study.measures if measure.key == estimate["measure"])
        figures = _estimate(study, analysis, measure, estimate["system"], inference)
        reported = own[estimate["measure"], estimate["system"]]
        undefined = figures["value"] is None or reported is None
        yield {**figures, "shift": None if undefined else figures["value"] - reported}


def scores(study: Study, analysis: Figures, inference: Inference) -> Iterator[Figures]:
    """Yield the scores of one analysis, in the order of the report."""
    own = {
        (key, cell.get("system")): figures["value"]
        for cell in (study.report["overall"], *study.report["systems"])
        for key, figures in cell.get("scores", {}).items()
    }
    rows = _in_clusters(_without_raters(study.counted, set(analysis.get("without") or ())), analysis["analysis"])
    for estimate in analysis["scores"]:
        score = next(entry for entry in study.protocol["scores"] if entry["key"] == estimate["measure"])
        figures = _score(study, score, rows, estimate["system"], analysis["analysis"], inference)
        reported = own[estimate["measure"], estimate["system"]]
        undefined = figures["value"] is None or reported is None
        yield {**figures, "shift": None if undefined else figures["value"] - reported}


def _score(
    study: Study, score: Figures, rows: Sequence[Row], system: str | None, name: str, inference: Inference
) -> Figures:
    """Return a score of the ratings of a system; what could not be assessed has the largest weight or 0 where it is
    counted.
    """
    if name == "responses equal":
        return _responses_equal_score(study, score, system, inference)
    weighted_questions = {question for entry in score["weights"] for question in entry["when"]}
    added = {key: study.left_out(key) for key in study.questions if key in weighted_questions}
    largest = largest_of(score)
    weight_added = largest if name.endswith("best") != (score.get("better", "lower") == "lower") else 0
    clusters, cluster = numbered((row["cluster"] for row in rows), cluster_order)
    points, n = np.zeros(len(clusters)), np.zeros(len(clusters))
    for row, number in zip(rows, cluster.tolist(), strict=True):
        if system not in (None, row["report_system"]):
            continue
        hundredths = hundredths_of(score, row)
        if hundredths is None and name.startswith("not assessed"):
            is_added = any(row[f"answers.{key}"] in answers for key, answers in added.items())
            hundredths = weight_added if is_added else None
        if hundredths is not None:
            points[number] += hundredths
            n[number] += 1
    share = proportion(points, largest * n, inference, largest)
    value, low, high = (None if side is None else largest * side for side in (share.value, share.low, share.high))
    return {"value": value, "n": int(n.sum()), "low": low, "high": high, "method": share.method}


def _estimate(study: Study, analysis: Figures, measure: Ratio, system: str | None, inference: Inference) -> Figures:
    name = analysis["analysis"]
    rows = _without_raters(study.counted, set(analysis.get("without") or ()))
    if name == "majority":
        return _majority(study, measure, system, inference)
    if name == "dawid-skene":
        return _model(study, measure, system)
    if name == "responses equal":
        return _responses_equal(study, measure, system, inference)
    added = _not_assessed(study, measure, name) if name.startswith("not assessed") else None
    return _pooled(_in_clusters(rows, name), measure, system, inference, added)


def _without_raters(rows: Sequence[Row], names: set[str]) -> Sequence[Row]:
    return [row for row in rows if row["role"] != "rater" or row["rater"] not in names]


def _in_clusters(rows: Sequence[Row], name: str) -> Sequence[Row]:
    if name == "by prompt":
        return [{**row, "cluster": f"prompt {row['prompt']}"} for row in rows]
    if name == "by document":
        return [{**row, "cluster": _document_or_prompt(row)} for row in rows]
    return rows


def _document_or_prompt(row: Row) -> str:
    return f"document {row['document']}" if row["document"] else f"prompt {row['prompt']}"


def _not_assessed(study: Study, measure: Ratio, name: str) -> tuple[dict[str, set[str]], bool]:
    """Return the answers that are added to the denominator of a measure, and whether they are hits."""
    added = {key: study.left_out(key) for key in study.questions if key in measure.counts}
    return added, name.endswith("best") != (study.better(measure.key) == "lower")


def _pooled(
    rows: Sequence[Row],
    measure: Ratio,
    system: str | None,
    inference: Inference,
    added: tuple[dict[str, set[str]], bool] | None = None,
) -> Figures:
    """Return the proportion of all ratings together; `added`: answers that join its denominator, as hits or not."""
    clusters, cluster = numbered((row["cluster"] for row in rows), cluster_order)
    k, n = np.zeros(len(clusters)), np.zeros(len(clusters))
    for row, number in zip(rows, cluster.tolist(), strict=True):
        if system not in (None, row["report_system"]):
            continue
        if holds(measure.among, row):
            n[number] += 1
            k[number] += holds(measure.counts, row)
        elif added and any(row[f"answers.{key}"] in answers for key, answers in added[0].items()):
            n[number] += 1
            k[number] += added[1]
    return _figures(vars(proportion(k, n, inference)))


def _figures(figures: Figures) -> Figures:
    return {key: figures[key] for key in ("value", "n", "low", "high", "method")}


def _majority(study: Study, measure: Ratio, system: str | None, inference: Inference) -> Figures:
    """Return the share of the decided items whose majority is a hit."""
    clusters, _ = numbered((row["cluster"] for row in study.counted), cluster_order)
    by_item: dict[Any, list[Vote]] = defaultdict(list)
    for vote in votes_of(study, measure, study.counted):
        if system in (None, vote.row["report_system"]):
            by_item[item_of(vote.row)].append(vote)
    k, n = np.zeros(len(clusters)), np.zeros(len(clusters))
    number = {name: i for i, name in enumerate(clusters)}
    for votes in by_item.values():
        won = winner(votes)
        if won is not None:
            n[number[votes[0].row["cluster"]]] += 1
            k[number[votes[0].row["cluster"]]] += won
    return _figures(vars(proportion(k, n, inference)))


def _model(study: Study, measure: Ratio, system: str | None) -> Figures:
    """Return Dawid and Skene's estimate that the report's aggregations have; it is compared there."""
    rows = {row["system"]: row["measures"] for row in study.report["aggregations"]}
    model = rows[system][measure.key]["dawid_skene"]
    if model is None:
        return {"value": None, "n": 0, "low": None, "high": None, "method": "none"}
    low, high = model.get("low"), model.get("high")
    method = "none" if low is None else "korn-graubard" if model["value"] in (0, 1) else "percentile"
    return {"value": model["value"], "n": model["items"], "low": low, "high": high, "method": method}


def _responses_equal(study: Study, measure: Ratio, system: str | None, inference: Inference) -> Figures:
    """Return the mean of the responses' own proportions."""
    rows = [row for row in study.counted if system in (None, row["report_system"]) and holds(measure.among, row)]
    return _mean_of_responses(study, [(row, float(holds(measure.counts, row))) for row in rows], inference)


def _responses_equal_score(study: Study, score: Figures, system: str | None, inference: Inference) -> Figures:
    """Return the mean of the responses' own scores per 100 ratings."""
    largest = largest_of(score)
    weights = ((row, hundredths_of(score, row)) for row in study.counted if system in (None, row["report_system"]))
    shares = [(row, hundredths / largest) for row, hundredths in weights if hundredths is not None]
    share = _mean_of_responses(study, shares, inference)
    ends = {key: None if share[key] is None else largest * share[key] for key in ("value", "low", "high")}
    return {**share, **ends}


def _mean_of_responses(study: Study, values: Sequence[tuple[Row, float]], inference: Inference) -> Figures:
    """Return the mean over responses of the mean value of their ratings; each value is 0 to 1."""
    clusters, _ = numbered((row["cluster"] for row in study.counted), cluster_order)
    number = {name: i for i, name in enumerate(clusters)}
    by_response: dict[Any, list[float]] = defaultdict(list)
    cluster_of: dict[Any, int] = {}
    for row, value in values:
        by_response[row["response"], row["against"]].append(value)
        cluster_of[row["response"], row["against"]] = number[row["cluster"]]
    shares = np.array([sum(of_response) / len(of_response) for of_response in by_response.values()], dtype=float)
    cluster = np.array([cluster_of[response] for response in by_response], dtype=np.int64)
    estimate = mean(shares, cluster, len(clusters), inference)
    if estimate.value in (0, 1):
        bounds = exact_bounds(np.bincount(cluster), inference, all_hit=estimate.value == 1)
        return {"value": estimate.value, "n": estimate.n, "low": bounds[0], "high": bounds[1], "method": bounds[2]}
    low, high = (None if bound is None else min(max(bound, 0.0), 1.0) for bound in (estimate.low, estimate.high))
    return {"value": estimate.value, "n": estimate.n, "low": low, "high": high, "method": estimate.method}
