"""Update the tally once at the end of a transaction that stores ratings in several statements.

Updating it in each statement could deadlock with a rater who finishes a response, because the two could lock rows of
the tally in opposite orders.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from ..models.tally import APPLY_DEFERRED, DEFERRED, KEY

_CHANGES = f"""
    CREATE TEMPORARY TABLE tally_change ON COMMIT DROP AS SELECT {KEY}, n FROM annotation_tally WITH NO DATA
"""  # noqa: S608 - only the constants of models/tally.py


@contextmanager
def deferred_tally() -> Iterator[None]:
    """Run a transaction whose ratings are added to the tally when it ends. Inside, the tally does not have them."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_CHANGES)
        cursor.execute(f"SET LOCAL {DEFERRED} = 'on'")
        yield
        cursor.execute(APPLY_DEFERRED)
        cursor.execute(f"SET LOCAL {DEFERRED} = 'off'")
        cursor.execute("DROP TABLE tally_change")
