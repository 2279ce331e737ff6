"""The settings of a project: a page for each section, changing them, archiving and deleting the project.

Settings are declared in projects/project_settings.py; this module knows none of them but the overlap, whose effect is
shown first.
"""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language_info
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tasks.jobs import enqueue

from ...access import project_for, require_admin
from ...models import Reservation
from ...projects.analysis_plans import newest_plan
from ...projects.archiving import archive, unarchive
from ...projects.claim_free import count_claim_free
from ...projects.deleting import contents_of_project, project_deletion
from ...projects.overlap import overlap_effect
from ...projects.project_settings import SETTINGS, change_settings, has_ratings
from ...qualification.rules import stopped_raters
from ...queue.errors import ProjectError
from ...queue.open_work import count_imported_ratings
from ...rating.rater_view import count_question_languages
from ...reporting.data.sample import sample_of
from ..accounts.fields import raters_of, sentence
from ..authentication import Request
from .attention import stopped_notices
from .forms import DeleteForm, SettingsForm
from .navigation import SETTINGS_PAGES, settings_context
from .webhooks import WebhookForm


@require_safe
def first(request: Request, slug: str) -> HttpResponse:
    """Lead to the first section."""
    project = project_for(request.user, slug, needs="lead")
    return redirect("settings_section", project.slug, "general")


@require_safe
def section(request: Request, slug: str, section: str) -> HttpResponse:
    project = project_for(request.user, slug, needs="lead")
    if section not in SETTINGS_PAGES:
        raise Http404("The settings have no such section.")
    settings = [setting for setting in SETTINGS.values() if setting.page == section]
    form = SettingsForm(project, settings)
    context: dict[str, Any] = {
        "project": project,
        "protocol": project.protocol.translated,
        "form": form,
        "cards": [
            (setting, form[setting.name], setting.can_change(project))
            for setting in settings
            if not setting.has_own_card
        ],
        **settings_context(section),
    }
    if section == "general":
        context |= {
            "analysis_plan": newest_plan(project),
            "sample": sample_of(project),
            "question_languages": [
                (get_language_info(code)["name_translated"], n) for code, n in count_question_languages(project).items()
            ],
        }
    elif section == "workload":
        has_articles = not project.protocol.definition.shows_reference and project.dataset.documents.exists()
        context |= {
            "assigned": Reservation.objects.filter(project=project).values("sheet").distinct().count(),
            "has_articles": has_articles,
            "claim_free": count_claim_free(project),
            "can_change_skipping": not has_ratings(project),
        }
    elif section == "quality":
        context["notices"] = stopped_notices(stopped_raters([project]).get(project.pk, []))
    elif section == "webhooks":
        context |= {"webhooks": project.webhooks.all(), "webhook_form": WebhookForm()}
    return render(request, f"projects/settings/{section}.html", context)


@require_POST
def change(request: Request, slug: str, address: str) -> HttpResponse:
    """Change the settings of one card, or show why they are refused."""
    settings = [setting for setting in SETTINGS.values() if setting.path == address]
    if settings[0].for_admins:
        require_admin(request.user)
    project = project_for(request.user, slug, needs="lead")
    form = SettingsForm(project, settings, request.POST, switches=True)
    if form.is_valid():
        try:
            change_settings(project, form.values(), actor=request.user)
        except ProjectError as error:
            messages.error(request, sentence(error))
        else:
            messages.success(request, settings[0].saved(project))
    else:
        messages.error(request, form.messages())
    return redirect("settings_section", project.slug, settings[0].page)


@require_http_methods(["GET", "HEAD", "POST"])
def overlap(request: Request, slug: str) -> HttpResponse:
    """Change how many raters read each response: show the effect first, then apply it."""
    project = project_for(request.user, slug, needs="lead")
    setting = SETTINGS["overlap"]
    form = SettingsForm(project, [setting], request.POST or None)
    effect, new_overlap = None, project.overlap
    if request.method == "POST" and form.is_valid():
        new_overlap = form.cleaned_data["overlap"]
        if request.POST.get("confirmed"):
            try:
                change_settings(project, form.values(), actor=request.user)
            except ProjectError as error:
                messages.error(request, sentence(error))
            else:
                messages.success(request, setting.saved(project))
            return redirect("settings_section", project.slug, "workload")
        effect = overlap_effect(project, new_overlap)
    context = {
        "project": project,
        "form": form,
        "effect": effect,
        "imported": count_imported_ratings(project) if effect else None,
        "new_overlap": new_overlap,
        "raters": raters_of(project).count(),
        **settings_context("workload", is_below=True),
    }
    return render(request, "projects/overlap.html", context)


@require_POST
def archiving(request: Request, slug: str) -> HttpResponse:
    """Archive the project (`archived` is set), or unarchive it."""
    project = project_for(request.user, slug, needs="lead")
    if request.POST.get("archived"):
        archive(project, actor=request.user)
        messages.success(request, f"{project} is archived: its rating has ended. It can be read and exported.")
    else:
        unarchive(project, actor=request.user)
        messages.success(request, f"{project} is unarchived: raters can continue.")
    return redirect("project", project.slug)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: Request, slug: str) -> HttpResponse:
    """Show the contents to delete; a worker deletes them after the project's name is typed in. For admins."""
    require_admin(request.user)
    project = project_for(request.user, slug, needs="lead")
    form = DeleteForm(project.slug, request.POST or None)
    if request.method == "POST" and form.is_valid():
        job = project_deletion(project, actor=request.user)
        enqueue(job)
        return redirect("job", job.public_id)
    context = {"project": project, "form": form, "contents": contents_of_project(project)}
    context |= {"imported": count_imported_ratings(project), **settings_context("danger", is_below=True)}
    return render(request, "projects/delete.html", context)
