"""The unit tests of the scripts (*.test.js): Node's own test runner. Some open rating pages, which Django renders."""

import os
from pathlib import Path

import pytest

from .modules import run_node

pytestmark = pytest.mark.django_db  # the fixture renders pages of studies
UNIT_TESTS = sorted(Path(__file__).parent.glob("*.test.js"))


@pytest.mark.usefixtures("node_packages")
@pytest.mark.parametrize("path", UNIT_TESTS, ids=lambda path: path.name)
def test_unit_tests_in_node_pass(path: Path, rendered_pages: Path) -> None:
    environment = os.environ | {"FACTUARY_PAGES": str(rendered_pages)}
    report = run_node("--test", "--test-reporter=tap", "--test-timeout=300000", str(path), environment=environment)
    assert "# fail 0" in report and "# pass 0" not in report
