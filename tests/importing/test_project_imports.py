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
from tests.cast import newest_version, person
from tests.importing.files import FIXTURES, refusal_of

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


def test_the_same_file_again_changes_nothing_and_a_dry_run_stores_nothing():
    import_project(source(), "terns")
    assert import_project(source(), "terns").new == 0
    counts = import_project(source(SPANS), "spans", dry_run=True)
    assert counts.new > 0 and counts.lines()[-1] == "dry run: nothing was stored"
    assert Project.objects.count() == Dataset.objects.count() == 1
    assert ProtocolVersion.objects.filter(slug="terns").count() == 1
    assert not ProtocolVersion.objects.filter(slug="spans").exists()


def test_an_export_with_numbers_of_predictions_and_annotators_has_the_annotations(tmp_path):
    tasks = json.loads(VERDICTS.read_text(encoding="utf-8"))
    predictions = sum(len(task["predictions"]) for task in tasks)
    for task in tasks:  # as the page *Export* of Label Studio writes them
        task["predictions"] = [each["id"] for each in task["predictions"]]
        for annotation in task["annotations"]:
            annotation["completed_by"] = annotation["completed_by"]["id"]
    path = tmp_path / "project-7.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    counts = import_project(source(path), "terns")
    assert counts.left_out == {"skipped annotation": 1, "prediction without its labels": predictions}
    assert predictions == 4 and answers() == {"supported": 3, "contradicted": 3, "not_in_source": 1}
    assert not Rating.objects.filter(role="judge").exists()
    raters = set(Rating.objects.values_list("rater__username", flat=True))
    assert raters == {"label-studio-1", "label-studio-2"}


def test_spans_are_labels_of_the_sentences_that_they_overlap():
    counts = import_project(source(SPANS), "spans")
    protocol = Project.objects.get().protocol.definition
    assert protocol.unit == "sentence" and list(protocol.once_keys) == ["overall"]
    assert [option.key for option in protocol.questions[0].options] == ["wrong_fact", "unverifiable", "no_label"]
    ratings = Rating.objects.filter(item__response__key="a-201", role="rater").order_by(
        "rater__username", "item__position"
    )
    assert [(r.rater.username.split("@")[0], r.answers["error"], r.answers.get("overall")) for r in ratings] == [
        ("maria", "no_label", None), ("maria", "no_label", None), ("maria", "wrong_fact", "poor"),
        ("noor", "no_label", None), ("noor", "unverifiable", None), ("noor", "wrong_fact", "fair"),
    ]  # fmt: skip
    judged = {r.item.position: r.answers["error"] for r in Rating.objects.filter(role="judge")}
    assert judged == {0: "no_label", 1: "wrong_fact"}
    assert "error.no_label: (without a label)" in counts.lines()
    assert Item.objects.filter(unit="sentence").count() == 5, "those of the data set"


def test_labels_are_mapped_to_a_protocol_of_ones_own():
    mapping = LabelMapping(
        {
            "accuracy.accurate": ("",),
            "accuracy.inaccurate": ("error:Wrong fact",),
            "accuracy.unsupported": ("Unverifiable",),
            "severity.severe": ("Wrong fact",),
            "severity.not_severe": ("Unverifiable",),
            "leave_out": ("Good", "Fair", "Poor"),
        }
    )
    protocol = newest_version("article-accuracy")
    import_project(source(SPANS, protocol=protocol, labels=mapping), "spans")
    assert answers(question="accuracy") == {"accurate": 5, "inaccurate": 2, "unsupported": 1}
    assert Rating.objects.filter(answers={"accuracy": "inaccurate", "severity": "severe"}).count() == 3
    assert import_project(source(SPANS), "spans").new == 0  # the stored mapping is used again


def test_labels_without_a_field_are_listed_with_the_fields():
    protocol = newest_version("article-accuracy")
    problems = refusal_of(import_project, source(SPANS, protocol=protocol), "spans")
    assert problems[0] == "label 'error:Wrong fact' (3 times) has no field; map it (--label FIELD=LABEL)"
    assert problems[-1].startswith("the fields of protocol article-accuracy are: accuracy.accurate, accuracy.disputed")
    unknown = LabelMapping({"accuracy.acurate": ("Good",)})
    problems = refusal_of(import_project, source(SPANS, protocol=protocol, labels=unknown), "spans")
    assert problems[0].startswith("the label mapping names an unknown field 'accuracy.acurate'")


