"""A lead's page about training, qualification and hidden gold: rules, sheets, raters' status, and pauses."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from ...access import project_for
from ...models import Purpose, Sheet
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
        label = Purpose(new_purpose).label.lower()
        if changed:
            messages.success(
                request,
                "The response is back in the queue: raters who have not had it can get it."
                if new_purpose == Purpose.WORK
                else f"The response is used for: {label}. Its earlier ratings still count.",
            )
    return redirect("qualification", project.slug)


@require_POST
def rater(request: Request, slug: str, username: str) -> HttpResponse:
    """Pause, lift, grant (one more attempt) or let_in, by `act`. A paused rater who leads now can be unpaused, too."""
    project = project_for(request.user, slug, needs="lead")
    membership = rater_membership(project, username_of(username))
    rater, actor = membership.user, request.user
    try:
        match request.POST.get("act", ""):
            case "pause":
                pause_rater(project, rater, actor=actor)
                messages.success(request, f"{rater} is paused. The leases have ended; all answers are kept.")
            case "lift":
                lift_pause(project, rater, actor=actor)
                messages.success(request, f"{rater} can continue. Earlier hidden gold no longer counts toward a pause.")
            case "grant":
                n = grant_attempt(project, rater, actor=actor)
                attempts = "attempt" if n == 1 else "attempts"
                messages.success(request, f"{rater} now has {n} {attempts} at the qualification test.")
            case "let_in":
                exempt_rater(project, rater, actor=actor)
                messages.success(request, f"{rater} can rate without training and qualification.")
    except ProjectError as error:
        messages.error(request, sentence(error))
    return redirect("qualification", project.slug)
