"""A protocol as raters see it, with a sample response: the real workspace, in which nothing is saved.

The workspace shows stored data. So the sample is stored, rendered, and rolled back in one transaction.
"""

from uuid import uuid4

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render

from ... import protocols
from ...importing.records import SourceItem, SourceResponse
from ...importing.response_items import make_items
from ...models import Assignment, Dataset, Document, Item, Project, Prompt, ProtocolVersion, Response, System
from ...projects.create import create_project
from ...splitting import split_items
from ..authentication import Request
from ..rating.views import preview_of

PROMPT = "How did turbid water change what common terns brought to their nests?"
TITLE = "Terns in turbid water (a sample)"
PARAGRAPHS = (
    "Common terns look for fish from the air and dive for what they see. We counted what forty pairs brought to their "
    "nests in twenty weeks, and measured each morning how turbid the water of the bay was.",
    "In clear water a bird brought 6.2 fish a day to its nest, on turbid days 3.9. The fish were no smaller. Birds "
    "flew further on turbid days, 7.4 km instead of 5.1 km.",
    "None of the nests was given up. The tide was not measured.",
)
ANSWERS = (
    "On turbid days terns brought 3.9 fish to the nest instead of 6.2. The fish were also smaller. They flew further "
    "to find them. In strong tides the catch doubled.",
    "Terns caught fewer fish in turbid water, about 3.9 a day. A third of the nests was given up.",
)


def render_preview(request: Request, definition: protocols.Protocol, back_url: str) -> HttpResponse:
    """Render the workspace with the sample. `back_url`: where the preview returns to."""
    with transaction.atomic():
        project = _sample(definition)
        sheet = project.sheets.select_related("response__prompt", "against", "document").order_by("response__key")[0]
        context = preview_of(Assignment(sheet=sheet, project=project, rater_id=0), request.user)
        response = render(request, "rating/workspace.html", context | {"back_url": back_url, "is_sample": True})
        transaction.set_rollback(True)
    return response


def _sample(definition: protocols.Protocol) -> Project:
    name = f"sample-{uuid4().hex}"
    dataset = Dataset.objects.create(slug=name, title=TITLE, format="jsonl")
    paragraphs = [{"id": f"p{n}", "kind": "text", "text": text} for n, text in enumerate(PARAGRAPHS, 1)]
    document = Document.objects.create(
        dataset=dataset, key="d", title=TITLE, sections=[{"heading": "Summary", "level": 1, "paragraphs": paragraphs}]
    )
    prompt = Prompt.objects.create(dataset=dataset, document=document, key="q", text=PROMPT)
    responses = []
    for n, text in enumerate(ANSWERS):
        system = System.objects.create(dataset=dataset, name=f"system {n}")
        responses.append(Response.objects.create(dataset=dataset, prompt=prompt, system=system, key=f"r{n}", text=text))
    if definition.unit == Item.Unit.PAIR:
        Item.objects.create(
            response=responses[0], against=responses[1], unit="pair", position=0, kind="pair", text=PROMPT
        )
    elif definition.unit != Item.Unit.RESPONSE:  # items of whole responses are created with the project
        for response in responses:
            spans = tuple(
                SourceItem(s.start, s.end, s.kind, s.rate, definition.unit) for s in split_items(response.text)
            )
            make_items([(response, SourceResponse("", "q", "", response.text, items=spans))])
    version = ProtocolVersion.objects.create(
        slug=name, version="sample", title=definition.title, source=definition.source, sha256=uuid4().hex
    )
    return create_project(name, dataset, version, title=version.translated.title)
