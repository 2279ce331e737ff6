"""Ranking of items by disagreement, in SQL: one pass over the covering index of the project's ratings.

Questions and measures are looked at once for each set of choices, of which the tally has the list.

Two ratings of an item weigh 1 for each question with different answers, and 1 for each measure that counts only one of
them while both are in its denominator. Under `article-accuracy`: Accurate against Inaccurate and Severe weighs 5 (two
questions, three measures), against Inaccurate and Not Severe 4, against Disputed 3, against Can't assess 1; Severe
against Not Severe weighs 2 if both are Inaccurate, else 1.

An item's score is the sum over all pairs of its counted ratings, divided by the number of pairs that would differ if
the raters were split evenly in two: so 1 against 1, 2 against 2 and 3 against 2 have equal scores, 4 against 1 a lower
one, and three different answers a higher one. Ties are ordered by the number of raters, then by the order of import.
Scores are whole hundredths, so that the rank does not depend on rounding.
"""

from dataclasses import dataclass
from typing import Any

from .. import protocols
from ..models import Project
from ..models.rated_items import is_rated_sql
from ..protocols import Protocol

CONTESTED = ("open", "disputed")
SHOWS = ("open", "disputed", "adjudicated", "commented", "all")
"""Items to list: contested and not adjudicated, all contested, adjudicated, with a comment, every rated item."""


@dataclass(frozen=True)
class ReviewSelection:
    """The items of a review; empty fields do not restrict it. `answers` are pairs of question and option, each of which
    a rater must have given."""

    show: str = "open"
    system: str = ""
    rater: int | None = None
    answers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class RankingSql:
    """SQL of the table expressions `ranked(item_id, score, raters)`, of the selected items, and `scored`, the same and
    `is_contested` of all with a counted rating, with its parameters; scores in hundredths."""

    sql: str
    params: list[Any]


COUNTED = "r.project_id = %s AND r.role = 'rater' AND r.counted"
_IS_RATED = is_rated_sql("i", skips="%s", design="%s", project="%s")
ORDER = "score DESC, raters DESC, item_id"


def ranking_sql(project: Project, selection: ReviewSelection) -> RankingSql:
    """Return `WITH ... ranked AS (...)` of the selected items. Items without disagreement score 0.

    Scores, items and conditions are combined by a union and not by joins: the planner cannot know how many items are
    contested or meet a condition, and chose a nested loop of twenty seconds for 32,000 items. Each part of the union
    has a bit of its own, and an item that is ranked has those of `wanted` and no others.
    """
    scored, params = _scores_sql(project)
    of_system, system = _of_system(project, selection)
    conditions, wanted, more = _conditions(project, selection)
    sql = f"""
        WITH {scored},
        ranked AS (
            SELECT item_id, max(score) AS score, max(raters) AS raters
            FROM (
                SELECT item_id, score, raters, 0 AS bit FROM scored WHERE is_contested
                UNION ALL
                SELECT i.id, 0, 0, 1 FROM annotation_item i
                JOIN annotation_sheet s ON s.project_id = %s AND s.response_id = i.response_id
                    AND s.against_id IS NOT DISTINCT FROM i.against_id
                WHERE i.unit = %s AND {_IS_RATED}
                    AND NOT EXISTS (SELECT FROM annotation_exclusion e WHERE e.sheet_id = s.id)
                    {of_system}
                {conditions}
            ) parts
            GROUP BY item_id
            HAVING bit_or(bit) = {wanted} {"AND max(score) > 0" if selection.show in CONTESTED else ""}
        )
    """  # noqa: S608 - only constants and what this file puts together; values are parameters
    settings = [project.skips_claim_free, project.sampling_design, project.pk]
    return RankingSql(sql, [*params, project.pk, project.protocol.definition.unit, *settings, *system, *more])


