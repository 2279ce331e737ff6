"""Backing out of an upgrade as docs/backup.md describes it: the dump from before, restored over the upgraded site."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from annotation.site.postgres_programs import PROGRAMS
from tests import conftest
from tests.documented_commands import code_blocks, inline_command, replaced
from tests.upgrade.upgraded import QUERIES, UpgradedSite, recorded

pytestmark = pytest.mark.slow

IN_CONTAINER = "docker compose exec -T postgres "
SCHEMA = """
    SELECT table_name::text, column_name::text, data_type::text, is_nullable::text FROM information_schema.columns
    WHERE table_schema = 'public'
    UNION ALL SELECT tgrelid::regclass::text, tgname::text, pg_get_triggerdef(oid), '' FROM pg_trigger
    WHERE NOT tgisinternal
    ORDER BY 1, 2, 3
"""
MIGRATIONS = "SELECT app, name FROM django_migrations ORDER BY 1, 2"


class SiteBefore(UpgradedSite):
    """A database as 0.7.1 left it, without a web server."""

    def start(self) -> None:
        with psycopg.connect(conftest.scratch.database_url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {self.database}")
        self.execute(recorded("site.sql"))

    def shell(self, command: str, folder: Path) -> None:
        """Run a documented command on this database, without the container around it."""
        command = command.replace(IN_CONTAINER, "").replace("--username postgres", "--username " + conftest.ROLE)
        environment = {"PATH": f"{PROGRAMS}:{os.environ['PATH']}", "PGHOST": str(conftest.scratch.server.sockets)}
        done = subprocess.run(["sh", "-eu", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.fixture
def site(tmp_path: Path) -> Iterator[SiteBefore]:
    site = SiteBefore(tmp_path, f"backed_out_{os.getpid()}")
    site.start()
    yield site
    site.stop()


def test_the_dump_from_before_the_upgrade_brings_0_7_1_back(site: SiteBefore, tmp_path: Path) -> None:
    def contents() -> dict[str, list[tuple]]:
        queries = QUERIES | {"schema": SCHEMA, "migrations": MIGRATIONS}
        return {name: site.rows(query) for name, query in queries.items()}

    before = contents()
    dump = inline_command("backup.md", f"{IN_CONTAINER}pg_dump")
    site.shell(replaced(dump, {"custom factuary": f"custom {site.database}"}), tmp_path)

    site.manage(["migrate", "--verbosity", "0"], ["create_user", "only_in_the_new_version"])
    upgraded = site.rows(MIGRATIONS)
    assert upgraded != before["migrations"]

    *_, steps = code_blocks("backup.md", "Upgrade, and back out")
    names = {"--force factuary": f"--force {site.database}", "--owner factuary factuary": site.database}
    names |= {"--role factuary --dbname factuary": f"--dbname {site.database}"}
    site.shell(replaced(steps, names), tmp_path)
    assert contents() == before

    # And the upgrade can be tried again.
    site.manage(["migrate", "--verbosity", "0"], ["check_tallies"])
    assert site.rows(MIGRATIONS) == upgraded
    assert site.rows("SELECT username FROM annotation_user WHERE username = 'only_in_the_new_version'") == []
