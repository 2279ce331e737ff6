"""Reserve responses for named raters: preview, apply and end reservations."""

from datetime import datetime

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from ...access import project_for
from ...models import Project
from ...queue.errors import ProjectError
from ...queue.reservations import end_reservation, preview_reservation, reserve, reserved_parts
from ..authentication import Request
from .forms import sentence
from .reservation_form import PartForm


@require_http_methods(["GET", "HEAD", "POST"])
def parts(request: Request, slug: str) -> HttpResponse:
    """Show the reservations and the form for a new one: show the effect first, then apply it."""
    project = project_for(request.user, slug, needs="lead")
    form = PartForm(project, request.POST or None)
    effect = None
    if request.method == "POST" and form.is_valid():
        raters, selection = list(form.cleaned_data["raters"]), form.selection()
        effect = preview_reservation(project, raters, selection)
        if request.POST.get("confirmed"):
            return _reserve(request, project, form)
    context = {
        "project": project,
        "form": form,
        "effect": effect,
        "selection": form.selection() if effect else None,
        "selected_raters": form.cleaned_data["raters"] if effect else [],
        "rater_names": get_text_list([str(rater) for rater in form.cleaned_data["raters"]], _("and")) if effect else "",
        "form_values": [
            (name, value) for name, values in request.POST.lists() for value in values if name in form.fields
        ],
        "parts": reserved_parts(project),
    }
    return render(request, "projects/reservations.html", context)


def _reserve(request: Request, project: Project, form: PartForm) -> HttpResponse:
    raters = list(form.cleaned_data["raters"])
    try:
        n = reserve(project, raters, form.selection(), actor=request.user)
    except ProjectError as error:
        messages.error(request, sentence(error))
    else:
        names = ", ".join(str(rater) for rater in raters)
        messages.success(
            request,
            ngettext("%(n)s response kept for %(names)s.", "%(n)s responses kept for %(names)s.", n)
            % {"n": intcomma(n), "names": names},
        )
    return redirect("project_parts", project.slug)


@require_POST
def end_part(request: Request, slug: str) -> HttpResponse:
    """End the reservations of one request, identified by its time."""
    project = project_for(request.user, slug, needs="lead")
    made_at = _time(request.POST.get("made_at", ""))
    n = end_reservation(project, made_at, actor=request.user) if made_at else 0
    if n:
        messages.success(
            request,
            ngettext(
                "%(n)s response no longer kept by this. Leases run on.",
                "%(n)s responses no longer kept by this. Leases run on.",
                n,
            )
            % {"n": intcomma(n)},
        )
    else:
        messages.error(request, _("There is no such part any more."))
    return redirect("project_parts", project.slug)


def _time(text: str) -> datetime | None:
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment and moment.tzinfo else None
