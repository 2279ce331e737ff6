"""A hash of the data under a report: the same for the same ratings in any database and any project.

Each rating is a line, the PostgreSQL text of the JSON array
`[response, against, system, unit, position, rater, answers]` with imported ids; an adjudication that stands for the
ratings of its item ends with one more element, `"adjudicator"`. The lines of a prompt are sorted by code point, joined
by line feeds and hashed; a prompt is then the line `[prompt, metadata, hash]`. The hash of the prompts' lines, in the
order of their ids, is the hash of the data. Going prompt by prompt keeps memory flat.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from json.encoder import encode_basestring

import numpy as np
from django.db import connection

from ..models import Project
from .scan import Scan
from .tallies import Sources, canonical

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
    prompt_of_rating = scan.prompt_of[scan.items]
    ends = np.searchsorted(prompt_of_rating, np.arange(len(sources.prompts) + 1)).tolist()
    first_items = np.searchsorted(scan.prompt_of, np.arange(len(sources.prompts) + 1)).tolist()
    tail_of, tails = _tails(scan, texts)
    digests = []
    for at in range(len(sources.prompts)):
        heads = _heads(sources, scan, units, first_items[at], first_items[at + 1])
        start, stop = ends[at], ends[at + 1]
        items, given = scan.items[start:stop] - first_items[at], tail_of[start:stop]
        lines = [heads[item] + tails[tail] for item, tail in zip(items.tolist(), given.tolist(), strict=True)]
        digests.append(hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest())
    return _joined(sources, digests)


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


def _tails(scan: Scan, texts: Sequence[str]) -> tuple[np.ndarray, list[str]]:
    """The end of every rating's line, as a number and the texts of the numbers."""
    width = max(1, len(texts))
    codes, number = np.unique(scan.raters * width + scan.answers, return_inverse=True)
    return number, [_tail(scan, code // width, texts[code % width]) for code in codes.tolist()]


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
