"""Commands of a version of the program, run in one process of that version: starting it takes seconds."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

IN_ONE_PROCESS = """
import json, sys
import django
from django.core.management import call_command
django.setup()
for arguments in json.load(sys.stdin):
    call_command(*arguments)
"""


def run_commands(python: str, tree: Path, environment: Mapping[str, str], commands: Sequence[Sequence[str]]) -> str:
    """Run management commands of the code under `tree`, one after the other; return what they print."""
    done = subprocess.run(
        [python, "-c", IN_ONE_PROCESS],
        cwd=tree, env=dict(environment), input=json.dumps(commands), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout
