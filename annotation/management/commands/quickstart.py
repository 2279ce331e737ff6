"""Run a whole site on this machine, with everything it needs, as `make demo` does."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...quickstart.run import Quickstart
from ...quickstart.site import SiteFolder
from ..base_command import FactuaryCommand


class Command(FactuaryCommand):
    help = (
        "Start PostgreSQL, Valkey, the web server, the Celery worker and beat, reachable only from "
        "this machine, and serve until Ctrl-C, SIGTERM or SIGHUP. The data is kept between starts."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=port, default=8000, help="port of the site (8000)")
        parser.add_argument(
            "--data-dir", type=Path, default=Path(".factuary"), help="folder of the site's data (.factuary)"
        )
        parser.add_argument("--no-demo", action="store_true", help="start an empty site with only the admin account")
        parser.add_argument(
            "--dev", action="store_true", help="for development: DEBUG is on, changed code is loaded automatically"
        )
        parser.add_argument(
            "--restore", type=Path, metavar="PATH", help="backup to restore first, into a data folder without a site"
        )
        parser.add_argument(
            "--ready-file",
            type=Path,
            metavar="PATH",
            help="file for a JSON object with url, database_url and broker_url, written when the site answers "
            "and removed when it stops",
        )

    def work(self, **options: Any) -> None:
        site = Quickstart(
            SiteFolder(options["data_dir"].expanduser()),
            options["port"],
            with_demo=not options["no_demo"],
            development=options["dev"],
            ready_file=options["ready_file"],
            restored=options["restore"],
        )
        sys.exit(site.run())


def port(text: str) -> int:
    """Return a port number. Raise ValueError, which argparse turns into its own message."""
    if not 1 <= int(text) <= 65535:
        raise ValueError
    return int(text)
