"""The Celery application of the worker: `python -m tasks worker`."""

import gc
import os
from typing import Any

from celery import Celery
from celery.signals import before_task_publish, task_prerun, worker_before_create_process

import annotation.site.telemetry  # noqa: F401 - before tasks.broker loads redis: it hides OpenTelemetry
from tasks.broker import use_transport

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")

use_transport()
app = Celery("factuary")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.imports = ["tasks.jobs", "tasks.schedule", "tasks.worker_signals"]

if os.environ.get("FACTUARY_RUN_AS", "server") == "server":
    # The log's context, with the id of the request, goes with each task and is bound while it runs.
    from django_structlog.celery.receivers import CeleryReceiver

    log_context = CeleryReceiver()
    before_task_publish.connect(log_context.receiver_before_task_publish)
    task_prerun.connect(log_context.receiver_task_prerun)


@worker_before_create_process.connect
def keep_memory_shared(**_options: Any) -> None:
    """Leave what is loaded out of garbage collection, whose marks would copy it into each process."""
    gc.freeze()
