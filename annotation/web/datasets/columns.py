"""Mapped rows in the browser: assign the columns of the uploaded files to fields, with a preview of the first prompts.

The files are stored already; the choices made with them are in the address, so the page can be opened again. A post
renders the preview again, or starts the dry run.
"""

import shlex
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tasks.jobs import enqueue

from ...access import require_admin
from ...importing import FORMATS, uploads
from ...importing.annotation_tools import TOOLS
from ...importing.column_guesses import RowSample, guess_columns, map_remaining_columns
from ...importing.column_mapping import FIELDS, Columns, check_columns
from ...importing.import_counts import words_of
from ...importing.mapping_choice import last_mapping
from ...importing.preview import preview_of
from ...jobs import Refused
from ...models import Dataset, Job, Upload
from ..authentication import Request
from .forms import address_of_form

_STARTED = {"check": uploads.LOAD_DATASET, "labels": uploads.FIND_LABELS}
"""Kind of the job that a button starts."""
OPTIONS = ("format", "slug", "title", "system", "sample", "seed")
WORDS = {
    "prompt": "Prompt: its text",
    "prompt_id": "Prompt: its id",
    "reference": "Prompt: reference answer, for leads only",
    "metadata": "Prompt: metadata (for breakdowns)",
    "response": "Response: its text",
    "response_id": "Response: its id",
    "system": "Response: the system that wrote it",
    "response_metadata": "Response: metadata",
    "document": "Document: its text",
    "document_id": "Document: its id or file name",
    "document_title": "Document: its title",
    "leave_out": "Not imported",
}
"""Labels of the fields that a column can have, in the order of the page."""
assert WORDS.keys() == FIELDS.keys()


class _ColumnChoices(forms.Form):
    """The files, and the choices made with them."""

    upload = forms.ModelMultipleChoiceField(Upload.objects.exclude(file=""), to_field_name="public_id")
    format = forms.ChoiceField(choices=[(each.name, each.name) for each in FORMATS.values() if each.mapped])
    slug = forms.SlugField(max_length=80)
    title = forms.CharField(max_length=200, required=False)
    system = forms.CharField(max_length=200, required=False)
    sample = forms.IntegerField(min_value=1, max_value=10**9, required=False)
    seed = forms.IntegerField(min_value=0, max_value=2**63 - 1)

    def params(self) -> dict[str, Any]:
        """Return the job's parameters except the columns."""
        return {**{name: self.cleaned_data[name] for name in OPTIONS}, "subset": "all"}


def address_of(ids: list[UUID], params: dict[str, Any]) -> str:
    """Return the address of the page for stored files."""
    query = QueryDict(mutable=True)
    query.setlist("upload", [str(public_id) for public_id in ids])
    query.update({name: str(params[name]) for name in OPTIONS if params.get(name) is not None})
    return f"{reverse('import_columns')}?{query.urlencode()}"


def address_of_job(job: Job) -> str | None:
    """Return the address of the page for a job's files; None if they are in another format or deleted."""
    uploads = [upload for upload in job.uploads.order_by("pk") if upload.file]
    reader = FORMATS.get(job.params.get("format", ""))
    if reader is None or not reader.mapped or not uploads or len(uploads) != job.uploads.count():
        return None
    return address_of([upload.public_id for upload in uploads], job.params)


@require_http_methods(["GET", "HEAD", "POST"])
def columns(request: Request) -> HttpResponse:
    """Assign columns to fields. `do=check` in a post starts the dry run, `do=labels` reads the labels first."""
    require_admin(request.user)
    form = _ColumnChoices(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        messages.error(request, "The uploaded files have been deleted: upload them again.")
        return redirect("import_dataset")
    params, stored_uploads = form.params(), list(form.cleaned_data["upload"].order_by("pk"))
    context: dict[str, Any] = {
        "params": params,
        "uploads": stored_uploads,
        "fields": WORDS.items(),
        "is_tool": params["format"] in TOOLS,
        "mapped": None,
        "rows": [],
    }
    context["again"] = address_of_form(params)
    try:
        sample = uploads.sample_uploads(stored_uploads, params["format"])
    except Refused as refused:
        return render(request, "datasets/columns.html", context | {"problems": refused.problems})
    mapping = _posted_choices(request.POST, sample) if request.method == "POST" else _suggestion(sample, params["slug"])
    context |= _columns_context(sample, mapping, params["system"])
    context["command"] = _command(params, stored_uploads, mapping)
    kind = _STARTED.get(request.POST.get("do", ""))
    if kind == uploads.FIND_LABELS and (not context["is_tool"] or params["sample"]):
        kind = None  # a sample has not all of the items that annotations are about
    if kind and context["mapped"]:
        job = uploads.import_stored_files(
            kind, stored_uploads, params | {"columns": mapping.as_json() or None}, request.user
        )
        enqueue(job)
        return redirect("import_job", job.public_id)
    return render(request, "datasets/columns.html", context)


def _command(params: dict[str, Any], stored_uploads: list[Upload], mapping: Columns) -> str:
    """Return the equivalent command."""
    named = ["--system", params["system"]] if params["system"] else []
    names = [upload.name for upload in stored_uploads]
    if params["format"] in TOOLS:
        command = ["import_project", *names, "--format", params["format"], "--project", params["slug"], *named]
    else:
        command = ["import_dataset", params["format"], *names, "--dataset", params["slug"], *named]
    return f"{shlex.join(command)} {mapping.as_arguments()}"


def _posted_choices(post: QueryDict, sample: RowSample) -> Columns:
    """Return the choice for each column by its position in the file, as column names may contain any character."""
    columns_by_field: dict[str, tuple[str, ...]] = {}
    for n, name in enumerate(sample.names):
        field = post.get(f"column-{n}", "leave_out")
        if field in FIELDS:
            columns_by_field[field] = (*columns_by_field.get(field, ()), name)
    return Columns(columns_by_field)


def _suggestion(sample: RowSample, slug: str) -> Columns:
    """Return the last mapping of the data set, or guess one from the columns."""
    before = last_mapping(Dataset.objects.filter(slug=slug).first())
    fits = before and before.column_of("prompt") in sample.names
    return map_remaining_columns(before, sample) if before and fits else guess_columns(sample)


def _columns_context(sample: RowSample, mapping: Columns, system: str) -> dict[str, Any]:
    """Return the columns with their choice, and the preview or the problems of the choice."""
    field_of = {column: field for field, names in mapping.by_field.items() for column in names}
    rows = [(n, column, field_of.get(column.name, "leave_out")) for n, column in enumerate(sample.columns.values())]
    context = {"rows": rows, "rows_read": len(sample.rows), "articles": sample.articles}
    try:
        preview = preview_of(sample, check_columns(mapping) if sample.rows else mapping, system)
    except Refused as refused:
        return context | {"wrong": refused.problems}
    left_out = [(words, n, about) for reason, n in preview.left_out.items() for words, about in [words_of(reason)]]
    return context | {"mapped": preview, "left_out": left_out}
