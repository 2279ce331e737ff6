"""A sheet for reading: the article's sections and the responses as safe HTML, for whoever rates or reviews it."""

from collections.abc import Sequence
from typing import Any

from ...importing.records import REFERENCE_FACT
from ...models import Document, Item, Prompt, Response
from ...protocols import Protocol
from ..rendering.articles import render_paragraph
from ..rendering.responses import render_response, unplaced
from .cited_sources import cited_documents


def sections_of(document: Document | None) -> list[dict[str, Any]]:
    """What `rating/_article.html` shows: number, heading, level 1 to 3, and paragraphs with their ids."""
    if document is None:
        return []
    return [
        {
            "number": number,
            "heading": render_paragraph(section.get("heading") or ""),
            "level": min(3, max(1, section.get("level") or 1)),
            "paragraphs": [
                {"id": p["id"], "kind": p.get("kind", "text"), "html": render_paragraph(p["text"])}
                for p in section["paragraphs"]
            ],
        }
        for number, section in enumerate(document.sections)
    ]


def responses_of(
    responses: Sequence[Response | None], items: Sequence[Item], reference: str = ""
) -> list[dict[str, Any]]:
    """One response, or the two of a pair in the order in which they are shown; after it the reference answer, if raters
    are shown it. `unplaced_items`: items without a position in the text; `cited`: what the answer cites
    comes with it; `is_reference`: it is no response."""
    if reference:
        own, others = ([i for i in items if (i.kind == REFERENCE_FACT) == is_other] for is_other in (False, True))
        return [*responses_of(responses, own), _reference(reference, others)]
    present = [response for response in responses if response]
    if any(item.unit == Item.Unit.PAIR for item in items):
        return [_shown(response, [], []) for response in present]
    by_position = {item.position: item for item in items}
    return [
        _shown(response, items, [by_position[position] for position in unplaced(response.text, items)])
        for response in present
    ]


def reference_of(protocol: Protocol, prompt: Prompt) -> str:
    """The prompt's reference answer where the protocol shows it; nobody else sees it at work."""
    return prompt.reference if protocol.shows_reference else ""


def _reference(text: str, facts: list[Item]) -> dict[str, Any]:
    return {"html": render_response(text, []), "unplaced_items": facts, "cited": [], "is_reference": True}


def _shown(response: Response, items: Sequence[Item], unplaced_items: list[Item]) -> dict[str, Any]:
    return {
        "html": render_response(response.text, items),
        "unplaced_items": unplaced_items,
        "cited": cited_documents(response.metadata),
    }
