"""ExpertQA in a sample of our own writing: what a row becomes, what is refused, and what its annotators said."""

import json
from pathlib import Path

import pytest
from django.test import override_settings

from annotation.importing import load_dataset, load_ratings
from annotation.importing.annotator_mapping import anonymize, published_rater_name
from annotation.importing.problems import BadRecord
from annotation.models import Dataset, Item, Project, Prompt, Rating, Response, User
from annotation.projects.create import create_project
from tests.cast import newest_version
from tests.importing.files import FIXTURES, lines, problem_of, refusal_of

pytestmark = pytest.mark.django_db
SAMPLES = FIXTURES / "expertqa"
PROLIFIC = "5f" * 12  # in the shape of a recruiting site's id


def load(*paths: Path, slug: str = "answers", **options):
    return load_dataset("expertqa", paths, slug, **options)


def project_on(slug: str = "answers") -> Project:
    return create_project(f"on-{slug}", Dataset.objects.get(slug=slug), newest_version("claim-attribution"))


@pytest.fixture
def project() -> Project:
    load(SAMPLES / "answers.jsonl")
    return project_on()


def first_row() -> dict:
    return json.loads((SAMPLES / "answers.jsonl").read_text(encoding="utf-8").splitlines()[0])


def test_five_rows_give_three_prompts_and_four_responses_with_their_claims():
    counts = {"documents": 0, "prompts": 3, "responses": 4, "items": 8, "left_out": {"identical row": 1}}
    for new in (7, 0):
        assert load(SAMPLES / "answers.jsonl").as_json() == {**counts, "new": new}
    assert set(Item.objects.values_list("unit", "kind", "rate", "splitter")) == {("claim", "claim", True, "")}
    items = Item.objects.filter(response__system__name="rr_gs_gpt4").order_by("position")
    text = items[0].response.text
    assert [(item.start is None, item.text) for item in items] == [
        (False, "Lime putty should mature for at least **three months** before it is used for a fine plaster [1]."),
        (False, "Shell lime is said to need longer [2]."),  # without the blank that the file has before it
        (True, "Keep it under water. Stir it once a month."),
    ]
    assert all(text[item.start : item.end] == item.text for item in items[:2])
    prompt = Prompt.objects.get(text__startswith="Which of")
    types = ["Open-ended question that is potentially ambiguous", "Summarization of information on a topic"]
    assert prompt.metadata == {"question_type": types, "field": "Music", "specific_field": "Campanology"}
    assert prompt.document is None


def test_a_row_that_differs_from_the_first_of_its_question_is_an_error(tmp_path):
    twice, blank, odd = refusal_of(load, SAMPLES / "broken.jsonl")
    assert twice.startswith("broken.jsonl:3: the answer of 'gpt4' to 'A patient on")
    assert "occurs twice and differs from the first, in broken.jsonl:2" in twice
    assert "broken.jsonl:4: 'claim_string' of claim 1 of the answer of bing_chat contains only whitespace" in blank
    assert "broken.jsonl:5: 'question' of the row must be a text, but is a number" in odd
    other = lines(tmp_path / "other.jsonl", [first_row() | {"metadata": {"field": "Law"}}])
    problem = problem_of(load, SAMPLES / "answers.jsonl", other)
    assert problem.startswith("other.jsonl:1: prompt 'How long should")
    assert "occurs a second time and differs from the first, in answers.jsonl:1" in problem


def test_a_further_file_adds_another_systems_answer_or_a_question_without_one(tmp_path):
    load(SAMPLES / "answers.jsonl")
    row = first_row()
    row["answers"] = {"gpt4": row["answers"].pop("rr_gs_gpt4")}
    assert load(lines(tmp_path / "more.jsonl", [row])).as_json()["new"] == 1
    assert Prompt.objects.count() == 3
    assert Response.objects.filter(prompt__text=row["question"]).count() == 2
    alone = lines(tmp_path / "r1.jsonl", [row | {"answers": {}}])
    assert load(alone, slug="alone").as_json()["responses"] == 0
    assert Prompt.objects.get(dataset__slug="alone").annotations[0]["row"]["annotator_id"] == "17"


def test_annotations_become_ratings_under_pseudonyms_and_nulls_are_allowed(project):
    counts = load_ratings(SAMPLES / "answers.jsonl", project, format="expertqa")
    left_out = {"claim without labels": 1, "identical row": 1}
    assert counts.as_json() == {"ratings": 7, "raters": 4, "left_out": left_out, "new": 7, "changed": 0}
    first, second, third, *_ = project.ratings.order_by("item__response", "item__position")
    assert first.answers["support"] == "complete"
    assert second.answers["reason_missing_support"].startswith("The page does not open")
    assert "usefulness" not in second.answers
    assert third.answers["usefulness"] == "useful"
    assert third.answers["correctness"] == "likely_incorrect"
    gaps = Rating.objects.get(item__text__startswith="Nine bells")
    assert gaps.choices == {
        "informativeness": "uninformative", "worthiness": "no", "correctness": "definitely_incorrect"
    }  # fmt: skip
    names = User.objects.filter(ratings__isnull=False).values_list("username", "is_active").distinct()
    assert sorted(names) == sorted((published_rater_name(number), False) for number in ("17", "4", "203", "88"))
    again = load_ratings(SAMPLES / "answers.jsonl", project, format="expertqa").as_json()
    assert (again["new"], again["changed"]) == (0, 0)


def test_a_label_that_the_files_do_not_have_is_named_and_annotations_fit_their_own_protocol_only(project):
    problem = problem_of(load_ratings, SAMPLES / "unknown-label.jsonl", project, format="expertqa")
    words = "claim 1: 'support' of the claim is 'Complete-ish'; it must be one of: Complete, "
    assert problem.startswith(f"unknown-label.jsonl:1: {words}")
    assert not Rating.objects.exists()
    Project.objects.update(protocol=newest_version("article-accuracy"))
    project = Project.objects.get(pk=project.pk)
    with pytest.raises(Exception, match="they belong to protocol 'claim-attribution'"):
        load_ratings(SAMPLES / "answers.jsonl", project, format="expertqa")


def test_a_recruiting_sites_id_is_stored_nowhere_and_numbers_that_stand_for_people_need_no_key(tmp_path):
    row = first_row() | {"annotator_id": PROLIFIC}
    row["answers"]["rr_gs_gpt4"]["annotator_id"] = PROLIFIC
    path = lines(tmp_path / "ids.jsonl", [row])
    load(path)
    load_ratings(path, project_on(), format="expertqa")
    names = list(User.objects.values_list("username"))
    assert PROLIFIC not in json.dumps([Response.objects.get().metadata, Prompt.objects.get().annotations, names])
    assert anonymize(PROLIFIC) == anonymize(PROLIFIC) != anonymize(PROLIFIC[::-1])
    assert anonymize(anonymize(PROLIFIC)) == anonymize(PROLIFIC)
    with override_settings(SECRET_KEY=""):
        assert anonymize("143") == "143"
        with pytest.raises(BadRecord, match="SECRET_KEY"):
            anonymize(PROLIFIC)


def test_rows_of_a_split_for_training_are_refused_with_the_remedy(tmp_path):
    for more in ({}, {"answers": {}}, {"answers": None}):
        row = {"example_id": 1, "context": "", "question": "Do rails fly?", "answer": "Reluctantly.", **more}
        problem = problem_of(load, lines(tmp_path / "a.json", [row]))
        assert problem.startswith("a.json:1: the row has 'answer' in place of 'answers'") and "format “rows”" in problem
