"""Ranking of items by disagreement, in SQL: one pass over the covering index of the project's ratings.

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
    """SQL of a table expression `ranked(item_id, score, raters)` with its parameters; scores in hundredths."""

    sql: str
    params: list[Any]


COUNTED = "r.project_id = %s AND r.role = 'rater' AND r.counted"
_IS_RATED = is_rated_sql("i", skips="%s", design="%s", project="%s")
ORDER = "score DESC, raters DESC, item_id"


def ranking_sql(project: Project, selection: ReviewSelection) -> RankingSql:
    """Return `WITH ... ranked AS (...)` of the selected items. Items without disagreement score 0.

    Scores and items are combined by a union and not by a join: the planner cannot know how many items are contested,
    and chose a nested loop of twenty seconds for 32,000 items.
    """
    scored, params = _scores_sql(project)
    conditions, more = _conditions(project, selection)
    sql = f"""
        WITH {scored},
        ranked AS (
            SELECT item_id, max(score) AS score, max(raters) AS raters
            FROM (
                SELECT item_id, score, raters, FALSE AS is_wanted FROM scored
                UNION ALL
                SELECT i.id, 0, 0, TRUE FROM annotation_item i
                JOIN annotation_sheet s ON s.project_id = %s AND s.response_id = i.response_id
                    AND s.against_id IS NOT DISTINCT FROM i.against_id
                WHERE i.unit = %s AND {_IS_RATED}
                    AND NOT EXISTS (SELECT FROM annotation_exclusion e WHERE e.sheet_id = s.id)
                    {"".join(f" AND {each}" for each in conditions)}
            ) parts
            GROUP BY item_id
            HAVING bool_or(is_wanted) {"AND max(score) > 0" if selection.show in CONTESTED else ""}
        )
    """  # noqa: S608 - only constants and what this file puts together; values are parameters
    settings = [project.skips_claim_free, project.sampling_design, project.pk]
    return RankingSql(sql, [*params, project.pk, project.protocol.definition.unit, *settings, *more])


def _scores_sql(project: Project) -> tuple[str, list[Any]]:
    """Return SQL of the items whose counted ratings differ, with their scores."""
    columns, params = _columns(project.protocol.definition)
    pairs = " + ".join(_differing_pairs_sql(name, options) for name, (_, options) in columns.items())
    sql = f"""
        scored AS (
            SELECT item_id, sum(n)::int AS raters,
                (100 * ({pairs}) / div(sum(n) * sum(n), 4))::int AS score
            FROM (
                SELECT item_id, n, {", ".join(f"{sql} AS {name}" for name, (sql, _) in columns.items())}
                FROM (
                    SELECT r.item_id, r.choices, count(*) AS n, count(*) OVER (PARTITION BY r.item_id) AS different
                    FROM annotation_rating r WHERE {COUNTED} GROUP BY 1, 2
                ) votes
                WHERE different > 1
                OFFSET 0 -- so that each answer is looked at once, not once in every sum
            ) votes
            GROUP BY item_id
        )
    """  # noqa: S608 - only constants
    return sql, [*params, project.pk]


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
    return f"div(sum(n) * sum(n) - ({' + '.join(f'{n} * {n}' for n in groups)}), 2)"


def _conditions(project: Project, selection: ReviewSelection) -> tuple[list[str], list[Any]]:
    """Return the conditions, each as `i.id IN (...)` over an index, so that the planner may reorder them."""
    of_project = "SELECT r.item_id FROM annotation_rating r WHERE"
    conditions: list[str] = []
    params: list[Any] = []

    def add(condition: str, *values: Any) -> None:
        conditions.append(condition)
        params.extend(values)

    adjudicated = f"{of_project} r.project_id = %s AND r.role = 'adjudicator'"
    if selection.show == "open":
        add(f"i.id NOT IN ({adjudicated})", project.pk)
    if selection.show == "adjudicated":
        add(f"i.id IN ({adjudicated})", project.pk)
    if selection.show == "commented":
        add(f"i.id IN ({of_project} {COUNTED} AND r.comment <> '')", project.pk)
    if selection.rater is not None:
        add(f"i.id IN ({of_project} {COUNTED} AND r.rater_id = %s)", project.pk, selection.rater)
    for question, option in selection.answers:
        add(f"i.id IN ({of_project} {COUNTED} AND r.choices ->> %s = %s)", project.pk, question, option)
    if selection.system:
        system = "SELECT p.id FROM annotation_response p JOIN annotation_system m ON m.id = p.system_id"
        add(
            f"(i.response_id IN ({system} WHERE m.dataset_id = %s AND m.name = %s)"
            f" OR i.against_id IN ({system} WHERE m.dataset_id = %s AND m.name = %s))",
            *(project.dataset_id, selection.system) * 2,
        )
    return conditions, params
