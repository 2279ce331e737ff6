"""The crossed random-effects models of a report, for the page."""

from dataclasses import dataclass
from math import sqrt

from ...reporting.report import MarginalProportion, MeasureProportion, Report
from ...reporting.text import crossed_models as text
from ...reporting.text.names import Names
from ...reporting.text.two_tests import two_tests


@dataclass(frozen=True)
class OddsRow:
    """Two systems on one measure, formatted."""

    measure: str
    systems: str
    value: str
    bounds: str
    p: float | None
    p_holm: float | None


@dataclass(frozen=True)
class VarianceRow:
    """One variance of one model, formatted."""

    measure: str
    grouping: str
    levels: int
    variance: str
    sd: str


@dataclass(frozen=True)
class CrossedModels:
    """The tables of the models: odds ratios, proportions beside the pooled ones, variances. `two_tests`: how their
    tests differ from those of the differences.
    """

    question: str
    two_tests: str
    odds: list[OddsRow]
    marginal: list[tuple[str, MarginalProportion, MeasureProportion]]
    variances: list[VarianceRow]
    notes: list[str]


def crossed_models(report: Report, names: Names) -> CrossedModels | None:
    """Return the models of a report, None where it has none: a live one, or one of pairs."""
    if not report.crossed_models:
        return None
    return CrossedModels(
        question=text.question(report, names),
        two_tests=two_tests(report, names, names.measure),
        odds=[
            OddsRow(
                text.measure_label(model, names),
                f"{row.a} / {row.b}",
                text.number(row.value),
                text.number_bounds(row.low, row.high),
                row.p,
                row.p_holm,
            )
            for model, row in text.odds_ratio_rows(report)
        ],
        marginal=[(text.measure_label(model, names), row, pooled) for model, row, pooled in text.marginal_rows(report)],
        variances=[
            VarianceRow(
                text.measure_label(model, names),
                text.grouping(row.grouping, names),
                row.levels,
                text.number(row.variance),
                text.number(sqrt(row.variance)),
            )
            for model, row in text.component_rows(report)
        ],
        notes=text.notes(report, names),
    )
