"""The cache of results computed from a project's ratings, valid while the data is the same.

An entry is stored under the project's data version: the ids of the changes that concern the project, its data set and
users' names (`models.data_changes`). These are recorded in the transactions that change the data, and no two states of
the data have the same. So if the version is the same before and after a computation, the result belongs to it.
"""

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar, cast

import msgspec
import numpy as np
from django.core.cache import cache
from django.db import connection

from .. import __version__
from ..models import Project
from ..models.data_changes import DATASET, PEOPLE, PROJECT
from ..site.tolerant_cache import TolerantRedisCache
from .computation_limit import computation

LIFETIME = 3600  # seconds
LIVE, REPORT, FIGURE = "live:", "report:", "figure"
"""Prefixes of the keys of results: of this module, and of the numbers, drawings and files of report pages."""
MAX_CHANGES = 1_000
"""Above this many, the changes of a project are replaced by one every hour, so that they are read quickly."""

Result = TypeVar("Result")

_VERSION = "SELECT sha256(string_agg(uuid_send(id), '' ORDER BY id)) FROM annotation_datachange WHERE scope = ANY(%s)"
_REPLACE_MANY = """
    WITH many AS (
        SELECT scope FROM annotation_datachange GROUP BY scope HAVING count(*) > %s
    ), deleted AS (
        DELETE FROM annotation_datachange c USING many WHERE c.scope = many.scope RETURNING c.scope
    )
    INSERT INTO annotation_datachange (scope) SELECT DISTINCT scope FROM deleted
"""
_ADD_FIRST = """
    INSERT INTO annotation_datachange (scope)
    SELECT scope FROM (SELECT %s || id AS scope FROM annotation_project) project
    WHERE scope NOT IN (SELECT scope FROM annotation_datachange)
"""


def cached(project: Project, name: str, kind: type[Result], compute: Callable[[], Result]) -> Result:
    """Return the result of `compute` for the current data, computed once for the same data.

    `name` names the computation with its parameters, `kind` is the type of its result. `compute` sees one snapshot; a
    result is not stored if the data changed in the meantime. Raises TooManyComputationsError.
    """
    key = _key(project, name)
    if (stored := _find(key, kind)) is not None:
        return stored
    with computation():
        # Another request may have computed it in the meantime.
        if (stored := _find(key, kind)) is not None:
            return stored
        result = compute()
    if key and _key(project, name) == key:
        cache.set(key, msgspec.msgpack.encode(result, enc_hook=_plain_number), LIFETIME)
    return result


def find_cached(project: Project, name: str, kind: type[Result]) -> Result | None:
    return _find(_key(project, name), kind)


def _find(key: str | None, kind: type[Result]) -> Result | None:
    stored: bytes | None = cache.get(key) if key else None
    return msgspec.msgpack.decode(stored, type=kind) if stored else None


def _plain_number(number: object) -> object:
    """Return a NumPy number as one of Python. Raises TypeError for anything else."""
    if not isinstance(number, np.generic):
        raise TypeError(f"{type(number)} cannot be cached")
    return number.item()


def people_version() -> str:
    """Return a hash of the changes of user names: another one after each erasure.

    What is cached with names is bound to the version from before it was read, so that a computation that was under way
    when a person was erased is not found afterwards.
    """
    return (_version([PEOPLE]) or b"").hex()


def _version(scopes: list[str]) -> bytes | None:
    """Return a hash of the changes in these scopes; None without any."""
    with connection.cursor() as cursor:
        cursor.execute(_VERSION, [scopes])
        version = cursor.fetchone()[0]
    return None if version is None else bytes(version)


def delete_results() -> None:
    """Delete all stored results, also those of report pages: they may have the names of raters."""
    for prefix in (LIVE, REPORT, FIGURE):
        cast(TolerantRedisCache, cache).delete_prefix(prefix)  # behind Django's proxy


def compact_changes() -> int:
    """Replace many changes by a new one. Return the number of scopes.

    A project without changes, because it was rated before changes were recorded, gets its first.
    """
    with connection.cursor() as cursor:
        cursor.execute(_REPLACE_MANY, [MAX_CHANGES])
        compacted = int(cursor.rowcount)
        cursor.execute(_ADD_FIRST, [PROJECT])
        return compacted


@lru_cache(maxsize=1)
def code_version() -> str:
    """Return a hash of the modules that compute and draw figures: a result of other code is not used.

    The release number is not sufficient: a checkout changes between releases.
    """
    folder = Path(__file__).parent
    code = hashlib.sha256(f"{__version__} {np.__version__}".encode())
    for path in sorted([*folder.rglob("*.py"), *(folder.parent / "stats").glob("*.py")]):
        code.update(path.read_bytes())
    return code.hexdigest()


def _key(project: Project, name: str) -> str | None:
    """Return the cache key of the data in this transaction, the pinned protocol and this software.

    None without any change: the state of data from before changes were recorded is unknown.
    """
    version = _version([f"{PROJECT}{project.pk}", f"{DATASET}{project.dataset_id}", PEOPLE])
    if version is None:
        return None
    parts = (code_version(), project.pk, project.protocol.sha256, version, name)
    return f"{LIVE}{hashlib.sha256(repr(parts).encode()).hexdigest()}"
