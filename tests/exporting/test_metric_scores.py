"""The file of single scores."""

import csv
import io
import json

import pytest

from annotation.exporting.metric_scores import COLUMNS, export_metric_scores
from annotation.metrics.compute import compute_metrics
from annotation.metrics.score_files import load_metric_scores
from annotation.models import AuditEvent, MetricScore, Project
from tests.importing.files import lines
from tests.management.command_runs import run
from tests.reporting.metric_studies import rated_study

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def project(module_rows, tmp_path_factory) -> Project:
    folder = tmp_path_factory.mktemp("scores")
    project = rated_study(folder)
    compute_metrics(project.dataset)
    rows = [
        {"response": "q00-wren", "metric": "bleurt", "value": 0.1},
        {"response": "q00-wren", "against": "q00-tern", "metric": "reward", "value": -1.5},
    ]
    load_metric_scores(lines(folder / "own.jsonl", rows), project.dataset)
    return project


def as_lines(project: Project) -> list[dict[str, object]]:
    return [json.loads(line) for line in b"".join(export_metric_scores(project, "jsonl")).splitlines()]


def test_each_score_is_a_row_with_its_source_in_lines_and_in_the_table(project):
    rows = as_lines(project)
    assert len(rows) == MetricScore.objects.count()
    assert {row["metric"] for row in rows if row["source"] == "imported"} == {"bleurt", "reward"}
    assert rows[0]["response"] == "q00-heron" and list(rows[0]) == [column.name for column in COLUMNS]
    [pair] = [row for row in rows if row["against"]]
    assert pair == {
        "response": "q00-wren", "against": "q00-tern", "metric": "reward", "value": -1.5, "source": "imported",
        "prompt": "q00", "system": "wren",
    }  # fmt: skip
    table = csv.DictReader(io.StringIO(b"".join(export_metric_scores(project, "csv")).decode()))
    assert [(row["response"], row["against"] or None, row["metric"], float(row["value"])) for row in table] == [
        (row["response"], row["against"], row["metric"], row["value"]) for row in rows
    ]


def test_imported_scores_are_read_back_the_same(project, tmp_path):
    own = [row for row in as_lines(project) if row["source"] == "imported"]
    counts = load_metric_scores(lines(tmp_path / "again.jsonl", own), project.dataset)
    assert (counts.scores, counts.new, counts.changed) == ({"bleurt": 1, "reward": 1}, 0, 0)


def test_the_command_writes_them(project, capsys, tmp_path):
    path = tmp_path / "scores.jsonl"
    code, _out, err = run(capsys, "export_metric_scores", "--project", "birds", "--format", "jsonl", "--output", path)
    assert code == 0 and f"{MetricScore.objects.count()} scores" in err
    assert path.read_bytes() == b"".join(export_metric_scores(project, "jsonl"))
    assert AuditEvent.objects.get(action="download file").after["name"] == "metric-scores.jsonl"
