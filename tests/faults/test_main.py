"""The short form of `make faults`: parts killed one by one and all at once, the database restarted, under load."""

import json
import os
import subprocess
import sys

from faults.__main__ import COLUMNS, table
from tests.conftest import CODE


def test_the_promises_are_kept_while_parts_are_killed_and_the_database_restarts():
    command = [sys.executable, "-m", "faults", "--short"]
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    done = subprocess.run(command, cwd=CODE, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout, done.stderr[-3000:])
    [result] = [json.loads(line) for line in done.stdout.splitlines()]
    assert result["saves"] > 100
    assert (result["lost"], result["doubled"], result["over_assigned"], result["tallies_unequal"]) == (0, 0, 0, 0)
    assert (result["jobs"], result["jobs_stuck"], result["kept"]) == (3, 0, True)
    assert result["answers"]["503"] > 0


def test_the_table_names_a_broken_promise():
    result = dict.fromkeys(COLUMNS, 1) | {"scenario": "power cut", "kept": False, "answers": {"200": 3}}
    result["longest_gap"] = 2.5
    assert table([result]).splitlines()[-1] == "| power cut | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 2.5 | 200: 3 | **no** |"
