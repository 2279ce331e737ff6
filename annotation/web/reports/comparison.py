"""Two frozen reports of a project side by side."""

from collections.abc import Iterable
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from ...access import project_for
from ...accounts.names import DisplayNames
from ...exporting.rater_names import rename_raters, shown_frozen, shown_in_list
from ...exporting.report_formats import comparison_csv
from ...models import Project
from ...models import Report as StoredReport
from ...reporting.frozen_reports import frozen_reports, stored_report
from ...reporting.report import Report
from ...reporting.report_comparison import agreement, measures, origins
from ...reporting.tables import Column, Figure, Row, Table
from ...reporting.tables.kinds import CHANGE, INTERVAL, LABEL, MEASURE, TEXT
from ...reporting.text import figure_format, provenance
from ...reporting.text.names import Names, agreement_of
from ..authentication import Request

Pair = tuple[StoredReport | None, StoredReport | None]

SHOWN = 100
ORIGINS = {
    "sha256": "SHA-256",
    "left_out": "not counted",
    "excluded": "excluded responses",
    "shown_in_translation": "shown in translation",
    "factuary": "Factuary",
    "numpy": "NumPy",
    "metadata": "prompts",
    "least_gold": "accuracy on gold",
    "without_raters": "raters excluded",
    "least_seconds": "shortest time",
}
"""Parts of the origin of a report whose names are no words."""


@require_safe
def compare(request: Request, slug: str) -> HttpResponse:
    """Compare two frozen reports, given by public ids `a` and `b`: their origins, and every figure of both."""
    project = project_for(request.user, slug, needs="lead")
    rows = list(frozen_reports(project)[:SHOWN])
    a, b = _selected(request, project, rows)
    sides = [("a", "First", a), ("b", "Second", b)]
    context = {"project": project, "reports": shown_in_list(rows), "sides": sides, "a": a, "b": b}
    if a and b:
        names, display_name = Names(project.protocol.definition), DisplayNames()
        old, new = (rename_raters(stored_report(each), display_name) for each in (a, b))
        differences = []
        for line in origins(old, new):
            first, second = (
                provenance.origin(line.part, line.name, value, names.unit) for value in (line.old, line.new)
            )
            differences.append((f"{line.part.capitalize()} {ORIGINS.get(line.name, line.name)}", first, second))
        context |= {
            "same_bytes": a.document == b.document,
            "origins": origin_table("Differs in", "First", "Second", differences),
            "measures": _measures(old, new, names),
            "agreement": _agreement(old, new, names),
            "file_url": reverse("report_comparison_file", args=[slug], query={"a": a.public_id, "b": b.public_id}),
        }
    return render(request, "reports/comparison.html", context)


@require_safe
def compare_file(request: Request, slug: str) -> HttpResponse:
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
    selected: list[StoredReport | None] = []
    for text in (request.GET.get(name, "") for name in "ab"):
        try:
            public_id = UUID(text) if text else None
        except ValueError:
            raise Http404(f"{text!r} is not the id of a report.") from None
        selected.append(frozen_reports(project).filter(public_id=public_id).first() if public_id else None)
        if public_id and selected[-1] is None:
            raise Http404("There is no such frozen report in this project.")
    a, b = selected
    if b is None and reports and "b" not in request.GET:
        b = reports[0]
    if a is None and b is not None and "a" not in request.GET:
        a = next((report for report in reports if report.frozen_at < b.frozen_at), None)
    return a and shown_frozen(a), b and shown_frozen(b)


def origin_table(subject: str, old: str, new: str, lines: Iterable[tuple[str, object, object]]) -> Table:
    """Return what differs in the origins of two reports: lines of (what, old, new), under these heads."""

    def shown(value: object) -> str:
        if value is None:
            return "none"
        is_hash = isinstance(value, str) and len(value) == 64
        return format_html('<span class="digest">{}</span>', value) if is_hash else str(value)

    columns = [Column(subject, LABEL), Column(old, TEXT), Column(new, TEXT)]
    return Table("origins", "Data and settings", columns, [Row([name, shown(a), shown(b)]) for name, a, b in lines])


def _measures(old: Report, new: Report, names: Names) -> Table:
    columns = [
        Column("Measure", LABEL),
        Column(names.system_head, LABEL),
        Column("First", MEASURE),
        Column("Second", MEASURE),
        Column("Change, points", CHANGE),
    ]
    rows = []
    for row in measures(old, new):
        sides = (Figure.of(side) if side else "not in this report" for side in (row.old, row.new))
        rows.append(Row([names.measure(row.measure), row.system or names.all_systems, *sides, row.change]))
    return Table("measures", "Every measure", columns, rows)


def _agreement(old: Report, new: Report, names: Names) -> Table:
    columns = [
        Column("Question", LABEL),
        Column("Coefficient", LABEL),
        *(Column(head, INTERVAL) for head in ("First", "Second", "Change")),
    ]
    rows = []
    for row in agreement(old, new, tuple(figure_format.COEFFICIENTS)):
        sides = (figure_format.agreement_value(row.coefficient, value) for value in (row.old, row.new))
        change = figure_format.agreement_change(row.coefficient, row.change)
        labels = agreement_of(row.question, names), figure_format.COEFFICIENTS[row.coefficient]
        rows.append(Row([*labels, *sides, change]))
    return Table("agreement", "Agreement between raters", columns, rows)
