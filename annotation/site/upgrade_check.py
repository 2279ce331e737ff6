"""The check that a database can be upgraded, which `manage.py migrate` runs first."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

FIRST, LAST_OF_0_7_1 = ("annotation", "0001_initial"), ("annotation", "0012_changes_name_their_items")


def check_release_of_database(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Refuse a database older than 0.7.1, whose migrations this release has only as one."""
    for alias in databases or []:
        applied = MigrationRecorder(connections[alias]).applied_migrations()
        if FIRST in applied and LAST_OF_0_7_1 not in applied:
            hint = "Install Factuary 0.7.1, run `manage.py migrate`, then install this release."
            return [Error("The database is of a release before 0.7.1.", hint=hint, id="annotation.E001")]
    return []
