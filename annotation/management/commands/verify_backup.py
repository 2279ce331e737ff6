import os
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...backup.archive import PASSPHRASE, check_archive
from ...backup.restore import refuse_newer
from ...backup.verify import Outcome, compare_restored
from ...quickstart.scratch_site import scratch_site
from ..base_command import BAD_INPUT, FactuaryCommand


class Command(FactuaryCommand):
    help = (
        "Check all hashes of a backup, restore it into a scratch database of its own PostgreSQL, compare the rows of "
        "each table with the manifest and the tally with a recount, and rebuild a frozen report. Print what was "
        "compared, and warn of what was not; exit with 1 on any difference. The site's database is not used."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="file of a backup")

    def work(self, **options: Any) -> None:
        path, passphrase = options["path"], os.environ.get(PASSPHRASE, "")
        manifest = check_archive(path, passphrase)
        refuse_newer(path, manifest)
        self.stdout.write(f"equal    hashes of the dump and of {len(manifest.files):,} files")
        differences, not_checked = 0, []
        with self.progress() as progress, scratch_site():
            for compared in compare_restored(path, passphrase, manifest, progress):
                self.stdout.write(f"{compared.outcome:<8} {compared.text}")
                differences += compared.outcome == Outcome.DIFFERS
                not_checked += [compared.text] if compared.outcome == Outcome.NOT_CHECKED else []
        self.write_lines(f"warning: not checked: {text}" for text in not_checked)
        if differences:
            self.write_lines([f"{differences:,} differences between the backup and what was restored from it"])
            raise SystemExit(BAD_INPUT)
