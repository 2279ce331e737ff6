"""Passages of documents as responses, that can be rated."""

import pytest

from annotation.importing import load_dataset
from annotation.importing.retrieved_responses import load_retrieved_responses
from annotation.models import Dataset, DatasetImport, Item, Response, Sheet
from annotation.projects.create import create_project
from tests.cast import article_accuracy
from tests.importing.files import FIXTURES, lines, problem_of, prompt

pytestmark = pytest.mark.django_db
SAMPLE = FIXTURES / "syllabusqa"


@pytest.fixture
def courses() -> Dataset:
    load_dataset("syllabusqa", [SAMPLE / "test.json", SAMPLE / "text"], "courses")
    return Dataset.objects.get()


def test_every_prompt_with_a_document_gets_the_best_passage(courses):
    project = create_project("courses", courses, article_accuracy())
    sheets = Sheet.objects.filter(project=project).count()
    counts = load_retrieved_responses(courses, "bm25")
    stored = Response.objects.filter(system__name="bm25").select_related("prompt__document")
    assert counts.new == counts.totals["responses"] == stored.count() == courses.prompts.count()
    for response in stored:
        assert 0 < len(response.text) <= 200 and response.metadata == {"retrieval": "bm25"}
        assert Item.objects.filter(response=response, unit="sentence").exists()
    assert Sheet.objects.filter(project=project).count() == sheets + stored.count()
    assert DatasetImport.objects.filter(kind="responses", options__retrieval="bm25").count() == 1
    before = Response.objects.count()
    assert load_retrieved_responses(courses, "bm25").as_json() == {**counts.as_json(), "new": 0}
    assert load_retrieved_responses(courses, "rag-chunks", dry_run=True, system="search").new > 0
    assert Response.objects.count() == before
    load_retrieved_responses(courses, "bm25", system="search")
    assert set(courses.systems.values_list("name", flat=True)) == {"bm25", "search"}


def test_the_passage_answers_the_question(tmp_path):
    others = [f"{bird} breed on the coast in spring. " * 5 for bird in ("Terns", "Gulls", "Auks", "Waders")]
    paragraphs = [*others, "The median range of a flight is 11.8 km. " * 5]
    document = {"id": "d", "sections": [{"heading": "Birds", "paragraphs": paragraphs}]}
    rows = [prompt("a", text="How long is the range of a flight?", document=document), prompt("b")]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", rows)], "birds")
    counts = load_retrieved_responses(Dataset.objects.get(), "bm25")
    assert "median range" in Response.objects.get().text
    assert counts.excluded.counts == {"prompt without a document": 1}


def test_a_data_set_without_documents_is_refused(tmp_path):
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", [prompt("a")])], "birds")
    for method, problem in (
        ("bm25", "no prompt of data set 'birds' has a document"),
        ("dense", "method 'dense' is unknown; choose one of: bm25, rag-chunks"),
    ):
        assert problem in problem_of(load_retrieved_responses, Dataset.objects.get(), method)
