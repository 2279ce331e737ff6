"""The project's own format: one prompt a line, with its document, its reference and responses to it."""

from collections.abc import Iterable, Iterator
from typing import Any

from ..splitting import RATED_KINDS
from .articles import is_article, read_article
from .fields import Fields, check_id, kind_of
from .files import Reading
from .json_text import parse
from .problems import Broken, Problems, echo
from .records import Record, SourceDocument, SourceItem, SourcePair, SourcePrompt, SourceResponse
from .sections import Sections, document

UNITS = ("sentence", "claim", "fact")
DEEPEST_LEVEL = 6
LONGEST_KIND = 20


def read_jsonl(reading: Reading, problems: Problems) -> Iterator[Record]:
    """Each line's document, if it is given in full, and its prompt. Broken lines go to `problems`. A file that is an
    article by itself is a document."""
    if is_article(reading):
        yield read_article(reading)
        return
    for number, line in reading.lines():
        if not line.strip():
            continue
        place = f"{reading.name}:{number}"
        try:
            records = list(_records(place, Fields(parse(line), "the line")))
        except Broken as broken:
            problems.add(place, broken)
        else:
            yield from records


def _records(place: str, line: Fields) -> Iterator[Record]:
    key = line.id("id")
    about = _document(place, line.value.get("document"))
    if isinstance(about, SourceDocument):
        yield about
    responses = tuple(_response(place, key, found) for found in line.objects("responses", "response"))
    yield SourcePrompt(
        place=place,
        key=key,
        text=line.needed_text("text"),
        document=about.key if isinstance(about, SourceDocument) else about,
        reference=line.text("reference"),
        metadata=line.object("metadata"),
        responses=responses,
        pairs=tuple(_pairs(line, responses)),
    )


def _pairs(line: Fields, responses: Iterable[SourceResponse]) -> Iterator[SourcePair]:
    """Two ids of this line's responses each: the first is compared with the second."""
    known = {response.id for response in responses if response.id}
    for n, pair in enumerate(line.get("pairs", list, []), 1):
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(key, str) for key in pair)):
            raise Broken(f"pair {n} of the line must be a list of two ids of its responses")
        if unknown := [key for key in pair if key not in known]:
            raise Broken(f"pair {n} of the line names {echo(unknown[0])}, which is no id of a response in this line")
        if pair[0] == pair[1]:
            raise Broken(f"pair {n} of the line names {echo(pair[0])} twice")
        yield SourcePair(*pair)


def _document(place: str, value: Any) -> SourceDocument | str | None:
    """A document in full, the id of one given before, or None."""
    if value is None:
        return None
    if isinstance(value, str):
        if not check_id(value, "'document'"):
            raise Broken("'document' is an empty text; write null if the prompt is about none")
        return value
    if not isinstance(value, dict):
        raise Broken(f"'document' must be an object, the id of one given before, or null, and is {kind_of(value)}")
    fields, sections = Fields(value, "the document"), Sections()
    for section in fields.objects("sections", "section"):
        level = section.get("level", int, 1)
        if not 1 <= level <= DEEPEST_LEVEL:
            raise Broken(f"'level' of {section.what} is {level}; 1 to {DEEPEST_LEVEL} are taken")
        sections.add(section.text("heading"), section.texts("paragraphs"), level)
    return document(place, fields.id("id"), fields.text("title"), sections)


def _response(place: str, prompt: str, fields: Fields) -> SourceResponse:
    text = fields.needed_text("text")
    items = fields.objects("items", "item") if fields.value.get("items") is not None else None
    return SourceResponse(
        place=place,
        prompt=prompt,
        system=fields.id("system"),
        text=text,
        id=fields.id("id", needed=False),
        items=None if items is None else tuple(_items(text, items)),
        metadata=fields.object("metadata"),
    )


def _items(text: str, given: list[Fields]) -> Iterator[SourceItem]:
    """The items as they are given. Those of one unit come in order; sentences do not overlap."""
    reached = dict.fromkeys(UNITS, 0)
    for fields in given:
        unit = fields.text("unit", "sentence")
        if unit not in UNITS:
            raise Broken(f"'unit' of {fields.what} is {echo(unit)}; it must be one of: {', '.join(UNITS)}")
        start, end = _span(text, fields, reached[unit])
        reached[unit] = end if unit == "sentence" else start
        kind = fields.text("kind", "sentence")
        if not 1 <= len(kind) <= LONGEST_KIND:
            raise Broken(f"'kind' of {fields.what} must have 1 to {LONGEST_KIND} characters")
        yield SourceItem(start, end, kind, fields.get("rate", bool, kind in RATED_KINDS), unit)


def _span(text: str, fields: Fields, reached: int) -> tuple[int, int]:
    """Start and end of an item, from `start` and `end` or from where its `text` comes next."""
    start, end, wanted = fields.get("start", int), fields.get("end", int), fields.text("text")
    if start is None and end is None and wanted:
        start = text.find(wanted, reached)
        if start < 0:
            raise Broken(
                f"the text of {fields.what}, {echo(wanted)}, does not come in the response's text where it should"
            )
        end = start + len(wanted)
    if start is None or end is None:
        raise Broken(f"{fields.what} needs 'start' and 'end', or 'text'")
    if not 0 <= start < end <= len(text):
        raise Broken(f"{fields.what} goes from {start} to {end}, but the response has {len(text)} characters")
    if start < reached:
        raise Broken(f"{fields.what} starts at {start}, before the end of the one before it ({reached})")
    if wanted and text[start:end] != wanted:
        raise Broken(f"{fields.what} reads {echo(text[start:end])} at {start} to {end}, and not {echo(wanted)}")
    if not text[start:end].strip():
        raise Broken(f"{fields.what} holds white space only")
    return start, end
