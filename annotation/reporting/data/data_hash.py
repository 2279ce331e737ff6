"""Hash of a report's data: the same for the same ratings in any database and any project.

Each rating is a line, the PostgreSQL text of the JSON array `[response, against, system, unit, position, rater,
answers]` with imported ids; an adjudication that replaces the ratings of its item ends with one more element,
`"adjudicator"`. The lines of a prompt are sorted by code point, joined by line feeds and hashed; a prompt is then the
line `[prompt, metadata, hash]`. The hash of the prompts' lines, in the order of their ids, is the hash of the data.
Processing one prompt at a time keeps memory constant.
"""

import hashlib
from collections.abc import Iterable
from json.encoder import encode_basestring

import numpy as np
from django.db import connection

from ...models import Project
from .responses import Responses, hash_lines
from .table import UNITS, RatingTable

_PROMPT_HASHES = """
    SELECT prompt, encode(sha256(convert_to(string_agg(line, E'\\n' ORDER BY line COLLATE "C"), 'UTF8')), 'hex')
    FROM (
        SELECT p.key AS prompt, (
            jsonb_build_array(s.key, a.key, y.name, i.unit, i.position, rater, r.answers)
            || CASE role WHEN 'adjudicator' THEN '["adjudicator"]' ELSE '[]' END::jsonb
        )::text AS line
        FROM annotation_rating r
        JOIN annotation_item i ON i.id = r.item_id
        JOIN annotation_response s ON s.id = i.response_id
        JOIN annotation_system y ON y.id = s.system_id
        JOIN annotation_prompt p ON p.id = s.prompt_id
        JOIN (SELECT id, coalesce(original_name, username) AS rater FROM annotation_user) u ON u.id = r.rater_id
        LEFT JOIN annotation_response a ON a.id = i.against_id
        WHERE r.project_id = %(project)s AND (%(ids)s::bigint[] IS NULL AND role = 'rater' AND r.counted
            OR r.id = ANY(%(ids)s::bigint[]))
    ) lines
    GROUP BY prompt
"""


def hash_table(table: RatingTable) -> str:
    """Return the hash of the ratings of a table whose answers are choices only."""
    # Ratings of a prompt are next to each other, and so are its items.
    first_items = np.searchsorted(table.item_prompt, np.arange(len(table.responses.prompts) + 1))
    ends = np.searchsorted(table.item, first_items).tolist()
    codes = table.rater * max(1, len(table.answer_texts)) + table.answer
    tails = {}
    for code in np.unique(codes).tolist():
        rater, answer = divmod(code, max(1, len(table.answer_texts)))
        is_rater, text = rater >= 0, table.answer_texts[answer]
        name = table.raters[rater] if is_rater else table.adjudicators[-1 - rater]
        tails[code] = f"{_json_text(name)}, {text}]" if is_rater else f'{_json_text(name)}, {text}, "adjudicator"]'
    names = [", ".join(map(_json_text, (r.key, r.against, r.made_by))) for r in table.responses.rated]

    def prompt_hash(prompt: int) -> str:
        first, last = first_items[prompt : prompt + 2]
        columns = (table.items.response, table.items.unit, table.items.position)
        items = zip(*(column[first:last].tolist() for column in columns), strict=True)
        heads = [f'[{names[response]}, "{UNITS[unit - 1]}", {position}, ' for response, unit, position in items]
        rows = slice(ends[prompt], ends[prompt + 1])
        pairs = zip((table.item[rows] - first).tolist(), codes[rows].tolist(), strict=True)
        lines = sorted(heads[item] + tails[code] for item, code in pairs)
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    return _hash_of_prompts(table.responses, map(prompt_hash, range(len(table.responses.prompts))))


def hash_in_database(project: Project, responses: Responses, rating_ids: list[int] | None) -> str:
    """Return the same hash for any kind of answers: of the ratings with these ids, or of all that count."""
    with connection.cursor() as cursor:
        cursor.execute(_PROMPT_HASHES, {"project": project.pk, "ids": rating_ids})
        hash_of_prompt = dict(cursor.fetchall())
    return _hash_of_prompts(responses, [hash_of_prompt[prompt] for prompt in responses.prompts])


def _json_text(value: str | None) -> str:
    """Return a JSON text as PostgreSQL and Python both write it."""
    return "null" if value is None else encode_basestring(value)


def _hash_of_prompts(responses: Responses, prompt_hashes: Iterable[str]) -> str:
    return hash_lines(zip(responses.prompts, responses.metadata, prompt_hashes, strict=True))
