"""Settings of the web server, read by gunicorn automatically. WEB_CONCURRENCY sets the number of processes."""

import gc
import os
from typing import Any

from annotation.site.telemetry import is_traced

hosts = (os.environ.get("WEB_HOST") or "0.0.0.0").split(",")  # noqa: S104 - behind a proxy, or in a container
bind = [f"{host.strip()}:{os.environ.get('PORT') or 8000}" for host in hosts]
workers = int(os.environ.get("WEB_CONCURRENCY") or min(4, os.cpu_count() or 1))
# Threads, which get a request when it has arrived.
worker_class = "annotation.site.web_worker.ArrivalWorker"
threads = 4
# Loading the site before forking shares its memory, and invalid settings end the start with one line.
preload_app = True
timeout = 60
graceful_timeout = 5
max_requests = 20_000
max_requests_jitter = 2_000
# Longer than a proxy's timeout, so that the proxy closes the connection.
keepalive = 75
control_socket_disable = True
# Heartbeats are files: in memory, so that a busy disk does not look like a dead process.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108 - file names are unique
# No statement of a request takes longer: what does is cancelled, and the page answers 503. Leads' transactions get more
# (annotation/site/database_transactions.py). Long work is a job of the worker, which has no limit. PGOPTIONS, or
# `options` in DATABASE_URL, set another one.
os.environ.setdefault("PGOPTIONS", "-c statement_timeout=10s")
wsgi_app = "annotation.wsgi:application"


def on_starting(_server: Any) -> None:
    """Leave what is loaded out of garbage collection, whose marks would copy it into each process."""
    gc.collect()
    gc.freeze()


metrics_port = int(os.environ.get("METRICS_PORT") or 0)
if metrics_port:
    # A second socket for metrics, which annotation/wsgi.py tells from the first by its port.
    from annotation.site import metrics_server

    bind.append(f"{os.environ.get('METRICS_HOST') or '127.0.0.1'}:{metrics_port}")
    metrics_server.make_folder()

    def pre_fork(server, worker) -> None:
        """Choose the files in which the new process counts."""
        names = [other.metrics_name for other in server.WORKERS.values()]
        worker.metrics_name = metrics_server.unused_name(names, "web")

    def on_exit(server) -> None:
        """Delete the folder of these files."""
        metrics_server.delete_folder()


def post_fork(_server: Any, worker: Any) -> None:
    """Count in the files of the process, and send its spans."""
    if metrics_port:
        from annotation.site.metrics import set_process_name

        set_process_name(worker.metrics_name)
    if is_traced():
        from annotation.site.tracing import start_sending

        start_sending("factuary-web")


def worker_exit(_server: Any, _worker: Any) -> None:
    """Send the last spans."""
    if is_traced():
        from annotation.site.tracing import stop_sending

        stop_sending()
