"""Read the ratings of a project into a table, from the tally or one by one.

The tally gives the rated responses and the number of ratings of each set of answers, whatever the number of raters.
Rater, item, time and duration are read from the ratings. Callers with several queries use `one_snapshot`.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from operator import itemgetter

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from ... import protocols
from ...models import Project
from ...models.queue import is_excluded_sql
from ...models.user_names import NAME_IN_DATA
from ...protocols import Protocol
from ..choices import AUTO
from .arrays import (
    Indices,
    SmallNumbers,
    bigint_array,
    column,
    concatenate,
    indices,
    new_numbers,
    occurring,
    positions_in,
    read_groups,
)
from .responses import Metadata, RatedPrompt, RatedResponse, Responses, canonical_json, name_of_pair
from .table import UNITS, Items, RatingTable, References

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


MONDAY = date(1970, 1, 5)

_ITEMS = f"""
    SELECT {column("id")}, {column("response_id")}, {column(f"coalesce(against_id, {NO_OPPONENT})")},
        {column("array_position(%s, unit::text)")}, {column("position")}
    FROM annotation_item WHERE response_id = ANY(%s::bigint[])
"""  # noqa: S608 - only constants of this module
_ANSWER_NUMBERS = "unnest(%(texts)s::text[]::jsonb[]) WITH ORDINALITY AS answers(choices, number)"
_RATING_COLUMNS = f"""
    {column("item_id")}, {column("number - 1")}, {column("coalesce(seconds, 'NaN')", "float8")},
    {column("(rated_at AT TIME ZONE 'UTC')::date - date '1970-01-05'")}, {column("r.id")}
"""
_COUNTED = f"""
    SELECT 'rater', {NAME_IN_DATA}, {_RATING_COLUMNS}
    FROM annotation_rating r JOIN annotation_user u ON u.id = rater_id JOIN {_ANSWER_NUMBERS} USING (choices)
    WHERE project_id = %(project)s AND role = 'rater' AND counted
    GROUP BY 2
"""  # noqa: S608 - only constants of this module
_NEWEST_BY_REVIEWERS = f"""
    SELECT role, name, {_RATING_COLUMNS} FROM (
        SELECT DISTINCT ON (role, item_id) rating.*, {NAME_IN_DATA} AS name FROM annotation_rating rating
        JOIN annotation_item i ON i.id = item_id JOIN annotation_user u ON u.id = rater_id
        WHERE project_id = %(project)s AND role IN ('gold', 'adjudicator') AND retired_at IS NULL
            AND NOT {is_excluded_sql("rating.project_id", "i.response_id", "i.against_id")}
        ORDER BY role, item_id, rated_at DESC, {NAME_IN_DATA} COLLATE "C" DESC
    ) r JOIN {_ANSWER_NUMBERS} USING (choices)
    GROUP BY role, name
