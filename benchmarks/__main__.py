"""Runs the benchmarks and prints one JSON object a line: `python -m benchmarks [MODULE...]`.

A benchmark is a module beside this file with `run()`, which yields dicts of `name`, `value`, `unit`, `baseline`,
`ratio` and `n`. It finds Django set up on a migrated, empty PostgreSQL and a Valkey of this run's own, both real but
without fsync. Messages go to standard error; the exit status is 1 when one of them broke.
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

FIELDS = {"name", "value", "unit", "baseline", "ratio", "n"}


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
        return max([run_one(name) for name in names or available], default=0)
    finally:
        scratch.remove()


def set_up_django(scratch: TemporaryServices) -> None:
    os.environ |= scratch.environment() | {"LOG_LEVEL": "WARNING"}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def run_one(name: str) -> int:
    print(f"{name} …", file=sys.stderr, flush=True)
    try:
        figures: Iterable[dict[str, object]] = importlib.import_module(f"benchmarks.{name}").run()
        for figure in figures:
            if set(figure) != FIELDS:
                raise ValueError(f"{figure.get('name')}: fields {sorted(figure)} are not {sorted(FIELDS)}")
            print(json.dumps(figure), flush=True)
    except Exception:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
