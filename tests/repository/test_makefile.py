"""The targets of the Makefile and the variables that they take, on the command line or in the environment."""

import os
import subprocess
from pathlib import Path

import pytest

CODE = Path(__file__).parents[2]
CHOSEN = {"PORT": "8010", "DATA_DIR": "elsewhere"}


def demo(*arguments: str, **variables: str) -> str:
    """Return the commands that `make demo` would run."""
    return commands("demo", *arguments, **variables)


def commands(target: str, *arguments: str, **variables: str) -> str:
    """Return the commands that `make TARGET` would run."""
    environment = {"PATH": os.environ["PATH"], **variables}
    command = ["make", "--dry-run", *arguments, target]
    return subprocess.run(command, cwd=CODE, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("arguments", "variables"), [([f"{name}={value}" for name, value in CHOSEN.items()], {}), ([], CHOSEN)]
)
def test_port_and_folder_can_be_set_on_the_command_line_and_in_the_environment(arguments, variables):
    assert '--port "8010" --data-dir "elsewhere"' in demo(*arguments, **variables)


def test_without_them_the_demo_has_port_8000_and_the_folder_factuary():
    assert '--port "8000" --data-dir ".factuary"' in demo()


def test_make_dev_serves_the_same_site_with_debug_on():
    assert commands("dev").splitlines()[-1] == demo().splitlines()[-1] + " --dev"


@pytest.mark.parametrize("target", ["test", "test-quick"])
def test_a_part_of_the_tests_can_be_named(target):
    assert commands(target, "ARGS=tests/queue -k lease").endswith(" tests/queue -k lease\n")


def test_make_help_lists_every_target():
    makefile = (CODE / "Makefile").read_text(encoding="utf-8")
    (targets,) = [line.split()[1:] for line in makefile.splitlines() if line.startswith(".PHONY:")]
    environment = {"PATH": os.environ["PATH"]}  # without the variables of the `make test` that may run this
    listed = subprocess.run(
        ["make", "help"], cwd=CODE, env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert [line.split()[1] for line in listed.splitlines()] == targets
