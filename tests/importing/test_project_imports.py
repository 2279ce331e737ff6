"""Projects of annotation tools: data, project and ratings in one step."""

import json
from collections import Counter

import pytest

from annotation import jobs
from annotation.accounts.users import rename_user
from annotation.importing.column_mapping import columns_from
from annotation.importing.label_mapping import LabelMapping
from annotation.importing.project_imports import ProjectSource, import_project
from annotation.jobs import Progress
from annotation.models import Dataset, DatasetImport, Item, Project, ProtocolVersion, Rating, Response, User
from tests.cast import article_accuracy, person
from tests.importing.files import FIXTURES, problem_of, refusal_of

VERDICTS = FIXTURES / "label-studio" / "verdicts.json"
SPANS = FIXTURES / "label-studio" / "spans.json"
pytestmark = pytest.mark.django_db


def source(path=VERDICTS, **more) -> ProjectSource:
    return ProjectSource("label-studio", [path], **more)


def answers(role: str = "rater", question: str = "verdict") -> Counter:
    return Counter(rating.answers.get(question) for rating in Rating.objects.filter(role=role))


def test_a_project_has_a_protocol_made_of_its_labels_and_its_ratings():
    counts = import_project(source(), "terns").as_json()
    assert counts == {
        "documents": 1, "prompts": 2, "responses": 4, "items": 5, "ratings": 11, "raters": 2, "judges": 1,
        "left_out": {"skipped annotation": 1}, "new": 18, "project": "terns",
    }  # fmt: skip
    project = Project.objects.get()
    protocol = project.protocol.definition
    assert (project.overlap, protocol.unit, [q.key for q in protocol.questions]) == (2, "response", ["verdict", "note"])
    assert [option.label for option in protocol.questions[0].options] == ["Supported", "Contradicted", "Not in source"]
    assert answers() == {"supported": 3, "contradicted": 3, "not_in_source": 1}
    assert answers("judge") == {"supported": 2, "contradicted": 1, "not_in_source": 1}
    rating = Rating.objects.get(rater__username="noor@example.org", item__response__text__startswith="Puffins dig")
    assert rating.answers == {"verdict": "not_in_source", "note": "The passage does not say that they dig."}
    assert rating.seconds == 26.5
    assert set(Rating.objects.filter(role="judge").values_list("rater__username", flat=True)) == {"model-grader-2-beta"}
    assert not User.objects.filter(is_active=True).exists()
    assert set(Response.objects.values_list("system__name", flat=True)) == {"wren-1", "finch-2"}
    assert import_project(source(), "terns").new == 0
    dry = import_project(source(SPANS), "spans", dry_run=True)
    assert dry.new > 0 and dry.lines()[-1] == "dry run: nothing was stored"
    assert Project.objects.count() == Dataset.objects.count() == 1
    assert [ProtocolVersion.objects.filter(slug=slug).count() for slug in ("terns", "spans")] == [1, 0]


def test_spans_are_labels_of_the_sentences_that_they_overlap():
    counts = import_project(source(SPANS), "spans")
    protocol = Project.objects.get().protocol.definition
    assert protocol.unit == "sentence" and list(protocol.once_keys) == ["overall"]
    assert [option.key for option in protocol.questions[0].options] == ["wrong_fact", "unverifiable", "no_label"]
    rated = Rating.objects.filter(item__response__key="a-201", role="rater")
    ratings = rated.order_by("rater__username", "item__position")
    assert [(r.rater.username.split("@")[0], r.answers["error"], r.answers.get("overall")) for r in ratings] == [
        ("maria", "no_label", None), ("maria", "no_label", None), ("maria", "wrong_fact", "poor"),
        ("noor", "no_label", None), ("noor", "unverifiable", None), ("noor", "wrong_fact", "fair"),
    ]  # fmt: skip
    judged = {r.item.position: r.answers["error"] for r in Rating.objects.filter(role="judge")}
    assert judged == {0: "no_label", 1: "wrong_fact"}
    assert "error.no_label: (without a label)" in counts.lines()
    assert Item.objects.filter(unit="sentence").count() == 5, "those of the data set"


MAPPING = {
    "accuracy.accurate": ("",), "accuracy.inaccurate": ("error:Wrong fact",), "accuracy.unsupported": ("Unverifiable",),
    "severity.severe": ("Wrong fact",), "severity.not_severe": ("Unverifiable",), "leave_out": ("Good", "Fair", "Poor"),
}  # fmt: skip


def test_labels_are_mapped_to_a_protocol_of_ones_own():
    import_project(source(SPANS, protocol=article_accuracy(), labels=LabelMapping(MAPPING)), "spans")
    assert answers(question="accuracy") == {"accurate": 5, "inaccurate": 2, "unsupported": 1}
    assert Rating.objects.filter(answers={"accuracy": "inaccurate", "severity": "severe"}).count() == 3
    assert import_project(source(SPANS), "spans").new == 0  # the stored mapping is used again


def test_labels_without_a_field_or_about_whole_responses_are_refused():
    protocol = article_accuracy()
    problems = refusal_of(import_project, source(SPANS, protocol=protocol), "spans")
    assert problems[0] == "label 'error:Wrong fact' (3 times) has no field; map it (--label FIELD=LABEL)"
    assert problems[-1].startswith("the fields of protocol article-accuracy are: accuracy.accurate, accuracy.disputed")
    unknown = LabelMapping({"accuracy.acurate": ("Good",)})
    problem = refusal_of(import_project, source(SPANS, protocol=protocol, labels=unknown), "spans")[0]
    assert problem.startswith("the label mapping names an unknown field 'accuracy.acurate'")
    fields = {"accuracy.accurate": ("Supported",), "leave_out": ("Contradicted", "Not in source", "note")}
    problem = refusal_of(import_project, source(protocol=protocol, labels=LabelMapping(fields)), "terns")[0]
    assert "(annotation 5): label 'Supported' is about the whole response, but the protocol asks about each" in problem
    assert problem.startswith((f"{VERDICTS}:", "verdicts.json:"))


