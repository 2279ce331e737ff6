"""Own rows in the browser: which column of the uploaded files is what, with a preview of the first prompts.

The files are kept already; what was chosen with them stands in the address, so the page can be opened again. A post
shows the preview anew, or goes on to the dry run of the whole.
"""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from tasks.jobs import enqueue

from ...access import require_admin
from ...importing import uploads
from ...importing.column_guesses import Look, guessed, with_the_rest
from ...importing.column_mapping import FIELDS, Columns, checked
from ...importing.import_counts import REASONS
from ...importing.mapping_choice import last_mapping
from ...importing.preview import preview_of
from ...jobs import Refused
from ...models import Dataset, Job, Upload
from ..authentication import Request
from .forms import address_of_form

FORMAT = "rows"
OPTIONS = ("slug", "title", "sample", "seed")
WORDS = {
    "prompt": gettext_lazy("Prompt: its text"),
    "prompt_id": gettext_lazy("Prompt: its id"),
    "reference": gettext_lazy("Prompt: reference answer, for leads only"),
    "metadata": gettext_lazy("Prompt: metadata, a breakdown of the report"),
    "response": gettext_lazy("Response: its text"),
    "response_id": gettext_lazy("Response: its id"),
    "system": gettext_lazy("Response: the system that wrote it"),
    "response_metadata": gettext_lazy("Response: metadata"),
    "document": gettext_lazy("Document: its text"),
    "document_id": gettext_lazy("Document: its id or file name"),
    "document_title": gettext_lazy("Document: its title"),
    "leave_out": gettext_lazy("Not loaded"),
}
"""What a column can be, as the page says it, in the order in which it is offered."""
assert WORDS.keys() == FIELDS.keys()


class _Chosen(forms.Form):
    """What was chosen with the files, and the files."""

    upload = forms.ModelMultipleChoiceField(Upload.objects.exclude(file=""), to_field_name="public_id")
    slug = forms.SlugField(max_length=80)
    title = forms.CharField(max_length=200, required=False)
    sample = forms.IntegerField(min_value=1, max_value=10**9, required=False)
    seed = forms.IntegerField(min_value=0, max_value=2**63 - 1)

    def params(self) -> dict[str, Any]:
        """What the job is asked, but for the columns."""
        given = {name: self.cleaned_data[name] for name in OPTIONS}
        return {**given, "format": FORMAT, "subset": "all"}


def address_of(ids: list[UUID], params: dict[str, Any]) -> str:
    """The page for files that are kept."""
    query = QueryDict(mutable=True)
    query.setlist("upload", [str(public_id) for public_id in ids])
    query.update({name: str(params[name]) for name in OPTIONS if params.get(name) is not None})
    return f"{reverse('import_columns')}?{query.urlencode()}"


def address_of_job(job: Job) -> str | None:
    """The page for a job's files, if they are columns' and still there."""
    kept = [upload for upload in job.uploads.order_by("pk") if upload.file]
    if job.params.get("format") != FORMAT or not kept or len(kept) != job.uploads.count():
        return None
    return address_of([upload.public_id for upload in kept], job.params)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def columns(request: Request) -> HttpResponse:
    """Which column is what. `do=check` in a post starts the dry run."""
    require_admin(request.user)
    form = _Chosen(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        messages.error(request, _("The uploaded files are not there any more: upload them again."))
        return redirect("import")
    params, kept = form.params(), list(form.cleaned_data["upload"].order_by("pk"))
    context: dict[str, Any] = {"params": params, "uploads": kept, "fields": WORDS.items(), "mapped": None, "rows": []}
    context["again"] = address_of_form(params)
    try:
        look = uploads.look_at_uploads(kept, FORMAT)
    except Refused as refused:
        return render(request, "datasets/columns.html", context | {"problems": refused.problems})
    chosen = _posted(request.POST, look) if request.method == "POST" else _suggested(look, params["slug"])
    context |= _shown(look, chosen)
    if request.POST.get("do") == "check" and context["mapped"]:
        job = uploads.check_kept(
            uploads.LOAD_DATASET, kept, params | {"columns": chosen.as_json() or None}, request.user
        )
        enqueue(job)
        return redirect("import_job", job.public_id)
    return render(request, "datasets/columns.html", context)


def _posted(given: QueryDict, look: Look) -> Columns:
    """The choice for each column, by its place in the file: names of columns may hold anything."""
    of: dict[str, tuple[str, ...]] = {}
    for n, name in enumerate(look.names):
        field = given.get(f"column-{n}", "leave_out")
        if field in FIELDS:
            of[field] = (*of.get(field, ()), name)
    return Columns(of)


def _suggested(look: Look, slug: str) -> Columns:
    """As the data set was loaded before, or by the columns' names."""
    before = last_mapping(Dataset.objects.filter(slug=slug).first())
    fits = before and before.one("prompt") in look.names
    return with_the_rest(before, look) if before and fits else guessed(look)


def _shown(look: Look, chosen: Columns) -> dict[str, Any]:
    """The columns with their choice, and the preview or what is wrong with the choice."""
    field_of = {column: field for field, names in chosen.by_field.items() for column in names}
    rows = [(n, column, field_of.get(column.name, "leave_out")) for n, column in enumerate(look.columns.values())]
    context = {"rows": rows, "looked_at": len(look.rows), "articles": look.articles}
    try:
        preview = preview_of(look, checked(chosen) if look.rows else chosen)
    except Refused as refused:
        return context | {"wrong": refused.problems}
    left_out = [(reason, n, REASONS.get(reason, "")) for reason, n in preview.left_out.items()]
    return context | {"mapped": preview, "left_out": left_out, "command": chosen.as_arguments()}
