"""A command as a program of its own: data and messages apart, and no traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"


def manage(*arguments: object, **options) -> subprocess.CompletedProcess:
    """Run `manage.py` as a program of its own on this test's database."""
    from tests.conftest import scratch

    here = scratch.database_url(connection.settings_dict["NAME"])
    environment = {**os.environ, "DATABASE_URL": here, "FACTUARY_RUN_AS": "command"}
    command = [sys.executable, "manage.py", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=300, **options)


@pytest.mark.django_db(transaction=True)
def test_as_a_program_it_prints_data_and_messages_apart_and_survives_a_closed_pipe():
    done = manage("import_dataset", "jsonl", FIXTURES / "jsonl" / "dataset.jsonl", "--dataset", "tea", "--json")
    assert (done.returncode, json.loads(done.stdout)["new"]) == (0, 12)
    done = manage("import_dataset", "jsonl", FIXTURES / "qasper" / "broken.json", "--dataset", "tea")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"Traceback" not in done.stderr
    done = manage("import_dataset", "jsonl", b"\xff".decode(errors="surrogateescape"), "--dataset", "\udcff")
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
