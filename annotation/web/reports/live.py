"""The page of live numbers with active options, compared with those without."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from ...accounts.names import DisplayNames
from ...exporting.rater_names import rename_raters
from ...exporting.shown_reports import shown_choices, shown_report
from ...models import Project
from ...reporting import Choices, live
from ...reporting.cache import people_version
from ...reporting.data.project_items import unrated_parts
from ...reporting.text.names import Names
from ..jobs import job_context
from .breakdowns import ReportView
from .disagreements import disputed
from .figures import cache_report, drawings
from .options import filters_in_words, query_of, set_switches, switches
from .sections import report_page


def live_page(project: Project, choices: Choices, view: ReportView) -> dict[str, Any]:
    """Return the content of the live report page: for a large project first numbers until a job has run."""
    version = people_version()
    current = live.live_report(project, choices)
    job = None if current.is_complete else live.open_job(project, choices)
    if not current.is_complete and not job and (ended := live.latest_result(project, choices)) and ended.result:
        return live_page(project, choices, view)  # its job has ended since
    # A judge changes none of the figures that are compared with those without options.
    applied = replace(choices, judge="") if current.is_complete else choices.from_the_tally()
    extent = None if current.is_complete else live.Extent.FIRST_NUMBERS
    report, switched = shown_report(current.report), not applied.is_default
    plain = shown_report(live.live_report(project, extent=extent).report) if switched else report
    names, display_name, choices = Names(project.protocol.definition), DisplayNames(), shown_choices(choices)
    before = rename_raters(plain, display_name) if switched else None
    page = report_page(rename_raters(report, display_name), names, view, before, project=project)
    query = [("v", cache_report(project, report, version)), *choices.as_query()]
    page |= {
        **switches(project, choices, plain, names, display_name),
        "live": True,
        "unrated": unrated_parts(project),
        "switched": switched,
        "by_query": query_of(choices) + "&",
        "drawings": drawings(
            report, page["map_view"], lambda file: reverse("report_figure", args=[project.slug, file]), query
        ),
        "tables": f"{reverse('report_table', args=[project.slug])}?{urlencode(query)}&",
        "disputed": disputed(project, report),
        "computed_at": current.computed_at,
    }
    if not current.is_complete:
        phrases, fields = filters_in_words(choices, names, display_name), applied.filters().set_fields
        page |= {
            "set_switches": set_switches(applied, names, display_name),
            "first_numbers": True,
            "resampled": bool(report.method.resamples),
            "not_yet": [phrase for name, phrase in phrases.items() if name not in fields],
            "work": job_context(job) if job else None,
        }
    return page
