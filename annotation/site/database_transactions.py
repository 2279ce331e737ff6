"""How the statements of a transaction run: their snapshot, plans, triggers and time limit, and statistics after it.

The web server's limit of a statement is short (gunicorn.conf.py): raters' requests need no more. A transaction of a
lead that computes figures or changes a whole project gets a longer one. It ends with the transaction, so the next
request has the short one, also where PgBouncer gives the connection to another client.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pgtrigger
from django.db import connection, models, transaction
from psycopg import sql

LEADS_LIMIT = "30s"
ANALYZE_ABOVE = 1_000
"""Fewer changed rows are left to autovacuum."""


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Run all queries on one snapshot: raters save meanwhile. An open transaction's isolation level applies."""
    nested = connection.in_atomic_block
    with transaction.atomic():
        if not nested:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


@contextmanager
def custom_plans() -> Iterator[None]:
    """Let PostgreSQL plan each statement of the block, a transaction, for its values. It takes milliseconds more.

    What is fast for one word or project may not be for another.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('plan_cache_mode', 'force_custom_plan', true)")
        yield


@contextmanager
def ignored_triggers(*names: str) -> Iterator[None]:
    """Run the block in a transaction without these triggers, `app.Model:trigger`.

    `pgtrigger.ignore` would put two commands into each statement, which prepared statements refuse.
    """
    ignored = [trigger.get_pgid(model) for model, trigger in pgtrigger.registered(*names)]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('pgtrigger.ignore', TRUE)")
        before = cursor.fetchone()[0] or "{}"
        outer = before.strip("{}").split(",") if before != "{}" else []
        set_ignored = "SELECT set_config('pgtrigger.ignore', %s, TRUE)"
        cursor.execute(set_ignored, [f"{{{','.join([*outer, *ignored])}}}"])
        yield
        cursor.execute(set_ignored, [before])


def lengthen_statement_limit() -> None:
    """Give the following statements of this transaction LEADS_LIMIT, unless they have a longer limit or none."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT set_config('statement_timeout', %(limit)s, true)
            WHERE current_setting('statement_timeout')::interval > interval '0'
                AND current_setting('statement_timeout')::interval < %(limit)s::interval
            """,
            {"limit": LEADS_LIMIT},
        )


def analyze_after(changed: int, *tables: type[models.Model]) -> None:
    """Analyze the tables if more than ANALYZE_ABOVE rows changed. Their statistics include rows of this transaction.

    Autovacuum would do so a minute later, and never sees the rows of a transaction that is still open. Until then a
    plan for a small table may scan all rows once for every row of another table. A table that another process analyzes
    at the moment is skipped instead of waited for: the lock of an ANALYZE lasts until its transaction ends. Without the
    right to analyze (see `database_rights`) PostgreSQL skips it with a warning.
    """
    if changed > ANALYZE_ABOVE:
        names = sql.SQL(", ").join(sql.Identifier(table._meta.db_table) for table in tables)
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("ANALYZE (SKIP_LOCKED) {}").format(names))
