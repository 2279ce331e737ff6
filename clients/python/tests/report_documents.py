"""A project and a report as the API returns them."""

from typing import Any

PROJECT = {
    "slug": "june", "title": "June", "dataset": "june", "protocol": "p@1", "overlap": 1, "seed": 1,
    "sampling_design": "", "sample_size": None, "created_at": "2026-11-01T00:00:00Z", "archived_at": None,
}  # fmt: skip


def figure(value: float | None, low: float | None, high: float | None, k: int, n: int) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "k": k, "n": n, "method": "bca" if value is not None else "none"}


def cell(system: str | None, accurate: dict[str, Any]) -> dict[str, Any]:
    measures = {"accurate": accurate, "inaccurate": figure(0.1, 0.05, 0.2, 10, 100)}
    score = {"points": 50.0, "n": 100, "value": 50.0, "low": 20.0, "high": 90.0, "method": "bca"}
    return {"system": system, "measures": measures, "means": None, "scores": {"weighted": score}}


def document(**more: Any) -> dict[str, Any]:
    return {
        "protocol": {"slug": "accuracy<of>articles", "version": "1"},
        "overall": cell(None, figure(0.874, 0.835, 0.913, 874, 1000)),
        "systems": [
            cell("model-a", figure(0.9, 0.85, 0.94, 450, 500)),
            cell("<b>model</b>", figure(None, None, None, 0, 0)),
        ],
        **more,
    }
