"""Restore a backup: stored files first, then the database in one transaction, so that a failure changes no row."""

import os
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO, cast

from django.core.files import File
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from .. import __version__
from ..jobs import Progress, Refused
from ..models import Dataset, Project, User
from ..site.postgres_programs import connection_arguments
from .archive import DATABASE, FILES, Manifest, check_archive, open_archive
from .create import last_line, program_path

PIECE = 1 << 20
# Everything of the schema is dropped, and not the schema, which keeps its owner and rights.
DROP_ALL = """
DO $$
DECLARE found record;
BEGIN
    FOR found IN SELECT quote_ident(c.relname) AS name, c.relkind FROM pg_catalog.pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    LOOP
        EXECUTE format('DROP %s IF EXISTS public.%s CASCADE', CASE found.relkind WHEN 'v' THEN 'VIEW'
            WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END, found.name);
    END LOOP;
    FOR found IN SELECT format('%I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) AS name
        FROM pg_catalog.pg_proc p WHERE p.pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    LOOP
        EXECUTE format('DROP ROUTINE IF EXISTS public.%s CASCADE', found.name);
    END LOOP;
    FOR found IN SELECT quote_ident(s.relname) AS name FROM pg_catalog.pg_class s
        WHERE s.relnamespace = 'public'::regnamespace AND s.relkind = 'S'
    LOOP
        EXECUTE format('DROP SEQUENCE IF EXISTS public.%s CASCADE', found.name);
    END LOOP;
END $$;
"""


def restore_backup(
    path: Path, passphrase: str = "", *, replace: bool = False, progress: Progress | None = None
) -> Manifest:
    """Check the backup, restore it into the database of the settings, and migrate. Return its manifest.

    Raises Refused, before anything is changed, if the backup is damaged or of a newer version, if the database is in
    use by other programs, or if it has data and `replace` is False.
    """
    progress = progress or Progress()
    manifest = check_archive(path, passphrase)
    refuse_newer(path, manifest)
    _check_target(replace)
    restore_contents(path, passphrase, manifest, progress)
    call_command("migrate", interactive=False, verbosity=0)
    return manifest


def restore_contents(path: Path, passphrase: str, manifest: Manifest, progress: Progress) -> None:
    """Restore files and database as they are in the backup, without checks and migrations."""
    total = manifest.database.size + sum(member.size for member in manifest.files.values())
    done = 0
    restoring: _DatabaseRestore | None = None
    with open_archive(path, passphrase) as members:
        try:
            for name, content in members:
                if name.startswith(FILES):
                    done += _store(name.removeprefix(FILES), content, manifest)
                elif name.startswith(DATABASE):
                    restoring = restoring or _DatabaseRestore()
                    done += restoring.feed(content)
                progress(done, total, "Restoring")
        except BaseException:
            if restoring:
                restoring.abandon()
            raise
    if restoring is None:
        raise Refused([f"{path}: has no dump of a database"])
    restoring.commit()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def refuse_newer(path: Path, manifest: Manifest) -> None:
    """Raise Refused if the backup has migrations that this version does not know, or is of a newer version."""
    loader = MigrationLoader(None)
    migrations = {
        *loader.graph.nodes,
        *(key for migration in loader.disk_migrations.values() for key in migration.replaces),
    }
    apps = {app for app, _name in migrations}
    unknown = [name for name in manifest.migrations if name.split(".")[0] in apps]
    unknown = [name for name in unknown if tuple(name.split(".", 1)) not in migrations]
    theirs, ours = (
        [int(part) for part in version.split(".") if part.isdecimal()] for version in (manifest.factuary, __version__)
    )
    if unknown or theirs > ours:
        raise Refused(
            [f"{path}: is of Factuary {manifest.factuary}, and this is {__version__}: restore it with that version"]
        )


