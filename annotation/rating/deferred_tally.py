"""Transactions that store ratings in several statements: their part of the tally is added once, at the end.

Statement by statement, they would hold rows of the tally that a rater's finishing waits for, while they wait for rows
that it holds: PostgreSQL ends such a deadlock by failing one of the two.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from ..models.tally import KEY, LATER, SETTLE

_CHANGES = f"""
    CREATE TEMPORARY TABLE tally_change ON COMMIT DROP AS SELECT {KEY}, n FROM annotation_tally WITH NO DATA
"""  # noqa: S608 - only the constants of models/tally.py


@contextmanager
def deferred_tally() -> Iterator[None]:
    """A transaction whose ratings reach the tally when it is left. Inside, the tally does not know of them yet."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_CHANGES)
        cursor.execute(f"SET LOCAL {LATER} = 'on'")
        yield
        cursor.execute(SETTLE)
        cursor.execute(f"SET LOCAL {LATER} = 'off'")
        cursor.execute("DROP TABLE tally_change")
