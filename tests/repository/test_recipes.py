"""Follow each recipe of the documentation word by word, in a copy of the code.

Lines such as "Create `PATH`:", "In `PATH`, insert this after `LINE`:" and "Run:" are instructions; the code block below
each is its content.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import BROKER_PORT, CODE, FOLDER

RECIPES = sorted(CODE.glob("docs/recipes/*.md"))
COPIED = ("annotation", "benchmarks", "clients", "docs", "faults", "fixtures", "static", "tasks", "templates", "tests")
PYTEST = [".venv/bin/python", "-m", "pytest"]
STEP = re.compile(
    r"^(?:(?P<action>Create|In|Run)(?: `(?P<path>[^`]+)`)?(?:, (?P<edit>replace|insert this (?:before|after))"
    r" `(?P<anchor>[^`]+)`(?: with)?)?:)\n\n```\w*\n(?P<block>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a copy of the code with the same virtual environment."""
    for folder in COPIED:
        shutil.copytree(CODE / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("manage.py", "pyproject.toml"):
        shutil.copy(CODE / file, tmp_path)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def steps(recipe: Path) -> Iterator[dict[str, str]]:
    """Yield the instructions of a recipe. Fail if a line looks like one and cannot be followed."""
    text = recipe.read_text(encoding="utf-8")
    matches = [match.groupdict() for match in STEP.finditer(text)]
    assert len(matches) == len(re.findall(r"^(?:Create `|In `|Run:)", text, re.MULTILINE))
    yield from matches


def follow(step: dict[str, str], checkout: Path) -> list[str]:
    """Do one step. Return the tests that it runs: those of all recipes run together."""
    if step["action"] == "Run":
        commands = [shlex.split(line) for line in step["block"].splitlines()]
        for command in commands:
            if command[:3] != PYTEST:
                run(command, checkout)
        return [test for command in commands if command[:3] == PYTEST for test in command[3:]]
    path = checkout / step["path"]
    if step["action"] == "Create":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step["block"], encoding="utf-8")
    else:
        edit(path, step["edit"], step["anchor"], step["block"])
    return []


def edit(path: Path, how: str, anchor: str, block: str) -> None:
    """Insert `block` before or after the only line that contains `anchor`, or replace that line."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    (number,) = [n for n, line in enumerate(lines) if anchor in line]
    first, last = (number + how.endswith("after"), number + (not how.endswith("before")))
    lines[first:last] = [block]
    path.write_text("".join(lines), encoding="utf-8")


def run(command: list[str], checkout: Path, **variables: str) -> None:
    """Run a command as a developer would, without the settings of this test run."""
    environment = {"PATH": os.environ["PATH"], **variables}
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_recipes_work_as_they_are_written(checkout: Path) -> None:
    followed = [step for recipe in RECIPES for step in steps(recipe)]
    tests = [test for step in followed for test in follow(step, checkout)]
    assert len(tests) >= len(RECIPES)
    # On the servers of this run, with a test database and a number at the broker of their own.
    servers = {name: os.environ[name] for name in (FOLDER, BROKER_PORT)}
    run([*PYTEST, *tests], checkout, **servers, TOX_PARALLEL_ENV="recipes", PYTEST_XDIST_WORKER="gw15")
    paths = sorted({step["path"] for step in followed if step["path"]})
    modules, templates = ([path for path in paths if path.endswith(suffix)] for suffix in (".py", ".html"))
    for check in (
        ["ruff", "check", *modules],
        ["ruff", "format", "--check", *modules],
        ["lint-imports", "--no-cache"],
        ["djade", "--check", *templates],
        ["djlint", "--lint", "--quiet", *templates],
    ):
        run([f".venv/bin/{check[0]}", *check[1:]], checkout)
