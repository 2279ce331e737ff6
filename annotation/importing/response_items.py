"""The rated items of a response: the units in the data, or the sentences found by the splitter."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..models import Item, Response
from ..splitting import VERSION, split_items
from ..splitting.claim_marks import MarkedText, mark_items
from .fact_files import fact_items, facts_differ
from .records import SourceFacts, SourceItem, SourceResponse

CHUNK_SIZE = 5_000
_MARKED = (Item.Unit.SENTENCE, Item.Unit.CLAIM)


def make_items(responses: Iterable[tuple[Response, SourceResponse]]) -> int:
    """Store the items of new responses, whose prompts are fetched; returns how many."""
    waiting: list[Item] = []
    count = 0
    for response, source in responses:
        waiting += _items(response, source, response.prompt.text)
        if len(waiting) >= CHUNK_SIZE:
            count += len(Item.objects.bulk_create(waiting))
            waiting = []
    return count + len(Item.objects.bulk_create(waiting))


def _items(response: Response, source: SourceResponse, prompt: str = "") -> Iterator[Item]:
    spans = list(
        source.items
        if source.items is not None
        else (SourceItem(span.start, span.end, span.kind, span.rate) for span in split_items(source.text))
    )
    positions: Counter[str] = Counter()
    texts = [
        MarkedText(
            item.text_in(source.text), item.kind, item.rate and item.unit in _MARKED, _is_in_list(item, source.text)
        )
        for item in spans
    ]
    for span, claim_free in zip(spans, mark_items(texts, prompt), strict=True):
        yield Item(
            response=response,
            unit=span.unit,
            position=positions[span.unit],
            kind=span.kind,
            rate=span.rate,
            claim_free=claim_free,
            start=span.start,
            end=span.end,
            text=span.text_in(source.text),
            splitter="" if source.items is not None else VERSION,
        )
        positions[span.unit] += 1
    yield from fact_items(response, source.facts, first=positions["fact"])


def _is_in_list(item: SourceItem, response: str) -> bool:
    """Return whether there is a list marker before the item on its line."""
    start = item.start or 0
    return bool(response[response.rfind("\n", 0, start) + 1 : start].strip())


def items_of(responses: Iterable[Response]) -> dict[int, list[Item]]:
    """Return the items of stored responses in the order of their creation, with retired ones."""
    items_by_response: dict[int, list[Item]] = {response.pk: [] for response in responses}
    rows = Item.objects.filter(response__in=items_by_response, against=None).order_by("response", "position", "unit")
    for item in rows:
        items_by_response[item.response_id].append(item)
    return items_by_response


def given_items_differ(source: SourceResponse, stored: list[Item]) -> bool:
    """Return whether the source's items or facts differ from those stored with the response, without appended ones."""
    if facts_differ(source.facts, stored):
        return True
    if source.items is None:
        return False
    source_items = {
        (item.unit, item.position): item for item in _items(Response(), replace(source, facts=SourceFacts()))
    }
    stored_items = {(item.unit, item.position): item for item in stored if (item.unit, item.position) in source_items}
    return [_span(item) for item in source_items.values()] != [_span(stored_items.get(key)) for key in source_items]


def _span(item: Item | None) -> tuple[object, ...] | None:
    return (item.start, item.end, item.kind, item.rate, item.splitter, item.text) if item else None


def add_facts(responses: Iterable[tuple[Response, SourceResponse, list[Item]]]) -> list[Item]:
    """Store the facts of a file for responses that are `stored` with these items; returns the new ones."""
    new_items: list[Item] = []
    for response, source, stored in responses:
        first = 1 + max((item.position for item in stored if item.unit == Item.Unit.FACT), default=-1)
        new_items += fact_items(response, source.facts, stored, first)
    return Item.objects.bulk_create(new_items)


def make_pairs(pairs: Mapping[tuple[int, int], str]) -> int:
    """Store an item for each new pair of responses (their primary keys); returns how many are new.

    The text of a pair is its prompt, the value: both answers are long, and the raters' order differs from the stored
    one.
    """
    first = {response for response, _ in pairs}
    rows = Item.objects.filter(unit=Item.Unit.PAIR, response__in=first)
    stored_pairs = set(rows.values_list("response", "against"))
    fresh = [
        Item(response_id=response, against_id=against, unit=Item.Unit.PAIR, position=0, kind="pair", text=prompt)
        for (response, against), prompt in pairs.items()
        if (response, against) not in stored_pairs
    ]
    return len(Item.objects.bulk_create(fresh))
