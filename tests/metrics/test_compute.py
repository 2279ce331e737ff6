"""Scores of all responses of a data set."""

import pytest

from annotation import jobs
from annotation.importing import load_dataset, load_responses
from annotation.metrics.compute import COMPUTE_METRICS, compute_metrics
from annotation.models import DataChange, Dataset, Job, MetricScore, Response
from annotation.projects.create import create_project
from annotation.projects.deleting import delete_dataset, delete_project
from tasks.app import app
from tests.cast import article_accuracy, person
from tests.importing.files import SHARED, lines, prompt
from tests.metrics.rouge_reference import RougeScorer

pytestmark = pytest.mark.django_db
SYLLABUSQA = SHARED / "syllabusqa"


@pytest.fixture
def dataset(tmp_path) -> Dataset:
    answers = [answer("r1", "Terns fly far: 12 km. They rest."), answer("r2", "No.")]
    rows = [prompt("a", reference="Terns fly 12 km.", responses=answers)]
    rows += [prompt("b", responses=[answer("r3", "One tern. Two terns.")])]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", rows)], "birds")
    return Dataset.objects.get()


def answer(key: str, text: str) -> dict[str, str]:
    return {"id": key, "system": f"system-{key}", "text": text}


def scores() -> dict[tuple[str, str], float]:
    return {(score.response.key, score.metric): score.value for score in MetricScore.objects.select_related("response")}


def test_a_job_stores_each_defined_metric_of_each_response_which_is_deleted_with_the_data_set(dataset):
    before = DataChange.objects.count()
    project = create_project("birds", dataset, article_accuracy())
    job = jobs.create(COMPUTE_METRICS, project=project, actor=person("lena"))
    app.tasks["tasks.metrics.compute_metrics"](job.pk)
    done = Job.objects.get(pk=job.pk)
    assert done.state == "done" and done.result["responses"] == 3 == done.done == done.total
    assert done.result["scores"] == {
        "rouge1": 2, "rouge2": 2, "rougeL": 2, "length": 3, "numbers_exact": 2, "numbers_fuzzy": 2, "self_bleu": 2,
    }  # fmt: skip
    stored = scores()
    assert stored["r1", "length"] == 7 and stored["r3", "length"] == 4
    assert stored["r1", "numbers_exact"] == 1 and stored["r2", "numbers_exact"] == 0
    expected = RougeScorer(["rouge1"], use_stemmer=True).score("Terns fly 12 km.", "Terns fly far: 12 km. They rest.")
    assert stored["r1", "rouge1"] == expected["rouge1"].fmeasure
    changes = DataChange.objects.filter(scope=f"dataset {dataset.pk}")
    assert changes.count() == before + 1, "figures are computed again"
    delete_project(project)
    delete_dataset(dataset)
    assert not MetricScore.objects.exists()


def test_reasoning_does_not_count_and_again_replaces_what_is_stored_but_keeps_what_was_imported(dataset):
    compute_metrics(dataset)
    expected = scores()
    for response in Response.objects.all():
        response.text = f"<think>\nIt has 12 km, or 7 km. Gulls? Gulls?\n</think>\n\n{response.text}"
        response.save()
    MetricScore.objects.filter(metric="length").update(value=99)
    MetricScore.objects.create(response=Response.objects.get(key="r1"), metric="bleurt", value=0.5)
    compute_metrics(dataset)
    assert scores() == {**expected, ("r1", "bleurt"): 0.5}


if SYLLABUSQA.is_dir():

    def test_rouge_of_the_public_answers_is_that_of_rouge_score(tmp_path):
        load_dataset("syllabusqa", [SYLLABUSQA / "dataset_split" / "val.json", SYLLABUSQA / "text"], "courses")
        data = Dataset.objects.get(slug="courses")
        prompts = list(data.prompts.order_by("key")[:40])
        others = [other.reference for other in data.prompts.order_by("-key")[:40]]
        rows = [
            {"prompt": each.key, "system": "other", "text": text} for each, text in zip(prompts, others, strict=True)
        ]
        load_responses(lines(tmp_path / "others.jsonl", rows), data)
        compute_metrics(data)
        scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
        compared = 0
        for score in MetricScore.objects.filter(metric__startswith="rouge").select_related("response__prompt"):
            expected = scorer.score(score.response.prompt.reference, score.response.text)[score.metric]
            assert score.value == expected.fmeasure
            compared += 1
        assert compared == 3 * 40
