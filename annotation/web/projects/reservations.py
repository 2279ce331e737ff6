"""Assign responses to named raters: preview, apply and end assignments (reservations in the queue)."""

import json
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.text import Truncator, get_text_list
from django.views.decorators.http import require_http_methods, require_POST

from ...access import project_for
from ...accounts.names import DisplayNames
from ...models import Project, User
from ...pseudonyms import in_shown_order
from ...queue.errors import ProjectError
from ...queue.reservations import (
    Selection,
    end_reservation,
    preview_reservation,
    reservation_requests,
    reserve,
    selection_choices,
)
from ..accounts.fields import People, choose_from, raters_of, sentence, set_choices
from ..authentication import Request
from .navigation import FILTERED_FROM

WAYS = [
    ("random", "A random sample"),
    ("system", "Responses of one system"),
    ("metadata", "Responses to prompts of one kind"),
    ("document", "Responses about one document"),
]


class ReservationForm(forms.Form):
    """Which responses are reserved, and for whom."""

    raters = People(User.objects.none(), widget=forms.CheckboxSelectMultiple, label="Raters")
    by = forms.ChoiceField(
        label="Which responses",
        choices=WAYS,
        initial="random",
        widget=forms.RadioSelect,
    )
    n = forms.IntegerField(label="How many", min_value=1, max_value=10_000_000, required=False)
    seed = forms.IntegerField(
        label="Seed",
        min_value=0,
        max_value=2**31 - 1,
        initial=1,
        required=False,
        help_text="The same seed draws the same responses.",
    )
    system = forms.ChoiceField(label="System", required=False)
    kind = forms.ChoiceField(label="Kind of prompt", required=False)
    document = forms.ChoiceField(label="Document", required=False)
    sheets = forms.CharField(widget=forms.HiddenInput, required=False, help_text="Primary keys with commas between.")

    def __init__(self, project: Project, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        choices = selection_choices(project)
        choose_from(self, "raters", raters_of(project))
        named = {
            "system": [(name, f"{name} ({intcomma(n)})") for name, n in choices.systems],
            "kind": [
                (json.dumps([key, value]), f"{key}: {value} ({intcomma(n)})") for key, value, n in choices.metadata
            ],
            "document": [
                (key, f"{Truncator(title or key).chars(80)} ({intcomma(n)})") for key, title, n in choices.documents
            ],
        }
        for name, options in named.items():
            set_choices(self, name, [("", "Choose"), *options])
        possible = {"system": named["system"], "metadata": named["kind"], "document": named["document"]}
        ways: list[tuple[str, str | Promise]] = [(name, words) for name, words in WAYS if possible.get(name, True)]
        if n := len(numbers_in(self["sheets"].value() or "")):
            words = f"The {intcomma(n)} selected response" if n == 1 else f"The {intcomma(n)} selected responses"
            ways.insert(0, ("selected", words))
        set_choices(self, "by", ways)

    def clean(self) -> dict[str, Any]:
        """Require the field that the selected way needs."""
        cleaned = super().clean() or {}
        needed = {"random": "n", "system": "system", "metadata": "kind", "document": "document"}.get(
            cleaned.get("by", "")
        )
        if needed and not cleaned.get(needed) and needed not in self.errors:
            self.add_error(needed, "Enter a number." if needed == "n" else "Choose a value.")
        return cleaned

    def selection(self) -> Selection:
        cleaned = self.cleaned_data
        if cleaned["by"] == "random":
            return Selection("random", n=cleaned["n"], seed=1 if cleaned["seed"] is None else cleaned["seed"])
        if cleaned["by"] == "metadata":
            key, value = json.loads(cleaned["kind"])
            return Selection("metadata", value, key=key)
        if cleaned["by"] == "selected":
            return Selection("selected", sheets=numbers_in(cleaned["sheets"]))
        return Selection(cleaned["by"], cleaned[cleaned["by"]])


def numbers_in(text: str) -> list[int]:
    """Return the numbers of a list with commas between; what is none is left out."""
    return [int(part) for part in text.split(",") if part.isascii() and part.isdigit() and len(part) < 19]


@require_http_methods(["GET", "HEAD", "POST"])
def reservations(request: Request, slug: str) -> HttpResponse:
    """Show the reservations and the form for a new one: show the effect first, then apply it."""
    project = project_for(request.user, slug, needs="lead")
    return _form_page(request, project, ReservationForm(project, request.POST or None))


def assign_selected(request: Request, project: Project, sheets: list[int]) -> HttpResponse:
    """Show the form for the assignment of these responses (primary keys of sheets)."""
    form = ReservationForm(project, initial={"by": "selected", "sheets": ",".join(map(str, sheets))})
    return _form_page(request, project, form)


def _form_page(request: Request, project: Project, form: ReservationForm) -> HttpResponse:
    is_valid = form.is_valid()
    if is_valid and request.POST.get("confirmed"):
        return _reserve(request, project, form)
    display_name, requests = DisplayNames(), reservation_requests(project)
    makers = {maker.username: maker for maker in User.objects.filter(username__in=[row.made_by for row in requests])}
    context: dict[str, Any] = {
        "project": project,
        "form": form,
        "form_values": [
            (name, value) for name, values in request.POST.lists() for value in values if name in form.fields
        ],
        "filtered_from": FILTERED_FROM,
        "reservation_requests": [
            replace(
                row,
                raters=in_shown_order(map(display_name, row.raters), str),
                made_by=str(makers.get(row.made_by, row.made_by)),
            )
            for row in requests
        ],
    }
    if is_valid:
        raters, selection = in_shown_order(form.cleaned_data["raters"], str), form.selection()
        effect = preview_reservation(project, raters, selection)
        context |= {
            "effect": replace(effect, shared_with=in_shown_order(map(display_name, effect.shared_with), str)),
            "selection": selection,
            "finished": len(selection.sheets) - effect.responses if selection.sheets else 0,
            "selected_raters": raters,
            "rater_names": get_text_list(list(map(str, raters)), "and"),
        }
    return render(request, "projects/reservations.html", context)


def _reserve(request: Request, project: Project, form: ReservationForm) -> HttpResponse:
    raters = list(form.cleaned_data["raters"])
    try:
        n = reserve(project, raters, form.selection(), actor=request.user)
    except ProjectError as error:
        messages.error(request, sentence(error))
    else:
        names = ", ".join(in_shown_order(map(str, raters), str))
        responses = "response is" if n == 1 else "responses are"
        messages.success(request, f"{intcomma(n)} {responses} assigned to {names}.")
    return redirect("reservations", project.slug)


@require_POST
def end(request: Request, slug: str) -> HttpResponse:
    """End the reservations of one request, identified by its time."""
    project = project_for(request.user, slug, needs="lead")
    try:
        made_at = parse_datetime(request.POST.get("made_at", ""))
    except ValueError:  # a date that no calendar has
        made_at = None
    made_at = made_at if made_at and made_at.tzinfo else None
    n = end_reservation(project, made_at, actor=request.user) if made_at else 0
    if n:
        responses = f"{intcomma(n)} response is" if n == 1 else f"{intcomma(n)} responses are"
        messages.success(request, f"The assignment has ended: {responses} no longer reserved. Leases continue.")
    else:
        messages.error(request, "This assignment no longer exists.")
    return redirect("reservations", project.slug)
