"""All that was rated in a project, as columns with database ids, before anything is chosen or numbered.

The tally says what was rated and how often; one pass over the ratings says who rated which item, and when.
"""

import json
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any

import numpy as np

from ... import protocols
from ...models import Project
from ..text.pair_names import name_of_pair
from .columns import array_of, as_array, joined, read_columns, read_groups, read_lines
from .rating_cache import Seen, changes_of, counted
from .ratings import Ratings, newest, read_counted
from .tallies import Indices, canonical, indices, places

ALONE = 0  # instead of an opponent's id
UNITS = ["sentence", "claim", "fact", "response", "pair"]

_OF_RATERS, _OF_GOLD, _OF_ADJUDICATORS = range(3)
_ROLES = {"rater": _OF_RATERS, "gold": _OF_GOLD, "adjudicator": _OF_ADJUDICATORS}
_ROLE = "CASE role " + " ".join(f"WHEN '{role}' THEN {number}" for role, number in _ROLES.items()) + " END"
_TALLY = f"""
    SELECT choices::text, {array_of("response_id", f"coalesce(against_id, {ALONE})", "n", _ROLE)}
    FROM annotation_tally
    WHERE project_id = %s AND n > 0 AND (role = 'rater' AND counted OR role IN ('gold', 'adjudicator'))
    GROUP BY choices
"""  # noqa: S608 - only constants of this module
_OF_ITEM = ("id", "response_id", f"coalesce(against_id, {ALONE})", "position", "array_position(%s, unit::text)")
_ITEMS = f"""
    SELECT {array_of(*_OF_ITEM)}
    FROM annotation_item WHERE response_id = ANY(%s::bigint[])
"""  # noqa: S608 - only constants of this module
_RESPONSES = """
    SELECT json_agg(json_build_array(r.id, r.key, prompt_id, name))::text
    FROM annotation_response r JOIN annotation_system s ON s.id = system_id WHERE r.id = ANY(%s::bigint[])
"""
_PROMPTS = """
    SELECT json_agg(json_build_array(p.id, p.key, p.metadata, d.key))::text
    FROM annotation_prompt p LEFT JOIN annotation_document d ON d.id = document_id WHERE p.id = ANY(%s::bigint[])
"""


@dataclass(frozen=True)
class Prompt:
    """A prompt's imported id, metadata, and the imported id of its document."""

    key: str
    metadata: dict[str, Any]
    document: str | None


@dataclass(frozen=True)
class Source:
    """A rated response; `against` is its opponent where a rating is about a pair. Both are imported ids. `system` is
    what the report calls its system, `made_by` the response's own. `is_turned`: the report names the opponent first, as
    a pair of systems is in one order whatever the order of the responses is.
    """

    prompt: Prompt
    key: str
    against: str | None
    system: str
    made_by: str
    is_turned: bool = False

    @property
    def place(self) -> tuple[str, str, str]:
        """Sources are ordered by this."""
        return self.prompt.key, self.key, self.against or ""


@dataclass(frozen=True)
class Items:
    """Items by database id: `ids`, which source each is of, its position, and its unit as a number from 1 in UNITS."""

    ids: Indices
    sources: Indices
    positions: Indices
    units: Indices


@dataclass(frozen=True)
class Stock:
    """What was rated in `project`.

    `texts`: the distinct sets of choice answers as the database writes them; `roles` have given some. `tally`: columns
    (source, answers, n). Answers are numbered in the order of `texts`. `seen`: the changes of ratings before all this
    was read; None where nothing that is kept is to be used.
    """

    project: Project
    texts: list[str]
    roles: frozenset[str]
    sources: list[Source]
    tally: Indices
    pairs: "Pairs"
    seen: Seen | None

    @cached_property
    def items(self) -> Items:
        """The items of what was rated."""
        return _items(self.pairs)

    @cached_property
    def answers(self) -> list[dict[str, str]]:
        """The distinct sets of choice answers; after them those that come about when a pair is turned round."""
        found = [json.loads(text) for text in self.texts]
        known = {canonical(answers) for answers in found}
        turned = {canonical(other): other for answers in found if (other := self._other_side(answers)) != answers}
        return [*found, *(turned[text] for text in sorted(turned.keys() - known))]

    @cached_property
    def other_side(self) -> Indices:
        """The number of each set of answers when the pair is turned round: the same where it is not about pairs."""
        number = {canonical(answers): at for at, answers in enumerate(self.answers)}
        return indices(number[canonical(self._other_side(answers))] for answers in self.answers)

    def _other_side(self, answers: dict[str, str]) -> dict[str, str]:
        return protocols.from_the_other_side(self.project.protocol.definition, answers)

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings of raters that count."""
        if self.seen is None:
            return read_counted(self.project, self.texts)
        return counted(self.project, self.texts, self.seen)

    def newest(self, role: str) -> Ratings:
        """As `newest`, of the stock's project."""
        return newest(self.project, role, self.texts, self.roles)

    def sources_of(self, items: Indices) -> Indices:
        """The source of each item by its database id."""
        return self.items.sources[places(items, self.items.ids)] if len(items) else items


