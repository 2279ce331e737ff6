"""The setting on a project's page: how many responses raters may prefetch."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from ...access import project_for
from ...qualification.prefetch import MAX_PREFETCH, MIN_PREFETCH, set_prefetch_limit
from ..authentication import Request


class AheadForm(forms.Form):
    """How many responses a rater may prefetch."""

    ahead = forms.IntegerField(
        label=gettext_lazy("Responses ahead"),
        min_value=MIN_PREFETCH,
        max_value=MAX_PREFETCH,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )


@require_POST
def change(request: Request, slug: str) -> HttpResponse:
    """Set `ahead`, a number from 1 to 10; show an error for anything else."""
    project = project_for(request.user, slug, needs="lead")
    form = AheadForm(request.POST)
    if form.is_valid():
        n = form.cleaned_data["ahead"]
        set_prefetch_limit(project, n, actor=request.user)
        message = ngettext(
            "Raters have %(n)s response ahead from now on.", "Raters have %(n)s responses ahead from now on.", n
        )
        messages.success(request, message % {"n": n})
    else:
        messages.error(request, " ".join(map(str, form.errors["ahead"])))
    return redirect("project", project.slug)
