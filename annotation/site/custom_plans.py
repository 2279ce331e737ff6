"""Statements that need a plan for their values: what is fast for one word or project may not be for another."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def custom_plans() -> Iterator[None]:
    """Let PostgreSQL plan each statement of the block, a transaction, for its values. It takes milliseconds more."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('plan_cache_mode', 'force_custom_plan', true)")
        yield