def _scores_sql(project: Project) -> tuple[str, list[Any]]:
    """Return SQL of the items with a counted rating, with the scores of those whose ratings differ."""
    columns, params = _columns(project.protocol.definition)
    pairs = " + ".join(_differing_pairs_sql(name, options) for name, (_, options) in columns.items())
    sql = f"""
        compared AS MATERIALIZED (
            SELECT choices, {", ".join(f"{sql} AS {name}" for name, (sql, _) in columns.items())}
            FROM (SELECT DISTINCT choices FROM annotation_tally r WHERE {COUNTED} AND r.n > 0) tally
        ),
        scored AS MATERIALIZED (
            SELECT item_id, sum(n)::int AS raters, count(*) > 1 AS is_contested,
                CASE WHEN count(*) > 1 THEN (100.0 * ({pairs}) / (sum(n) * sum(n) / 4))::int ELSE 0 END AS score
            FROM (
                SELECT r.item_id, r.choices, count(*)::int AS n -- sums of integers are faster than those of bigint
                FROM annotation_rating r WHERE {COUNTED} GROUP BY 1, 2
            ) votes JOIN compared USING (choices)
            GROUP BY item_id
        )
    """  # noqa: S608 - only constants
    return sql, [*params, project.pk, project.pk]


def _columns(protocol: Protocol) -> tuple[dict[str, tuple[str, int]], list[Any]]:
    """Return the compared columns by name, with their number of values besides NULL: the index of each question's
    option, and whether each measure counts the answer (1 or 0). NULL: no answer, or not in the denominator."""
    columns: dict[str, tuple[str, int]] = {}
    params: list[Any] = []
    for number, question in enumerate(q for q in protocol.questions if q.kind == "choice"):
        columns[f"question_{number}"] = "array_position(%s::text[], choices ->> %s) - 1", len(question.options)
        params += [list(question.option_keys), question.key]
    for number, measure in enumerate(protocol.measures):
        among, first = protocols.as_sql(measure.among, "choices")
        counts, second = protocols.as_sql(measure.counts, "choices")
        columns[f"measure_{number}"] = f"CASE WHEN {among} THEN ({counts})::int END", 2
        params += [*first, *second]
    return columns, params


def _differing_pairs_sql(name: str, values: int) -> str:
    """Return SQL of the number of pairs of an item's ratings that differ in a column, without forming the pairs: of N
    ratings in groups of n, (N² - Σ n²) / 2 differ. A missing answer differs from any answer; a rating outside a
    measure's denominator differs from none."""
    groups = [f"COALESCE(sum(n) FILTER (WHERE {name} = {value}), 0)" for value in range(values)]
    if name.startswith("measure"):
        return " * ".join(groups)
    groups.append(f"COALESCE(sum(n) FILTER (WHERE {name} IS NULL), 0)")
    return f"(sum(n) * sum(n) - ({' + '.join(f'{n} * {n}' for n in groups)})) / 2"


def _of_system(project: Project, selection: ReviewSelection) -> tuple[str, list[Any]]:
    """Return the condition on items that a response is of the selected system."""
    if not selection.system:
        return "", []
    responses = "SELECT p.id FROM annotation_response p JOIN annotation_system m ON m.id = p.system_id"
    is_in = f"IN ({responses} WHERE m.dataset_id = %s AND m.name = %s)"
    params = [project.dataset_id, selection.system]
    return f"AND (i.response_id {is_in} OR i.against_id {is_in})", [*params, *params]


def _conditions(project: Project, selection: ReviewSelection) -> tuple[str, int, list[Any]]:
    """Return parts of the union with the items that have a rating of a kind, and the bits of an item that is ranked."""
    counted: list[tuple[str, list[Any]]] = []
    if selection.show == "commented":
        counted.append(("r.comment <> ''", []))
    if selection.rater is not None:
        counted.append(("r.rater_id = %s", [selection.rater]))
    counted += [("r.choices ->> %s = %s", list(answer)) for answer in selection.answers]
    kinds = [(f"{COUNTED} AND {condition}", params) for condition, params in counted]
    wanted = 2 ** (len(kinds) + 1) - 1
    if selection.show in ("open", "adjudicated"):
        kinds.append(("r.project_id = %s AND r.role = 'adjudicator'", []))
        wanted += 2 ** len(kinds) if selection.show == "adjudicated" else 0
    parts = (
        f"UNION ALL SELECT r.item_id, 0, 0, {2**number} FROM annotation_rating r WHERE {kind}"  # noqa: S608 - only constants
        for number, (kind, _) in enumerate(kinds, 1)
    )
    return "\n".join(parts), wanted, [value for _, params in kinds for value in (project.pk, *params)]
