"""Traces of a worker (OTEL_EXPORTER_OTLP_ENDPOINT): each of its processes sends its own.

Imported by tasks/app.py if traces are sent; Celery sends these signals in workers only.
"""

from typing import Any

from celery.signals import celeryd_init, worker_process_init, worker_process_shutdown


@celeryd_init.connect
def trace_tasks(**kwargs: Any) -> None:
    """Load OpenTelemetry before the worker's processes start, which so share its memory."""
    from annotation.site.tracing import trace_worker

    trace_worker()


@worker_process_init.connect
def send_spans(**kwargs: Any) -> None:
    """Send the spans of a process."""
    from annotation.site.tracing import start_sending

    start_sending("factuary-worker")


@worker_process_shutdown.connect
def send_last_spans(**kwargs: Any) -> None:
    """Send what is left."""
    from annotation.site.tracing import stop_sending

    stop_sending()
