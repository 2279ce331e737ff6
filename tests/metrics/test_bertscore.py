"""BERTScore with tiny models, against figures of bert-score 0.3.13 (transformers 5.24, PyTorch 2.13) for their folders.

For RoBERTa its tokenizer was set to put a space before the first word, as that package asks for.
"""

import json
import sys

import pytest

from annotation import jobs
from annotation.importing import load_dataset
from annotation.jobs import Refused
from annotation.metrics.bertscore import BertModel, bertscore_f1
from annotation.metrics.compute import COMPUTE_METRICS, compute_metrics
from annotation.metrics.score_files import load_metric_scores
from annotation.models import Dataset, Job, MetricScore
from annotation.projects.create import create_project
from tasks.app import app
from tests.cast import article_accuracy, person
from tests.importing.files import lines, prompt
from tests.management.command_runs import run
from tests.metrics import tiny_models

PAIRS = (
    ("Terns fly 12 km.", "Terns fly far over the sea."),
    ("A gull, the sea.", "The gull rests."),
    ("Terns rest.", "Terns rest."),
    ("unknown words 🐦 here", "the sea"),
    ("far " * 30, "Terns fly far"),  # cut off
)
PUBLISHED = {
    ("bert", 1): (0.9808125, 0.9519275, 1, 0.8850483, 0.8063468),
    ("bert", 3): (0.9980956, 0.9929556, 1, 0.9728213, 0.9880536),
    ("roberta", 1): (0.8624701, 0.9015566, 1, 0.9500924, 0.9509559),
    ("roberta", 3): (0.8507944, 0.9812062, 1, 0.9970393, 0.9072819),
}


@pytest.mark.parametrize(("kind", "layers"), PUBLISHED)
def test_figures_are_those_of_bert_score(tmp_path, kind, layers):
    model = BertModel(getattr(tiny_models, kind)(tmp_path / kind), layers)
    figures = [bertscore_f1(model.embed(response), model.embed(reference)) for response, reference in PAIRS]
    assert figures == pytest.approx(PUBLISHED[kind, layers], abs=1e-6)


def test_all_layers_are_computed_if_no_number_is_given_and_a_text_without_tokens_has_zero(tmp_path):
    model = BertModel(tiny_models.bert(tmp_path / "bert"))
    assert model.layers == 3
    pairs = [PAIRS[0], (" ", "the sea"), ("the sea", "")]
    first, *others = [bertscore_f1(model.embed(response), model.embed(reference)) for response, reference in pairs]
    assert (first, others) == (pytest.approx(PUBLISHED["bert", 3][0], abs=1e-6), [0, 0])


def test_a_model_that_cannot_be_used_is_refused(tmp_path, monkeypatch):
    folder, no_folder = tiny_models.bert(tmp_path / "bert"), "nothing is not the folder of a model for bertscore_f1"
    with pytest.raises(Refused, match=rf"{no_folder}: it has no file config\."):
        BertModel(tmp_path / "nothing")
    with pytest.raises(Refused, match="has 3 layers, not 4"):
        BertModel(folder, 4)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "t5"}))
    with pytest.raises(Refused, match="is of the type t5; those that can be used are: bert, roberta, xlm-roberta"):
        BertModel(folder)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(Refused, match="needs the packages of the extra bertscore: install requirements-all"):
        BertModel(folder)


@pytest.fixture
def dataset(db, tmp_path) -> Dataset:
    answers = [{"id": "r1", "system": "a", "text": PAIRS[0][0]}, {"id": "r2", "system": "b", "text": PAIRS[4][0]}]
    rows = [prompt("a", reference=PAIRS[0][1], responses=answers)]
    rows += [prompt("b", responses=[{"id": "r3", "system": "a", "text": "Terns."}])]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", rows)], "birds")
    return Dataset.objects.get()


def stored() -> dict[str, float]:
    return dict(MetricScore.objects.filter(metric="bertscore_f1").values_list("response__key", "value"))


def test_the_command_stores_it_for_responses_with_a_reference_answer_and_without_a_model_it_stays(
    dataset, capsys, tmp_path
):
    folder = tiny_models.bert(tmp_path / "bert")
    about = ("compute_metrics", "--dataset", "birds", "--bertscore-layers", 1)
    code, out, _err = run(capsys, *about, "--bertscore-model", folder)
    assert code == 0 and "bertscore_f1: 2" in out and "rouge1: 2" in out
    before = stored()
    assert set(before) == {"r1", "r2"} and before["r1"] == pytest.approx(PUBLISHED["bert", 1][0], abs=1e-6)
    assert run(capsys, *about)[::2] == (1, "--bertscore-layers is of --bertscore-model: name its folder, too\n")
    assert "bertscore_f1" not in compute_metrics(dataset)["scores"] and stored() == before
    path = lines(tmp_path / "s.jsonl", [{"response": "r1", "metric": "bertscore_f1", "value": 1}])
    with pytest.raises(Refused, match="bertscore_f1 is computed by the site"):
        load_metric_scores(path, dataset)


def test_a_job_computes_it_with_the_model_of_the_settings_or_fails_with_the_reason(dataset, tmp_path, settings):
    project = create_project("birds", dataset, article_accuracy())

    def done() -> Job:
        job = jobs.create(COMPUTE_METRICS, project=project, actor=person("lena"))
        app.tasks["tasks.metrics.compute_metrics"](job.pk)
        return Job.objects.get(pk=job.pk)

    settings.BERTSCORE_MODEL = str(tmp_path / "nothing")
    failed = done()
    assert failed.state == "failed" and "is not the folder of a model" in failed.problems[0]
    assert not MetricScore.objects.exists()
    settings.BERTSCORE_MODEL, settings.BERTSCORE_LAYERS = str(tiny_models.roberta(tmp_path / "roberta")), 1
    assert done().result["scores"]["bertscore_f1"] == 2
    assert stored()["r1"] == pytest.approx(PUBLISHED["roberta", 1][0], abs=1e-6)
