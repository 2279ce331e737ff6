"""Data sets, for admins and leads. Raters have no access: the pages contain reference answers and names of systems."""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count, Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from tasks.jobs import enqueue

from ...access import dataset_for, datasets_for, projects_for, require_admin
from ...generation.summaries import generators_of
from ...i18n.unit_names import ITEM_KINDS
from ...importing import FORMATS
from ...importing.dataset_contents import breakdowns_of, contents_of, with_totals
from ...importing.syllabusqa import SPANS
from ...models import Item, Prompt
from ...projects.deleting import contents_of_dataset, dataset_deletion
from ..authentication import Request
from ..projects.forms import DeleteForm
from ..rendering.articles import render_paragraph
from ..rendering.responses import render_response
from .answer_spans import found_spans, positions_by_paragraph, render_with_marks
from .import_outcomes import outcome_of_import

PROMPTS_SHOWN = 20
TEXT_LISTS = ("evidence", "highlighted_evidence", "extractive_spans", "reasoning_steps")  # fields of an annotation
DOCUMENTS_SHOWN = 50


@require_safe
def datasets(request: Request) -> HttpResponse:
    """List the data sets that the user may see."""
    return render(request, "datasets/datasets.html", {"rows": with_totals(datasets_for(request.user))})


@require_safe
def dataset(request: Request, slug: str) -> HttpResponse:
    """Show a data set: its contents, its imports, and its prompts in pages."""
    selected = dataset_for(request.user, slug)
    prompts = selected.prompts.select_related("document").defer("document__sections", "annotations")
    prompts = prompts.annotate(n=Count("responses")).order_by("pk")
    context = {
        "dataset": selected,
        "contents": (contents := contents_of(selected)),
        "format_note": FORMATS[selected.format].explains if selected.format in FORMATS else "",
        "breakdowns": breakdowns_of(selected),
        "kinds": [(kind, ITEM_KINDS.get(kind.kind, kind.kind.replace("_", " "))) for kind in contents.kinds],
        "imports": [outcome_of_import(record) for record in selected.imports.select_related("imported_by")],
        "projects": projects_for(request.user).filter(dataset=selected),
        "generators": generators_of(selected) if request.user.is_admin else [],
        "page": Paginator(prompts, PROMPTS_SHOWN).get_page(request.GET.get("page")),
    }
    return render(request, "datasets/dataset.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: Request, slug: str) -> HttpResponse:
    """Show the contents of a data set that no project uses. A post with its slug starts the deletion job."""
    require_admin(request.user)
    selected = dataset_for(request.user, slug)
    contents = contents_of_dataset(selected)
    form = DeleteForm(selected.slug, request.POST or None)
    if request.method == "POST" and not contents.projects and form.is_valid():
        job = dataset_deletion(selected, actor=request.user)
        enqueue(job)
        return redirect("job", job.public_id)
    return render(request, "datasets/delete.html", {"dataset": selected, "form": form, "contents": contents})


@require_safe
def documents(request: Request, slug: str) -> HttpResponse:
    """List the documents in pages."""
    selected = dataset_for(request.user, slug)
    rows = selected.documents.defer("sections").annotate(n=Count("prompts")).order_by("title", "pk")
    page = Paginator(rows, DOCUMENTS_SHOWN).get_page(request.GET.get("page"))
    return render(request, "datasets/documents.html", {"dataset": selected, "page": page})


@require_safe
def document(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Show a document and the prompts about it."""
    selected = dataset_for(request.user, slug)
    row = get_object_or_404(selected.documents, public_id=public_id)
    positions = positions_by_paragraph(row, request.GET.get("prompt", ""))
    sections = [
        {
            "heading": render_paragraph(section["heading"]),
            "level": min(section["level"] + 1, 6),
            "paragraphs": [
                {**p, "html": render_with_marks(p["text"], positions.get(p["id"], []))} for p in section["paragraphs"]
            ],
        }
        for section in row.sections
    ]
    prompts = row.prompts.order_by("pk").only("public_id", "text")
    context = {"dataset": selected, "document": row, "sections": sections, "prompts": prompts}
    context["has_headings"] = any(section["heading"] for section in sections)
    return render(request, "datasets/document.html", context)


@require_safe
def prompt(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Show a prompt with the reference answers and every system's response."""
    selected = dataset_for(request.user, slug)
    row = get_object_or_404(selected.prompts.select_related("document"), public_id=public_id)
    units = [Item.Unit.SENTENCE, Item.Unit.CLAIM]
    items = Item.objects.filter(unit__in=units, retired_at=None).order_by("position")
    responses = row.responses.select_related("system").order_by("system__name", "pk")
    rendered_responses = [
        {
            "response": response,
            "html": render_response(response.text, response.items.all()),
            "unplaced_items": [item for item in response.items.all() if item.start is None],
        }
        for response in responses.prefetch_related(Prefetch("items", items))
    ]
    context = {
        "dataset": selected,
        "prompt": row,
        "responses": rendered_responses,
        "metadata": [
            (key, "; ".join(map(str, value)) if isinstance(value, list) else value)
            for key, value in row.metadata.items()
        ],
        "annotations": [_annotation(row, annotation) for annotation in row.annotations],
    }
    return render(request, "datasets/prompt.html", context)


def _annotation(prompt: Prompt, annotation: dict[str, Any]) -> dict[str, Any]:
    """Return the annotation with `pairs`, its other fields in order, and `spans` with their positions."""
    pairs = [(key, value, key in TEXT_LISTS) for key, value in annotation.items() if key != SPANS]
    return {**annotation, "pairs": pairs, "spans": found_spans(prompt, annotation.get(SPANS, []))}