"""  # noqa: S608 - only constants of this module


def read_tally(project: Project, cluster: str = AUTO) -> RatingTable:
    """Return the number of counted ratings of each response and set of answers. Three queries.

    Responses with adjudications only are in the table without a row.
    """
    tally = ProjectTally.read(project)
    is_counted = tally.role == RATER
    response = tally.numbers_of(tally.response_id, tally.against_id)
    table = _empty_table(project, tally, cluster)
    return replace(table, response=response[is_counted], answer=tally.answer[is_counted], n=tally.n[is_counted])


def read_ratings(project: Project, cluster: str = AUTO) -> RatingTable:
    """Return every counted rating of raters, and the newest adjudication of each item. At most six queries."""
    tally = ProjectTally.read(project)
    ratings, gold, adjudications = _read_by_role(project, tally)
    parameters = [UNITS, bigint_array(tally.responses.tolist())]
    [(_, (item_id, response_id, against_id, unit, position))] = read_groups(_ITEMS, parameters, 0, 5)
    response = tally.numbers_of(response_id, against_id)
    order = np.lexsort((position, unit, response))
    order = order[response[order] >= 0]
    none = References(indices([]), indices([]))
    items = Items(item_id[order], response[order], unit[order], position[order], none, none)
    rows = ratings.join(adjudications)
    item = positions_in(rows.item_id, items.item_id)
    order = np.argsort(item * (len(ratings.names) + len(adjudications.names)) + rows.rater, kind="stable")
    order = order[item[order] >= 0]  # items that an import adds are not in the tally before its end
    weeks, week = _weeks(rows.day[order])
    table = replace(
        _empty_table(project, tally, cluster),
        items=replace(
            items,
            gold=_references(gold, items, ratings.names),
            adjudicated=_references(adjudications, items, ratings.names),
        ),
        has_single_ratings=True,
        raters=ratings.names,
        adjudicators=adjudications.names,
        weeks=weeks,
        response=items.response[item[order]],
        answer=rows.answer[order],
        n=np.ones(len(order), dtype=np.int64),
        item=item[order],
        rater=rows.rater[order],
        seconds=rows.seconds[order],
        week=week,
        rating_id=rows.rating_id[order],
    )
    return table.drop_unused()


def _empty_table(project: Project, tally: ProjectTally, cluster: str) -> RatingTable:
    answer_sets, other_side = _answer_sets(tally.answer_texts, project.protocol.definition)
    none = indices([])
    return RatingTable(
        responses=Responses.number(tally.rated, cluster),
        answer_texts=tally.answer_texts,
        answer_sets=answer_sets,
        other_side=other_side,
        items=Items(none, none, none, none, References(none, none), References(none, none)),
        has_single_ratings=False,
        raters=[],
        adjudicators=[],
        weeks=[],
        response=none,
        answer=none,
        n=none,
        item=none,
        rater=none,
        seconds=np.zeros(0),
        week=none,
        rating_id=none,
    )


def _answer_sets(texts: list[str], protocol: Protocol) -> tuple[list[dict[str, str]], Indices]:
    """Return the sets of answers, followed by those of turned pairs, and the number of the other side of each."""
    stored = [json.loads(text) for text in texts]
    turned = [protocols.swap_sides(protocol, answers) for answers in stored]
    number = {canonical_json(answers): n for n, answers in enumerate(stored)}
    added = {text: answers for answers in turned if (text := canonical_json(answers)) not in number}
    answer_sets = [*stored, *(added[text] for text in sorted(added))]
    number = {canonical_json(answers): n for n, answers in enumerate(answer_sets)}
    other_side = (protocols.swap_sides(protocol, answers) for answers in answer_sets)
    return answer_sets, indices(number[canonical_json(answers)] for answers in other_side)


@dataclass(frozen=True)
class _Ratings:
    """Ratings in one role: columns of shape (ratings,) with database ids, answers numbered as in the tally, and
    `rater`, a number in the sorted `names`.
    """

    names: list[str]
    item_id: Indices
    answer: Indices
    seconds: NDArray[np.float64]
    day: Indices
    rating_id: Indices
    rater: Indices

    def join(self, adjudications: "_Ratings") -> "_Ratings":
        """Return these and adjudications, whose raters are -1 - number."""
        turned = replace(adjudications, rater=-1 - adjudications.rater)
        names = ("item_id", "answer", "seconds", "day", "rating_id", "rater")
        columns = [np.concatenate([getattr(part, name) for part in (self, turned)]) for name in names]
        return _Ratings(self.names, *columns)


def _read_by_role(project: Project, tally: ProjectTally) -> list[_Ratings]:
    """Return the ratings of raters that count, and the newest gold and adjudication of each item in use."""
    groups: dict[str, list[tuple[str, list[Indices]]]] = {role: [] for role in ROLES}
    parameters = {"project": project.pk, "texts": tally.answer_texts}
    has_reviews = (tally.role != RATER).any()
    queries = [_COUNTED, *([_NEWEST_BY_REVIEWERS] if has_reviews else [])]
    for query in queries:
        for (role, name), columns in read_groups(query, parameters, 2, 5):
            groups[role].append((name, columns))
    by_role = []
    for role in ROLES:
        raters = sorted(groups[role], key=itemgetter(0))
        item_id, answer, seconds, day, rating_id = concatenate([columns for _, columns in raters], 5)
        rater = np.repeat(np.arange(len(raters)), [len(columns[0]) for _, columns in raters])
        names = [name for name, _ in raters]
        by_role.append(_Ratings(names, item_id, answer, seconds.view(np.float64), day, rating_id, rater))
    return by_role


def _references(ratings: _Ratings, items: Items, raters: list[str]) -> References:
    rater_number = {name: number for number, name in enumerate(raters)}
    item = positions_in(ratings.item_id, items.item_id)
    rater = indices(rater_number.get(name, -1) for name in ratings.names)[ratings.rater]
    answer_of, rater_of = (np.full(len(items), -1) for _ in range(2))
    answer_of[item[item >= 0]] = ratings.answer[item >= 0]
    rater_of[item[item >= 0]] = rater[item >= 0]
    return References(answer_of, rater_of)


def _weeks(day: Indices) -> tuple[list[str], SmallNumbers]:
    """Return the ISO weeks of days, 2026-W47, in order, and the number of each day's week; days count from MONDAY."""
    first = int(day.min() // 7) if len(day) else 0
    week = day // 7 - first
    used = occurring(week, 0)
    mondays = [MONDAY + timedelta(weeks=first + number) for number in np.flatnonzero(used).tolist()]
    return [f"{monday:%G-W%V}" for monday in mondays], new_numbers(used)[week].astype(np.int32)
