"""Scores that were computed elsewhere."""

import json

import pytest

from annotation.importing import load_dataset
from annotation.jobs import Refused
from annotation.metrics.score_files import load_metric_scores
from annotation.models import AuditEvent, DataChange, Dataset, MetricScore
from tests.cast import person
from tests.importing.files import lines, prompt

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(tmp_path) -> Dataset:
    rows = [prompt("a", responses=[answer("r1"), answer("r2")]), prompt("b", responses=[answer("r3")])]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", rows)], "birds")
    return Dataset.objects.get()


def answer(key: str) -> dict[str, str]:
    return {"id": key, "system": f"system-{key}", "text": f"Text {key}."}


def score(response: str = "r1", metric: str = "bleurt", value: object = 0.5, **more: object) -> dict[str, object]:
    return {"response": response, "metric": metric, "value": value, **more}


def stored() -> dict[tuple[str, str, str], float]:
    rows = MetricScore.objects.select_related("response", "against")
    return {(row.response.key, row.against.key if row.against else "", row.metric): row.value for row in rows}


def refusal(path, dataset, **options) -> list[str]:
    before = stored(), DataChange.objects.count()
    with pytest.raises(Refused) as caught:
        load_metric_scores(path, dataset, **options)
    assert (stored(), DataChange.objects.count()) == before
    return caught.value.problems


def test_scores_of_responses_and_pairs_are_stored_once_and_recorded(dataset, tmp_path):
    rows = [score(), score("r3", value=-2), score(metric="reward", value=1.5, against="r2")]
    path = lines(tmp_path / "s.jsonl", rows)
    assert load_metric_scores(path, dataset, dry_run=True).new == 3 and stored() == {}
    changes = DataChange.objects.count()
    for new in (3, 0):
        counts = load_metric_scores(path, dataset, actor=person("lena"))
        assert (counts.scores, counts.new, counts.changed) == ({"bleurt": 2, "reward": 1}, new, 0)
        assert stored() == {("r1", "", "bleurt"): 0.5, ("r3", "", "bleurt"): -2, ("r1", "r2", "reward"): 1.5}
    assert DataChange.objects.count() == changes + 1
    event = AuditEvent.objects.get(action="import metric scores")
    assert (event.actor.username, event.target) == ("lena", "dataset:birds")
    assert (event.after["new"], event.after["files"][0]["name"]) == (3, "s.jsonl")


def test_a_table_is_read_too_and_another_value_is_refused_unless_it_replaces(dataset, tmp_path):
    table = tmp_path / "s.csv"
    table.write_text("response,against,metric,value\nr1,,bleurt,0.5\nr1,r2,reward,-1e-3\n")
    load_metric_scores(table, dataset)
    assert stored() == {("r1", "", "bleurt"): 0.5, ("r1", "r2", "reward"): -0.001}
    path = lines(tmp_path / "t.jsonl", [score(value=0.75), score("r2")])
    assert refusal(path, dataset) == [
        "t.jsonl:1: bleurt of response 'r1' is stored as 0.5, not 0.75; to change it, choose to replace values "
        "that differ (--replace)"
    ]
    counts = load_metric_scores(path, dataset, replace=True)
    assert (counts.new, counts.changed) == (1, 1)
    assert stored() == {("r1", "", "bleurt"): 0.75, ("r2", "", "bleurt"): 0.5, ("r1", "r2", "reward"): -0.001}


def test_every_problem_is_named_with_its_line(dataset, tmp_path):
    rows = [score("r9"), score(metric="rouge1"), score(metric="two words"), score("r2", value="0.5")]
    rows += [score("r2", value=True), score("r3", against="r1"), score(), score(value=1)]
    rows += [{"response": "r1", "metric": "bleurt"}]
    assert refusal(lines(tmp_path / "s.jsonl", rows), dataset) == [
        "s.jsonl:1: no response of data set 'birds' has the id 'r9'",
        "s.jsonl:2: rouge1 is computed by the site; give the imported metric another name",
        "s.jsonl:3: 'metric' must be up to 60 letters, digits, '_', '.' and '-', a letter first, but is 'two words'",
        "s.jsonl:4: 'value' must be a finite number, but is '0.5'",
        "s.jsonl:5: 'value' must be a finite number, but is 'True'",
        "s.jsonl:6: 'response' and 'against' must be two responses to the same prompt",
        "s.jsonl:8: the score of bleurt for response 'r1' occurs a second time; the first is in s.jsonl:7",
        "s.jsonl:9: 'value' must be a finite number, but is 'None'",
    ]


def test_only_finite_numbers_and_not_too_many_scores_are_accepted(dataset, tmp_path):
    path, table = tmp_path / "s.jsonl", tmp_path / "s.csv"
    for value in ("nan", "inf", "many"):
        table.write_text(f"response,metric,value\nr1,bleurt,{value}\n")
        assert refusal(table, dataset) == [f"s.csv:2: 'value' must be a finite number, but is '{value}'"]
    path.write_text(json.dumps(score()).replace("0.5", "1e999"))
    assert len(refusal(path, dataset)) == 1
    assert refusal(lines(path, []), dataset) == ["s.jsonl: there is no score in the file"]
    path = lines(path, [score("r1"), score("r2"), score("r3")])
    assert refusal(path, dataset, most=2) == [
        "s.jsonl:3: there are more than 2 scores; use the command import_metric_scores for this file"
    ]
    assert load_metric_scores(path, dataset, most=3).new == 3
