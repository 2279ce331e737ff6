"""Who may import whom, as the design draws it; pyproject.toml holds the contracts."""

import subprocess
import sys
from pathlib import Path

CODE = Path(__file__).resolve().parents[1]


def test_rooms_import_only_what_lies_below_them():
    lint = Path(sys.executable).with_name("lint-imports")
    found = subprocess.run([lint, "--no-cache"], cwd=CODE, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "0 broken" in found.stdout
