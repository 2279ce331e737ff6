"""Facts from a file: statements of a response and of its prompt's reference answer, extracted before the import.

A fact is an item with its own text and no position in the response. A later file can add facts to a response without
any; a file never changes existing facts.
"""

from collections.abc import Iterable, Iterator

from ..models import Item, Response
from .json_fields import Fields
from .problems import BadRecord
from .records import FACT, REFERENCE_FACT, SourceFacts

KINDS = (FACT, REFERENCE_FACT)
MAX_NAME_LENGTH = 40
MAX_FACT_LENGTH = 2_000


def facts_in(fields: Fields, *, is_csv: bool = False) -> SourceFacts:
    """Return `facts`, `reference_facts` and `facts_by` of a response; in a CSV one fact per line. Raise BadRecord."""
    found_by = fields.text("facts_by").strip()
    if len(found_by) > MAX_NAME_LENGTH:
        raise BadRecord(f"'facts_by' of {fields.label} has more than {MAX_NAME_LENGTH} characters")
    response, reference = (_facts(fields, key, is_csv) for key in ("facts", "reference_facts"))
    return SourceFacts(response, reference, found_by)


def _facts(fields: Fields, key: str, is_csv: bool) -> tuple[str, ...]:
    texts = fields.text(key).splitlines() if is_csv else fields.texts(key)
    facts = [fact.strip() for fact in texts if not is_csv or fact.strip()]
    seen_texts = set[str]()
    for n, fact in enumerate(facts, 1):
        if not fact:
            raise BadRecord(f"fact {n} in '{key}' of {fields.label} is empty")
        if len(fact) > MAX_FACT_LENGTH:
            raise BadRecord(f"fact {n} in '{key}' of {fields.label} has more than {MAX_FACT_LENGTH} characters")
        if fact in seen_texts:
            raise BadRecord(f"fact {n} in '{key}' of {fields.label} occurs twice")
        seen_texts.add(fact)
    return tuple(facts)


def fact_items(response: Response, facts: SourceFacts, stored: Iterable[Item] = (), first: int = 0) -> Iterator[Item]:
    """Yield items for the facts of each kind that is not `stored`; positions continue from `first`."""
    stored_kinds = {item.kind for item in stored if item.unit == Item.Unit.FACT}
    for kind in KINDS:
        for text in facts.of_kind(kind) if kind not in stored_kinds else ():
            yield Item(
                response=response,
                unit=Item.Unit.FACT,
                position=first,
                kind=kind,
                text=text,
                splitter=facts.found_by,
            )
            first += 1


def facts_differ(facts: SourceFacts, stored: Iterable[Item]) -> bool:
    """Return whether the file's facts differ from those loaded with the response, ignoring later edits."""
    stored_facts = {(item.kind, item.text) for item in stored if item.unit == Item.Unit.FACT}
    kinds = {kind for kind, _ in stored_facts}
    return any((kind, text) not in stored_facts for kind in kinds for text in facts.of_kind(kind))
