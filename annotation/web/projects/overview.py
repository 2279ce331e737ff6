"""A project's first page: its state and precision for leads, their own work for raters."""

from collections.abc import Sequence
from dataclasses import astuple, replace
from operator import attrgetter
from typing import Any

from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import activate
from django.views.decorators.http import require_safe
from msgspec import structs

from ...access import project_for
from ...accounts.names import DisplayNames
from ...i18n.english import ENGLISH
from ...models import Membership, Project, Purpose
from ...models.queue import NOT_WORK
from ...projects.checklist import project_checklist
from ...projects.claim_free import count_claim_free
from ...projects.overview import rater_work
from ...projects.pace import Pace, project_pace
from ...projects.progress import SlotCounts, slot_counts
from ...pseudonyms import active, in_shown_order
from ...queue.open_work import ImportedCounts, count_imported_ratings
from ...reporting import live
from ...reporting.data.project_items import read_project_size
from ...reporting.planning.figures import summarize_ratings
from ...reporting.planning.plans import HalfWidth, Plans, half_widths, largest_plan, plans_for_target
from ...reporting.planning.tables import sample_precision
from ...reporting.sections.agreement.figures import agreement_details
from ...reporting.sections.hybrid.figures import weighted_estimates
from ...reporting.text.names import Names
from ..accounts.fields import raters_of
from ..authentication import Request
from ..language import for_raters
from ..rating.own_responses import rater_overview
from .attention import awaited_notices, checklist_lines, notices, notices_from_ratings
from .trends import project_trend

CACHE_TIME = 3600  # seconds


@for_raters
@require_safe
def overview(request: Request, slug: str) -> HttpResponse:
    """Show leads the project's state and what needs them, and raters their own work."""
    user = request.user
    selected = project_for(user, slug)
    if selected.role == Membership.Role.LEAD:
        activate(ENGLISH)
        progress, pace, raters = _state(selected)
        # Cached until the number of all ratings changes, at most an hour.
        imported: Sequence[int] | None = cache.get_or_set(
            f"imported:{selected.pk}:{pace.ratings}",
            lambda: astuple(count_imported_ratings(selected)),
            CACHE_TIME,
        )
        checklist = project_checklist(selected, progress, raters, ratings=pace.ratings)
        context = {
            "project": selected,
            "protocol": selected.protocol.translated,
            "progress": progress,
            "pace": pace,
            "raters": raters,
            "imported": ImportedCounts(*imported or (0, 0)),
            "notices": [*notices(selected, progress, pace, raters), *awaited_notices(selected)],
            "checklist": checklist,
            "claim_free": None if checklist.has_started else count_claim_free(selected),
            "checklist_lines": checklist_lines(selected, checklist, user, raters),
        }
        return render(request, "projects/overview.html", context)
    [work] = rater_work(user, selected)
    context = {
        "project": selected,
        "work": work,
        "protocol": selected.protocol.translated,
        "has_training": selected.sheets.filter(NOT_WORK, purpose=Purpose.TRAINING).exists(),
    }
    return render(request, "projects/project_rater.html", context | rater_overview(selected, user))


def _state(project: Project) -> tuple[SlotCounts, Pace, int]:
    """Return what changes while raters work. Counts come from slots and the tally, not from ratings."""
    progress = slot_counts(project)
    pace = project_pace(project, progress.slots - progress.done)
    if active():
        display_name = DisplayNames()
        raters = [replace(rater, name=display_name(rater.username)) for rater in pace.raters]
        pace = replace(pace, raters=in_shown_order(raters, attrgetter("name")))
    return progress, pace, raters_of(project).count()


@require_safe
def live_parts(request: Request, slug: str) -> HttpResponse:
    """Return the parts of the lead's page that are refreshed regularly."""
    project = project_for(request.user, slug, needs="lead")
    progress, pace, _raters = _state(project)
    context = {"project": project, "progress": progress, "pace": pace}
    return render(request, "projects/_live_parts.html", context)


@require_safe
def late_parts(request: Request, slug: str) -> HttpResponse:
    """Return what the lead's page fetches after it has loaded: precision, agreement, and all that needs a lead."""
    project = project_for(request.user, slug, needs="lead")
    context = {"project": project, "trend": project_trend(project), **precision_context(project)}
    context["notices"] = [*notices(project, *_state(project)), *notices_from_ratings(project)]
    return render(request, "projects/_late_parts.html", context)


def precision_context(project: Project) -> dict[str, Any]:
    """Return the context of the precision in projects/_late_parts.html: `widths` by measure, `agreement` by question.

    The lead's first page fetches it, so it is cheap: widths are closed-form, from the tally. Agreement and plans read
    every rating, so a large project shows them on their own pages only. All are cached while no rating changes.
    """
    report = live.live_report(project, extent=live.Extent.CLOSED_FORM).report
    is_large, target = live.is_large(project), project.target_half_width
    weighted = {} if is_large else live.live_figures(project, weighted_estimates)
    plans: Plans = {}
    if target is not None and not is_large:
        plans = plans_for_target(read_project_size(project), live.live_figures(project, summarize_ratings), target)
    names = Names(project.protocol.translated)
    # The widest interval of each measure: when it is narrow enough, all are.
    widest: dict[str, tuple[float, HalfWidth]] = {}
    for width in half_widths(report, target, plans, weighted):
        half = width.half_width
        if half is not None and (width.measure not in widest or half > widest[width.measure][0]):
            widest[width.measure] = half, width
    agreement = {} if is_large else live.live_figures(project, agreement_details).agreement
    # The first question, and accurate or not, on which the measures depend.
    keys = [project.protocol.definition.questions[0].key, "accurate_or_not"]
    questions = {question.key: question.text for question in project.protocol.translated.questions}
    return {
        "widths": [
            {**vars(width), "name": names.measure(measure), "points": 100 * half, "plan": largest_plan(plans, measure)}
            for measure, (half, width) in widest.items()
        ],
        "sample": sample_precision(project, report, is_weighted=bool(weighted)),
        "unit": report.method.cluster,
        "agreement": [
            {**structs.asdict(agreement[key]), "text": questions.get(key, "Accurate or not")}
            for key in keys
            if key in agreement and agreement[key].percent is not None
        ],
        "is_large": is_large,
        "counted": report.data.ratings,
        "target": target and 100 * target,
    }
