import runpy
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "mutants.py"


def test_each_fault_can_be_applied_and_one_whose_text_or_tests_are_gone_is_named() -> None:
    check = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True)
    assert (check.returncode, check.stderr) == (0, "")
    fault = {"what": "", "file": "scripts/mutants.py", "find": "nowhere" * 2, "replace": "", "tests": ["tests/none"]}
    problems = list(runpy.run_path(str(SCRIPT))["misfits"]({"a-fault": fault}))
    assert problems == [
        "a-fault: `find` occurs 0 times in scripts/mutants.py, and must once: adapt mutants.toml to the code",
        "a-fault: there are no tests tests/none: name those of the package in mutants.toml",
    ]
