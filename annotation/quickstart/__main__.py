"""Run a quickstart site: `manage.py quickstart` in a process of its own, without Django, which takes less memory."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from annotation.quickstart.run import Quickstart
from annotation.site.quickstart_site import SiteFolder


def add_arguments(parser: ArgumentParser) -> None:
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


def port(text: str) -> int:
    """Return a port number. Raise ValueError, which argparse turns into its own message."""
    if not 1 <= int(text) <= 65535:
        raise ValueError
    return int(text)


def main(arguments: list[str]) -> int:
    """Serve until asked to stop; return the exit status."""
    parser = ArgumentParser()
    add_arguments(parser)
    options, _of_django = parser.parse_known_args(arguments)
    site = Quickstart(
        SiteFolder(options.data_dir.expanduser()),
        options.port,
        with_demo=not options.no_demo,
        development=options.dev,
        ready_file=options.ready_file,
        restored=options.restore,
    )
    return site.run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
