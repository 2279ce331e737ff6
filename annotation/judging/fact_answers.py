"""Read what a judge answered about the facts of an answer."""

import re
from dataclasses import dataclass, replace
from typing import Any

from ..model_calls.errors import InvalidAnswer
from ..model_calls.reasoning import separated
from ..model_calls.replies import shortened, storable
from ..stats.undefined import quotient
from .answers import FACTS, object_in

MAX_FACTS, MAX_FACT = 500, 2_000
"""Facts of an answer that are stored, and characters of each. All are counted."""
_SCORE = re.compile(r"Score: ([\d.]+)/([\d.]+)")


@dataclass(frozen=True)
class FactCounts:
    """Numbers of supported facts and of facts; `facts`: each with whether it is supported, if the judge listed them."""

    supported: float
    total: float
    facts: tuple[tuple[str, bool], ...] = ()

    @property
    def value(self) -> float | None:
        """The share of the facts that is supported; None without a fact."""
        return quotient(self.supported, self.total)

    def shortened(self) -> "FactCounts":
        """Return the same numbers with what is stored of the facts."""
        facts = ((shortened(text, MAX_FACT), is_supported) for text, is_supported in self.facts[:MAX_FACTS])
        return replace(self, facts=tuple(facts))

    def as_json(self) -> dict[str, Any]:
        counts: dict[str, Any] = {"supported": self.supported, "facts": self.total}
        return {**counts, "list": self.facts} if self.facts else counts


def read_score(text: str) -> FactCounts:
    """Return the numbers of the first score after the reasoning, as the published program does. Raises InvalidAnswer
    for what that counts 0: no score, no facts, or more supported facts than facts.
    """
    match = _SCORE.search(separated(text).answer)
    try:
        supported, total = (float(number) for number in match.groups()) if match else (0.0, 0.0)
    except ValueError:
        raise InvalidAnswer("The numbers of its score cannot be read.") from None
    if not match or not supported <= total or not total:
        raise InvalidAnswer("It has no score of supported facts among at least one fact.")
    return FactCounts(_whole(supported), _whole(total))


def _whole(number: float) -> float:
    return int(number) if number.is_integer() else number


def read_facts(text: str) -> FactCounts:
    """Return the facts that a JSON object lists, with their numbers. Raises InvalidAnswer."""
    entries = object_in(text, FACTS).get(FACTS)
    if not isinstance(entries, list):
        raise InvalidAnswer('There is no list "facts".')
    facts = tuple(_fact(entry, number) for number, entry in enumerate(entries, 1))
    return FactCounts(sum(is_supported for _text, is_supported in facts), len(facts), facts)


def _fact(entry: object, number: int) -> tuple[str, bool]:
    fact = entry.get("fact") if isinstance(entry, dict) else None
    is_supported = entry.get("supported") if isinstance(entry, dict) else None
    if not isinstance(fact, str) or not fact.strip() or not isinstance(is_supported, bool):
        raise InvalidAnswer(f'Fact {number} needs "fact", a text, and "supported", true or false.')
    return storable(fact.strip()), is_supported
