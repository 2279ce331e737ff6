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
from .figures import CrossedModel

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
    """Yield the tables of the models; where none is fitted, the first one's note has the reasons."""
    models = report.crossed_models or ()
    if not models:
        return

    def where(model: CrossedModel, **more: str) -> dict[str, str]:
        return {"key": model.measure, **more}

    def figure(model: CrossedModel, part: object, **more: object) -> Figure:
        method = "laplace of majorities" if model.is_of_majorities else "laplace"
        return Figure.of(part, method=method, **more)

    measure = Column("Measure", LABEL)
    fits = [
        row
        for model in models
        for row in (
            Row(
                [figure(model, None, estimate=model.log_likelihood, n=model.ratings)], where(model, value=model.status)
            ),
            *(
                [Row([figure(model, None, n=model.undecided)], where(model, figure="undecided"))]
                if model.undecided is not None
                else []
            ),
        )
    ]
    of_models = Table("crossed_models", "", [Column("", COUNT, "log likelihood")], fits, is_hidden=True)
    ratios = [
        Row(
            [text.measure_label(model, names), f"{row.a} / {row.b}", figure(model, row), row.p, row.p_holm],
            where(model, system=row.a, value=row.b),
        )
        for model, row in text.odds_ratio_rows(report)
    ]
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
    table = Table(
        "odds_ratios", f"{TITLE}: odds ratios", columns, ratios, " ".join(filter(None, sentences)), is_shown_empty=True
    )  # fmt: skip
    yield replace(table, rows_of_csv=lambda: chain(rows_of(table), rows_of(of_models)))
    pooled = {cell.system: cell.measures for cell in report.systems}
    marginal = [
        Row(
            [
                text.measure_label(model, names),
                row.system,
                figure(model, row),
                Figure.of(pooled[row.system][model.measure]) if model.measure in pooled.get(row.system, {}) else "–",
            ],
            where(model, system=row.system),
            is_hidden=not text.is_reliable(model),
        )
        for model in models
        for row in model.marginal
    ]
    columns = [
        measure,
        Column(names.system_head, LABEL),
        Column("Crossed model", PERCENT, "proportion"),
        Column("Pooled", PERCENT),
    ]
    yield Table("marginal_proportions", f"{TITLE}: proportions", columns, marginal, MARGINAL_NOTE)
    variances = [
        Row(
            [
                text.measure_label(model, names),
                text.grouping(row.grouping, names),
                row.levels,
                figure(model, None, estimate=row.variance, n=row.levels),
                sqrt(row.variance),
            ],
            where(model, value=row.grouping),
        )
        for model, row in text.component_rows(report)
    ]
    columns = [
        measure, Column("Random effect", LABEL), Column("Levels", COUNT), Column("Variance", RATIO, "variance"),
        Column("Standard deviation", RATIO),
    ]  # fmt: skip
    yield Table("variance_components", f"{TITLE}: variance components", columns, variances, VARIANCE_NOTE)
    yield of_models
