"""The log of slow queries: statement, time and, by the log's context, request or task; never the values.

Values may be answers, names or keys. They are parameters, which are not logged; texts and numbers in the statement are
left out too.
"""

import logging
import re
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.sql import Composable

from .metrics_server import is_measured

MAX_STATEMENT_LENGTH = 2000
"""Characters of a statement that are logged."""

VALUES = re.compile(r"(')(?:[^']|'')*'|(?<![\w$])\d[\w.]*")
"""Texts and numbers. A statement with very many parameters has them merged into it."""

log = logging.getLogger(__name__)


def watch_queries(connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Count a connection's queries and log the slow ones; a receiver of the signal `connection_created`."""
    is_watched = settings.SLOW_QUERY_MS or is_measured()
    if is_watched and _run not in connection.execute_wrappers:
        connection.execute_wrappers.append(_run)


def _run(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Run a query, count it, and log it if it took SLOW_QUERY_MS or more, whether or not it failed."""
    started = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        seconds = time.perf_counter() - started
        if is_measured():
            from .metrics import QUERIES

            QUERIES.observe(seconds)
        if 0 < settings.SLOW_QUERY_MS <= seconds * 1000:
            statement = sql.as_string() if isinstance(sql, Composable) else str(sql)
            log.warning("slow query, %.0f ms: %s", seconds * 1000, without_values(statement))


def without_values(statement: str) -> str:
    """Return a statement on one line, without texts and numbers, at most MAX_STATEMENT_LENGTH characters."""
    return VALUES.sub(r"\1…\1", " ".join(statement.split()))[:MAX_STATEMENT_LENGTH]
