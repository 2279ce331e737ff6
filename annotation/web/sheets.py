"""A sheet for reading: the article's sections and the responses as safe HTML, for whoever rates or reviews it."""

from collections.abc import Sequence
from typing import Any

from ..models import Document, Item, Response
from .articles import render_paragraph
from .rendering import render_response, unplaced


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


def responses_of(response: Response, against: Response | None, items: Sequence[Item]) -> list[dict[str, Any]]:
    """One response, or the two of a pair. What has no place of its own in the text is listed below it (`loose`)."""
    unit_is_whole = any(item.unit in (Item.Unit.RESPONSE, Item.Unit.PAIR) for item in items)
    if unit_is_whole:
        return [{"html": render_response(each.text, []), "loose": []} for each in (response, against) if each]
    by_position = {item.position: item for item in items}
    loose = [by_position[position] for position in unplaced(response.text, items)]
    return [{"html": render_response(response.text, items), "loose": loose}]
