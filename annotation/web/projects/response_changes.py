"""Changes of several responses at once: reopen, free, assign, exclude and include again, each confirmed before."""

from collections.abc import Callable
from dataclasses import replace
from operator import itemgetter
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from ...access import project_for
from ...accounts.names import DisplayNames
from ...models import Exclusion, Project, Sheet
from ...projects.responses import STATES, ResponseFilter, sheets_matching
from ...pseudonyms import in_shown_order, username_of
from ...queue.errors import ProjectError
from ...queue.exclusion import REASON_LENGTH, exclude, exclusion_effect, include, inclusion_effect
from ...queue.leases import FreeingEffect, free_responses, freeing_effect
from ...queue.reopening import reopen_responses, reopening_effect
from ..accounts.fields import sentence
from ..authentication import Request
from .reservations import assign_selected, numbers_in

EFFECTS: dict[str, Callable[[Project, list[int]], Any]] = {
    "reopen": reopening_effect,
    "free": freeing_effect,
    "exclude": exclusion_effect,
    "include": inclusion_effect,
}


class ExclusionForm(forms.Form):
    """Why responses are excluded."""

    reason = forms.CharField(
        label="Reason",
        max_length=REASON_LENGTH,
        widget=forms.TextInput(attrs={"list": "reasons", "autocomplete": "off"}),
        help_text="The report and the Methods state it, with the number of responses; the raters of a response see it "
        "too.",
    )


class ReopeningForm(forms.Form):
    """Why responses are reopened, if a lead says so."""

    reason = forms.CharField(
        label="Reason",
        max_length=REASON_LENGTH,
        required=False,
        help_text="The raters of the responses see it.",
    )


FORMS: dict[str, type[forms.Form]] = {"exclude": ExclusionForm, "reopen": ReopeningForm}


@require_POST
def change_responses(request: Request, slug: str) -> HttpResponse:
    """Show what the change of the selected responses will do; once it is confirmed, apply it to all or to none."""
    project = project_for(request.user, slug, needs="lead")
    action = request.POST.get("action", "")
    if request.POST.get("all"):  # all that the list found, else the checked ones
        selected = sheets_matching(project, with_usernames(response_filter(request.POST)))
    else:
        numbers = numbers_in(",".join(request.POST.getlist("sheets")))
        selected = Sheet.objects.filter(project=project, pk__in=numbers)
    sheets = sorted(selected.values_list("pk", flat=True))
    if not sheets:
        messages.error(request, "Select at least one response.")
        return back_to_responses(request, slug)
    if action == "assign":
        return assign_selected(request, project, sheets)
    if action not in EFFECTS:
        return back_to_responses(request, slug)
    is_confirmed = bool(request.POST.get("confirmed"))
    form = FORMS[action](request.POST if is_confirmed else None) if action in FORMS else None
    if is_confirmed and (form is None or form.is_valid()):
        try:
            message = _change(request, project, action, sheets, form.cleaned_data["reason"] if form else "")
        except ProjectError as error:
            messages.error(request, sentence(error))
        else:
            messages.success(request, message)
        return back_to_responses(request, slug)
    effect = EFFECTS[action](project, sheets)
    leases_by_rater: list[tuple[str, int]] = []
    if isinstance(effect, FreeingEffect):
        named = zip(map(DisplayNames(), effect.raters), effect.raters.values(), strict=True)
        leases_by_rater = in_shown_order(named, itemgetter(0))
    context = {
        "project": project,
        "action": action,
        "sheets": ",".join(map(str, sheets)),
        "selected": len(sheets),
        "effect": effect,
        "leases_by_rater": leases_by_rater,
        "unchanged": len(sheets) - effect.responses,
        "form": form,
        "reasons": Exclusion.objects.filter(project=project).values_list("reason", flat=True).distinct(),
        "back": own_address(request, slug),
    }
    return render(request, "projects/change_responses.html", context)


def response_filter(values: Any) -> ResponseFilter:
    """Return the filter that the parameters of a list's address, or fields of a form, describe."""
    state = values.get("state", "")
    return ResponseFilter(
        words=values.get("words", "").replace("\x00", "").strip()[:200],
        state=state if state in STATES else "",
        rater=values.get("rater", "").replace("\x00", ""),
        system=values.get("system", "").replace("\x00", ""),
    )


def with_usernames(filters: ResponseFilter) -> ResponseFilter:
    """Return the filter with the user name of its rater, whom an address names as the viewer sees them."""
    return replace(filters, rater=username_of(filters.rater)) if filters.rater else filters


def _change(request: Request, project: Project, action: str, sheets: list[int], reason: str) -> str:
    """Change the responses, and return what was done. Raises ProjectError."""
    match action:
        case "reopen":
            n = reopen_responses(project, sheets, reason=reason, actor=request.user)
            if n == 1:
                return "1 annotation is reopened. Its answers are kept, and count when it is finished again."
            words = "are reopened. Their answers are kept, and count when they are finished again."
            return f"{intcomma(n)} annotations {words}"
        case "free":
            n = free_responses(project, sheets, actor=request.user)
            return f"{intcomma(n)} {'lease has' if n == 1 else 'leases have'} ended. The answers are kept."
        case "exclude":
            n = exclude(project, sheets, reason, actor=request.user)
            return f"{intcomma(n)} {'response is' if n == 1 else 'responses are'} excluded."
    n = include(project, sheets, actor=request.user)
    return f"{intcomma(n)} {'response is' if n == 1 else 'responses are'} included again."


def own_address(request: Request, slug: str) -> str:
    """Return the address of the list that sent the form."""
    url = request.POST.get("next", "")
    own = reverse("project_responses", args=[slug])
    is_own = url.startswith(own) and url_has_allowed_host_and_scheme(url, allowed_hosts=None)
    return url if is_own else own


def back_to_responses(request: Request, slug: str) -> HttpResponse:
    """Redirect to the page of the list that sent the form."""
    return redirect(own_address(request, slug))
