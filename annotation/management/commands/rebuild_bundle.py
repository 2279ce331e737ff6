"""Build the report of a bundle again in a scratch database, and compare."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandParser

from ...exporting.bundle_import import BundleFiles
from ...exporting.rebuilding import rebuild, wrong_checksums
from ...quickstart.scratch_site import scratch_site
from ..base_command import BAD_INPUT, FactuaryCommand

SHOWN = 20


class Command(FactuaryCommand):
    help = (
        "Import a bundle into a scratch database of its own PostgreSQL, build its report again with the choices of the "
        "report, and compare it byte for byte, without the versions of the software and the keyed hash of a bundle with "
        "pseudonyms. Of a bundle of an earlier version, compare every figure that its files determine, and list what "
        "they do not determine and what a change of a method explains. Exit with 1 on a difference that nothing "
        "explains. The site's database is not used."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="zip of a bundle, or the folder of its files")

    def work(self, **options: Any) -> None:
        files = BundleFiles(options["path"])
        differences = list(wrong_checksums(files))
        if not differences:
            self.stdout.write("equal      files and their checksums")
        with self.progress() as progress, scratch_site():
            call_command("migrate", interactive=False, verbosity=0)
            rebuilt = rebuild(files, progress)
        if rebuilt.has_same_bytes:
            self.stdout.write("equal      report.json, built again to the same bytes")
        differences += rebuilt.differences
        self.stdout.write("\n".join(f"explained  {line}" for line in rebuilt.explained))
        self.stdout.write("\n".join(f"no data    {line}" for line in rebuilt.not_determined))
        self.stdout.write("\n".join(f"differs    {line}" for line in differences[:SHOWN]))
        if differences:
            self.write_lines([f"{len(differences):,} differences that nothing explains"])
            raise SystemExit(BAD_INPUT)
