"""The crossed random-effects models: odds ratios, proportions, variances; in tidy CSV also the models."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from math import sqrt

from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import COUNT, LABEL, PERCENT, RATIO, P
from ...tables.tidy import rows_of
from ...text.names import Names
from ..differences.text import two_tests
from . import text

ODDS_NOTE = (
    "Logistic model with random effects, Laplace approximation; odds ratios are for the same prompt and rater. 95 % "
    "intervals and p: Wald’s on the log scale; Holm: over the pairs of a measure."
)
MARGINAL_NOTE = (
    "Averaged over the random effects. 95 % intervals in brackets: delta method on the logit scale; pooled: as in the "
    "table of proportions."
)
VARIANCE_NOTE = (
    "On the logit scale. Levels: those with an assessed rating. The Laplace approximation understates variances of "
    "groupings with few ratings a level, and overstates them where what counts is rare."
)
TITLE = "Crossed random-effects model"


def tables(report: Report, names: Names) -> Iterator[Table]:
    models = report.crossed_models or ()
    if not models:
        return
    pooled = {cell.system: cell.measures for cell in report.systems}
    fits, ratios, marginal, variances = [], [], [], []
    for model in models:
        label, where = text.measure_label(model, names), {"key": model.measure}
        method = "laplace of majorities" if model.is_of_majorities else "laplace"
        likelihood = Figure(model.log_likelihood, n=model.ratings, method=method)
        fits.append(Row([likelihood], {**where, "value": model.status}))
        if model.undecided is not None:
            fits.append(Row([Figure(n=model.undecided, method=method)], {**where, "figure": "undecided"}))
        for ratio in model.odds_ratios:
            values = [label, f"{ratio.a} / {ratio.b}", Figure.of(ratio, method=method), ratio.p, ratio.p_holm]
            ratios.append(Row(values, {**where, "system": ratio.a, "value": ratio.b}))
        for row in model.marginal:
            reported = pooled.get(row.system, {}).get(model.measure)
            values = [label, row.system, Figure.of(row, method=method), Figure.of(reported)]
            marginal.append(Row(values, {**where, "system": row.system}, is_hidden=not text.is_reliable(model)))
        for component in model.components:
            variance = Figure(component.variance, n=component.levels, method=method)
            effect = text.grouping(component.grouping, names)
            values = [label, effect, component.levels, variance, sqrt(component.variance)]
            variances.append(Row(values, {**where, "value": component.grouping}))
    measure = Column("Measure", LABEL)
    columns = [
        measure,
        Column("Systems", LABEL),
        Column("Odds ratio", RATIO, "odds ratio"),
        Column("p", P),
        Column("p (Holm)", P),
    ]
    sentences = [
        text.question(report, names),
        two_tests(report, names, names.measure),
        ODDS_NOTE,
        *text.notes(report, names),
    ]
    odds = Table(
        "odds_ratios", f"{TITLE}: odds ratios", columns, ratios, " ".join(filter(None, sentences)), is_shown_empty=True
    )  # fmt: skip
    of_models = Table("crossed_models", "", [Column("", COUNT, "log likelihood")], fits, is_hidden=True)
    yield replace(odds, rows_of_csv=lambda: chain(rows_of(odds), rows_of(of_models)))
    columns = [
        measure,
        Column(names.system_head, LABEL),
        Column("Crossed model", PERCENT, "proportion"),
        Column("Pooled", PERCENT),
    ]
    yield Table("marginal_proportions", f"{TITLE}: proportions", columns, marginal, MARGINAL_NOTE)
    columns = [
        measure, Column("Random effect", LABEL), Column("Levels", COUNT), Column("Variance", RATIO, "variance"),
        Column("Standard deviation", RATIO),
    ]  # fmt: skip
    yield Table("variance_components", f"{TITLE}: variance components", columns, variances, VARIANCE_NOTE)
    yield of_models
