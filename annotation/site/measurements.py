"""What the program measures about itself: nothing, and without Prometheus, unless the process serves metrics.

A process serves metrics if METRICS_PORT (web server) or WORKER_METRICS_PORT (worker) is set; its first process then
names the folder in which all its processes count (annotation/site/metrics_server.py).
"""

import os

FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def is_measured() -> bool:
    """Return whether this process counts."""
    return FOLDER in os.environ


def observe_query(seconds: float) -> None:
    """Count a query of the database, and its time."""
    if is_measured():
        from .metrics import QUERIES

        QUERIES.observe(seconds)


def observe_job(kind: str, result: str, seconds: float) -> None:
    """Count an attempt of a job, its result and its time."""
    if is_measured():
        from .metrics import JOBS

        JOBS.labels(kind, result).observe(seconds)
