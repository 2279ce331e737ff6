"""The project's own format: one prompt a line, with its document, its reference and responses to it."""

from collections.abc import Iterable, Iterator
from typing import Any

from ..splitting import RATED_KINDS
from .article_files import is_article, read_article
from .fact_files import facts_in
from .input_files import FileReader
from .json_fields import THE_LINE, Fields, check_id, kind_of
from .json_stream import read_values
from .problems import BadRecord, Problems, echo, read_each
from .records import NO_RESPONSE, LeftOut, Record, SourceDocument, SourceItem, SourcePair, SourcePrompt, SourceResponse
from .sections import Sections, document

UNITS = ("sentence", "claim", "fact")
DEEPEST_LEVEL = 6
NO_PAIR = "pair with a response without text"
MAX_KIND_LENGTH = 20


def read_jsonl(file_reader: FileReader, problems: Problems) -> Iterator[Record]:
    """Yield each line's document, if it is given in full, and its prompt. Broken lines go to `problems`. A list of such
    objects is read like lines; a file that is an article by itself is a document.
    """
    if is_article(file_reader):
        yield read_article(file_reader)
        return
    yield from read_each(read_values(file_reader, problems), problems, _records)


def _records(location: str, value: Any) -> Iterator[Record]:
    line = Fields(value, THE_LINE)
    key = line.id("id")
    about = _document(location, line.value.get("document"))
    if isinstance(about, SourceDocument):
        yield about
    sources = line.objects("responses", "response")
    blank = [response for response in sources if is_blank(response)]
    responses = tuple(_response(location, key, response) for response in sources if not is_blank(response))
    pairs = list(_pairs(line, responses, {response.id("id", needed=False) for response in blank}))
    yield from (LeftOut(location, NO_RESPONSE) for _response_without_text in blank)
    yield from (LeftOut(location, NO_PAIR) for pair in pairs if pair is None)
    yield SourcePrompt(
        location=location,
        key=key,
        text=line.needed_text("text"),
        document=about.key if isinstance(about, SourceDocument) else about,
        reference=line.text("reference"),
        metadata=line.object("metadata"),
        responses=responses,
        pairs=tuple(pair for pair in pairs if pair),
    )


def is_blank(response: Fields) -> bool:
    """Return whether a response has a text, and no character in it but white space."""
    return "text" in response.value and not response.text("text").strip()


def _pairs(line: Fields, responses: Iterable[SourceResponse], blank_ids: set[str]) -> Iterator[SourcePair | None]:
    """Yield two ids of this line's responses each: the first is compared with the second. None: one has no text."""
    response_ids = {response.id for response in responses if response.id} | blank_ids - {""}
    for n, pair in enumerate(line.get("pairs", list, []), 1):
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(key, str) for key in pair)):
            raise BadRecord(f"pair {n} of the line must be a list of two ids of its responses")
        if unknown := [key for key in pair if key not in response_ids]:
            raise BadRecord(f"pair {n} of the line names {echo(unknown[0])}, which is no id of a response in this line")
        if pair[0] == pair[1]:
            raise BadRecord(f"pair {n} of the line names {echo(pair[0])} twice")
        yield None if blank_ids.intersection(pair) else SourcePair(*pair)


def _document(location: str, value: Any) -> SourceDocument | str | None:
    """Return a document in full, the id of one given before, or None."""
    if value is None:
        return None
    if isinstance(value, str):
        if not check_id(value, "'document'"):
            raise BadRecord("'document' is an empty text; write null if the prompt is about none")
        return value
    if not isinstance(value, dict):
        raise BadRecord(f"'document' must be an object, the id of an earlier one, or null, but is {kind_of(value)}")
    fields, sections = Fields(value, "the document"), Sections()
    for section in fields.objects("sections", "section"):
        level = section.get("level", int, 1)
        if not 1 <= level <= DEEPEST_LEVEL:
            raise BadRecord(f"'level' of {section.label} is {level}; it must be 1 to {DEEPEST_LEVEL}")
        sections.add(section.text("heading"), section.texts("paragraphs"), level)
    return document(location, fields.id("id"), fields.text("title"), sections)


def _response(location: str, prompt: str, fields: Fields) -> SourceResponse:
    text = fields.needed_text("text")
    items = fields.objects("items", "item") if fields.value.get("items") is not None else None
    return SourceResponse(
        location=location,
        prompt=prompt,
        system=fields.id("system"),
        text=text,
        id=fields.id("id", needed=False),
        items=None if items is None else tuple(_items(text, items)),
        metadata=fields.object("metadata"),
        facts=facts_in(fields),
    )


def _items(text: str, spans: list[Fields]) -> Iterator[SourceItem]:
    """Yield the items as they are given. Those of one unit come in order; sentences do not overlap."""
    reached = dict.fromkeys(UNITS, 0)
    for fields in spans:
        unit = fields.text("unit", "sentence")
        if unit not in UNITS:
            raise BadRecord(f"'unit' of {fields.label} is {echo(unit)}; it must be one of: {', '.join(UNITS)}")
        start, end = _span(text, fields, reached[unit])
        reached[unit] = end if unit == "sentence" else start
        kind = fields.text("kind", "sentence")
        if not 1 <= len(kind) <= MAX_KIND_LENGTH:
            raise BadRecord(f"'kind' of {fields.label} must have 1 to {MAX_KIND_LENGTH} characters")
        yield SourceItem(start, end, kind, fields.get("rate", bool, kind in RATED_KINDS), unit)


def _span(text: str, fields: Fields, reached: int) -> tuple[int, int]:
    """Start and end of an item, from `start` and `end` or from where its `text` comes next."""
    start, end, text_of_span = fields.get("start", int), fields.get("end", int), fields.text("text")
    if start is None and end is None and text_of_span:
        start = text.find(text_of_span, reached)
        if start < 0:
            raise BadRecord(
                f"the text of {fields.label}, {echo(text_of_span)}, does not occur in the response's text in this order"
            )
        end = start + len(text_of_span)
    if start is None or end is None:
        raise BadRecord(f"{fields.label} needs 'start' and 'end', or 'text'")
    if not 0 <= start < end <= len(text):
        raise BadRecord(f"{fields.label} goes from {start} to {end}, but the response has {len(text)} characters")
    if start < reached:
        raise BadRecord(f"{fields.label} starts at {start}, before the end of the one before it ({reached})")
    if text_of_span and text[start:end] != text_of_span:
        raise BadRecord(
            f"{fields.label} has the text {echo(text[start:end])} at {start} to {end}, not {echo(text_of_span)}"
        )
    if not text[start:end].strip():
        raise BadRecord(f"{fields.label} contains only whitespace")
    return start, end
