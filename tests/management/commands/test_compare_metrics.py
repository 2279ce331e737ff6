"""Metrics by commands: compute, import and print them."""

import json

import pytest

from annotation.models import AuditEvent, MetricScore
from tests.importing.files import lines
from tests.management.command_runs import run
from tests.reporting.metric_studies import rated_study

pytestmark = pytest.mark.django_db


def test_metrics_are_computed_and_compared_with_people(capsys, tmp_path):
    rated_study(tmp_path)
    code, out, _err = run(capsys, "compute_metrics", "--dataset", "birds", "--json")
    assert code == 0 and json.loads(out)["responses"] == 60
    assert json.loads(out)["scores"]["rouge1"] == 60
    path = lines(tmp_path / "s.jsonl", [{"response": "q00-wren", "metric": "bleurt", "value": 0.5}])
    code, out, _err = run(capsys, "import_metric_scores", path, "--dataset", "birds")
    assert (code, out) == (0, "bleurt: 1\nnew: 1, changed: 0\n")
    code, out, _err = run(capsys, "compare_metrics", "--project", "birds", "--resamples", 200)
    printed = out.splitlines()
    assert printed[0] == "60 responses, intervals by prompt"
    assert any(line.startswith("rougeL, mean of wren, field = sea (8): 0.") for line in printed)
    assert any(line.startswith("length with accurate over 4 systems, Spearman's rho: ") for line in printed)
    assert any(line.startswith("bleurt, mean of wren (1): 0.500") for line in printed)
    code, out, _err = run(capsys, "compare_metrics", "--project", "birds", "--resamples", 200, "--json")
    assert json.loads(out)["schema"] == "factuary-metrics/1" and json.loads(out)["metrics"][-1] == "bleurt"
    assert AuditEvent.objects.filter(project__slug="birds", action="download file").count() == 2


def test_problems_of_a_file_are_printed_by_line_and_nothing_is_stored(capsys, tmp_path):
    rated_study(tmp_path)
    path = lines(tmp_path / "s.jsonl", [{"response": "nothing", "metric": "bleurt", "value": 0.5}])
    code, _out, err = run(capsys, "import_metric_scores", path, "--dataset", "birds")
    assert (code, err) == (1, f"{path}:1: no response of data set 'birds' has the id 'nothing'\n")
    assert not MetricScore.objects.exists()


def test_what_cannot_be_done_is_refused_with_a_reason(capsys, tmp_path):
    rated_study(tmp_path)
    assert run(capsys, "compute_metrics")[::2] == (1, "name either --dataset or --project\n")
    assert run(capsys, "compare_metrics", "--project", "birds")[::2] == (
        1,
        "project 'birds' has no scores of metrics: start compute_metrics first\n",
    )
    code, _out, err = run(capsys, "compare_metrics", "--project", "birds", "--resamples", 5)
    assert code == 1 and err.startswith("--resamples: ")
