"""The page of automatic metrics: means, predicted preferences and correlations, and the job that computes scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from tasks.metrics import start_metrics

from ...access import project_for
from ...audit import record_download
from ...exporting.metric_scores import FORMATS as SCORE_FORMATS
from ...exporting.metric_tables import FORMATS
from ...metrics.compute import COMPUTE_METRICS
from ...models import Project
from ...reporting.cache import cached
from ...reporting.metric_report import metric_report
from ...reporting.report_parts.estimates import Coefficient, MeanEstimate, Proportion
from ...reporting.report_parts.metrics import MetricReport
from ...reporting.text.figure_format import (
    coefficient,
    coefficient_bounds,
    count,
    interval,
    mean,
    mean_bounds,
    percent_or_dash,
)
from ...reporting.text.names import Names
from ..authentication import Request
from ..jobs import open_job
from .scores_form import ScoresForm

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


@require_http_methods(["GET", "HEAD", "POST"])
def metrics(request: Request, slug: str) -> HttpResponse:
    """Show the figures of all metrics, for leads. A post starts the job that computes the scores."""
    project = project_for(request.user, slug, needs="lead")
    if request.method == "POST":
        _job, is_new = start_metrics(project, actor=request.user)
        if not is_new:
            messages.info(request, _("The metrics are being computed already."))
        return redirect("project_metrics", slug)
    return metrics_page(request, project, ScoresForm())


def metrics_page(request: Request, project: Project, form: ScoresForm) -> HttpResponse:
    """Show the page with the form for a file of scores."""
    report = figures(project)
    context = {
        "project": project,
        "report": report,
        "form": form,
        "score_formats": list(SCORE_FORMATS),
        "similarity": _similarity(report),
        "predictions": _predictions(report),
        "correlations": _correlations(report, Names(project.protocol.translated)),
        "means": _means(report),
        "job": open_job(project, COMPUTE_METRICS),
        "formats": list(FORMATS),
    }
    return render(request, "reports/metrics.html", context)


@require_safe
def download(request: Request, slug: str, format: str) -> HttpResponse:
    """Return the figures as a file."""
    project = project_for(request.user, slug, needs="lead")
    if format not in FORMATS:
        raise Http404(_("There is no such format: choose csv or json."))
    content_type, write = FORMATS[format]
    name = f"metrics.{format}"
    record_download(request.user, f"project:{slug}", project=project, name=name, with_names=False)
    response = HttpResponse(b"".join(write(figures(project))), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{slug}-{name}"'
    return response


def figures(project: Project) -> MetricReport:
    """Return the figures of the project's metrics, computed once for the same data."""
    return cached(project, "metrics", MetricReport, lambda: metric_report(project))


def _means(report: MetricReport) -> list[MetricTable]:
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


def _predictions(report: MetricReport) -> list[MetricTable]:
    tables: dict[str, dict[str, dict[str, MetricCell]]] = {}
    for row in report.predictions:
        heading, name = (row.key or "", row.value or "") if row.key else (_("All prompts"), _("All prompts"))
        tables.setdefault(heading, {}).setdefault(name, {})[row.metric] = _share_cell(row.predicted, row.undecided)
    columns = [metric for metric in report.metrics if any(row.metric == metric for row in report.predictions)]
    return [_table(heading, columns, rows) for heading, rows in tables.items()]


def _correlations(report: MetricReport, names: Names) -> list[MetricTable]:
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


def _similarity(report: MetricReport) -> Similarity | None:
    part = report.similarity
    if part is None:
        return None
    values = [row.rouge_l for row in part.documents]
    documents = ngettext("%(n)s document", "%(n)s documents", part.mean.n) % {"n": count(part.mean.n)}
    pairs = ngettext("%(n)s pair of questions", "%(n)s pairs of questions", part.pairs) % {"n": count(part.pairs)}
    cell = MetricCell(mean(part.mean.value), mean_bounds(part.mean), f"{documents} · {pairs}")
    return Similarity(cell, mean(min(values)), mean(max(values)))


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
