"""Statistics of tables, by which PostgreSQL's planner chooses, right after many rows were added.

Autovacuum updates them a minute later, and never sees the rows of a transaction that is still open. Until then a plan
for a small table may scan all rows once for every row of another table.
"""

from django.db import connection, models
from psycopg import sql

ANALYZE_ABOVE = 1_000
"""Fewer changed rows are left to autovacuum."""


def analyze_after(changed: int, *tables: type[models.Model]) -> None:
    """Analyze the tables if more than ANALYZE_ABOVE rows changed. Their statistics include rows of this transaction.

    A table that another process analyzes at the moment is skipped instead of waited for: the lock of an ANALYZE lasts
    until its transaction ends. Without the right to analyze (see `database_rights`) PostgreSQL skips it with a warning.
    """
    if changed > ANALYZE_ABOVE:
        names = sql.SQL(", ").join(sql.Identifier(table._meta.db_table) for table in tables)
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("ANALYZE (SKIP_LOCKED) {}").format(names))
