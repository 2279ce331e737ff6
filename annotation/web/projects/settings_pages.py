"""The settings of a project, a page for each section: general, work, quality, offline, webhooks, danger."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import get_language_info
from django.views.decorators.http import require_safe

from ...access import project_for
from ...models import Project, Reservation
from ...projects.analysis_plans import newest_plan
from ...projects.claim_free import can_change_skipping, count_claim_free
from ...projects.title import MAX_LENGTH
from ...qualification.prefetch import MAX_PREFETCH, MIN_PREFETCH
from ...qualification.rules import stopped_raters
from ...rating.rater_view import count_question_languages
from ...reporting.data.sample import sample_of
from ..authentication import Request
from .attention import stopped_notices
from .forms import TargetForm, VerdictForm, WebhookForm


@dataclass(frozen=True)
class SettingsSection:
    """A section: its label, what is in it, the function that reads its page's context, and its settings by the ids of
    their headings.
    """

    label: str | Promise
    contents: str | Promise
    read: Callable[[Project], dict[str, Any]]
    settings: dict[str, str | Promise]


@require_safe
def first(request: Request, slug: str) -> HttpResponse:
    """Lead to the first section."""
    project = project_for(request.user, slug, needs="lead")
    return redirect("settings_section", project.slug, "general")


@require_safe
def section(request: Request, slug: str, section: str) -> HttpResponse:
    """Show a section."""
    project = project_for(request.user, slug, needs="lead")
    if section not in SECTIONS:
        raise Http404("The settings have no such section.")
    selected = SECTIONS[section]
    context = {"project": project, "protocol": project.protocol.translated, **settings_context(section)}
    return render(request, f"projects/settings/{section}.html", context | selected.read(project))


def settings_context(section: str, *, is_below: bool = False) -> dict[str, Any]:
    """Return the context of projects/settings/base.html, for a section or a page below it."""
    links = [(key, item.label, item.contents) for key, item in SECTIONS.items()]
    label = SECTIONS[section].label
    return {"settings_sections": links, "section": section, "section_label": label, "is_below": is_below}


def _general(project: Project) -> dict[str, Any]:
    languages = count_question_languages(project).items()
    return {
        "longest_title": MAX_LENGTH,
        "analysis_plan": newest_plan(project),
        "sample": sample_of(project),
        "question_languages": [(get_language_info(code)["name_translated"], n) for code, n in languages],
    }


def _work(project: Project) -> dict[str, Any]:
    return {
        "assigned": Reservation.objects.filter(project=project).values("sheet").distinct().count(),
        "has_articles": not project.protocol.definition.shows_reference and project.dataset.documents.exists(),
        "claim_free": count_claim_free(project),
        "can_change_skipping": can_change_skipping(project),
        "verdict_form": VerdictForm(project),
    }


def _quality(project: Project) -> dict[str, Any]:
    target = project.target_half_width
    return {
        "target_form": TargetForm(initial={"target": "" if target is None else f"{100 * target:g}"}),
        "notices": stopped_notices(stopped_raters([project]).get(project.pk, [])),
    }


def _offline(project: Project) -> dict[str, Any]:
    return {"fewest": MIN_PREFETCH, "most": MAX_PREFETCH}


def _webhooks(project: Project) -> dict[str, Any]:
    return {"webhooks": project.webhooks.all(), "webhook_form": WebhookForm()}


def _danger(project: Project) -> dict[str, Any]:
    return {}


SECTIONS = {
    "general": SettingsSection(
        "General",
        "Title, data set, protocol, plan, hidden raters",
        _general,
        {
            "id_title": "Title",
            "data": "Data set, protocol and analysis plan",
            "hidden-raters": "Hidden raters (pseudonyms for leads)",
        },
    ),
    "workload": SettingsSection(
        "Work",
        "Overlap, assignments, pay rates, suggestions, verdicts, claim-free items",
        _work,
        {
            "overlap": "Overlap (raters per response)",
            "assignments": "Assignments",
            "pay-rates": "Pay rates",
            "queue": "Queue seed",
            "suggestions": "Suggested passages",
            "verdicts": "Verdicts of judges shown to raters",
            "claim-free": "Likely claim-free items",
        },
    ),
    "quality": SettingsSection(
        "Quality",
        "Target, training, qualification, hidden gold",
        _quality,
        {
            "target": "Precision target",
            "checks": "Training, qualification, hidden gold",
        },
    ),
    "offline": SettingsSection(
        "Offline",
        "Prefetched responses",
        _offline,
        {"ahead": "Offline work, prefetched responses"},
    ),
    "webhooks": SettingsSection(
        "Webhooks",
        "Other programs that are told of events",
        _webhooks,
        {"webhooks": "Webhooks"},
    ),
    "danger": SettingsSection(
        "Archive or delete",
        "Archive, delete",
        _danger,
        {"archiving": "Archive project", "deletion": "Delete project"},
    ),
}
"""The sections by the last part of their address, in the order of the side navigation."""
