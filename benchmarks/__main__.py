"""Runs the benchmarks and prints one JSON object a line: `python -m benchmarks [MODULE...]`.

A benchmark is a module beside this file with `run()`, which yields figures. It finds Django set up on a migrated, empty
PostgreSQL and a Valkey of this run's own, both real but without fsync. Messages go to standard error. The exit status
is 1 if a benchmark broke or the ratio of a figure is not within its bounds; the last lines on standard error say which.
"""

import importlib
import json
import os
import pkgutil
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path

from annotation.quickstart.temporary_services import TemporaryServices
from benchmarks._figure import Figure


def main(names: list[str]) -> int:
    available = [m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if not m.name.startswith("_")]
    if unknown := set(names) - set(available):
        print(
            f"error: no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(available)}",
            file=sys.stderr,
        )
        return 1
    scratch = TemporaryServices.new()
    try:
        scratch.start()
        set_up_django(scratch)
        problems = [problem for name in names or available for problem in run_one(name)]
    finally:
        scratch.remove()
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


def set_up_django(scratch: TemporaryServices) -> None:
    os.environ |= scratch.environment() | {"LOG_LEVEL": "WARNING"}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def run_one(name: str) -> list[str]:
    """Print the figures of a benchmark; return in one line each which bounds they break, and whether it broke."""
    print(f"{name} …", file=sys.stderr, flush=True)
    problems = []
    try:
        figures: Iterable[Figure] = importlib.import_module(f"benchmarks.{name}").run()
        for figure in figures:
            print(json.dumps(figure.to_dict()), flush=True)
            if problem := figure.problem():
                problems.append(problem)
    except Exception:
        traceback.print_exc()
        problems.append(f"benchmark {name} broke; its traceback is above")
    return problems


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
