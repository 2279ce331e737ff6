"""Exceptions from ruff's security rules stand beside the code of the program, with their reason."""

import re
import tomllib
from pathlib import Path

CODE = Path(__file__).resolve().parents[2]
NOT_SHIPPED = ("tests/", "benchmarks/", "faults/")
REASON = re.compile(r"# noqa: S\d+[^#]* - \w")


def test_no_file_of_the_program_is_exempt_as_a_whole() -> None:
    ignores = tomllib.loads((CODE / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]["per-file-ignores"]
    exempt = [path for path, rules in ignores.items() if any(re.fullmatch(r"S\d*", rule) for rule in rules)]
    assert [path for path in exempt if not path.startswith(NOT_SHIPPED)] == []


def test_each_exception_has_its_reason() -> None:
    files = [path for folder in ("annotation", "tasks", "scripts") for path in (CODE / folder).rglob("*.py")]
    lines = [
        (str(path.relative_to(CODE)), line)
        for path in files
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"# noqa: S\d+", line) and not REASON.search(line)
    ]
    assert lines == []