def test_labels_of_whole_responses_do_not_fit_a_protocol_about_their_sentences():
    fields = {"accuracy.accurate": ("Supported",), "leave_out": ("Contradicted", "Not in source", "note")}
    asked = source(protocol=newest_version("article-accuracy"), labels=LabelMapping(fields))
    problem = refusal_of(import_project, asked, "terns")[0]
    assert "(annotation 5): label 'Supported' is about the whole response, but the protocol asks about each" in problem
    assert problem.startswith((f"{VERDICTS}:", "verdicts.json:"))


def test_a_mapping_needs_a_protocol_and_a_project_keeps_its_own():
    mapping = LabelMapping({"accuracy.accurate": ("Supported",)})
    assert "name the protocol" in refusal_of(import_project, source(labels=mapping), "terns")[0]
    import_project(source(), "terns")
    problems = refusal_of(import_project, source(protocol=newest_version("article-accuracy")), "terns")
    assert "has protocol" in problems[0]
    assert "is about another data set" in refusal_of(import_project, source(), "terns", "elsewhere")[0]
    assert "choose one of" in refusal_of(import_project, ProjectSource("prodigy", [VERDICTS]), "terns")[0]


def test_an_annotator_who_is_two_people_or_two_answers_are_refused(tmp_path):
    tasks = json.loads(VERDICTS.read_text(encoding="utf-8"))
    again = {"choices": ["Contradicted"]}
    tasks[0]["annotations"][0]["result"].append(tasks[0]["annotations"][0]["result"][0] | {"value": again})
    tasks[1]["annotations"][1]["completed_by"] = tasks[1]["annotations"][0]["completed_by"]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    problems = refusal_of(import_project, source(path), "terns")
    assert any("verdict has two answers, 'supported' and 'contradicted'" in problem for problem in problems)
    assert any("rates the same item a second time in this file" in problem for problem in problems)


def test_annotators_become_the_users_that_are_named():
    users = {"noor@example.org": "noor", "maria@example.org": "maria@example.org"}
    counts = import_project(source(annotators=users), "terns")
    assert counts.annotators == {"noor@example.org": "noor"} and "noor@example.org: user noor" in counts.lines()
    assert Rating.objects.filter(rater__username="noor").count() == 3
    assert not User.objects.filter(username="noor@example.org").exists()
    assert DatasetImport.objects.get(kind="ratings").options["annotators"] == {"noor@example.org": "noor"}
    assert import_project(source(), "terns").new == 0  # the stored mapping is used again
    problems = refusal_of(import_project, source(annotators={}), "terns")
    assert problems == ["annotator 'noor@example.org' is already user 'noor' in this project; keep this user"]


def test_a_mapping_to_the_new_name_of_a_renamed_user_is_the_same_user():
    person("noor@example.org")
    import_project(source(), "terns")
    rename_user(User.objects.get(username="noor@example.org"), "noor")
    assert import_project(source(annotators={"noor@example.org": "noor"}), "terns").new == 0
    assert not Rating.objects.exclude(rater__username="noor").filter(rater__username__startswith="noor").exists()


def test_wrong_annotator_mappings_are_refused():
    mapping = {"nora@example.org": "noor", "noor@example.org": "two words", "maria@example.org": ""}
    problems = refusal_of(import_project, source(annotators=mapping), "terns")
    assert problems[0].startswith("there is no annotator 'nora@example.org' in the files; they have: maria@example.org")
    assert "annotator 'noor@example.org': user name 'two words': use letters" in problems[1]
    assert "annotator 'maria@example.org': user name ''" in problems[2]
    same = {"noor@example.org": "maria@example.org"}
    problems = refusal_of(import_project, source(annotators=same), "terns")
    assert any("rates the same item a second time" in problem for problem in problems)
    judge = {"noor@example.org": "model-grader-2-beta"}
    [problem] = refusal_of(import_project, source(annotators=judge), "terns")
    assert "'model-grader-2-beta' is a model of the files" in problem


def test_the_files_of_each_annotator_share_the_mapping():
    files = [FIXTURES / "doccano" / name for name in ("maria.jsonl", "noor.jsonl")]
    columns = columns_from({"response": "text", "prompt": "question"})
    mapping = {"doccano-maria": "maria", "doccano-noor": "noor"}
    import_project(ProjectSource("doccano", files, columns=columns, annotators=mapping), "bees")
    assert set(Rating.objects.values_list("rater__username", flat=True)) == {"maria", "noor"}


def test_a_job_may_be_canceled_until_all_is_stored():
    job = jobs.create("load_project")
    progress = Progress(job=job)
    steps = []
    progress.lock_job = lambda: steps.append(progress.message)
    import_project(source(), "terns", progress=progress)
    assert steps == ["storing ratings"]
    progress.stopped.set()
    with pytest.raises(jobs.Stopped):
        import_project(source(SPANS), "spans", progress=progress)
