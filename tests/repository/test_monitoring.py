"""Dashboard and alerts name metrics that exist."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import django_prometheus.middleware
import pytest
import yaml

CODE = Path(__file__).resolve().parents[2]
FOLDER = CODE / "deploy" / "monitoring"
SOURCES = [
    CODE / "annotation" / "site" / "metrics.py",
    CODE / "annotation" / "site" / "database_metrics.py",
    Path(django_prometheus.middleware.__file__),
]
SUFFIX = re.compile(r"_(?:bucket|count|sum|total)$")


def metrics() -> set[str]:
    """Return the names of all metrics, as the code defines them."""
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    return set(re.findall(r'"((?:factuary|django_http)_\w+)"', text))


def alerts() -> Iterator[str]:
    for group in yaml.safe_load((FOLDER / "alerts.yaml").read_text(encoding="utf-8"))["groups"]:
        for rule in group["rules"]:
            assert rule["alert"] and rule["annotations"]["summary"]
            yield rule["expr"]


def dashboard() -> Iterator[str]:
    for panel in json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))["panels"]:
        yield from (target["expr"] for target in panel["targets"])


@pytest.mark.parametrize("file", [alerts, dashboard])
def test_each_metric_exists(file) -> None:
    known = metrics()
    names = {name for expression in file() for name in re.findall(r"(?:factuary|django)_\w+", expression)}
    assert len(names) > 5
    assert {name for name in names if name not in known and SUFFIX.sub("", name) not in known} == set()
