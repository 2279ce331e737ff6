"""ExpertQA written again: the same lines, except where a rating says otherwise."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.exporting import RatingsExport
from annotation.exporting.datasets import DatasetExport
from annotation.importing import load_dataset, load_ratings
from annotation.jobs import Refused
from annotation.models import Dataset, Project, Rating
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.pseudonyms import Pseudonyms
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.reporting.build import build
from annotation.reporting.choices import Choices
from tests.cast import newest_version, person, signed_in, study
from tests.importing.files import FIXTURES, lines

pytestmark = pytest.mark.django_db
SAMPLE = FIXTURES / "expertqa" / "answers.jsonl"


def project_of(path: Path, slug: str = "answers", *, rated: bool = True) -> Project:
    load_dataset("expertqa", [path], slug)
    project = create_project(slug, Dataset.objects.get(slug=slug), newest_version("claim-attribution"))
    if rated:
        load_ratings(path, project, format="expertqa")
    return project


def written(project: Project) -> str:
    return b"".join(DatasetExport(project, "expertqa")).decode()


def written_rows(project: Project) -> list[dict]:
    return [json.loads(line) for line in written(project).splitlines()]


DISTINCT = "".join(dict.fromkeys(SAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)))
"""The sample's lines, each once; the answers to one question follow each other."""


def distinct_rows() -> list[dict]:
    return [json.loads(line) for line in DISTINCT.splitlines()]


def test_loading_and_exporting_loses_nothing_by_command_and_page(tmp_path):
    assert written(project_of(SAMPLE, "unrated", rated=False)) == DISTINCT
    project = project_of(SAMPLE)
    assert written(project) == DISTINCT
    path = tmp_path / "out.jsonl"
    call_command("export_dataset", project="answers", format="expertqa", output=path)
    assert path.read_text(encoding="utf-8") == DISTINCT
    add_member(project, person("lena"), "lead")
    lena = signed_in("lena")
    assert 'value="published"' in lena.get("/projects/answers/exports/").content.decode()
    response = lena.post("/projects/answers/exports/make/", {"what": "published"})
    assert response["Content-Disposition"] == 'attachment; filename="answers-expertqa.jsonl"'
    assert b"".join(response.streaming_content).decode() == DISTINCT


def test_a_row_with_several_systems_and_a_question_without_answers_come_back(tmp_path):
    rows = distinct_rows()
    merged = rows[2] | {"answers": rows[2]["answers"] | rows[3]["answers"], "batch": 7}
    alone = rows[0] | {"answers": {}, "metadata": {**rows[0]["metadata"], "country": None}}
    path = lines(tmp_path / "odd.jsonl", [merged, alone])
    assert written_rows(project_of(path, rated=False)) == [merged, alone]


def test_an_answer_that_was_changed_comes_out_changed_and_nothing_else():
    project = project_of(SAMPLE)
    rating = project.ratings.select_related("item", "rater").get(item__text__startswith="It may thin")
    answers = rating.answers | {"support": "missing", "usefulness": "useful"}
    store_ratings(project, [NewRating(rating.item, rating.rater, answers)], replace=True)
    expected = distinct_rows()
    answer = expected[1]["answers"]["gpt4"]
    answer["usefulness"] = "Useful"
    answer["claims"][1]["support"] = "Missing"
    assert written_rows(project) == expected


def test_another_rater_gets_a_row_of_their_own_under_a_pseudonym():
    project = project_of(SAMPLE)
    item = Rating.objects.get(item__text__startswith="Nobody kept").item
    answers = {"support": "complete", "informativeness": "very_relevant", "worthiness": "yes"}
    answers |= {"correctness": "unsure", "reliability": "reliable", "usefulness": "useful"}
    store_ratings(project, [NewRating(item, person("rosa"), answers)])
    rows = written_rows(project)
    assert len(rows) == 5
    name = Pseudonyms(project).pseudonym("rosa")
    [row] = [row for row in rows if row["annotator_id"] == name]
    answer = row["answers"]["gpt4"]
    assert (answer["annotator_id"], answer["usefulness"]) == (name, "Useful")
    assert answer["claims"][0] == {
        "claim_string": "Nobody kept a full list.", "evidence": [], "support": "Complete", "reason_missing_support": "",
        "informativeness": "Very relevant", "worthiness": "Yes", "correctness": "Unsure", "reliability": "Reliable",
        "revised_claim": "", "revised_evidence": "",
    }  # fmt: skip


def test_an_export_of_ratings_with_gaps_is_read_back_and_gives_the_same_report(tmp_path):
    project, copy = project_of(SAMPLE), project_of(SAMPLE, "copy", rated=False)
    path = tmp_path / "ratings.jsonl"
    path.write_bytes(b"".join(RatingsExport(project, "jsonl")))
    load_ratings(path, copy)
    assert build(copy, Choices(resamples=100)) == build(project, Choices(resamples=100))


def test_only_what_was_loaded_as_expertqa_under_its_own_protocol_is_written_as_it():
    with pytest.raises(Refused, match="was imported from format jsonl"):
        DatasetExport(study().project, "expertqa")
    project = project_of(SAMPLE, rated=False)
    project.protocol = newest_version("article-accuracy")
    with pytest.raises(Refused, match="supports only claim-attribution"):
        DatasetExport(project, "expertqa")
