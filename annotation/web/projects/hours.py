"""The page with the raters' hours by week, for leads, and its file for a payroll."""

import csv
from io import StringIO

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ...access import project_for
from ...csv_guarding import guard_cell
from ...projects.hours import weeks_of_work
from ..authentication import Request

COLUMNS = ("week_from", "rater", "name", "annotations", "ratings", "ratings_with_time", "hours")


@require_safe
def hours(request: Request, slug: str) -> HttpResponse:
    """Show hours and annotations by week and rater."""
    project = project_for(request.user, slug, needs="lead")
    weeks = weeks_of_work(project)
    context = {
        "project": project,
        "weeks": weeks,
        "annotations": sum(week.annotations for week in weeks),
        "hours": sum(week.hours for week in weeks),
    }
    return render(request, "projects/hours.html", context)


@require_safe
def hours_file(request: Request, slug: str) -> HttpResponse:
    """Return the same as CSV: dates as 2026-11-23, numbers with a point and without separators."""
    project = project_for(request.user, slug, needs="lead")
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for week in weeks_of_work(project):
        names = (guard_cell(week.rater.username), guard_cell(week.rater.get_full_name()))
        counts = (week.annotations, week.worked.ratings, week.worked.timed, f"{week.hours:.4f}")
        writer.writerow([week.monday.isoformat(), *names, *counts])
    response = HttpResponse(text.getvalue().encode(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-hours.csv"'
    return response
