"""A sheet as safe HTML, for raters and reviewers: the article's sections and the responses."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from ...importing.records import REFERENCE_FACT
from ...models import Document, Item, Prompt, Response
from ...protocols import Protocol
from ..rendering.articles import render_paragraph
from ..rendering.responses import render_response, unplaced
from .claim_sources import cited_documents


@dataclass(frozen=True)
class ParagraphHtml:
    """A paragraph of an article with its id."""

    id: str
    kind: str
    html: SafeString


@dataclass(frozen=True)
class SectionHtml:
    """A section of an article; `level` is 1 to 3."""

    number: int
    heading: SafeString
    level: int
    paragraphs: list[ParagraphHtml]


@dataclass(frozen=True)
class ResponseHtml:
    """A response, or the reference answer. `unplaced_items` have no position in the text and are listed below it."""

    html: SafeString
    unplaced_items: list[Item]
    cited: list[dict[str, str]]
    is_reference: bool = False


def sections_of(document: Document | None) -> list[SectionHtml]:
    """Return the sections that `rating/_article.html` shows."""
    if document is None:
        return []
    return [
        SectionHtml(
            number=number,
            heading=render_paragraph(section.get("heading") or ""),
            level=min(3, max(1, section.get("level") or 1)),
            paragraphs=[
                ParagraphHtml(p["id"], p.get("kind", "text"), render_paragraph(p["text"]))
                for p in section["paragraphs"]
            ],
        )
        for number, section in enumerate(document.sections)
    ]


def responses_of(
    responses: Sequence[Response | None], items: Sequence[Item], reference: str = ""
) -> list[ResponseHtml]:
    """Return one response, or the two of a pair in their order; after it the reference answer, if raters see it."""
    if reference:
        own, others = ([i for i in items if (i.kind == REFERENCE_FACT) == is_other] for is_other in (False, True))
        return [
            *responses_of(responses, own),
            ResponseHtml(render_response(reference, []), others, [], is_reference=True),
        ]
    present = [response for response in responses if response]
    if any(item.unit == Item.Unit.PAIR for item in items):
        return [_shown(response, [], []) for response in present]
    by_position = {item.position: item for item in items}
    return [
        _shown(response, items, [by_position[position] for position in unplaced(response.text, items)])
        for response in present
    ]


def reference_of(protocol: Protocol, prompt: Prompt) -> str:
    """Return the prompt's reference answer where the protocol shows it to raters."""
    return prompt.reference if protocol.shows_reference else ""


def _shown(response: Response, items: Sequence[Item], unplaced_items: list[Item]) -> ResponseHtml:
    return ResponseHtml(render_response(response.text, items), unplaced_items, cited_documents(response.metadata))