def _check_target(replace: bool) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        others = cursor.fetchone()[0]
        tables = set(connection.introspection.table_names(cursor))
    own = (User, Dataset, Project)
    is_of_another = bool(tables) and not {model._meta.db_table for model in own} <= tables
    if not replace and (is_of_another or (tables and any(model.objects.exists() for model in own))):
        remedy = "restore into an empty database, or replace everything in this one with --replace"
        raise Refused([f"the database has data, and nothing was changed: {remedy}"])
    if others:
        remedy = "stop web, worker and beat first (a quickstart site: restore into a new folder, docs/backup.md)"
        raise Refused([f"{others} other connections use the database, and nothing was changed: {remedy}"])


def _store(name: str, content: IO[bytes], manifest: Manifest) -> int:
    """Store a file under its name; the file of an interrupted restore is replaced."""
    if default_storage.exists(name):
        default_storage.delete(name)
    stored = default_storage.save(name, File(cast(IO[bytes], _Chunks(content)), name))
    if stored != name:
        raise Refused([f"the file {name} was stored as {stored}: another program writes to the same folder"])
    return manifest.files[name].size


class _Chunks:
    """A stream that Django's storage reads to its end: it is not rewound."""

    def __init__(self, content: IO[bytes]):
        self._content = content
        self.closed = False

    def read(self, size: int = -1) -> bytes:
        return self._content.read(size)

    def seekable(self) -> bool:
        return False


class _DatabaseRestore:
    """Programs that restore a dump: pg_restore turns it into SQL, psql runs it in a transaction.

    psql would commit at the end of its input, even if pg_restore had failed; so COMMIT is sent only after pg_restore
    has succeeded.
    """

    def __init__(self) -> None:
        target, password = connection_arguments(connection.settings_dict)
        connection.close()
        self._errors = {name: tempfile.TemporaryFile() for name in ("pg_restore", "psql")}  # noqa: SIM115 - see _close
        self._psql = subprocess.Popen(  # noqa: S603 - a program of PostgreSQL, its arguments as a list
            [program_path("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", f"--dbname={target}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors["psql"],
            env=os.environ | password,
        )
        self._restore = subprocess.Popen(  # noqa: S603 - a program of PostgreSQL, its arguments as a list
            [program_path("pg_restore"), "--no-owner", "--no-privileges", "--file=-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors["pg_restore"],
        )
        self._relay = threading.Thread(target=self._pass_on, name="restore")
        self._relay.start()

    def feed(self, content: IO[bytes]) -> int:
        """Pass on a part of the dump; return its size. Raises Refused if a program has ended."""
        size = 0
        assert self._restore.stdin is not None
        try:
            while piece := content.read(PIECE):
                self._restore.stdin.write(piece)
                size += len(piece)
        except BrokenPipeError:
            raise Refused([self._reason()]) from None
        return size

    def commit(self) -> None:
        """Wait for the end of the dump and commit. Raises Refused; then nothing has changed in the database."""
        assert self._restore.stdin is not None and self._psql.stdin is not None
        try:
            self._restore.stdin.close()
            self._relay.join()
            if self._restore.wait() == 0:
                self._psql.stdin.write(b"COMMIT;\n")
            self._psql.stdin.close()
        except BrokenPipeError:
            pass
        if self._psql.wait() or self._restore.wait():
            raise Refused([self._reason()])

    def abandon(self) -> None:
        """End both programs; the transaction is rolled back."""
        self._psql.kill()
        self._restore.kill()
        self._relay.join()
        self._psql.wait()
        self._restore.wait()

    def _pass_on(self) -> None:
        assert self._restore.stdout is not None and self._psql.stdin is not None
        try:
            self._psql.stdin.write(b"BEGIN;\n" + DROP_ALL.encode())
            while piece := self._restore.stdout.read(PIECE):
                self._psql.stdin.write(piece)
            self._psql.stdin.flush()
        except BrokenPipeError:
            self._restore.kill()

    def _reason(self) -> str:
        reasons = [
            f"{name}: {last_line(file)}" for name, file in self._errors.items() if file.tell() or file.seek(0, 2)
        ]
        return f"the database was not changed: {'; '.join(reasons) or 'a program ended'}"
