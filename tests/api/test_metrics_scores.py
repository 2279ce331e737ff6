"""Single scores by the API: list, filter, import."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.metrics.compute import compute_metrics
from annotation.models import MetricScore, Project
from annotation.projects.members import add_member
from tests.api.clients import program, send
from tests.cast import person
from tests.reporting.metric_studies import rated_study

pytestmark = pytest.mark.django_db
ADDRESS = "projects/birds/metrics/scores/"
ROWS = (
    b'{"response": "q00-wren", "metric": "bleurt", "value": 0.5}\n'
    b'{"response": "q00-wren", "against": "q00-tern", "metric": "reward", "value": 2}\n'
)


@pytest.fixture
def lena(tmp_path):
    add_member(rated_study(tmp_path), person("lena"), "lead")
    return program("lena")


def post(client, content: bytes, key: str = "", **form: str):
    headers = {"Idempotency-Key": key} if key else {}
    body = {"upload": SimpleUploadedFile("scores.jsonl", content), **form}
    return client.post(f"/api/v1/{ADDRESS}", body, headers=headers)


def test_a_file_of_scores_is_stored_once_under_one_key(lena):
    answers = [post(lena, ROWS, key="k1") for _time in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.json() for answer in answers] == [{"scores": {"bleurt": 1, "reward": 1}, "new": 2, "changed": 0}] * 2
    assert post(lena, ROWS).json()["new"] == 0
    assert MetricScore.objects.count() == 2


def test_scores_are_listed_and_filtered(lena):
    post(lena, ROWS)
    compute_metrics(MetricScore.objects.first().response.dataset)
    status, page = send(lena, "GET", f"{ADDRESS}?source=imported")
    assert (status, page["results"]) == (
        200,
        [
            {"response": "q00-wren", "against": None, "metric": "bleurt", "value": 0.5, "source": "imported"},
            {"response": "q00-wren", "against": "q00-tern", "metric": "reward", "value": 2.0, "source": "imported"},
        ],
    )
    page = send(lena, "GET", f"{ADDRESS}?metric=length&response=q00-tern&source=computed")[1]
    assert [(row["response"], row["metric"]) for row in page["results"]] == [("q00-tern", "length")]
    assert send(lena, "GET", f"{ADDRESS}?source=guessed")[0] == 400


def test_a_refused_file_names_its_lines_and_stores_nothing(lena):
    wrong = ROWS + b'{"response": "q99", "metric": "bleurt", "value": 1}\n'
    answer = post(lena, wrong)
    assert answer.status_code == 400
    assert answer.json()["errors"]["upload"] == ["scores.jsonl:3: no response of data set 'birds' has the id 'q99'"]
    assert not MetricScore.objects.exists()


def test_a_dry_run_counts_and_another_value_needs_replace(lena):
    assert post(lena, ROWS, dry_run="true").json()["new"] == 2
    assert not MetricScore.objects.exists()
    post(lena, ROWS)
    other = ROWS.replace(b"0.5", b"0.75")
    assert post(lena, other).status_code == 400
    assert post(lena, other, replace="true").json()["changed"] == 1
    assert MetricScore.objects.get(metric="bleurt").value == 0.75


def test_only_leads_import(lena):
    add_member(Project.objects.get(), person("ines"), "rater")
    assert [post(program(name), ROWS).status_code for name in ("ines", "otto")] == [403, 404]
    assert not MetricScore.objects.exists()
