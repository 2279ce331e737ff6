"""Metrics (WORKER_METRICS_PORT) and traces (OTEL_EXPORTER_OTLP_ENDPOINT) of a worker.

Its processes count in a common folder, and the first one serves the metrics; each sends its own traces. Celery sends
these signals in workers only.
"""

from typing import Any

from celery.signals import (
    celeryd_init,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
    worker_shutdown,
)
from django.conf import settings

from annotation.site.metrics_server import delete_folder, make_folder, serve_worker_metrics
from annotation.site.telemetry import is_traced


@celeryd_init.connect
def prepare_worker(**_options: Any) -> None:
    """Make what the processes share, before they start."""
    if settings.WORKER_METRICS_PORT:
        make_folder()
    if is_traced():
        from annotation.site.tracing import trace_worker

        trace_worker()


@worker_process_init.connect
def start_process(**_options: Any) -> None:
    """Let a process count in the files of the one that it replaces, and send its spans."""
    if settings.WORKER_METRICS_PORT:
        from billiard.process import current_process

        from annotation.site.metrics import set_process_name

        set_process_name(f"worker{current_process().index + 1}")
    if is_traced():
        from annotation.site.tracing import start_sending

        start_sending("factuary-worker")


@worker_ready.connect
def serve_metrics(**_options: Any) -> None:
    """Serve the metrics of all processes."""
    if settings.WORKER_METRICS_PORT:
        serve_worker_metrics(settings.METRICS_HOST, settings.WORKER_METRICS_PORT)


@worker_process_shutdown.connect
def end_process(**_options: Any) -> None:
    if is_traced():
        from annotation.site.tracing import stop_sending

        stop_sending()


@worker_shutdown.connect
def end_worker(**_options: Any) -> None:
    """Delete the folder."""
    if settings.WORKER_METRICS_PORT:
        delete_folder()
