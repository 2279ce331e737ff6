"""Check the tally: count all ratings again and compare.

Triggers maintain the tally in the ratings' transactions, so it should never differ; if it does, reports are wrong. One
statement, so that concurrent ratings are in both counts or in neither.
"""

from django.db import connection

_RECOUNT = """
    WITH counted AS (
        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, count(*) AS n
        FROM annotation_rating r JOIN annotation_item i ON i.id = r.item_id
        GROUP BY 1, 2, 3, 4, 5, 6, 7
    )
    SELECT p.slug, s.key, a.key, d.unit, d.role, d.counted, d.choices::text, d.recounted, d.tallied
    FROM (
        SELECT project_id, response_id, against_id, unit, role, counted, choices,
               sum(recounted)::bigint AS recounted, sum(tallied)::bigint AS tallied
        FROM (
            SELECT project_id, response_id, against_id, unit, role, counted, choices, n AS recounted, 0 AS tallied
            FROM counted
            UNION ALL
            SELECT project_id, response_id, against_id, unit, role, counted, choices, 0, n FROM annotation_tally
        ) both_counts
        GROUP BY 1, 2, 3, 4, 5, 6, 7
        HAVING sum(recounted) <> sum(tallied)
    ) d
    JOIN annotation_project p ON p.id = d.project_id
    JOIN annotation_response s ON s.id = d.response_id
    LEFT JOIN annotation_response a ON a.id = d.against_id
    ORDER BY 1, 2, 3, 4, 5, 6, 7
"""


def find_tally_differences() -> list[str]:
    """Return a line for each row of the tally that differs from the number of its ratings."""
    with connection.cursor() as cursor:
        cursor.execute(_RECOUNT)
        rows = cursor.fetchall()
    lines = []
    for project, response, against, unit, role, counted, choices, recounted, tallied in rows:
        pair, state = f" against {against}" if against else "", "counted" if counted else "not counted"
        row = f"{project}: response {response}{pair}, {unit}, {role}, {state}, {choices}"
        lines.append(f"{row}: {recounted} ratings, tally {tallied}")
    return lines
