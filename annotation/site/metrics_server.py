"""Serve metrics on a port of their own: of the web server by a second socket, of the worker by a thread.

A process counts, and loads Prometheus, only if METRICS_PORT (web server) or WORKER_METRICS_PORT (worker) is set; its
first process then names the folder in which all its processes count.

The web server's second socket is answered by the same processes; the address of the socket, which no header can set,
tells which of the two applications is meant. So metrics are never on the public port.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.registry import Collector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
PATH = "/metrics"
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def is_measured() -> bool:
    """Return whether this process counts."""
    return FOLDER in os.environ


def make_folder() -> str:
    """Make the folder in which the processes count, for this and all processes that it starts; return it."""
    folder = tempfile.mkdtemp(prefix="factuary-metrics-")
    os.environ[FOLDER] = folder
    return folder


def delete_folder() -> None:
    """Delete the folder, when the first process ends."""
    shutil.rmtree(os.environ.pop(FOLDER, ""), ignore_errors=True)


def unused_name(names: Iterable[str], prefix: str) -> str:
    """Return the first name that is not among `names`, those of running processes."""
    used = set(names)
    return next(name for n in range(1, len(used) + 2) if (name := f"{prefix}{n}") not in used)


def with_metrics(site: Application, port: int, state: "Collector") -> Application:
    """Return an application that answers requests to the socket of `port` with metrics, and others with the site.

    The metrics are what the processes have counted, and those of `state`.
    """

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["SERVER_PORT"] != str(port):
            return site(environ, start_response)
        if environ["PATH_INFO"] != PATH or environ["REQUEST_METHOD"] != "GET":
            start_response("404 Not Found", [("Content-Type", "text/plain")])
            return [f"The metrics are at {PATH}.\n".encode()]
        from django.db import close_old_connections
        from prometheus_client.exposition import make_wsgi_app

        close_old_connections()
        body = make_wsgi_app(_registry(state))(environ, start_response)
        close_old_connections()
        return body

    return application


def serve_worker_metrics(host: str, port: int) -> None:
    """Serve what this worker's processes have counted, from a thread."""
    from prometheus_client import start_http_server

    start_http_server(port, addr=host, registry=_registry())


def _registry(*collectors: "Collector") -> "CollectorRegistry":
    """Return a registry of what all processes have counted, and of `collectors`."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    for collector in collectors:
        registry.register(collector)
    return registry
