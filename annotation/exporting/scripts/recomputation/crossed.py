"""The crossed random-effects models, fitted again.

The fit is Factuary's own program, whose modules are in the folder stats, as the search for its optimum is what there is
to repeat; recompute.R fits the same models with lme4, which is independent of it. Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module

import numpy as np

from .study import Figures, Ratio, Row, Study, holds, item_of, numbered

MAX_RATINGS, MAX_RATERS = 50_000, 500


def models(study: Study) -> Iterator[Figures]:
    """Yield the figures of each model of the report. Raises ModuleNotFoundError without SciPy."""
    for row in study.report["crossed_models"]:
        measure = next(measure for measure in study.measures if measure.key == row["measure"])
        yield _model(study, measure)


def _model(study: Study, measure: Ratio) -> Figures:
    rows = [row for row in study.own if holds(measure.among, row)]
    raters = {row["rater"] for row in study.own}
    if not rows or len(rows) > MAX_RATINGS or len(raters) > MAX_RATERS:
        return {"ratings": len(rows), "components": [], "marginal": [], "odds_ratios": []}
    program = import_module("recomputation.stats.crossed_model")
    names, system = numbered(row["report_system"] for row in rows)
    hits = np.array([holds(measure.counts, row) for row in rows])
    fit = program.crossed_model(
        program.Ratings.of(hits, system, len(names), _groupings(study, rows)), level=study.level
    )
    return {
        "ratings": fit.ratings,
        "status": fit.status,
        **({"separated": [names[number] for number in fit.separated]} if fit.separated else {}),
        "log_likelihood": fit.log_likelihood,
        "components": [{"levels": row.levels, "variance": row.variance} for row in fit.components],
        "marginal": [{"value": row.value, "low": row.low, "high": row.high} for row in fit.marginal],
        "odds_ratios": [
            {name: getattr(row, name) for name in ("value", "low", "high", "p", "p_holm")} for row in fit.odds_ratios
        ],
    }


def _groupings(study: Study, rows: Sequence[Row]) -> dict[str, np.ndarray]:
    """Return the level of every rating; a prompt without a document is a document of its own, unless all are."""
    groupings = {
        "prompt": numbered(row["prompt"] for row in rows)[1],
        "response": numbered((row["prompt"], row["response"], row["against"]) for row in rows)[1],
        "item": numbered((row["prompt"], item_of(row)) for row in rows)[1],
        "rater": numbered(row["rater"] for row in rows)[1],
    }
    if any(row["document"] for row in study.own):
        groupings["document"] = numbered((row["document"] == "", row["document"] or row["prompt"]) for row in rows)[1]
    return groupings
