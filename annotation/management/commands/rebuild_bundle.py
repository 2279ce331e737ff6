from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandParser

from ...exporting.bundle_import import BundleFiles
from ...exporting.rebuilding import rebuild, recompute, wrong_checksums
from ...quickstart.scratch_site import scratch_site
from ..base_command import BAD_INPUT, FactuaryCommand, one_line

SHOWN = 20


class Command(FactuaryCommand):
    help = (
        "Import a bundle into a scratch database of its own PostgreSQL, build its report again with the choices of the "
        "report, and compare it byte for byte, but for the versions of the software and the keyed hash of a bundle "
        "with pseudonyms. Of a bundle or report of an earlier version compare every figure that the files determine, "
        "and list what they do not determine and what changes of methods explain. Exit with 1 on a difference that "
        "nothing explains. The site's database is not used."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="zip of a bundle, or the folder of its files")

    def work(self, **options: Any) -> None:
        files = BundleFiles(options["path"])
        differences = list(wrong_checksums(files))
        lines = [] if differences else ["equal       files and their checksums"]
        with self.progress() as progress, scratch_site():
            call_command("migrate", interactive=False, verbosity=0)
            rebuilt = rebuild(files, progress)
        lines += ["equal       report.json, built again to the same bytes"] if rebuilt.has_same_bytes else []
        lines += [f"explained   {line}" for line in rebuilt.explained]
        lines += [f"not checked {line}, which the files do not determine" for line in rebuilt.not_determined]
        differences += rebuilt.differences
        if rebuilt.explained:
            found = recompute(files)
            lines += [] if found else ["equal       figures of recompute.py, by the methods of the report's version"]
            differences += found
        for line in [*lines, *(f"differs     {line}" for line in differences[:SHOWN])]:
            self.stdout.write(one_line(line))
        if differences:
            self.write_lines([f"{len(differences):,} differences that nothing explains"])
            raise SystemExit(BAD_INPUT)
