"""The page of live numbers with active options, compared with those without."""

from dataclasses import replace
from typing import Any

from ...accounts.display_names import DisplayNames
from ...exporting.rater_names import rename_raters
from ...exporting.shown_reports import shown_choices, shown_report
from ...models import Job, Project
from ...reporting import Choices, live
from ...reporting.cache import people_version
from ...reporting.data.project_items import unrated_parts
from ...reporting.report import Report
from ...reporting.text.names import Names
from ..jobs import job_context
from .disagreements import disputed
from .figures import cache_report, live_drawings
from .options import filters_in_words, query_of, set_switches, switches
from .sections import ReportView, report_page
from .tables import live_tables


def live_page(project: Project, choices: Choices, view: ReportView) -> dict[str, Any]:
    """Return the content of the live report page: for a large project first numbers until a job has run."""
    version = people_version()
    current = live.live_report(project, choices)
    report = shown_report(current.report)
    if not current.is_complete:
        job = live.open_job(project, choices)
        if not job and (ended := live.latest_result(project, choices)) and ended.result:
            return live_page(project, choices, view)  # its job has ended since
        return _first_numbers(project, choices, view, report, version, job)
    # A judge changes none of the figures that are compared with those without options.
    is_plain = replace(choices, judge="").is_default
    before = report if is_plain else shown_report(live.live_report(project).report)
    page = _page(project, shown_choices(choices), view, report, before, version)
    return page | ({"computed_at": current.computed_at} if current.computed_at else {})


def _first_numbers(
    project: Project, choices: Choices, view: ReportView, report: Report, version: str, job: Job | None
) -> dict[str, Any]:
    """Return the page of first numbers, with the job that computes the rest."""
    applied = choices.from_the_tally()
    plain = live.live_report(project, extent=live.Extent.FIRST_NUMBERS).report if not applied.is_default else None
    before = shown_report(plain) if plain else report
    names, choices = Names(project.protocol.definition), shown_choices(choices)
    return _page(project, choices, view, report, before, version) | {
        "set_switches": set_switches(applied, names, DisplayNames()),
        "first_numbers": True,
        "resampled": bool(report.method.resamples),
        "not_yet": _unapplied_filters(choices, names),
        "work": job_context(job) if job else None,
    }


def _unapplied_filters(choices: Choices, names: Names) -> list[str]:
    """Describe the filters that the first numbers could not apply."""
    applied = choices.from_the_tally().filters().set_fields
    phrases = filters_in_words(choices, names, DisplayNames())
    return [phrase for name, phrase in phrases.items() if name not in applied]


def _page(
    project: Project, choices: Choices, view: ReportView, report: Report, plain: Report, version: str
) -> dict[str, Any]:
    names, display_name = Names(project.protocol.definition), DisplayNames()
    switched = report is not plain
    before = rename_raters(plain, display_name) if switched else None
    page = report_page(rename_raters(report, display_name), names, view, before)
    digest = cache_report(project, report, version)
    return {
        **page,
        **switches(project, choices, plain, names, display_name),
        "live": True,
        "unrated": unrated_parts(project),
        "switched": switched,
        "by_query": query_of(choices) + "&",
        "drawings": live_drawings(project, report, digest, choices, page["heat"]),
        "tables": live_tables(project, digest, choices),
        "disputed": disputed(project, report),
    }
