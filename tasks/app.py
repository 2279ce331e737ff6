"""The Celery application of the worker: `python -m tasks worker`.

Every module of this package is loaded, so a new one needs no registration.
"""

import gc
import os
import pkgutil
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import before_task_publish, task_prerun, worker_before_create_process

from annotation.site.telemetry import is_traced
from tasks.broker import use_transport

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")

use_transport()
app = Celery("factuary")
app.config_from_object("django.conf:settings", namespace="CELERY")

NO_TASKS = {"__main__", "app", "beat", "broker", "worker_metrics", "worker_tracing"}
JOB_MODULES = [
    f"tasks.{module.name}"
    for module in pkgutil.iter_modules([str(Path(__file__).parent)])
    if module.name not in NO_TASKS
]
app.conf.imports = JOB_MODULES

if int(os.environ.get("WORKER_METRICS_PORT") or 0):
    from tasks import worker_metrics  # noqa: F401 - connects its signals

if is_traced():
    from tasks import worker_tracing  # noqa: F401 - connects its signals

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
