"""Raters of a file: a name is one person in any spelling, and two annotators are never merged."""

import unicodedata

import pytest

from annotation.accounts.users import create_user, rename_user
from annotation.importing import SourceFile, columns_from, load_dataset, load_ratings
from annotation.importing.project_imports import ProjectSource, import_project
from annotation.judging.judges import create_judge
from annotation.models import Dataset, Judge, Project, Rating, User
from annotation.projects.create import create_project
from annotation.reporting.data.study import data_sha256
from tests.cast import ACCURATE, article_accuracy, person
from tests.importing.files import FIXTURES, lines, problem_of

pytestmark = pytest.mark.django_db
COLUMNS = columns_from({"prompt": "question", "response": "text", "response_id": "id", "system": "model"})


@pytest.fixture(scope="module")
def project(module_rows) -> Project:
    load_dataset("jsonl", [FIXTURES / "jsonl" / "dataset.jsonl"], "tea")
    return create_project("june", Dataset.objects.get(), article_accuracy(), overlap=1)


def of_raters(path, *raters: str) -> SourceFile:
    """Write a rating of each rater, of the same item."""
    same = {"response": "bees-how.wren", "item": 1, "answers": ACCURATE}
    return SourceFile(lines(path / "r.jsonl", [{**same, "rater": rater} for rater in raters]))


def test_another_spelling_of_an_account_is_that_account_and_characters_are_stored_composed(tmp_path, project):
    ravi, before = person("ravi"), User.objects.count()
    for new, spelling in ((1, "Ravi"), (0, "RAVI"), (0, "ｒａｖｉ"), (0, "Ravi")):
        assert load_ratings(of_raters(tmp_path, spelling), project).new == new
        assert Rating.objects.get().rater == ravi
    assert User.objects.count() == before
    load_ratings(of_raters(tmp_path, "jose\u0301"), project)
    assert Rating.objects.latest("pk").rater.username == "josé"


def test_a_file_with_two_spellings_of_one_name_or_a_name_that_addresses_cannot_have_is_refused(tmp_path, project):
    for one, other, shown in (
        ("Edda", "edda", "'edda' is another spelling of 'Edda'"),
        ("weiß", "WEISS", "'WEISS' is another spelling of 'weiß'"),
        ("josé", "jose\u0301", r"'jose\u0301' is another spelling of 'jos\xe9'"),
    ):
        problem = problem_of(load_ratings, of_raters(tmp_path, one, "ravi", other), project)
        assert problem.startswith(f"r.jsonl:3: rater {shown} (r.jsonl:1)")
        assert "spell the name of one person in one way, and give one of two people another name" in problem
    for name in (".", ".."):
        problem = f"r.jsonl:1: user name '{name}': not possible in a web address; add a letter or a digit"
        assert problem_of(load_ratings, of_raters(tmp_path, name), project) == problem


def test_two_accounts_from_before_are_told_apart_by_their_exact_spellings(tmp_path, project):
    tom, older = person("tom"), person("older")
    User.objects.filter(pk=older.pk).update(username="Tom", name_key=f"tom#{older.pk}")
    load_ratings(of_raters(tmp_path, "tom", "Tom"), project)
    assert set(Rating.objects.values_list("rater", flat=True)) == {tom.pk, older.pk}


def test_ratings_of_a_judge_have_its_role_also_where_a_person_has_another_spelling(tmp_path, project):
    judge = create_judge(Judge(name="gpt-4", rule="numbers"))[0].user
    shared = person("older")
    User.objects.filter(pk=shared.pk).update(username="GPT-4@1", name_key=f"gpt-4@1#{shared.pk}")
    load_ratings(of_raters(tmp_path, "GPT-4@1"), project)
    assert Rating.objects.get().rater == shared
    User.objects.filter(pk=judge.pk).update(name_key=f"gpt-4@1#{judge.pk}")
    User.objects.filter(pk=shared.pk).update(name_key="gpt-4@1")
    problem = problem_of(load_ratings, of_raters(tmp_path, judge.username), project)
    assert problem == "r.jsonl:1: 'gpt-4@1' is a judge, so its ratings have the role judge"


def test_a_renamed_rater_keeps_ratings_and_hash_and_is_found_by_the_first_name(tmp_path, project):
    file = of_raters(tmp_path, "Gwen", "ravi")
    load_ratings(file, project)
    before, ratings = data_sha256(project), list(Rating.objects.order_by("pk").values())
    rename_user(User.objects.get(username="Gwen"), "gwen.2")
    assert data_sha256(project) == before
    assert list(Rating.objects.order_by("pk").values()) == ratings
    assert load_ratings(file, project).new == 0
    assert create_user("gwen.2").original_name == "Gwen"


def potato(tmp_path, *users: str) -> ProjectSource:
    data = {"id": "p-1", "text": "Herons wade.", "question": "What do herons do?", "model": "m"}
    files = [lines(tmp_path / "data.jsonl", [data])]
    labels = {"verdict": {"right": "1"}}
    rows = [{"user_id": user, "instance_id": "p-1", "label_annotations": labels} for user in users]
    files.append(lines(tmp_path / "annotated_instances.jsonl", rows))
    return ProjectSource("potato", tuple(map(SourceFile, files)), columns=COLUMNS)


def test_two_annotators_who_would_be_one_user_are_named_with_the_remedy(tmp_path):
    decomposed = unicodedata.normalize("NFD", "é")
    for pair in (
        ("Edda", "edda"), ("Edda A", "edda a"), ("é", decomposed), ("user 1", "user/1"), ("user 1", "user-1")
    ):  # fmt: skip
        problem = problem_of(import_project, potato(tmp_path, *pair), "herons")
        assert "would both be user" in problem and "(--annotator ANNOTATOR=USER)" in problem
    assert not Rating.objects.exists()


def test_a_mapping_tells_two_annotators_apart(tmp_path):
    source = potato(tmp_path, "Edda", "edda", "..")
    mapped = ProjectSource(**{**vars(source), "annotators": {"edda": "edda.b", "..": "dots"}})
    assert import_project(mapped, "herons").totals["raters"] == 3
    assert set(Rating.objects.values_list("rater__username", flat=True)) == {"Edda", "edda.b", "dots"}
