"""Backing out of an upgrade as docs/backup.md describes it: the dump from before, restored over the upgraded site."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.site.postgres_programs import PROGRAMS
from tests import conftest
from tests.documented_commands import code_blocks, inline_command, replaced
from tests.upgrade.upgraded import QUERIES, UpgradedSite

IN_CONTAINER = "docker compose exec -T postgres "
SCHEMA = """
    SELECT table_name::text, column_name::text, data_type::text, is_nullable::text FROM information_schema.columns
    WHERE table_schema = 'public'
    UNION ALL SELECT tgrelid::regclass::text, tgname::text, pg_get_triggerdef(oid), '' FROM pg_trigger
    WHERE NOT tgisinternal
    ORDER BY 1, 2, 3
"""
MIGRATIONS = "SELECT app, name FROM django_migrations ORDER BY 1, 2"
NAMES = "SELECT username FROM annotation_user ORDER BY 1"


@pytest.fixture
def site() -> Iterator[UpgradedSite]:
    """Return a site as 0.7.1 left it, without a web server."""
    with UpgradedSite(f"backed_out_{os.getpid()}").removed_afterwards() as site:
        site.create_database()
        site.fill()
        yield site


def test_the_dump_from_before_the_upgrade_brings_0_7_1_back(site: UpgradedSite, tmp_path: Path) -> None:
    def shell(command: str) -> None:
        """Run a documented command on this database, without the container around it."""
        command = command.replace(IN_CONTAINER, "").replace("--username postgres", "--username " + conftest.ROLE)
        environment = {"PATH": f"{PROGRAMS}:{os.environ['PATH']}", "PGHOST": str(conftest.scratch.server.sockets)}
        done = subprocess.run(
            ["sh", "-eu", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr

    def contents() -> dict[str, list[tuple]]:
        queries = QUERIES | {"schema": SCHEMA, "migrations": MIGRATIONS, "names": NAMES}
        return {name: site.rows(query) for name, query in queries.items()}

    before = contents()
    dump = inline_command("backup.md", f"{IN_CONTAINER}pg_dump")
    shell(replaced(dump, {"custom factuary": f"custom {site.database}"}))

    site.become_copy_of_upgraded()
    site.execute("UPDATE annotation_user SET username = 'of_the_new_version' WHERE username = 'rosa'")
    upgraded = site.rows(MIGRATIONS)
    assert upgraded != before["migrations"]

    *_, steps = code_blocks("backup.md", "Upgrade, and back out")
    names = {"--force factuary": f"--force {site.database}", "--owner factuary factuary": site.database}
    names |= {"--role factuary --dbname factuary": f"--dbname {site.database}"}
    shell(replaced(steps, names))
    assert contents() == before

    # And the upgrade can be tried again.
    site.manage(["migrate", "--verbosity", "0"], ["check_tallies"])
    assert site.rows(MIGRATIONS) == upgraded
    assert site.rows(NAMES) == before["names"]
