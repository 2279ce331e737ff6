"""A site with ratings and stored files, its backup, and an empty database to restore into."""

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.files.base import ContentFile
from django.db import connection

from annotation.backup.create import write_backup
from annotation.models import Upload
from annotation.quickstart.postgres import SUPERUSER
from annotation.site.file_storage import whole_file
from tests import conftest
from tests.cast import person
from tests.reporting.project_rows import project_of, worked_example

CONTENT = b"a file to import" * 1000


@pytest.fixture
def only_connection(transactional_db) -> None:
    """End the connections that threads of earlier tests have left: a database in use is not restored."""
    connection.ensure_connection()
    own = [connection.settings_dict["NAME"], connection.connection.info.backend_pid]
    with psycopg.connect(conftest.scratch.server.url(SUPERUSER, SUPERUSER), autocommit=True) as superuser:
        superuser.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = %s AND pid <> %s AND backend_type = 'client backend'",
            own,
        )


@pytest.fixture
def site(only_connection, settings, tmp_path) -> Path:
    """Store the worked example and an upload; return the folder of stored files."""
    settings.MEDIA_ROOT = tmp_path / "media"
    project_of(worked_example())
    upload = Upload(name="data.jsonl", size=len(CONTENT), sha256="0" * 64, uploaded_by=person("ada", admin=True))
    upload.file.save("stored", ContentFile(CONTENT))
    return settings.MEDIA_ROOT


@pytest.fixture
def backup(site, tmp_path) -> Path:
    path = tmp_path / "site.backup"
    with whole_file(path) as file:
        write_backup(file)
    return path


@pytest.fixture
def empty_site(site, request, settings, tmp_path) -> Iterator[Path]:
    """Use an empty database and folder from here on; return the folder."""
    for name in {"backup", "during", "judged"} & set(request.fixturenames):
        request.getfixturevalue(name)
    own, name = connection.settings_dict["NAME"], f"restored_{os.getpid()}"
    connection.close()
    settings.MEDIA_ROOT = tmp_path / "restored"
    with psycopg.connect(conftest.scratch.database_url(), autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {name}")
        connection.settings_dict["NAME"] = name
        yield settings.MEDIA_ROOT
        connection.close()
        connection.settings_dict["NAME"] = own
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")
