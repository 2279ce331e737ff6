import os
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...backup.archive import PASSPHRASE
from ...backup.restore import restore_backup
from ..base_command import FactuaryCommand


class Command(FactuaryCommand):
    help = (
        "Check a backup, restore it into an empty database, and migrate it if it is of an older version. Stop web, "
        f"worker and beat first. An encrypted backup needs the variable {PASSPHRASE} (docs/backup.md)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="file of a backup")
        parser.add_argument("--replace", action="store_true", help="delete all data that the database has")

    def work(self, **options: Any) -> None:
        path, passphrase = options["path"], os.environ.get(PASSPHRASE, "")
        with self.progress() as progress:
            manifest = restore_backup(path, passphrase, replace=options["replace"], progress=progress)
        rows, files = sum(manifest.rows.values()), len(manifest.files)
        self.write_lines([f"restored {rows:,} rows and {files:,} files of {manifest.created_at}"])
