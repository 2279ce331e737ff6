"""The files with gold cases, which lie beside the checkout: expected statistics and expected sentences."""

from pathlib import Path

SHARED = Path(__file__).resolve().parents[3] / "shared"
STATISTICS = SHARED / "stats" / "golden.json"
SENTENCES = SHARED / "segmentation" / "dev.jsonl"
