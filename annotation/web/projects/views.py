"""A project's page, and the form that creates a project."""

from typing import Any

from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ...access import project_for, require_admin
from ...i18n.unit_names import counted
from ...models import Membership, Project, Purpose, User
from ...projects.analysis_plans import newest_plan
from ...projects.claim_free import can_change_skipping, count_claim_free
from ...projects.create import create_project
from ...projects.guidelines import current_guidelines
from ...projects.members import add_member, remove_member
from ...projects.overview import rater_work
from ...projects.pace import project_pace
from ...projects.progress import slot_counts
from ...qualification.rules import stopped_raters
from ...queue.errors import ProjectError
from ...queue.imported_ratings import ImportedCounts, count_imported_ratings
from ...rating.question_language import count_question_languages
from ...reviewing.rater_questions import count_questions
from ..accounts.fields import raters_of
from ..authentication import Request
from ..rating.rater_overview import rater_overview
from .forms import ProjectForm
from .member_forms import MemberForm
from .precision import precision_context

CACHE_TIME = 3600  # seconds


@require_http_methods(["GET", "HEAD", "POST"])
def project(request: Request, slug: str) -> HttpResponse:
    """Show leads progress, members and settings, and raters their own work. A post adds a member or changes a role."""
    user = request.user
    if request.method == "POST":
        return _add_member(request, project_for(user, slug, needs="lead"))
    selected = project_for(user, slug)
    if selected.role == Membership.Role.LEAD:
        return _lead_page(request, selected, MemberForm(user))
    [work] = rater_work(user, selected)
    context = {
        "project": selected,
        "work": work,
        "protocol": selected.protocol.translated,
        "has_training": selected.sheets.filter(purpose=Purpose.TRAINING).exists(),
    }
    return render(request, "projects/project_rater.html", context | rater_overview(selected, user))


def _add_member(request: Request, project: Project) -> HttpResponse:
    user = request.user
    form = MemberForm(user, request.POST)
    if not form.is_valid():
        return _lead_page(request, project, form)
    member, role = form.cleaned_data["username"], form.cleaned_data["role"]
    add_member(project, member, role, actor=user)
    messages.success(
        request,
        _("%(member)s is now a %(role)s of this project.")
        % {"member": member, "role": Membership.Role(role).label.lower()},
    )
    return redirect("project", project.slug)


def _lead_page(request: Request, project: Project, form: MemberForm) -> HttpResponse:
    memberships = project.memberships.select_related("user").order_by("role", "user__username")
    raters = sum(member.role == Membership.Role.RATER and member.user.is_active for member in memberships)
    state = _progress_context(project, raters)
    context = {"form": form, "members": memberships, "protocol": project.protocol.translated, **state}
    context["question_languages"] = [
        (get_language_info(code)["name_translated"], n) for code, n in count_question_languages(project).items()
    ]
    context["has_articles"] = not project.protocol.definition.shows_reference and project.dataset.documents.exists()
    context["imported"] = _imported(project, state["pace"].ratings)
    context |= {"inbox_counts": count_questions([project]).get(project.pk), "guidelines": current_guidelines(project)}
    context["claim_free"] = count_claim_free(project)
    context["can_change_skipping"] = not state["pace"].ratings and can_change_skipping(project)
    context["analysis_plan"] = newest_plan(project)
    context["stopped_raters"] = stopped_raters([project]).get(project.pk, [])
    return render(request, "projects/project.html", context)


def _imported(project: Project, ratings: int) -> ImportedCounts:
    """Return counts of imported ratings; cached until the number of all `ratings` changes, at most an hour."""
    imported: ImportedCounts | None = cache.get_or_set(
        f"imported:{project.pk}:{ratings}", lambda: count_imported_ratings(project), CACHE_TIME
    )
    return imported or ImportedCounts(0, 0)


def _progress_context(project: Project, raters: int) -> dict[str, Any]:
    """Return the values that change while raters work. Counts come from slots and the tally, not from ratings."""
    state = slot_counts(project)
    return {
        "project": project,
        "progress": state,
        "raters": raters,
        "pace": project_pace(project, state.slots - state.done),
    }


@require_safe
def live_parts(request: Request, slug: str) -> HttpResponse:
    """Return the parts of the lead's page that are refreshed regularly."""
    selected = project_for(request.user, slug, needs="lead")
    return render(request, "projects/_live_parts.html", _progress_context(selected, raters_of(selected).count()))


@require_safe
def precision(request: Request, slug: str) -> HttpResponse:
    """Return precision and agreement, which the lead's page fetches after it has loaded."""
    selected = project_for(request.user, slug, needs="lead")
    return render(request, "projects/_precision.html", {"project": selected, **precision_context(selected)})


@require_POST
def member_removal(request: Request, slug: str, username: str) -> HttpResponse:
    """Remove a member from the project."""
    user = request.user
    selected = project_for(user, slug, needs="lead")
    membership = selected.memberships.select_related("user").filter(user__username=username).first()
    if membership is None:
        raise Http404(_("%(username)s is not a member of this project.") % {"username": username})
    if membership.user == user and not user.is_admin:
        raise PermissionDenied(_("You cannot take yourself out of a project: ask another lead or an admin."))
    remove_member(selected, membership.user, actor=user)
    messages.success(
        request,
        _("%(user)s is no longer a member. Finished work stays; begun work is free again.") % {"user": membership.user},
    )
    return redirect("project", selected.slug)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Request) -> HttpResponse:
    """Create a project from a data set, for admins. `?dataset=` and `?protocol=` preselect them."""
    user = request.user
    require_admin(user)
    initial = {name: request.GET[name] for name in ("dataset", "protocol") if name in request.GET}
    form = ProjectForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            created = _create(form.cleaned_data, user)
        except ProjectError as error:
            form.add_error("slug", str(error))
        else:
            sheets = counted(created.sheets.count(), created.protocol.definition.sheet_unit)
            messages.success(
                request, _("%(project)s is ready: %(sheets)s to rate.") % {"project": created, "sheets": sheets}
            )
            if not created.dataset.documents.exists():
                messages.info(
                    request, _("Its data set has no documents: raters see prompt and response, and no article.")
                )
            return redirect("project", created.slug)
    return render(request, "projects/new.html", {"form": form})


@transaction.atomic
def _create(cleaned: dict[str, Any], actor: User) -> Project:
    project = create_project(
        cleaned["slug"],
        cleaned["dataset"],
        cleaned["protocol"],
        title=cleaned["title"],
        overlap=cleaned["overlap"],
        seed=cleaned["seed"],
        skips_claim_free=cleaned["skips_claim_free"],
        actor=actor,
    )
    for role, people in ((Membership.Role.LEAD, cleaned["leads"]), (Membership.Role.RATER, cleaned["raters"])):
        for person in people:
            add_member(project, person, role, actor=actor)
    return project
