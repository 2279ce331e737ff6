"""Frozen reports for readers without an account: the lead's page of links, and the linked page.

A shared report is rendered from its numbers alone: no project, no link into the site, raters under pseudonyms unless
the link was made with names. The response to a wrong key and to a revoked link is the same.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.cache import cache
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from msgspec import structs

from tasks.jobs import enqueue_once

from ...access import report_for
from ...accounts.names import DisplayNames
from ...audit import record_download
from ...exporting import report_formats
from ...exporting.rater_names import (
    OPEN_ORIGINS,
    pseudonymous,
    pseudonymous_provenance,
    rename_raters,
    rename_raters_of_record,
)
from ...models import Job, ReportLink
from ...pseudonyms import Pseudonyms, active
from ...reporting.frozen_reports import stored_provenance, stored_report
from ...reporting.provenance_record import Provenance
from ...reporting.report import Report
from ...reporting.report_comparison import REBUILD
from ...reporting.shared_links import MAX_NOTE_LENGTH, find_link, make_link, revoke_link
from ...reporting.text.names import Names
from ...site.database_clock import database_now
from ..authentication import Request
from ..jobs import open_job
from .agreement import disputed
from .analysis_plan import plan_page
from .breakdowns import report_view
from .comparison import origin_table
from .figures import drawings, figure_file, figure_svg
from .sections import report_page
from .tables import table_file, table_filename

NEW_KEY = "new_report_link"  # session: the key that the next page shows, once
LINK_PURPOSE = (
    "A link opens this frozen report without an account, and nothing else of the project: its figures, and the first "
    "words of up to 20 items with the largest disagreement. You can revoke it at any time."
)
MAX_PER_MINUTE = 120  # requests from one address


@require_http_methods(["GET", "HEAD", "POST"])
def links(request: Request, public_id: UUID) -> HttpResponse:
    """Show the links to a frozen report and the form for a new one. A new link is shown once, on the next page."""
    report = report_for(request.user, public_id)
    if request.method == "POST":
        note = request.POST.get("note", "")
        with_names = "with_names" in request.POST and not report.project.hides_raters
        _, key = make_link(report, with_names=with_names, note=note, actor=request.user)
        request.session[NEW_KEY] = [str(public_id), key]
        return redirect("report_links", public_id)
    report_id, key = request.session.pop(NEW_KEY, ["", ""])
    context = {
        "project": report.project,
        "report": report,
        "purpose": LINK_PURPOSE,
        "links": report.links.select_related("made_by"),
        "address": request.build_absolute_uri(reverse("shared_report", args=[key]))
        if report_id == str(public_id)
        else "",
        "longest_note": MAX_NOTE_LENGTH,
    }
    return render(request, "reports/shared_links.html", context)


@require_POST
def revoke(request: Request, public_id: UUID, link: UUID) -> HttpResponse:
    report = report_for(request.user, public_id)
    selected = get_object_or_404(ReportLink, report=report, public_id=link)
    revoke_link(selected, actor=request.user)
    messages.success(request, "The link is revoked and no longer works.")
    return redirect("report_links", public_id)


@require_http_methods(["GET", "HEAD", "POST"])
def reproduction(request: Request, public_id: UUID) -> HttpResponse:
    """Show whether the current ratings give the same report; a POST starts the job that checks it."""
    report = report_for(request.user, public_id)
    checks = Job.objects.filter(project=report.project, kind=REBUILD, params__report=str(public_id))
    if request.method == "POST":
        params = {"report": str(public_id)}
        enqueue_once(REBUILD, report.project, params, actor=request.user, same_as=Q(params=params))
        return redirect("reproduce_report", public_id)
    newest = checks.first()
    # Read before its result: a check that ends meanwhile is shown as ended.
    job = open_job(report.project, REBUILD) if newest and newest.state != Job.State.DONE else None
    done = checks.filter(state=Job.State.DONE).first()
    lines = [
        (f"{line['part']} {line['name']}", line["old"], line["new"])
        for line in (done.result["differences"] if done and done.result else ())
        if line["part"] in OPEN_ORIGINS or not active()
    ]
    context = {
        "project": report.project,
        "report": report,
        "done": done,
        "job": job,
        "differences": origin_table("Criterion", "Frozen", "Today", lines),
    }
    return render(request, "reports/reproduction.html", context)


View = Callable[..., HttpResponse]


def public_page(view: View) -> View:
    """Serve a page without login: not indexed, its address not sent to other sites, with limited requests."""

    @login_not_required
    @wraps(view)
    @require_safe
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not _is_within_limit(request):
            text = "This address sent too many requests. Wait a minute and load the page again."
            context = {"heading": "Too many requests", "text": text}
            response = render(request, "reports/shared_problem.html", context, status=429)
            response["Retry-After"] = "60"
        else:
            try:
                response = view(request, *args, **kwargs)
            except Http404:
                text = "The link is incomplete or has been revoked. Ask the sender for a new one."
                context = {"heading": "Report not found", "text": text}
                response = render(request, "reports/shared_problem.html", context, status=404)
        response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
        response["Referrer-Policy"] = "no-referrer"
        return response

    return guarded


@public_page
def shared_report(request: HttpRequest, key: str) -> HttpResponse:
    link, report, record = _shared(key)
    protocol, display_name = link.report.project.protocol.definition, DisplayNames()
    names = Names(protocol)
    if link.with_names:
        report = rename_raters(report, display_name)
        record = rename_raters_of_record(record, display_name) if record else None
    page = report_page(report, names, report_view(request), record=record)
    context = {
        **page,
        "key": key,
        "title": protocol.title,
        "report": report,
        "frozen_at": link.report.frozen_at,
        "with_names": link.with_names,
        "shared": True,
        "tables": f"{reverse('shared_table', args=[key])}?",
        "drawings": drawings(
            report,
            page["map_view"],
            lambda file: reverse("shared_file", args=[key, file]),
            svg=lambda stem, view: figure_svg(link.report.project, report, stem, view),
        ),
        "disputed": disputed(None, report),
        "files": report_formats.FILES,
        **plan_page(record, names, page["shown"]),
        "provenance_file": reverse("shared_file", args=[key, report_formats.PROVENANCE]),
    }
    return render(request, "reports/shared_report.html", context)


@public_page
def shared_file(request: HttpRequest, key: str, name: str) -> HttpResponse:
    link, report, record = _shared(key)
    filename = f"report-{report.data.sha256[:8]}-{name}"
    format = report_formats.FORMATS_OF_FILES.get(name, "json")
    if name == report_formats.PROVENANCE and record:
        content = record.to_json()
    elif name not in report_formats.FORMATS_OF_FILES:
        return figure_file(link.report.project, name, report_view(request), filename, lambda: report)
    elif format == "json":
        content = link.report.document.encode() if link.with_names else report.to_json()
    else:
        content = report_formats.render(report, format, record).encode()
    _record_names(link, filename)
    response = HttpResponse(content, content_type=report_formats.CONTENT_TYPES[format])
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


@public_page
def shared_table(request: HttpRequest, key: str) -> HttpResponse:
    """Return a table of the report; without a `table`, redirect to the report."""
    link, report, record = _shared(key)
    if "table" not in request.GET:
        return redirect("shared_report", key)
    file = table_file(request, report, record)
    _record_names(link, table_filename(request))
    return file


def _shared(key: str) -> tuple[ReportLink, Report, Provenance | None]:
    """Return the link of the key with its report and its record, the record without the project; under pseudonyms
    unless the link has names.
    """
    link = find_link(key)
    if link is None:
        raise Http404
    project, report, record = link.report.project, stored_report(link.report), stored_provenance(link.report)
    record = structs.replace(record, project="", title="", dataset="") if record else None
    if project.hides_raters:  # also a link with names that is older than the setting
        link.with_names = False
    if link.with_names:
        return link, report, record
    names = Pseudonyms(project)
    return link, pseudonymous(report, names), pseudonymous_provenance(record, names) if record else None


def _record_names(link: ReportLink, filename: str) -> None:
    if link.with_names:
        target = f"report link:{link.public_id}"
        record_download(None, target, project=link.report.project, name=filename, with_names=True)


def _is_within_limit(request: HttpRequest) -> bool:
    """Return whether this client has sent fewer requests than the limit."""
    counter: Any = cache  # TolerantRedisCache, behind Django's proxy
    count = counter.count(
        f"shared-report:{get_adapter(request).get_client_ip(request)}:{int(database_now().timestamp() // 60)}", 60
    )
    return count is None or count <= MAX_PER_MINUTE
