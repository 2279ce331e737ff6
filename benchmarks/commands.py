"""Starting commands: how long `manage.py COMMAND --help` takes beside Python itself, and beside 0.7 seconds."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from ._figure import Figure

ROOT = Path(__file__).resolve().parent.parent
LONGEST, ROUNDS = 0.7, 7
COMMANDS = ("add_member", "create_project", "import_dataset", "create_token", "doctor")


def run() -> Iterator[Figure]:
    """Yield one result a line: medians in seconds, measured in turn."""
    programs = {"python": ["-c", "pass"], **{name: ["manage.py", name, "--help"] for name in COMMANDS}}
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, arguments in programs.items():
            times[name].append(seconds(arguments))
    for name in COMMANDS:
        value = median(times[name])
        yield Figure(f"{name} --help beside Python", value, median(times["python"]), "s", ROUNDS)
        yield Figure(f"{name} --help beside the longest time", value, LONGEST, "s", ROUNDS, at_most=1)


def seconds(arguments: list[str]) -> float:
    """Return how long a new process of Python takes."""
    began = perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=os.environ, check=True, capture_output=True)
    return perf_counter() - began
