"""The prompt templates of the site, for admins: all versions, and the form to save the next one."""

from itertools import groupby
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from ...access import require_admin
from ...generation.templates import BUILT_IN, content_of, find_template, save_template, store_built_in
from ...model_calls.errors import ModelError
from ...models import GenerationTemplate
from ..authentication import Request
from .forms import TemplateForm


@require_http_methods(["GET", "HEAD", "POST"])
def templates(request: Request) -> HttpResponse:
    """List the templates. A post saves one. `?from=`: with which version (NAME@N) the form begins."""
    require_admin(request.user)
    store_built_in()
    form = TemplateForm(request.POST or None, initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        try:
            saved, is_new = save_template(form.cleaned_data["name"], content_of(form.instance), actor=request.user)
        except ModelError as error:
            form.add_model_error(error)
        else:
            message = "Template %(name)s is saved." if is_new else "Template %(name)s has this content already."
            messages.success(request, message % {"name": saved.label})
            return redirect("generation_templates")
    return render(request, "generation/templates.html", {"form": form, "groups": _groups()})


def _initial(request: Request) -> dict[str, Any]:
    if "from" not in request.GET:
        return {}
    try:
        template = find_template(request.GET["from"])
    except ModelError as error:
        raise Http404(str(error)) from None
    return {"name": template.name, **vars(content_of(template))}


def _groups() -> list[dict[str, Any]]:
    """Return each template with its versions, the newest first, each with `n`, the number of systems that use it."""
    versions = GenerationTemplate.objects.select_related("created_by").annotate(n=Count("generators"))
    return [
        {"name": name, "is_built_in": name in BUILT_IN, "versions": list(rows)}
        for name, rows in groupby(versions.order_by("name", "-version"), lambda each: each.name)
    ]
