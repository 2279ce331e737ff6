"""Tables of the crossed random-effects models: odds ratios, proportions, variances."""

from collections.abc import Iterator
from math import sqrt

from ..reporting.report import Report
from ..reporting.text import crossed_models as text
from ..reporting.text import figure_format
from ..reporting.text.names import Names
from ..reporting.text.two_tests import two_tests
from .table import Grid

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


def crossed_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the tables of the models; where none is fitted, the first one's note has the reasons."""
    if not report.crossed_models:
        return
    yield odds_ratios(report, names)
    if text.marginal_rows(report):
        yield marginal(report, names)
    if text.component_rows(report):
        yield variances(report, names)


def odds_ratios(report: Report, names: Names) -> Grid:
    """Return every pair of systems: odds ratio with its interval, p and p after Holm."""
    rows = [
        [
            text.measure_label(model, names),
            f"{row.a} / {row.b}",
            text.number(row.value),
            text.number_bounds(row.low, row.high),
            figure_format.p_value(row.p),
            figure_format.p_value(row.p_holm),
        ]
        for model, row in text.odds_ratio_rows(report)
    ]
    head = ["Measure", "Systems", "Odds ratio", "95 % interval", "p", "p (Holm)"]
    sentences = [
        text.question(report, names),
        two_tests(report, names, names.measure),
        ODDS_NOTE,
        *text.notes(report, names),
    ]
    note = " ".join(filter(None, sentences))
    return Grid("odds_ratios", f"{TITLE}: odds ratios", head, rows, note, 2)


def marginal(report: Report, names: Names) -> Grid:
    """Return the proportion of each system that the model implies, beside the pooled one."""
    rows = [
        [
            text.measure_label(model, names),
            row.system,
            *(
                f"{figure_format.percent(p.value)} [{figure_format.interval(p.low, p.high)}]".removesuffix(" []")
                for p in (row, pooled)
            ),
        ]
        for model, row, pooled in text.marginal_rows(report)
    ]
    head = ["Measure", names.system_head, "Crossed model", "Pooled"]
    return Grid("marginal_proportions", f"{TITLE}: proportions", head, rows, MARGINAL_NOTE, 2)


def variances(report: Report, names: Names) -> Grid:
    """Return the variance of every grouping of every model."""
    rows = [
        [
            text.measure_label(model, names),
            text.grouping(row.grouping, names),
            figure_format.count(row.levels),
            text.number(row.variance),
            text.number(sqrt(row.variance)),
        ]
        for model, row in text.component_rows(report)
    ]
    head = ["Measure", "Random effect", "Levels", "Variance", "Standard deviation"]
    return Grid("variance_components", f"{TITLE}: variance components", head, rows, VARIANCE_NOTE, 2)
