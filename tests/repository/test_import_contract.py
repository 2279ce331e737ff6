"""Packages import only what lies below them; pyproject.toml has the contracts."""

import subprocess
import sys
from pathlib import Path

CODE = Path(__file__).resolve().parents[2]


def test_packages_import_only_what_lies_below_them():
    lint = Path(sys.executable).with_name("lint-imports")
    outcome = subprocess.run([lint, "--no-cache"], cwd=CODE, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert "0 broken" in outcome.stdout
