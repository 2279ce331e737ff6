"""Read the tally of a project: the rated responses, and the number of ratings of each set of answers."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
from django.db import connection

from ... import protocols
from ...models import Project
from ...models.queue import is_excluded_sql
from ...protocols import Protocol
from .arrays import Indices, bigint_array, column, concatenate, positions_in, read_groups
from .responses import Metadata, RatedPrompt, RatedResponse, name_of_pair

NO_OPPONENT = 0  # instead of the opponent's id

ROLES = ("rater", "gold", "adjudicator")
RATER, GOLD = 0, 1  # numbers of ROLES
_ROLE = f"array_position(ARRAY{list(ROLES)}, role::text) - 1"
_TALLY = f"""
    SELECT choices::text, {column("response_id")}, {column(f"coalesce(against_id, {NO_OPPONENT})")}, {column("n")},
        {column(_ROLE)}
    FROM annotation_tally tally
    WHERE project_id = %s AND n > 0 AND CASE role WHEN 'rater' THEN counted ELSE role IN ('gold', 'adjudicator')
        AND NOT {is_excluded_sql("tally.project_id", "tally.response_id", "tally.against_id")} END
    GROUP BY choices
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
class ProjectTally:
    """The tally of a project: columns of shape (rows,); answers are numbered in the order of `answer_texts`.

    `rated`: the rated responses or pairs; `codes`: of each, from its positions in the sorted ids `responses` and
    `opponents` (NO_OPPONENT for a single response).
    """

    answer_texts: list[str]
    response_id: Indices
    against_id: Indices
    n: Indices
    role: Indices
    answer: Indices
    rated: list[RatedResponse]
    codes: Indices
    responses: Indices
    opponents: Indices

    @classmethod
    def read(cls, project: Project) -> "ProjectTally":
        """Return the tally. Three queries."""
        groups = sorted(
            ((text, columns) for (text,), columns in read_groups(_TALLY, [project.pk], 1, 4)), key=itemgetter(0)
        )
        response_id, against_id, n, role = concatenate([columns for _, columns in groups], 4)
        is_rated = role != GOLD
        responses, opponents = np.unique(response_id[is_rated]), np.unique(against_id[is_rated])
        codes = np.unique(_codes(response_id[is_rated], against_id[is_rated], responses, opponents))
        first, second = np.divmod(codes, max(1, len(opponents)))
        ids = list(zip(responses[first].tolist(), opponents[second].tolist(), strict=True))
        response_of = read_responses(ids, project.protocol.definition)
        order = sorted(range(len(ids)), key=lambda pair: response_of[ids[pair]].sort_key)
        return cls(
            answer_texts=[text for text, _ in groups],
            response_id=response_id,
            against_id=against_id,
            n=n,
            role=role,
            answer=np.repeat(np.arange(len(groups)), [len(columns[0]) for _, columns in groups]),
            rated=[response_of[ids[pair]] for pair in order],
            codes=codes[order],
            responses=responses,
            opponents=opponents,
        )

    def numbers_of(self, response_id: Indices, against_id: Indices) -> Indices:
        """Return the number of each pair in `rated`, -1 for one that was not rated."""
        return positions_in(_codes(response_id, against_id, self.responses, self.opponents), self.codes)


def _codes(response_id: Indices, against_id: Indices, responses: Indices, opponents: Indices) -> Indices:
    first, second = positions_in(response_id, responses), positions_in(against_id, opponents)
    return np.where((first < 0) | (second < 0), -1, first * len(opponents) + second)


def read_responses(
    pairs: Collection[tuple[int, int | None]], protocol: Protocol
) -> dict[tuple[int, int | None], RatedResponse]:
    """Return the response of each pair of ids: of a response and its opponent, None or NO_OPPONENT. Two queries."""
    response_rows: list[tuple[int, str, int, str]] = json.loads(
        _read_json(_RESPONSES, {pk for pair in pairs for pk in pair if pk})
    )
    responses = {pk: (key, prompt, system) for pk, key, prompt, system in response_rows}
    prompt_rows: list[tuple[int, str, Metadata, str | None]] = json.loads(
        _read_json(_PROMPTS, {prompt for _, prompt, _ in responses.values()})
    )
    prompts = {pk: RatedPrompt(key, metadata, document) for pk, key, metadata, document in prompt_rows}
    has_sides = protocols.has_sides(protocol)
    rated = {}
    for pair in pairs:
        key, prompt, system = responses[pair[0]]
        if not pair[1]:
            rated[pair] = RatedResponse(prompts[prompt], key, None, system, system)
            continue
        against, _, other_system = responses[pair[1]]
        name, is_turned = name_of_pair(system, other_system, has_sides=has_sides)
        rated[pair] = RatedResponse(prompts[prompt], key, against, name, system, is_turned)
    return rated


def _read_json(query: str, ids: Iterable[int]) -> str:
    with connection.cursor() as cursor:
        cursor.execute(query, [bigint_array(ids)])
        return cursor.fetchone()[0] or "[]"
