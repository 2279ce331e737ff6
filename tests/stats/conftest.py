"""The gold cases are collected only where they are: beside the checkout."""

from pathlib import Path

from hypothesis import settings

GOLDEN = Path(__file__).resolve().parents[3] / "shared" / "stats" / "golden.json"

collect_ignore = [] if GOLDEN.is_file() else ["test_gold_cases.py"]

# The first example of a test may have to import SciPy; how long an example takes says nothing here.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
