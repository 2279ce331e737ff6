"""The form with which an admin lets a model generate the responses of a system."""

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
from ...models import Dataset, GenerationTemplate, Generator
from ..authentication import Request
from .forms import GeneratorForm


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Request, slug: str) -> HttpResponse:
    """Create a generator and count its tokens. `?from=`: with the settings of which one (public id) it begins."""
    require_admin(request.user)
    dataset = dataset_for(request.user, slug)
    source = _source(request, dataset)
    store_built_in()
    newest = GenerationTemplate.objects.filter(name=OuterRef("name")).order_by("-version").values("version")[:1]
    templates = list(GenerationTemplate.objects.filter(version=Subquery(newest)))
    if source:  # the form begins with its settings, but for the key
        initial = {"system": source.system, **source.setting_values(), "template": source.template.label}
        if source.template not in templates:
            templates.insert(0, source.template)
    else:
        initial = {"template": next(each.label for each in templates if each.name == DEFAULT_TEMPLATE)}
    settings = Generator(dataset=dataset)
    form = GeneratorForm(request.POST or None, templates=templates, initial=initial, instance=settings)
    if request.method == "POST" and form.is_valid():
        key = form.cleaned_data["key"]
        try:
            with transaction.atomic():
                created, is_new = create_generator(settings, key=key, actor=request.user)
                if is_new:
                    start_token_count(created, actor=request.user)
        except ModelError as error:
            form.add_model_error(error)
        else:
            if is_new:
                message = f"System {created.system} is created. Nothing is sent before you start a run."
            elif key:
                message = f"System {created.system} has these settings already. Its key is replaced."
            else:
                message = f"System {created.system} has these settings already; nothing is changed."
            messages.success(request, message)
            return redirect("generator", slug, created.public_id)
    form.note_lost_key()
    context = {"dataset": dataset, "form": form, "templates": templates, "prompts": dataset.prompts.count()}
    return render(request, "generation/new_generator.html", context)


def _source(request: Request, dataset: Dataset) -> Generator | None:
    """Return the generator that `?from=` names."""
    if "from" not in request.GET:
        return None
    try:
        public_id = UUID(request.GET["from"])
    except ValueError:
        raise Http404("There is no such system.") from None
    return get_object_or_404(dataset.generators.select_related("template"), public_id=public_id)
