"""The prompt templates of the site, for admins: all versions, and the form to save the next one."""

from itertools import groupby

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
    initial = {}
    if "from" in request.GET:
        try:
            source = find_template(request.GET["from"])
        except ModelError as error:
            raise Http404(str(error)) from None
        initial = {"name": source.name, **vars(content_of(source))}
    form = TemplateForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            saved, is_new = save_template(form.instance.name, content_of(form.instance), actor=request.user)
        except ModelError as error:
            form.add_model_error(error)
        else:
            end = "is saved" if is_new else "has this content already"
            messages.success(request, f"Template {saved.label} {end}.")
            return redirect("generation_templates")
    # Each version with `n`, the number of systems that use it, the newest first.
    versions = GenerationTemplate.objects.select_related("created_by").annotate(n=Count("generators"))
    groups = [
        {"name": name, "is_built_in": name in BUILT_IN, "versions": list(rows)}
        for name, rows in groupby(versions.order_by("name", "-version"), lambda version: version.name)
    ]
    return render(request, "generation/templates.html", {"form": form, "groups": groups})
