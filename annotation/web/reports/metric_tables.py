"""Tables of automatic metrics: on their page, and what they say about people on the page of a report."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...reporting.report import Report
from ...reporting.report_parts.estimates import Coefficient, MeanEstimate, Proportion
from ...reporting.report_parts.metrics import MetricReport, MetricsAgainstPeople
from ...reporting.text.figure_format import (
    coefficient,
    coefficient_bounds,
    count,
    interval,
    mean,
    mean_bounds,
    percent_or_dash,
)
from ...reporting.text.metrics import metrics_note
from ...reporting.text.names import Names

FEW_COLUMNS = 4
"""So many columns fit the page with each interval beside its figure."""


@dataclass(frozen=True)
class MetricCell:
    """A figure with its bounds and what it is computed from, as they are shown."""

    text: str
    bounds: str
    basis: str


@dataclass(frozen=True)
class MetricTable:
    """Figures by row and column; None where there is none. Many metrics are the rows if the groups are fewer, so that
    the table fits the page; `is_by_metric` says so.
    """

    heading: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[str, MetricCell | None]]]]
    is_by_metric: bool

    @property
    def is_wide(self) -> bool:
        """Whether intervals are below their figures."""
        return len(self.columns) > FEW_COLUMNS


@dataclass(frozen=True)
class Similarity:
    """The similarity of questions: the mean over documents, the lowest and the highest value of one."""

    mean: MetricCell
    lowest: str
    highest: str


@dataclass(frozen=True)
class MetricsSection:
    """What metrics say about people: tables by the name of their table in files, and a note."""

    tables: Sequence[tuple[str, Sequence[MetricTable]]]
    note: str


def metrics_section(report: Report, names: Names) -> MetricsSection | None:
    """Return the section of a report, None where no response has a score."""
    part = report.metrics
    if part is None:
        return None
    tables = [("metric_predictions", prediction_tables(part)), ("metric_correlations", correlation_tables(part, names))]
    return MetricsSection([(name, each) for name, each in tables if each], metrics_note(part))


def mean_tables(report: MetricReport) -> list[MetricTable]:
    """Return the means by system, and by the values of each metadata key."""
    if not report.metrics:
        return []
    names = [mean.system for mean in report.means if mean.key is None]
    keys = dict.fromkeys(mean.key for mean in report.means if mean.key is not None)
    by_system = {
        system or _("All responses"): {row.metric: _mean_cell(row.mean) for row in report.means_of(system)}
        for system in dict.fromkeys([*filter(None, names), None])
    }
    tables = [_table(_("By system"), report.metrics, by_system)]
    for key in keys:
        by_value: dict[str, dict[str, MetricCell]] = {}
        for row in report.means_of(None, key):
            by_value.setdefault(row.value or "", {})[row.metric] = _mean_cell(row.mean)
        tables.append(_table(key, report.metrics, by_value))
    return [table for table in tables if table.rows]


def prediction_tables(report: MetricReport | MetricsAgainstPeople) -> list[MetricTable]:
    """Return the shares of predicted preferences, of all prompts and by the values of each metadata key."""
    tables: dict[str, dict[str, dict[str, MetricCell]]] = {}
    for row in report.predictions:
        heading, name = (row.key or "", row.value or "") if row.key else (_("All prompts"), _("All prompts"))
        tables.setdefault(heading, {}).setdefault(name, {})[row.metric] = _share_cell(row.predicted, row.undecided)
    columns = [metric for metric in report.metrics if any(row.metric == metric for row in report.predictions)]
    return [_table(heading, columns, rows) for heading, rows in tables.items()]


def correlation_tables(report: MetricReport | MetricsAgainstPeople, names: Names) -> list[MetricTable]:
    """Return the rank correlations with people's figures, over responses and over systems."""
    overs = {"responses": _("Over responses"), "systems": _("Over systems")}
    columns = [metric for metric in report.metrics if any(row.metric == metric for row in report.correlations)]
    tables = []
    for over, heading in overs.items():
        rows: dict[str, dict[str, MetricCell]] = {}
        for row in report.correlations:
            if row.over == over and row.spearman.value is not None:
                rows.setdefault(names.measure(row.figure), {})[row.metric] = _coefficient_cell(row.spearman, row.n)
        tables.append(_table(heading, columns, rows))
    return [table for table in tables if table.rows]


def _table(heading: str, metrics: Sequence[str], rows: dict[str, dict[str, MetricCell]]) -> MetricTable:
    if len(metrics) > max(FEW_COLUMNS, len(rows)):
        by_metric = [(metric, [(name, cells.get(metric)) for name, cells in rows.items()]) for metric in metrics]
        return MetricTable(heading, list(rows), by_metric, is_by_metric=True)
    by_group = [(name, [(metric, cells.get(metric)) for metric in metrics]) for name, cells in rows.items()]
    return MetricTable(heading, metrics, by_group, is_by_metric=False)


def _mean_cell(estimate: MeanEstimate) -> MetricCell:
    return MetricCell(mean(estimate.value), mean_bounds(estimate), f"n = {count(estimate.n)}")


def _share_cell(share: Proportion, undecided: int) -> MetricCell:
    basis = _("%(k)s of %(n)s") % {"k": count(share.k), "n": count(share.n)}
    if undecided:
        basis += " · " + _("%(n)s undecided") % {"n": count(undecided)}
    return MetricCell(percent_or_dash(share.value), interval(share.low, share.high), basis)


def _coefficient_cell(estimate: Coefficient, n: int) -> MetricCell:
    return MetricCell(coefficient(estimate.value), coefficient_bounds(estimate), f"n = {count(n)}")


def similarity_of(report: MetricReport) -> Similarity | None:
    """Return the similarity of questions, None where the data set has none."""
    part = report.similarity
    if part is None:
        return None
    values = [row.rouge_l for row in part.documents]
    documents = ngettext("%(n)s document", "%(n)s documents", part.mean.n) % {"n": count(part.mean.n)}
    pairs = ngettext("%(n)s pair of questions", "%(n)s pairs of questions", part.pairs) % {"n": count(part.pairs)}
    cell = MetricCell(mean(part.mean.value), mean_bounds(part.mean), f"{documents} · {pairs}")
    return Similarity(cell, mean(min(values)), mean(max(values)))
