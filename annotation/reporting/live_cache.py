"""What was computed from all ratings of a project, kept while its data is the same.

The tally answers at once, but the hash of the data, agreement and whatever is about raters look at every rating.
Nothing that is kept is ever out of date: it is found under the changes that were noted of the project, its data set and
people's names (`models.changes`). Changes are noted in the transactions that make them, and no two states of the data
have the same; so where they are the same before and after, all that was read in between belongs to them.
"""

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from django.core.cache import cache
from django.db import connection

from .. import __version__
from ..models import Project
from ..models.changes import DATASET, PEOPLE, PROJECT
from .data.snapshot import one_snapshot

HOUR = 3600
MOST_CHANGES = 1_000
"""Above this many, the changes of a project are gathered into one every hour, so that they are read at once."""

Found = TypeVar("Found")

_STATE = """
    SELECT sha256(string_agg(uuid_send(id), '' ORDER BY id))
    FROM annotation_change WHERE concerns IN (%s, %s, %s)
"""
_GATHER = """
    WITH many AS (
        SELECT concerns FROM annotation_change GROUP BY concerns HAVING count(*) > %s
    ), gone AS (
        DELETE FROM annotation_change c USING many WHERE c.concerns = many.concerns RETURNING c.concerns
    )
    INSERT INTO annotation_change (concerns) SELECT DISTINCT concerns FROM gone
"""
_BEGIN = """
    INSERT INTO annotation_change (concerns)
    SELECT concerns FROM (SELECT %s || id AS concerns FROM annotation_project) project
    WHERE concerns NOT IN (SELECT concerns FROM annotation_change)
"""


def kept(project: Project, what: str, make: Callable[[], Found]) -> Found:
    """What `make` computes of the data of `project`, kept for an hour; `what` tells apart what is computed.

    `make` sees one moment of the data. What changed meanwhile is not kept.
    """
    key = _key(project, what)
    found: Found | None = cache.get(key) if key else None
    if found is None:
        with one_snapshot():
            found = make()
        if key and _key(project, what) == key:
            cache.set(key, found, HOUR)
    return found


def known(project: Project, what: str) -> Any:
    """What is kept of `what` and holds at this moment; None where nothing is."""
    key = _key(project, what)
    return cache.get(key) if key else None


def gather_changes() -> int:
    """Put one change, a new one, in the place of many. Returns of how many projects, data sets and the like.

    A project that has none, as it was rated before changes were noted, gets one, so that it can be told from others.
    """
    with connection.cursor() as cursor:
        cursor.execute(_GATHER, [MOST_CHANGES])
        gathered = int(cursor.rowcount)
        cursor.execute(_BEGIN, [PROJECT])
        return gathered


def _key(project: Project, what: str) -> str | None:
    """Of the data as this transaction sees it, the protocol that the project pins, and this software. None where no
    change was noted: data from before changes were noted could be any.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STATE, [f"{PROJECT}{project.pk}", f"{DATASET}{project.dataset_id}", PEOPLE])
        state = cursor.fetchone()[0]
    if state is None:
        return None
    parts = (__version__, np.__version__, project.pk, project.protocol.sha256, bytes(state), what)
    return f"kept:{hashlib.sha256(repr(parts).encode()).hexdigest()}"
