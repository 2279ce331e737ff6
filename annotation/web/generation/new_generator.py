"""The form with which an admin lets a model generate the responses of a system."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from tasks.generation import start_token_count

from ...access import dataset_for, require_admin
from ...generation.generators import create_generator
from ...generation.templates import DEFAULT_TEMPLATE, store_built_in
from ...model_calls.errors import ModelError
from ...models import Dataset, GenerationTemplate, Generator, User
from ..authentication import Request
from .forms import GeneratorForm


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Request, slug: str) -> HttpResponse:
    """Create a generator and count its tokens. `?from=`: with the settings of which one (public id) it begins."""
    require_admin(request.user)
    dataset = dataset_for(request.user, slug)
    source = _source(request, dataset)
    templates = _templates(source)
    form = GeneratorForm(
        request.POST or None,
        templates=templates,
        initial=_initial(source, templates),
        instance=Generator(dataset=dataset),
    )
    if request.method == "POST" and form.is_valid():
        try:
            created, is_new = _create(form, request.user)
        except ModelError as error:
            form.add_model_error(error)
        else:
            messages.success(request, _message(created, is_new, bool(form.cleaned_data["key"])))
            return redirect("generator", slug, created.public_id)
    form.note_lost_key()
    context = {"dataset": dataset, "form": form, "templates": templates, "prompts": dataset.prompts.count()}
    return render(request, "generation/new_generator.html", context)


def _source(request: Request, dataset: Dataset) -> Generator | None:
    if "from" not in request.GET:
        return None
    try:
        public_id = UUID(request.GET["from"])
    except ValueError:
        raise Http404("There is no such system.") from None
    return get_object_or_404(dataset.generators.select_related("template"), public_id=public_id)


def _templates(source: Generator | None) -> list[GenerationTemplate]:
    """Return the newest version of each template, and that of the source."""
    store_built_in()
    newest = GenerationTemplate.objects.filter(name=OuterRef("name")).order_by("-version").values("version")[:1]
    templates = list(GenerationTemplate.objects.filter(version=Subquery(newest)))
    if source and source.template not in templates:
        templates.insert(0, source.template)
    return templates


def _initial(source: Generator | None, templates: Sequence[GenerationTemplate]) -> dict[str, Any]:
    """Return the values with which the form begins. The key is not among them."""
    if source:
        return {"system": source.system, **source.setting_values(), "template": source.template.label}
    return {"template": next(each.label for each in templates if each.name == DEFAULT_TEMPLATE)}


@transaction.atomic
def _create(form: GeneratorForm, actor: User) -> tuple[Generator, bool]:
    created, is_new = create_generator(form.instance, key=form.cleaned_data["key"], actor=actor)
    if is_new:
        start_token_count(created, actor=actor)
    return created, is_new


def _message(generator: Generator, is_new: bool, has_key: bool) -> str:
    if is_new:
        message = "System %(name)s is created. Nothing is sent before you start a run."
    elif has_key:
        message = "System %(name)s has these settings already. Its key is replaced."
    else:
        message = "System %(name)s has these settings already; nothing is changed."
    return message % {"name": generator.system}
