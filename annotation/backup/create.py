"""Write a backup of the database and the stored files, of one snapshot, while the site is used."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC
from typing import IO

from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from .. import __version__
from ..jobs import Progress, Refused
from ..models import Export, Upload
from ..site.database_clock import database_now
from ..site.database_transactions import one_snapshot
from ..site.postgres_programs import ProgramMissingError, connection_arguments, find_program
from .archive import SCHEMA, ArchiveWriter, Manifest, Member
from .encryption import Writable

PIECE = 1 << 20


def write_backup(sink: Writable, passphrase: str = "", progress: Progress | None = None) -> Manifest:
    """Write a backup to `sink`, encrypted if there is a passphrase, and return its manifest.

    Raises Refused if pg_dump is missing or fails, and OSError if the sink does, as with a full disk.
    """
    progress = progress or Progress()
    program = program_path("pg_dump")
    archive = ArchiveWriter(sink, passphrase)
    try:
        with one_snapshot():
            with connection.cursor() as cursor:
                # No time-out ends the transaction, whose snapshot pg_dump reads by this name.
                cursor.execute("SET LOCAL statement_timeout = 0")
                cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
                cursor.execute("SELECT pg_export_snapshot(), pg_database_size(current_database())")
                snapshot, size = cursor.fetchone()  # in bytes; an upper bound for progress: a dump has no indexes
            created_at, rows, names = database_now().astimezone(UTC), count_rows(), stored_names()
            progress(0, size, "Copying files")
            files: dict[str, Member] = {}
            missing = []
            for name in names:
                try:
                    with default_storage.open(name) as file:
                        files[name] = archive.add_file(name, file, file.size)
                except FileNotFoundError:
                    missing.append(name)
                progress(archive.written, size)
            progress(archive.written, size, "Copying database")
            database = archive.add_database(_dump(program, snapshot, lambda: progress(archive.written, size)))
            manifest = Manifest(
                schema=SCHEMA,
                factuary=__version__,
                postgresql=_setting("server_version"),
                created_at=created_at.isoformat(timespec="seconds"),
                migrations=sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()),
                rows=rows,
                database=database,
                files=files,
                missing_files=missing,
            )
        archive.close(manifest)
        return manifest
    except BaseException:
        archive.abandon()
        raise


def count_rows() -> dict[str, int]:
    with connection.cursor() as cursor:
        names = sorted(table.name for table in connection.introspection.get_table_list(cursor) if table.type == "t")
        counts = {}
        for name in names:
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(name)}")  # noqa: S608 - a quoted name
            counts[name] = int(cursor.fetchone()[0])
    return counts


def stored_names() -> list[str]:
    """Return the names of stored files that rows name: files without a row are remains."""
    names = [model.objects.exclude(file="").values_list("file", flat=True) for model in (Upload, Export)]
    return sorted({name for rows in names for name in rows})


def _dump(program: str, snapshot: str, on_piece: Callable[[], None]) -> Iterator[bytes]:
    """Yield the dump of the snapshot. Raises Refused if pg_dump fails."""
    target, password = connection_arguments(connection.settings_dict)
    arguments = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--dbname={target}"]
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(  # noqa: S603 - a program of PostgreSQL, its arguments as a list
            [program, *arguments], stdout=subprocess.PIPE, stderr=errors, env=os.environ | password
        ) as dump:
            try:
                assert dump.stdout is not None
                while piece := dump.stdout.read(PIECE):
                    yield piece
                    on_piece()
            except BaseException:
                dump.kill()
                raise
        if dump.returncode:
            raise Refused([f"pg_dump failed: {last_line(errors)}"])


def last_line(errors: IO[bytes]) -> str:
    """Return the last line that a program wrote to its standard error."""
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "no reason given"


def program_path(name: str) -> str:
    """Return the path of a program of PostgreSQL that fits the server. Raises Refused."""
    try:
        return str(find_program(name, int(_setting("server_version_num")) // 10_000))
    except ProgramMissingError as error:
        raise Refused([str(error)]) from None


def _setting(name: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s)", [name])
        return str(cursor.fetchone()[0])