def take_stock(project: Project, *, anew: bool = False) -> Stock:
    """Read what was rated: four queries; items and ratings are read when they are asked for. `anew`: every rating from
    the database, whatever is kept of them; three queries.
    """
    seen = None if anew else changes_of(project)
    texts, (responses, against, n, roles, answers) = _tally(project)
    about = roles != _OF_GOLD
    pairs = Pairs.of(responses[about], against[about])
    tally = np.stack([pairs.numbers(responses, against), answers, n])[:, roles == _OF_RATERS]
    sources = _sources(pairs, protocols.has_sides(project.protocol.definition))
    given = frozenset(role for role, number in _ROLES.items() if number in roles)
    return Stock(project, texts, given, sources, tally, pairs, seen)


def _tally(project: Project) -> tuple[list[str], list[Indices]]:
    """The distinct sets of answers in order, and columns (response, opponent, n, role, number of the answers)."""
    kinds = ("i8", "i8", "i4", "i4")
    groups = sorted(
        ((text, of) for (text,), of in read_groups(_TALLY, [project.pk], ["text"], kinds)), key=itemgetter(0)
    )
    answers = np.repeat(np.arange(len(groups)), [len(of[0]) for _, of in groups])
    return [text for text, _ in groups], [*joined([of for _, of in groups], kinds), answers]


@dataclass(frozen=True)
class Pairs:
    """The pairs of database ids (response, opponent or ALONE) that were rated, numbered."""

    responses: Indices
    against: Indices
    known: Indices

    @classmethod
    def of(cls, responses: Indices, against: Indices) -> "Pairs":
        first, second = np.unique(responses), np.unique(against)
        return cls(first, second, np.unique(places(responses, first) * len(second) + places(against, second)))

    def numbers(self, responses: Indices, against: Indices) -> Indices:
        """The number of each pair, -1 for one that was not rated."""
        first, second = places(responses, self.responses), places(against, self.against)
        return places(np.where((first < 0) | (second < 0), -1, first * len(self.against) + second), self.known)

    def ids(self) -> list[tuple[int, int]]:
        """The pairs in the order of their numbers."""
        first, second = np.divmod(self.known, max(1, len(self.against)))
        return list(zip(self.responses[first].tolist(), self.against[second].tolist(), strict=True))


def _items(pairs: Pairs) -> Items:
    found = read_columns(_ITEMS, [UNITS, as_array(pairs.responses.tolist())], ("i8", "i8", "i8", "i4", "i4"))
    ids, responses, against, positions, units = (column[np.argsort(found[0])] for column in found)
    sources = pairs.numbers(responses, against)
    return Items(*(column[sources >= 0] for column in (ids, sources, positions, units)))


def _sources(pairs: Pairs, has_sides: bool) -> list[Source]:
    ids = pairs.ids()
    found = read_lines(_RESPONSES, [as_array({pk for pair in ids for pk in pair})])
    responses = {pk: (key, prompt, system) for pk, key, prompt, system in found}
    lines = read_lines(_PROMPTS, [as_array({prompt for _, prompt, _ in responses.values()})])
    prompts = {pk: Prompt(key, metadata, document) for pk, key, metadata, document in lines}
    return [_source(*responses[pk], responses.get(against), prompts, has_sides) for pk, against in ids]


def _source(
    key: str,
    prompt: int,
    system: str,
    against: tuple[str, int, str] | None,
    prompts: dict[int, Prompt],
    has_sides: bool,
) -> Source:
    if against is None:
        return Source(prompts[prompt], key, None, system, system)
    name, is_turned = name_of_pair(system, against[2], has_sides=has_sides)
    return Source(prompts[prompt], key, against[0], name, system, is_turned)
