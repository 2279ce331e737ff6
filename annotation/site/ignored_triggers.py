"""Triggers that the statements of a block do not run."""

from collections.abc import Iterator
from contextlib import contextmanager

import pgtrigger
from django.db import connection, transaction


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
        _ignore(f"{{{','.join([*outer, *ignored])}}}")
        yield
        _ignore(before)


def _ignore(triggers: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('pgtrigger.ignore', %s, TRUE)", [triggers])
