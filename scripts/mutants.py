"""Apply the small faults of mutants.toml to a copy of the code, one at a time, and say which ones the tests find.

Prints a line of JSON for each fault, then a summary by package. The exit status is 1 if a fault is not caught, if tests
fail without a fault, or if the list does not fit the code, which is said before any run.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

CODE = Path(__file__).resolve().parents[1]
LIST = CODE / "scripts" / "mutants.toml"
PYTEST = (".venv/bin/python", "-m", "pytest", "-x", "-q", "--tb=no", "-n", "2", "--dist", "loadfile")
LONGEST, MARGIN = 7200, 120  # seconds of a run without a fault; how much longer than thrice that one with a fault takes


class Fault(TypedDict):
    """`what` a user notices if `find`, which occurs once in `file`, is replaced; `tests` are those of its package."""

    what: str
    file: str
    find: str
    replace: str
    tests: list[str]


def package_of(file: str) -> str:
    """Return stats, jobs, tasks, offline or client: annotation/stats/hybrid.py -> stats."""
    first, second, third, *_ = (*Path(file).parts, "")
    return {"annotation": second.removesuffix(".py"), "static": third, "clients": "client"}.get(first, first)


def misfits(faults: dict[str, Fault]) -> Iterator[str]:
    """Yield what keeps faults from being applied to this code."""
    for name, fault in faults.items():
        path = CODE / fault["file"]
        n = path.read_text(encoding="utf-8").count(fault["find"]) if path.exists() else 0
        if n != 1:
            yield f"{name}: `find` occurs {n} times in {fault['file']}, and must once: adapt {LIST.name} to the code"
        for missing in (tests for tests in fault["tests"] if not (CODE / tests).exists()):
            yield f"{name}: there are no tests {missing}: name those of the package in {LIST.name}"


def copy_code(copy: Path) -> None:
    """Copy the files that git tracks, as they are now, and link the installed packages."""
    git = shutil.which("git") or "git"
    for name in subprocess.check_output([git, "ls-files", "-z"], cwd=CODE, text=True).split("\0"):  # noqa: S603 - arguments as a list, of this repository alone
        if (CODE / name).is_file():  # else it was deleted
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CODE / name, copy / name)
    for name in (".venv", "node_modules"):
        (copy / name).symlink_to((CODE / name).resolve())


def run_tests(copy: Path, tests: list[str], limit: float) -> tuple[int, str, float]:
    """Return pytest's exit status, 1 for a run that does not end, the first failing test, and the seconds."""
    started = time.monotonic()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        run = subprocess.Popen([*PYTEST, *tests], cwd=copy, stdout=output, stderr=output, start_new_session=True)  # noqa: S603 - arguments as a list, of this repository alone
        try:
            status = run.wait(limit)
        except subprocess.TimeoutExpired:
            return 1, f"no end within {limit:.0f} s", limit
        finally:
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGKILL)  # the guard of its servers is in another session, and stops them
                run.wait()
        output.seek(0)
        lines = output.read().splitlines()
    failing = [line.split(" ", 1)[1].split(" - ")[0] for line in lines if line.startswith(("FAILED ", "ERROR "))]
    reason = failing[0] if failing else f"pytest ended with {status}: {' / '.join(lines[-3:])}"
    return status, reason if status else "", time.monotonic() - started


def run_faults(faults: dict[str, Fault]) -> bool:
    """Run the tests without a fault, then with each. Return whether all faults are caught."""
    without: dict[tuple[str, ...], tuple[int, str, float]] = {}
    caught_by_package: dict[str, list[bool]] = {}
    with tempfile.TemporaryDirectory(prefix="factuary-mutants-") as folder:
        copy = Path(folder)
        copy_code(copy)
        for tests in dict.fromkeys(tuple(fault["tests"]) for fault in faults.values()):
            status, test, seconds = without[tests] = run_tests(copy, list(tests), LONGEST)
            state = f"fails without a fault: {test}" if status else "passes"
            print(json.dumps({"tests": tests, "state": state, "seconds": round(seconds, 1)}), flush=True)
        for name, fault in faults.items():
            path, (fails, test, seconds) = copy / fault["file"], without[tuple(fault["tests"])]
            caught, test = False, f"fails without a fault: {test}"
            if not fails:
                original = path.read_text(encoding="utf-8")
                path.write_text(original.replace(fault["find"], fault["replace"]), encoding="utf-8")
                status, test, seconds = run_tests(copy, fault["tests"], 3 * seconds + MARGIN)
                path.write_text(original, encoding="utf-8")
                caught = status in (1, 2)  # of pytest: a test failed, or its module
            row = {"name": name, "file": fault["file"], "caught": caught, "seconds": round(seconds, 1), "test": test}
            print(json.dumps(row), flush=True)
            caught_by_package.setdefault(package_of(fault["file"]), []).append(caught)
    for package, caught_of in caught_by_package.items():
        print(f"{package:<14} {sum(caught_of)} of {len(caught_of)} caught")
    return all(map(all, caught_by_package.values()))


def main() -> int:
    faults: dict[str, Fault] = tomllib.loads(LIST.read_text(encoding="utf-8"))
    packages = sorted({package_of(fault["file"]) for fault in faults.values()})
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], choices=faults, metavar="NAME", help="only these faults")
    parser.add_argument("--package", nargs="+", default=packages, choices=packages, metavar="NAME", help="only theirs")
    parser.add_argument("--check", action="store_true", help="only say whether each fault can be applied")
    options = parser.parse_args()
    if problems := list(misfits(faults)):
        print("\n".join(problems), file=sys.stderr)
        return 1
    if options.check:
        print(f"{len(faults)} faults fit the code")
        return 0
    names = [name for name in options.only or faults if package_of(faults[name]["file"]) in options.package]
    return int(not run_faults({name: faults[name] for name in names}))


if __name__ == "__main__":
    sys.exit(main())
