"""Read the tally of a project: the rated responses, and the number of ratings of each set of answers."""

import json
from dataclasses import dataclass, replace
from operator import itemgetter

import numpy as np

from ... import protocols
from ...models import Project
from ...models.queue import is_excluded_sql
from .arrays import Indices, indices, positions_in
from .column_queries import bigint_array, column, concatenate, read_groups, read_json_rows
from .pair_names import name_of_pair
from .responses import Metadata, RatedPrompt, RatedResponse

NO_OPPONENT = 0  # instead of the opponent's id

ROLES = RATER, GOLD, ADJUDICATOR = "rater", "gold", "adjudicator"
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
class RatedPairs:
    """The rated pairs (response, opponent or NO_OPPONENT): sorted `codes`, and the `number` of each in the table."""

    responses: Indices
    opponents: Indices
    codes: Indices
    number: Indices

    @classmethod
    def of(cls, response_id: Indices, against_id: Indices) -> "RatedPairs":
        """Return the distinct pairs, numbered in the order of the ids."""
        pairs = cls(np.unique(response_id), np.unique(against_id), indices([]), indices([]))
        codes = np.unique(pairs._codes(response_id, against_id))
        return replace(pairs, codes=codes, number=np.arange(len(codes)))

    def numbers_of(self, response_id: Indices, against_id: Indices) -> Indices:
        """Return the number of each pair, -1 for one that was not rated."""
        index = positions_in(self._codes(response_id, against_id), self.codes)
        return np.append(self.number, -1)[index]

    def ids(self) -> list[tuple[int, int]]:
        """Return the pairs in the order of the ids."""
        first, second = np.divmod(self.codes, max(1, len(self.opponents)))
        return list(zip(self.responses[first].tolist(), self.opponents[second].tolist(), strict=True))

    def _codes(self, response_id: Indices, against_id: Indices) -> Indices:
        first, second = positions_in(response_id, self.responses), positions_in(against_id, self.opponents)
        return np.where((first < 0) | (second < 0), -1, first * len(self.opponents) + second)


@dataclass(frozen=True)
class ProjectTally:
    """The tally of a project: columns of shape (rows,); answers are numbered in the order of `answer_texts`."""

    answer_texts: list[str]
    response_id: Indices
    against_id: Indices
    n: Indices
    role: Indices
    answer: Indices
    pairs: RatedPairs
    rated: list[RatedResponse]

    @classmethod
    def read(cls, project: Project) -> "ProjectTally":
        groups = sorted(
            ((text, columns) for (text,), columns in read_groups(_TALLY, [project.pk], 1, 4)), key=itemgetter(0)
        )
        response_id, against_id, n, role = concatenate([columns for _, columns in groups], 4)
        answer = np.repeat(np.arange(len(groups)), [len(columns[0]) for _, columns in groups])
        is_rated = role != ROLES.index(GOLD)
        pairs = RatedPairs.of(response_id[is_rated], against_id[is_rated])
        rated = read_responses(pairs, protocols.has_sides(project.protocol.definition))
        order = sorted(range(len(rated)), key=lambda pair: rated[pair].sort_key)
        return cls(
            answer_texts=[text for text, _ in groups],
            response_id=response_id,
            against_id=against_id,
            n=n,
            role=role,
            answer=answer,
            pairs=replace(pairs, number=np.argsort(order)),
            rated=[rated[pair] for pair in order],
        )

    def has(self, *roles: str) -> bool:
        """Return whether there are answers in one of these roles."""
        return bool(np.isin([ROLES.index(role) for role in roles], self.role).any())


def read_responses(pairs: RatedPairs, has_sides: bool) -> list[RatedResponse]:
    """Return the responses in the order of the pairs' ids. Two queries."""
    ids = pairs.ids()
    response_ids = bigint_array({pk for pair in ids for pk in pair})
    response_rows: list[tuple[int, str, int, str]] = json.loads(read_json_rows(_RESPONSES, [response_ids]))
    responses = {pk: (key, prompt, system) for pk, key, prompt, system in response_rows}
    prompt_ids = bigint_array({prompt for _, prompt, _ in responses.values()})
    prompt_rows: list[tuple[int, str, Metadata, str | None]] = json.loads(read_json_rows(_PROMPTS, [prompt_ids]))
    prompts = {pk: RatedPrompt(key, metadata, document) for pk, key, metadata, document in prompt_rows}
    return [_rated_response(*responses[pk], responses.get(against), prompts, has_sides) for pk, against in ids]


def _rated_response(
    key: str,
    prompt: int,
    system: str,
    against: tuple[str, int, str] | None,
    prompts: dict[int, RatedPrompt],
    has_sides: bool,
) -> RatedResponse:
    if against is None:
        return RatedResponse(prompts[prompt], key, None, system, system)
    name, is_turned = name_of_pair(system, against[2], has_sides=has_sides)
    return RatedResponse(prompts[prompt], key, against[0], name, system, is_turned)
