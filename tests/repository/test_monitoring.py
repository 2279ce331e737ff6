import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import django_prometheus.middleware
import yaml

from tests.conftest import CODE

FOLDER = CODE / "deploy" / "monitoring"
SOURCES = [
    CODE / "annotation" / "site" / "metrics.py",
    CODE / "annotation" / "doctor" / "database_metrics.py",
    Path(django_prometheus.middleware.__file__),
]
SUFFIX = re.compile(r"_(?:bucket|count|sum|total)$")


def expressions() -> Iterator[tuple[str, str]]:
    """Yield the expressions of alerts and dashboard, with the name of their file."""
    for group in yaml.safe_load((FOLDER / "alerts.yaml").read_text(encoding="utf-8"))["groups"]:
        for rule in group["rules"]:
            assert rule["alert"] and rule["annotations"]["summary"]
            yield "alerts", rule["expr"]
    for panel in json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))["panels"]:
        yield from (("dashboard", target["expr"]) for target in panel["targets"])


def test_each_metric_of_dashboard_and_alerts_exists() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    known = set(re.findall(r'"((?:factuary|django_http)_\w+)"', text))
    names = {(file, name) for file, text in expressions() for name in re.findall(r"(?:factuary|django)_\w+", text)}
    assert min(Counter(file for file, _ in names).values()) > 5
    assert {name for _, name in names if name not in known and SUFFIX.sub("", name) not in known} == set()
