"""A lead's page about training, qualification and hidden gold: rules, sheets, raters' status, and pauses."""

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from ...access import project_for
from ...models import Project, Purpose, Sheet, User
from ...projects.members import rater_membership
from ...projects.project_settings import CHECKS, SETTINGS, change_settings
from ...pseudonyms import in_shown_order, username_of
from ...qualification.pausing import exempt_rater, grant_attempt, lift_pause, pause_rater
from ...qualification.rules import rater_checks
from ...qualification.sheet_purposes import count_gold, gold_candidates, set_purpose
from ...queue.errors import ProjectError
from ..accounts.fields import sentence
from ..authentication import Request
from .forms import SettingsForm
from .navigation import settings_context

PAGE_SIZE = 25


@require_http_methods(["GET", "HEAD", "POST"])
def checks(request: Request, slug: str) -> HttpResponse:
    """Show the rules of qualification; a post changes them."""
    project = project_for(request.user, slug, needs="lead")
    form = SettingsForm(
        project, [setting for setting in SETTINGS.values() if setting.page == CHECKS], request.POST or None
    )
    if request.method == "POST" and form.is_valid():
        if form.has_changed():
            change_settings(project, form.values(), actor=request.user)
            messages.success(
                request, "The rules are saved. They apply from now on; raters who have passed stay qualified."
            )
        return redirect("qualification", project.slug)
    sheets = gold_candidates(project).select_related(
        "response__prompt", "response__system", "against__system", "document"
    )
    page = Paginator(sheets.defer("document__sections", "response__text"), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "form": form,
        "unit": project.protocol.definition.unit,
        "page": page,
        "rows": count_gold(project, list(page.object_list)),
        "purposes": Purpose.choices,
        "sheet_counts": {purpose: Sheet.objects.filter(project=project, purpose=purpose).count()
                  for purpose in Purpose.values if purpose != Purpose.WORK},
        "raters": in_shown_order(rater_checks(project), lambda row: str(row.rater)),
        **settings_context("quality", is_below=True),
    }  # fmt: skip
    return render(request, "projects/qualification.html", context)


@require_POST
def purpose(request: Request, slug: str, sheet: int) -> HttpResponse:
    """Set the purpose of a response."""
    project = project_for(request.user, slug, needs="lead")
    selected = get_object_or_404(Sheet.objects.select_related("response"), project=project, pk=sheet)
    new_purpose = request.POST.get("purpose", "")
    if new_purpose not in Purpose.values:
        messages.error(request, "Choose a use for the response.")
        return redirect("qualification", project.slug)
    try:
        changed = set_purpose(project, [selected], new_purpose, actor=request.user)
    except ProjectError as error:
        messages.error(request, sentence(error))
    else:
        if changed:
            messages.success(request, _purpose_message(new_purpose))
    return redirect("qualification", project.slug)


def _purpose_message(purpose: str) -> str:
    if purpose == Purpose.WORK:
        return "The response is back in the queue: raters who have not had it can get it."
    return f"The response is used for: {Purpose(purpose).label.lower()}. Its earlier ratings still count."


@require_POST
def rater(request: Request, slug: str, username: str) -> HttpResponse:
    """Pause, lift, grant (one more attempt) or let_in, by `act`. A paused rater who leads now can be unpaused, too."""
    project = project_for(request.user, slug, needs="lead")
    membership = rater_membership(project, username_of(username))
    act = ACTS.get(request.POST.get("act", ""))
    try:
        if act:
            messages.success(request, act(project, membership.user, request.user))
    except ProjectError as error:
        messages.error(request, sentence(error))
    return redirect("qualification", project.slug)


def _pause(project: Project, rater: User, actor: User) -> str:
    pause_rater(project, rater, actor=actor)
    return f"{rater} is paused. The leases have ended; all answers are kept."


def _lift(project: Project, rater: User, actor: User) -> str:
    lift_pause(project, rater, actor=actor)
    return f"{rater} can continue. Earlier hidden gold no longer counts toward a pause."


def _grant(project: Project, rater: User, actor: User) -> str:
    tries_left = grant_attempt(project, rater, actor=actor)
    return (
        f"{rater} now has {tries_left} attempt at the qualification test."
        if tries_left == 1
        else f"{rater} now has {tries_left} attempts at the qualification test."
    )


def _exempt(project: Project, rater: User, actor: User) -> str:
    exempt_rater(project, rater, actor=actor)
    return f"{rater} can rate without training and qualification."


ACTS: dict[str, Callable[[Project, User, User], str]] = {
    "pause": _pause,
    "lift": _lift,
    "grant": _grant,
    "let_in": _exempt,
}
