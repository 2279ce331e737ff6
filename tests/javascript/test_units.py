"""The unit tests of the scripts' pure functions (*.test.js): Node's own test runner."""

from pathlib import Path

import pytest

from .modules import run_node

UNIT_TESTS = sorted(Path(__file__).parent.glob("*.test.js"))


@pytest.mark.parametrize("path", UNIT_TESTS, ids=lambda path: path.name)
def test_unit_tests_in_node_pass(path: Path) -> None:
    report = run_node("--test", "--test-reporter=tap", str(path))
    assert "# fail 0" in report and "# pass 0" not in report
