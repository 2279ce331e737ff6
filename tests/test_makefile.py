"""What may be set for `make demo`, in the two ways in which people set it."""

import os
import subprocess
from pathlib import Path

import pytest

CODE = Path(__file__).parents[1]
CHOSEN = {"PORT": "8010", "DATA_DIR": "elsewhere"}


def demo(*arguments: str, **variables: str) -> str:
    """What `make demo` would run."""
    environment = {"PATH": os.environ["PATH"], **variables}
    command = ["make", "--dry-run", *arguments, "demo"]
    return subprocess.run(command, cwd=CODE, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("arguments", "variables"), [([f"{name}={value}" for name, value in CHOSEN.items()], {}), ([], CHOSEN)]
)
def test_port_and_folder_can_be_set_on_the_command_line_and_in_the_environment(arguments, variables):
    assert '--port "8010" --data-dir "elsewhere"' in demo(*arguments, **variables)


def test_without_them_the_demo_has_port_8000_and_the_folder_factuary():
    assert '--port "8000" --data-dir ".factuary"' in demo()
