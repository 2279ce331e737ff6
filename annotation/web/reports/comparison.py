"""Two frozen reports of a project side by side."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from ...access import project_for
from ...accounts.display_names import DisplayNames
from ...exporting.comparison_csv import comparison_csv
from ...exporting.rater_names import rename_raters
from ...exporting.shown_reports import shown_frozen, shown_in_list
from ...i18n.english import in_english
from ...models import Project
from ...models import Report as StoredReport
from ...reporting.frozen_reports import frozen_reports, stored_report
from ...reporting.report_comparison import Difference, agreement, measures, origins
from ...reporting.text import figure_format, provenance
from ...reporting.text.names import Names
from ..authentication import Request

Pair = tuple[StoredReport | None, StoredReport | None]

SHOWN = 100
PARTS = {
    "protocol": "Protocol",
    "software": "Software",
    "data": "Data",
    "method": "Method",
    "filters": "Filters",
}
WORDS = {
    "sha256": "SHA-256",
    "left_out": "not counted",
    "excluded": "excluded responses",
    "documents": "documents",
    "shown_in_translation": "shown in translation",
    "factuary": "Factuary",
    "numpy": "NumPy",
    "metadata": "prompts",
    "least_gold": "accuracy on gold",
    "without_raters": "raters excluded",
    "least_seconds": "shortest time",
    "slug": "slug",
    "version": "version",
    "ratings": "ratings",
    "assessed": "assessed",
    "responses": "responses",
    "items": "items",
    "raters": "raters",
    "prompts": "prompts",
    "level": "level",
    "cluster": "cluster",
    "resamples": "resamples",
    "seed": "seed",
    "answers": "answers",
    "systems": "systems",
}


@require_safe
@in_english
def compare(request: Request, slug: str) -> HttpResponse:
    """Compare two frozen reports, given by public ids `a` and `b`: their origins, and every figure of both."""
    project = project_for(request.user, slug, needs="lead")
    rows = list(frozen_reports(project)[:SHOWN])
    a, b = _selected(request, project, rows)
    reports = shown_in_list(rows)
    context = {"project": project, "reports": reports, "a": a, "b": b}
    if a and b:
        names, display_name = Names(project.protocol.definition), DisplayNames()
        old, new = (rename_raters(stored_report(each), display_name) for each in (a, b))
        context |= {
            "same_bytes": a.document == b.document,
            "names": names,
            "origins": [_origin(line, names.unit) for line in origins(old, new)],
            "changes": measures(old, new),
            "agreement": agreement(old, new, tuple(figure_format.COEFFICIENTS)),
            "file_url": reverse("report_comparison_file", args=[slug], query={"a": a.public_id, "b": b.public_id}),
        }
    return render(request, "reports/comparison.html", context)


@require_safe
@in_english
def compare_file(request: Request, slug: str) -> HttpResponse:
    """Return the comparison as CSV."""
    project = project_for(request.user, slug, needs="lead")
    a, b = _selected(request, project, [])
    if a is None or b is None:
        raise Http404("Two frozen reports of this project are needed: a and b.")
    text = comparison_csv(stored_report(a), stored_report(b))
    response = HttpResponse(text.encode(), content_type="text/csv; charset=utf-8")
    name = f"{slug}-{a.data_sha256[:8]}-{b.data_sha256[:8]}-differences.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _selected(request: Request, project: Project, reports: list[StoredReport]) -> Pair:
    """Return the two reports. By default `b` is the newest one, and `a` the one before `b`."""
    a, b = (_report_with_id(project, request.GET.get(name, "")) for name in "ab")
    if b is None and reports and "b" not in request.GET:
        b = reports[0]
    if a is None and b is not None and "a" not in request.GET:
        a = next((report for report in reports if report.frozen_at < b.frozen_at), None)
    return a and shown_frozen(a), b and shown_frozen(b)


def _report_with_id(project: Project, text: str) -> StoredReport | None:
    if not text:
        return None
    try:
        public_id = UUID(text)
    except ValueError:
        raise Http404(f"{text!r} is not the id of a report.") from None
    report = frozen_reports(project).filter(public_id=public_id).first()
    if report is None:
        raise Http404("There is no such frozen report in this project.")
    return report


def _origin(line: Difference, unit: str) -> tuple[str, str, str, str]:
    """Return a difference of the origins in words: part, name, old, new."""
    old, new = (provenance.origin(line.part, line.name, value, unit) for value in (line.old, line.new))
    return str(PARTS.get(line.part, line.part)), str(WORDS.get(line.name, line.name)), old, new
