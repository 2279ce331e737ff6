import os
import sys
from typing import Any

from django.core.management.base import CommandParser

from ...quickstart.__main__ import add_arguments
from ..base_command import FactuaryCommand


class Command(FactuaryCommand):
    help = (
        "Start PostgreSQL, Valkey, the web server, the Celery worker and beat, reachable only from "
        "this machine, and serve until Ctrl-C, SIGTERM or SIGHUP. The data is kept between starts."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_arguments(parser)

    def work(self, **_options: Any) -> None:
        """Go on as `python -m annotation.quickstart`, with the arguments that were just checked."""
        os.execv(sys.executable, [sys.executable, "-m", "annotation.quickstart", *sys.argv[2:]])  # noqa: S606 - this Python, no shell  # nosec B606
