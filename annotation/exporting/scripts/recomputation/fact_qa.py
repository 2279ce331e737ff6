"""Fact-QA scores: means of precision, recall and F1 by groups of responses, and Pearson's r with people's scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from .intervals import Inference, mean
from .quantiles import NORMAL
from .responses import values_of
from .study import Figures, Row, Study, cluster_order, numbered, read_table

FIGURES = ("precision", "recall", "f1")
CLASSES = ("explicit", "implicit", "insufficient")
TYPES = (
    "yes/no",
    "single factual",
    "multi factual",
    "single reasoning",
    "multi reasoning",
    "summarization",
    "no answer",
)
HUMAN = ("human_precision", "human_recall")


def fact_qa(study: Study, inference: Inference) -> Iterator[Figures]:
    """Yield the figures of each judge of the report, recomputed from fact_qa.csv and ratings.csv."""
    reported = study.report.get("fact_qa") or ()
    rows = list(read_table(study.folder / "fact_qa.csv")) if reported else []
    for part in reported:
        yield _Scores(study, [row for row in rows if row["judge"] == part["judge"]], inference).figures()


class _Scores:
    """The rows of one judge: those that are scored, their values and their clusters."""

    def __init__(self, study: Study, rows: Sequence[Row], inference: Inference):
        self.study, self.rows, self.inference = study, rows, inference
        self.scored = [row for row in rows if row["state"] == "scored"]
        self.clusters, self.cluster = numbered((row["cluster"] for row in self.scored), cluster_order)
        precision, recall = ([_number(row[figure]) for row in self.scored] for figure in FIGURES[:2])
        f1 = [_harmonic(*pair) for pair in zip(precision, recall, strict=True)]
        self.values = {name: np.array(values) for name, values in zip(FIGURES, (precision, recall, f1), strict=True)}

    def figures(self) -> Figures:
        costs = [float(row["cost_usd"]) for row in self.rows if row["cost_usd"]]
        states = [row["state"] for row in self.rows]
        return {
            "method": self.study.report["method"],
            "responses": len(self.rows),
            "scored": states.count("scored"),
            "failed": states.count("failed"),
            "missing": states.count(""),
            "unreadable": sum(int(row["unreadable"]) for row in self.rows if row["state"] != "tuned"),
            "cost_usd": math.fsum(costs) if costs else None,
            "overall": self._means(np.ones(len(self.scored), dtype=bool)),
            "systems": self._groups(lambda row: row["system"]),
            "source_classes": self._groups(lambda row: row["source_class"], CLASSES),
            "question_types": self._groups(lambda row: row["question_type"], TYPES),
            "correlations": list(self._correlations()),
            **({"tuned": states.count("tuned")} if "tuned" in states else {}),
        }

    def _groups(self, name_of: Callable[[Row], str], order: Sequence[str] = ()) -> list[Figures]:
        names = [name_of(row) for row in self.scored]
        listed = [name for name in [*order, *sorted(set(names) - set(order))] if name and name in names]
        return [{"value": name, **self._means(np.array([each == name for each in names]))} for name in listed]

    def _means(self, selected: np.ndarray) -> Figures:
        figures = {
            name: vars(mean(values[selected], self.cluster[selected], len(self.clusters), self.inference, bounded=True))
            for name, values in self.values.items()
        }
        return {"responses": int(selected.sum()), **figures}

    def _correlations(self) -> Iterator[Figures]:
        people = self._people()
        for figure, values in self.values.items():
            own = people.get(figure, {})
            other = np.array([own.get((row["response"], ""), math.nan) for row in self.scored])
            yield {"figure": figure, **self._pearson(values, other)}

    def _people(self) -> dict[str, dict[tuple[str, str], float]]:
        """Return people's scores by figure and response; empty under protocols without them."""
        if not set(HUMAN) <= {mean["key"] for mean in self.study.protocol.get("means", ())}:
            return {}
        rated = [row for row in self.study.counted if row.get("verdict_shown") != "1"]
        precision, recall = (values_of(self.study, key, rated) for key in HUMAN)
        common = set(precision) & set(recall)
        f1 = {response: _harmonic(precision[response], recall[response]) for response in common}
        return {"precision": precision, "recall": recall, "f1": f1}

    def _pearson(self, x: np.ndarray, y: np.ndarray) -> Figures:
        """Return Pearson's r with Fisher's bounds; None where a series is constant, or too short."""
        defined = np.isfinite(x) & np.isfinite(y)
        x, y, n = x[defined], y[defined], int(defined.sum())
        if n < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
            return {"n": n, "pearson": None, "low": None, "high": None}
        r = float(np.corrcoef(x, y)[0, 1])
        if n < 4 or abs(r) >= 1 - 1e-15:
            return {"n": n, "pearson": r, "low": None, "high": None}
        half = NORMAL.inv_cdf(self.inference.upper) / math.sqrt(n - 3)
        return {"n": n, "pearson": r, "low": math.tanh(math.atanh(r) - half), "high": math.tanh(math.atanh(r) + half)}


def _number(cell: str) -> float:
    return float(cell) if cell else math.nan


def _harmonic(precision: float, recall: float) -> float:
    """Return the harmonic mean; that of two zeros is 0, and NaN where one is undefined."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0
