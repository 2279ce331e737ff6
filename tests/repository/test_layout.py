"""Check that the name of each test file begins with the module that it tests: test_slots_locking.py tests slots.py.

No test file imports another: what they share is in modules of its own, such as tests/cast.py.
"""

import re
from pathlib import Path

from tests.conftest import CODE

OF_SEVERAL_MODULES = {"browser", "gold_cases", "javascript", "repository", "system", "upgrade"}
TESTS = sorted(
    path.relative_to(CODE / "tests")
    for path in CODE.glob("tests/**/test_*.py")
    if path.relative_to(CODE / "tests").parts[0] not in OF_SEVERAL_MODULES
)


def modules(folder: Path) -> set[str]:
    """Return the names of the modules, packages and protocol files that tests in this folder may be about."""
    paths = [path for root in (CODE / "annotation", CODE) for path in (root / folder).glob("*")]
    suffixes = (".py", ".toml", "")  # no suffix: a package
    return {path.stem.strip("_").replace("-", "_") for path in paths if path.suffix in suffixes}


def test_each_test_file_begins_with_the_name_of_a_module() -> None:
    assert len(TESTS) > 100
    without_module = [
        str(test)
        for test in TESTS
        if not any(f"{test.stem}_".startswith(f"test_{module}_") for module in modules(test.parent))
    ]
    assert without_module == []


def test_no_test_file_imports_another() -> None:
    found = re.compile(r"^\s*(?:from|import) [\w.]*\btest_\w+.*", re.MULTILINE)
    files = [*CODE.glob("tests/**/*.py"), *CODE.glob("clients/python/tests/*.py")]
    assert [(path.name, line) for path in files for line in found.findall(path.read_text(encoding="utf-8"))] == []


def test_each_slow_module_is_a_file() -> None:
    names = (CODE / "tests" / "slow_modules.txt").read_text(encoding="utf-8").split()
    assert names == sorted(names) and [name for name in names if not (CODE / name).is_file()] == []
