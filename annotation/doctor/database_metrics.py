"""Metrics of the site's state, read when they are asked for: leases, jobs, queues, the tally, backups, disks."""

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db import connection
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from ..backup.scheduled import backup_folder, stored_backups
from ..site.database_clock import database_now
from ..site.disk_space import MEGABYTE, free_mb, written_folders
from .services import queue_depths, seconds_since_beat

log = logging.getLogger(__name__)

LEASES = """
    SELECT count(*) FILTER (WHERE s.expires_at >= now()), count(*) FILTER (WHERE s.expires_at < now())
    FROM annotation_assignment a JOIN annotation_slot s ON s.holder_id = a.id
    WHERE a.finished_at IS NULL AND s.finished_at IS NULL
"""
"""Open and expired leases, by the partial index of unfinished assignments: the project's size does not matter."""
JOBS = """
    SELECT kind, state, count(*), extract(epoch FROM statement_timestamp() - min(created_at))::float8
    FROM annotation_job WHERE state IN ('queued', 'running') GROUP BY 1, 2
"""
TALLY_LAG = """
    WITH worked AS (
        SELECT DISTINCT a.project_id, h.response_id
        FROM (
            SELECT project_id, sheet_id FROM annotation_assignment
            WHERE finished_at IS NULL ORDER BY taken_at DESC LIMIT 100
        ) a JOIN annotation_sheet h ON h.id = a.sheet_id
    ), counted AS (
        SELECT w.project_id, w.response_id, count(*) AS n
        FROM worked w JOIN annotation_item i ON i.response_id = w.response_id
        JOIN annotation_rating r ON r.item_id = i.id AND r.project_id = w.project_id GROUP BY 1, 2
    ), tallied AS (
        SELECT w.project_id, w.response_id, sum(t.n) AS n
        FROM worked w JOIN annotation_tally t ON t.project_id = w.project_id AND t.response_id = w.response_id
        GROUP BY 1, 2
    )
    SELECT COALESCE(sum(abs(COALESCE(c.n, 0) - COALESCE(t.n, 0))), 0)::float8
    FROM worked w
    LEFT JOIN counted c USING (project_id, response_id)
    LEFT JOIN tallied t USING (project_id, response_id)
"""
"""Ratings of the 100 responses taken last that the tally does not have, or has twice. In one statement, so that a
rating that is stored meanwhile is in both counts or in neither: more than 0 is a fault."""


class SiteCollector(Collector):
    """Collects the state of the site. A part that cannot be read is logged and missing; the others are there."""

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics, with `factuary_part_readable` for each part."""
        readable = Gauge(
            "factuary_part_readable", "Whether this part of the site's state could be read.", labels=["part"]
        )
        for part, read in PARTS.items():
            try:
                yield from list(read())
                readable.add_metric([part], 1)
            except Exception:
                log.exception("metrics of the %s cannot be read", part)
                readable.add_metric([part], 0)
        yield readable


def _rows(sql: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


def lease_metrics() -> Iterable[Metric]:
    [(open_ones, expired)] = _rows(LEASES)
    leases = Gauge("factuary_leases", "Leases of raters: open or expired.", labels=["state"])
    leases.add_metric(["open"], open_ones)
    leases.add_metric(["expired"], expired)
    yield leases


def tally_metrics() -> Iterable[Metric]:
    [(lag,)] = _rows(TALLY_LAG)
    yield Gauge(
        "factuary_tally_lag_ratings", "Ratings of the latest responses that the tally lacks; always 0.", value=lag
    )


def job_metrics() -> Iterable[Metric]:
    count = Gauge("factuary_open_jobs", "Jobs that have not ended.", labels=["kind", "state"])
    age = Gauge("factuary_oldest_job_seconds", "Age of the oldest of these jobs.", labels=["kind", "state"])
    for kind, state, number, seconds in _rows(JOBS):
        count.add_metric([kind, state], number)
        age.add_metric([kind, state], seconds)
    yield from (count, age)


def queue_metrics() -> Iterable[Metric]:
    depth = Gauge("factuary_queue_depth", "Tasks that wait for a worker, by queue.", labels=["queue"])
    for name, length in queue_depths().items():
        depth.add_metric([name], length)
    yield depth


def beat_metrics() -> Iterable[Metric]:
    seconds = seconds_since_beat()
    silent = float("inf") if seconds is None else seconds
    yield Gauge(
        "factuary_beat_silent_seconds", "Since when no worker has run what beat sends every 20 s.", value=silent
    )


def backup_metrics() -> Iterable[Metric]:
    if folder := backup_folder():
        stored = stored_backups(folder)
        age = database_now().timestamp() - stored[0][0].timestamp() if stored else float("inf")
        yield Gauge("factuary_backup_age_seconds", "Age of the newest scheduled backup.", value=age)


def disk_metrics() -> Iterable[Metric]:
    free = Gauge("factuary_disk_free_bytes", "Free space of the folders that the site writes to.", labels=["folder"])
    for name, path in written_folders().items():
        free.add_metric([name], free_mb(path) * MEGABYTE)
    yield free


PARTS: dict[str, Callable[[], Iterable[Metric]]] = {
    "leases": lease_metrics,
    "tally": tally_metrics,
    "jobs": job_metrics,
    "queues": queue_metrics,
    "beat": beat_metrics,
    "backups": backup_metrics,
    "disks": disk_metrics,
}
