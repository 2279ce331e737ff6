"""The site in a process of its own on a test's database, so that a test can kill it.

The process is a fork of one that has imported this module, with the environment of the running suite.
"""

from tests import conftest  # the suite's settings, before anything of Django

assert not conftest.starts_the_servers, "this runs beside a suite, which names its servers in the environment"

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.db import connection
from django.urls import get_resolver

URLS = get_resolver().url_patterns  # imports all views


class QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Log no request."""


def serve(port: int, database: str) -> None:
    """Serve the database on the port until the process is killed."""
    connection.settings_dict["NAME"] = database
    server = ThreadedWSGIServer(("127.0.0.1", port), QuietHandler)
    server.set_app(StaticFilesHandler(WSGIHandler()))
    server.serve_forever()
