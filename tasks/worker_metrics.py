"""Metrics of a worker (WORKER_METRICS_PORT): its processes count in a common folder, and the first one serves them.

Imported by tasks/app.py if the port is set; Celery sends these signals in workers only.
"""

from typing import Any

from celery.signals import celeryd_init, worker_process_init, worker_ready, worker_shutdown
from django.conf import settings

from annotation.site.metrics_server import delete_folder, make_folder, serve_worker_metrics


@celeryd_init.connect
def start_counting(**kwargs: Any) -> None:
    """Make the folder before the worker's processes start."""
    make_folder()


@worker_process_init.connect
def count_in_own_files(**kwargs: Any) -> None:
    """Give a process the place of the one that it replaces."""
    from billiard.process import current_process

    from annotation.site.metrics import set_process_name

    set_process_name(f"worker{current_process().index + 1}")


@worker_ready.connect
def serve(**kwargs: Any) -> None:
    """Serve the metrics of all processes."""
    serve_worker_metrics(settings.METRICS_HOST, settings.WORKER_METRICS_PORT)


@worker_shutdown.connect
def end(**kwargs: Any) -> None:
    """Delete the folder."""
    delete_folder()
