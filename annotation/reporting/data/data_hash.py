"""A hash of the data under a report: the same for the same ratings in any database and any project.

Each rating is a line, the PostgreSQL text of the JSON array
`[response, against, system, unit, position, rater, answers]` with imported ids; an adjudication that stands for the
ratings of its item ends with one more element, `"adjudicator"`. The lines of a prompt are sorted by code point, joined
by line feeds and hashed; a prompt is then the line `[prompt, metadata, hash]`. The hash of the prompts' lines, in the
order of their ids, is the hash of the data. Going prompt by prompt keeps memory flat, and lets the hash of a prompt be
kept until something in it changes.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from json.encoder import encode_basestring

import numpy as np
from django.core.cache import cache
from django.db import connection

from ... import __version__
from ...models import Project
from ..live_cache import HOUR
from .rating_columns import Scan
from .tallies import Indices, Sources, canonical, distinct

MOST_KEPT = 4  # for each prompt: reports under several choices take turns

_DIGESTS = """
    SELECT prompt, encode(sha256(convert_to(string_agg(line, E'\\n' ORDER BY line COLLATE "C"), 'UTF8')), 'hex')
    FROM (
        SELECT p.key AS prompt, (
            jsonb_build_array(s.key, a.key, y.name, i.unit, i.position, u.username, r.answers)
            || CASE role WHEN 'adjudicator' THEN '["adjudicator"]' ELSE '[]' END::jsonb
        )::text AS line
        FROM annotation_rating r
        JOIN annotation_item i ON i.id = r.item_id
        JOIN annotation_response s ON s.id = i.response_id
        JOIN annotation_system y ON y.id = s.system_id
        JOIN annotation_prompt p ON p.id = s.prompt_id
        JOIN annotation_user u ON u.id = r.rater_id
        LEFT JOIN annotation_response a ON a.id = i.against_id
        WHERE r.project_id = %(project)s AND (%(ids)s::bigint[] IS NULL AND role = 'rater' AND r.counted
            OR r.id = ANY(%(ids)s::bigint[]))
    ) lines
    GROUP BY prompt
"""


def hash_of(sources: Sources, scan: Scan, texts: Sequence[str], units: Sequence[str]) -> str:
    """The hash of the ratings of `scan`, whose answers are choices only: `texts[a]` is what PostgreSQL writes for the
    a-th set of answers. `units[u - 1]` is the name of the u-th unit.
    """
    return _joined(sources, (prompt.digest() for prompt in _rated_prompts(sources, scan, texts, units)))


def kept_hash_of(project: Project, sources: Sources, scan: Scan, texts: Sequence[str], units: Sequence[str]) -> str:
    """The same, where the hashes of prompts are kept for an hour under all that they are made of: never out of date."""
    key = f"digests:{__version__}:{project.pk}"
    known: dict[bytes, str] = cache.get(key) or {}
    used: dict[bytes, str] = {}

    def digest(prompt: RatedPrompt) -> str:
        made_of = prompt.made_of()
        used[made_of] = known.get(made_of) or prompt.digest()
        return used[made_of]

    found = _joined(sources, map(digest, _rated_prompts(sources, scan, texts, units)))
    if not used.keys() <= known.keys():
        cache.set(key, used | known if len(known) < MOST_KEPT * len(used) else used, HOUR)
    return found


@dataclass(frozen=True)
class RatedPrompt:
    """A prompt's ratings: `heads`, the beginnings of the lines about each of its items; of each rating its number among
    the `items`, and what its line ends with as a number in `tails`. `all_tails` is a hash of these.
    """

    heads: list[str]
    items: Indices
    tail_of: Indices
    tails: dict[int, str]
    all_tails: bytes

    def made_of(self) -> bytes:
        """A hash of all that the lines are made of, in a sixth of the time it takes to make them."""
        found = hashlib.sha256(self.all_tails)
        for part in ("\n".join(self.heads).encode(), self.items.tobytes(), self.tail_of.tobytes()):
            found.update(hashlib.sha256(part).digest())
        return found.digest()

    def digest(self) -> str:
        """The hash of the lines."""
        return hashlib.sha256("\n".join(sorted(self._lines())).encode()).hexdigest()

    def _lines(self) -> list[str]:
        given = zip(self.items.tolist(), self.tail_of.tolist(), strict=True)
        return [self.heads[item] + self.tails[tail] for item, tail in given]


def _rated_prompts(sources: Sources, scan: Scan, texts: Sequence[str], units: Sequence[str]) -> Iterator[RatedPrompt]:
    numbers = np.arange(len(sources.prompts) + 1)
    first_items = np.searchsorted(scan.prompt_of, numbers)
    ends = np.searchsorted(scan.items, first_items).tolist()
    width = max(1, len(texts))
    tail_of = scan.raters * width + scan.answers
    tails = {code: _tail(scan, code // width, texts[code % width]) for code in distinct(tail_of).tolist()}
    all_tails = hashlib.sha256("\n".join(f"{code} {tail}" for code, tail in tails.items()).encode()).digest()
    for at, (first, last) in enumerate(pairwise(first_items.tolist())):
        part = slice(ends[at], ends[at + 1])
        heads = _heads(sources, scan, units, first, last)
        yield RatedPrompt(heads, scan.items[part] - first, tail_of[part], tails, all_tails)


def hash_in_database(project: Project, sources: Sources, ids: list[int] | None) -> str:
    """The same, whatever the answers are: of the ratings with these ids, or of all that count. One row a prompt."""
    with connection.cursor() as cursor:
        cursor.execute(_DIGESTS, {"project": project.pk, "ids": ids})
        digests = dict(cursor.fetchall())
    return _joined(sources, [digests[prompt] for prompt in sources.prompts])


def _heads(sources: Sources, scan: Scan, units: Sequence[str], start: int, stop: int) -> list[str]:
    """The beginning of the lines about each item from `start` to `stop`."""
    of = zip(*(column[start:stop].tolist() for column in (scan.source_of, scan.units, scan.positions)), strict=True)
    begun = {source: _of_source(sources, source) for source in set(scan.source_of[start:stop].tolist())}
    return [f'[{begun[source]}"{units[unit - 1]}", {position}, ' for source, unit, position in of]


def _of_source(sources: Sources, at: int) -> str:
    key, against = sources.keys[at]
    system = sources.made_by[at]
    return f"{_text(key)}, {_text(against)}, {_text(system)}, "


def _tail(scan: Scan, giver: int, answers: str) -> str:
    if giver >= 0:
        return f"{_text(scan.names[giver])}, {answers}]"
    return f'{_text(scan.adjudicators[-1 - giver])}, {answers}, "adjudicator"]'


def _text(value: str | None) -> str:
    """A JSON text as PostgreSQL and Python both write it."""
    return "null" if value is None else encode_basestring(value)


def _joined(sources: Sources, digests: Iterable[str]) -> str:
    found = hashlib.sha256()
    for line in _prompts(sources, digests):
        found.update(line.encode() + b"\n")
    return found.hexdigest()


def _prompts(sources: Sources, digests: Iterable[str]) -> Iterator[str]:
    for prompt, metadata, digest in zip(sources.prompts, sources.metadata, digests, strict=True):
        yield canonical([prompt, metadata, digest])