def test_a_mapping_needs_a_protocol_and_a_project_keeps_its_own():
    mapping = LabelMapping({"accuracy.accurate": ("Supported",)})
    assert "name the protocol" in refusal_of(import_project, source(labels=mapping), "terns")[0]
    import_project(source(), "terns")
    assert "has protocol" in refusal_of(import_project, source(protocol=article_accuracy()), "terns")[0]
    assert "is about another data set" in refusal_of(import_project, source(), "terns", "elsewhere")[0]
    assert "choose one of" in refusal_of(import_project, ProjectSource("prodigy", [VERDICTS]), "terns")[0]


@pytest.fixture
def tasks() -> list[dict]:
    return json.loads(VERDICTS.read_text(encoding="utf-8"))


def written(path, tasks: list[dict]) -> ProjectSource:
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return source(path)


def test_an_export_with_numbers_of_predictions_and_annotators_has_the_annotations(tmp_path, tasks):
    predictions = sum(len(task["predictions"]) for task in tasks)
    for task in tasks:  # as the page *Export* of Label Studio writes them
        task["predictions"] = [each["id"] for each in task["predictions"]]
        for annotation in task["annotations"]:
            annotation["completed_by"] = annotation["completed_by"]["id"]
    counts = import_project(written(tmp_path / "project-7.json", tasks), "terns")
    assert counts.excluded.counts == {"skipped annotation": 1, "prediction without its labels": predictions}
    assert predictions == 4 and answers() == {"supported": 3, "contradicted": 3, "not_in_source": 1}
    assert not Rating.objects.filter(role="judge").exists()
    assert set(Rating.objects.values_list("rater__username", flat=True)) == {"label-studio-1", "label-studio-2"}


def test_an_annotator_who_is_two_people_or_two_answers_are_refused(tmp_path, tasks):
    results, annotations = tasks[0]["annotations"][0]["result"], tasks[1]["annotations"]
    results.append(results[0] | {"value": {"choices": ["Contradicted"]}})
    annotations[1]["completed_by"] = annotations[0]["completed_by"]
    problems = "\n".join(refusal_of(import_project, written(tmp_path / "tasks.json", tasks), "terns"))
    assert "verdict has two answers, 'supported' and 'contradicted'" in problems
    assert "rates the same item a second time in this file" in problems


NOOR, MARIA = "noor@example.org", "maria@example.org"


def test_annotators_become_the_users_that_are_named():
    counts = import_project(source(annotators={NOOR: "noor", MARIA: MARIA}), "terns")
    assert counts.annotators == {NOOR: "noor"} and "noor@example.org: user noor" in counts.lines()
    assert Rating.objects.filter(rater__username="noor").count() == 3
    assert not User.objects.filter(username=NOOR).exists()
    assert DatasetImport.objects.get(kind="ratings").options["annotators"] == {NOOR: "noor"}
    assert import_project(source(), "terns").new == 0  # the stored mapping is used again
    problem = "annotator 'noor@example.org' is already user 'noor' in this project; keep this user"
    assert problem_of(import_project, source(annotators={}), "terns") == problem


def test_a_mapping_to_the_new_name_of_a_renamed_user_is_the_same_user():
    person(NOOR)
    import_project(source(), "terns")
    rename_user(User.objects.get(username=NOOR), "noor")
    assert import_project(source(annotators={NOOR: "noor"}), "terns").new == 0
    assert not Rating.objects.exclude(rater__username="noor").filter(rater__username__startswith="noor").exists()


def test_wrong_annotator_mappings_are_refused():
    mapping = {"nora@example.org": "noor", NOOR: "two words", MARIA: ""}
    nobody, words, empty, *_ = refusal_of(import_project, source(annotators=mapping), "terns")
    assert nobody.startswith("there is no annotator 'nora@example.org' in the files; they have: maria@example.org")
    assert "annotator 'noor@example.org': user name 'two words': use letters" in words
    assert "annotator 'maria@example.org': user name ''" in empty
    problems = refusal_of(import_project, source(annotators={NOOR: MARIA}), "terns")
    assert any("rates the same item a second time" in problem for problem in problems)
    problem = problem_of(import_project, source(annotators={NOOR: "model-grader-2-beta"}), "terns")
    assert "'model-grader-2-beta' is a model of the files" in problem


def test_the_files_of_each_annotator_share_the_mapping():
    files = [FIXTURES / "doccano" / name for name in ("maria.jsonl", "noor.jsonl")]
    columns = columns_from({"response": "text", "prompt": "question"})
    mapping = {"doccano-maria": "maria", "doccano-noor": "noor"}
    import_project(ProjectSource("doccano", files, columns=columns, annotators=mapping), "bees")
    assert set(Rating.objects.values_list("rater__username", flat=True)) == {"maria", "noor"}


def test_a_job_may_be_canceled_until_all_is_stored():
    progress, steps = Progress(job=jobs.create("load_project")), []
    progress.lock_job = lambda: steps.append(progress.message)
    import_project(source(), "terns", progress=progress)
    assert steps == ["storing ratings"]
    progress.stopped.set()
    with pytest.raises(jobs.Stopped):
        import_project(source(SPANS), "spans", progress=progress)
