import os
import sys
from typing import Any

from django.core.management.base import CommandParser

from ...backup.archive import PASSPHRASE
from ...backup.create import write_backup
from ...jobs import Refused
from ...site.file_storage import whole_file
from ..base_command import FactuaryCommand, add_output


class Command(FactuaryCommand):
    help = (
        "Write the database and the stored files to one file, of one moment, while raters work. If the variable "
        f"{PASSPHRASE} is set, the file is encrypted by it. restore and verify_backup read it (docs/backup.md)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_output(parser)

    def work(self, **options: Any) -> None:
        output, passphrase = options["output"], os.environ.get(PASSPHRASE, "")
        if output is None and sys.stdout.isatty():
            raise Refused(["a backup cannot be written to a terminal: name a file with --output"])
        with self.progress() as progress:
            if output is None:
                manifest = write_backup(sys.stdout.buffer, passphrase, progress)
                sys.stdout.buffer.flush()
            else:
                try:
                    with whole_file(output, private=True) as file:
                        manifest = write_backup(file, passphrase, progress)
                except OSError as error:
                    raise Refused([f"{output}: cannot be written: {error.strerror or error}"]) from None
        files = f"{sum(manifest.rows.values()):,} rows, {len(manifest.files):,} files"
        self.write_lines([f"{files}, {'encrypted' if passphrase else 'not encrypted'}"])
        self.write_lines(f"missing, so the backup does not have it: {name}" for name in manifest.missing_files)
