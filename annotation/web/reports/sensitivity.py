"""Quality alerts beside the headline, and the section of the sensitivity analyses."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from ...reporting.report import Report, SensitivityAnalysis, SensitivityEstimate, SensitivityScore
from ...reporting.text.figure_format import listed
from ...reporting.text.names import Names
from ...reporting.text.sensitivity import (
    analysis_label,
    columns_shown,
    exclusion_phrase,
    exclusions_shown,
    has_sensitivity_panel,
    sensitivity_score_note,
    sensitivity_sentence,
    shown_analyses,
)


@dataclass(frozen=True)
class QualityAlerts:
    """The `n` of `raters_total` raters with a quality alert, in words, and how far the systems move on `measure`
    without them: (analysis, shifts) for each alone, then all. Reports of an earlier version have no shifts.
    """

    n: int
    raters_total: int
    raters: str
    measure: str
    exclusions: list[tuple[str, str]]


@dataclass(frozen=True)
class SensitivityTable:
    """The estimates of the systems by analysis, for each measure and each score; `sentence` sums them up."""

    columns: list[str]
    groups: list[tuple[str, list[tuple[str, list[tuple[str, SensitivityEstimate]]]]]]
    scores: list[tuple[str, list[tuple[str, list[tuple[str, SensitivityScore]]]]]]
    sentence: str
    score_note: str


def quality_alerts(report: Report, names: Names) -> QualityAlerts | None:
    """Return the raters with a quality alert; None without any."""
    raters = [f"{row.rater} ({', '.join(map(_, row.flags))})" for row in report.raters or () if row.flags]
    if not raters:
        return None
    first = next(iter(report.overall.measures), "")
    exclusions = [(analysis_label(row, names), exclusion_phrase(row, first)) for row in exclusions_shown(report)]
    named = listed(raters, _("and"))
    return QualityAlerts(len(raters), len(report.raters or ()), named, names.measure(first), exclusions)


def sensitivity_table(report: Report, names: Names) -> SensitivityTable | None:
    """Return the analyses of a frozen report; None in a live one."""
    if not has_sensitivity_panel(report):
        return None
    systems = columns_shown(report)
    labels = [system or names.all_systems for system in systems]
    groups = [
        (names.measure(key), [_row(row, key, systems, labels, names) for row in shown_analyses(report)])
        for key in report.overall.measures
    ]
    scores = [
        (
            names.measure(key),
            [_score_row(row, key, systems, labels, names) for row in shown_analyses(report) if row.scores],
        )
        for key in report.overall.scores or {}
    ]
    return SensitivityTable(
        labels, groups, scores, sensitivity_sentence(report, names), sensitivity_score_note(report, names)
    )


def _score_row(
    row: SensitivityAnalysis, score: str, systems: list[str | None], labels: list[str], names: Names
) -> tuple[str, list[tuple[str, SensitivityScore]]]:
    by_system = {each.system: each for each in row.scores or () if each.measure == score}
    cells = [(label, by_system[system]) for label, system in zip(labels, systems, strict=True)]
    return analysis_label(row, names), cells


def _row(
    row: SensitivityAnalysis, measure: str, systems: list[str | None], labels: list[str], names: Names
) -> tuple[str, list[tuple[str, SensitivityEstimate]]]:
    """Return the label of an analysis, and its estimate under the head of each column."""
    by_system = {each.system: each for each in row.estimates if each.measure == measure}
    cells = [(label, by_system[system]) for label, system in zip(labels, systems, strict=True)]
    return analysis_label(row, names), cells
