"""The site in a process of its own on a test's database, so that a test can kill it.

`python -m tests.browser.server PORT DATABASE`, with the environment of a running suite.
"""

import sys

from tests import conftest  # the suite's settings, before anything of Django

assert not conftest.starts_the_servers, "this runs beside a suite, which names its servers in the environment"

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.db import connection


class QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing of each request."""


connection.settings_dict["NAME"] = sys.argv[2]
server = ThreadedWSGIServer(("127.0.0.1", int(sys.argv[1])), QuietHandler)
server.set_app(StaticFilesHandler(WSGIHandler()))
server.serve_forever()
