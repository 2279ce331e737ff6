"""The crossed random-effects models, fitted again.

The fit is Factuary's own program, whose modules are in the folder stats, as the search for its optimum is what there is
to repeat; recompute.R fits the same models with lme4, which is independent of it. Needs SciPy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from .items import Vote, votes_of
from .study import Figures, Ratio, Row, Study, holds, item_of, numbered

MAX_RATINGS, MAX_RATERS = 50_000, 500
MAJORITIES = "majorities"


def models(study: Study) -> Iterator[Figures]:
    """Yield the figures of each model of the report. Raises ModuleNotFoundError without SciPy."""
    for row in study.report["crossed_models"]:
        measure = next(measure for measure in study.measures if measure.key == row["measure"])
        yield _model(study, measure, of_majorities=row.get("fitted_to") == MAJORITIES)


def _model(study: Study, measure: Ratio, *, of_majorities: bool) -> Figures:
    """Return a model of the ratings; where the report has one of majorities, and that of ratings calls for it, this."""
    rows = [row for row in study.own if holds(measure.among, row)]
    raters = {row["rater"] for row in study.own}
    if not rows or len(rows) > MAX_RATINGS or len(raters) > MAX_RATERS:
        return {"ratings": len(rows), "components": [], "marginal": [], "odds_ratios": []}
    groupings = {
        "item": numbered((row["prompt"], item_of(row)) for row in rows)[1],
        "rater": numbered(row["rater"] for row in rows)[1],
    }
    fit, names = _fit(study, rows, [holds(measure.counts, row) for row in rows], groupings)
    if of_majorities and fit.lacks_inner_variance:
        return _majorities(study, measure)
    return _figures(fit, names)


def _majorities(study: Study, measure: Ratio) -> Figures:
    """Return the model of one answer per item, whether most of its ratings are hits; ties are excluded and counted."""
    by_item: dict[Any, list[Vote]] = defaultdict(list)
    for vote in votes_of(study, measure, study.own):
        by_item[item_of(vote.row)].append(vote)
    answers = [(votes[0].row, _majority_of_hits(votes)) for votes in by_item.values()]
    decided = [(row, won) for row, won in answers if won is not None]
    fit, names = _fit(study, [row for row, _ in decided], [won for _, won in decided], {})
    separated = {names[number] for number in fit.separated}
    ties = [row for row, won in answers if won is None and row["report_system"] not in separated]
    return {**_figures(fit, names), "fitted_to": MAJORITIES, "undecided": len(ties)}


def _majority_of_hits(votes: Sequence[Vote]) -> bool | None:
    """Return whether most votes are hits; None for a tie."""
    lead = 2 * sum(vote.is_hit for vote in votes) - len(votes)
    return lead > 0 if lead else None


def _fit(
    study: Study, rows: Sequence[Row], hits: Sequence[bool], groupings: dict[str, np.ndarray]
) -> tuple[Any, list[str]]:
    """Return the fit of some answers and its systems; `groupings` are those within a response."""
    program = import_module("recomputation.stats.crossed_model")
    names, system = numbered(row["report_system"] for row in rows)
    answers = program.Ratings.of(np.array(hits), system, len(names), {**_groupings(study, rows), **groupings})
    return program.crossed_model(answers, level=study.level), names


def _figures(fit: Any, names: Sequence[str]) -> Figures:
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
    """Return the groupings of responses; a prompt without a document is a document of its own, unless all are."""
    groupings = {
        "prompt": numbered(row["prompt"] for row in rows)[1],
        "response": numbered((row["prompt"], row["response"], row["against"]) for row in rows)[1],
    }
    if any(row["document"] for row in study.own):
        groupings["document"] = numbered((row["document"] == "", row["document"] or row["prompt"]) for row in rows)[1]
    return groupings
