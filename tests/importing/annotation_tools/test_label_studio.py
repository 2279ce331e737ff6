"""Label Studio's tasks: what becomes a rating, and what is counted under its own reason."""

import json
from collections import Counter
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.importing import SourceFile
from annotation.importing.label_mapping import LabelMapping
from annotation.importing.project_imports import ProjectSource, import_project
from annotation.models import Project, Rating
from tests.importing.files import problem_of, refusal_of

pytestmark = pytest.mark.django_db


def result(control: str, kind: str, value: object) -> dict:
    return {"id": "r", "from_name": control, "to_name": "answer", "type": kind, "value": value}


def choice(*labels: str, control: str = "verdict") -> dict:
    return result(control, "choices", {"choices": list(labels)})


def written(text: str, control: str = "other") -> dict:
    return result(control, "textarea", {"text": [text]})


def annotation(*results: dict, by: object = 1, **more) -> dict:
    return {"id": 5, "completed_by": by, "result": list(results), "was_cancelled": False, **more}


@pytest.fixture
def of_tasks(tmp_path):
    """Return a function that returns a project of tasks with these annotations, and `changes` of tasks by number."""

    def source(*tasks: list[dict], changes: dict[int, dict] | None = None, **more) -> ProjectSource:
        rows = []
        for n, annotations in enumerate(tasks, 1):
            data = {"question": f"Question {n}?", "answer": f"Answer {n}.", "model": "m"}
            row = {"id": n, "data": data, "annotations": annotations, "predictions": []}
            rows.append(
                {key: value for key, value in {**row, **(changes or {}).get(n, {})}.items() if value is not None}
            )
        path = tmp_path / "tasks.json"
        path.write_text(json.dumps(rows), encoding="utf-8")
        return ProjectSource("label-studio", [SourceFile(path)], **more)

    return source


def answers(slug: str = "terns") -> list[dict]:
    ratings = Rating.objects.filter(project__slug=slug).order_by("item__response", "rater__username")
    return [rating.answers for rating in ratings]


def test_a_written_answer_stays_what_was_written_and_a_mapping_tells_label_and_control(of_tasks):
    tasks = [annotation(written("It depends."), choice("other"))], [annotation(choice("right"), written("right"))]
    import_project(of_tasks(*tasks), "terns")
    expected = [{"verdict": "other", "other": "It depends."}, {"verdict": "right", "other": "right"}]
    assert answers() == expected
    protocol = Project.objects.get().protocol
    mapping = LabelMapping({"verdict.other": ("other",), "verdict.right": ("right",), "other": ("other",)})
    tasks[0][0]["result"].reverse()
    import_project(of_tasks(*tasks, protocol=protocol, labels=mapping), "gulls")
    assert answers("gulls") == expected
    import_project(of_tasks([annotation(written("other"), choice("right"))]), "wrens")
    assert answers("wrens") == [{"verdict": "right", "other": "other"}]


def test_what_is_not_imported_is_counted_by_its_reason(of_tasks):
    tasks = [
        [
            annotation(choice("right"), result("when", "datetime", {"datetime": "2026-03-01"}), {"type": "relation"}),
            annotation(result("order", "ranker", {"ranker": {"rank": ["a"]}}), by=2),
            annotation(by=3),
            annotation(choice("wrong"), by=4, was_cancelled=True),
            annotation(choice(), choice("wrong"), by=5),
        ],
        [annotation(choice("unclear"))],
        [annotation()],
    ]
    changes = {
        1: {"predictions": [{"id": 1, "model_version": "m", "result": []}]},
        2: {"drafts": [{"id": 2, "result": []}]},
        3: {"data": {"question": "Q?", "answer": "", "model": "m"}},
    }
    import_project(of_tasks(*tasks, changes=changes), "first")
    protocol, mapping = Project.objects.get().protocol, LabelMapping({"leave_out": ("unclear",)})
    counts = import_project(of_tasks(*tasks, changes=changes, protocol=protocol, labels=mapping), "terns")
    assert {reason: n for reason, n in counts.excluded.counts.items() if n} == {
        **{f"label of a kind that is not imported: {kind}": 1 for kind in ("datetime", "relation", "ranker")},
        "label without a value": 1,
        "label that is not imported": 1,
        "annotation without a result": 2,
        "annotation without an imported label": 2,
        "annotation without a response": 1,
        "response without text": 1,
        "skipped annotation": 2,
    }
    assert any("ranker" in line and ":1 (annotation 5)" in line for line in counts.lines())
    assert answers() == [{"verdict": "right"}, {"verdict": "wrong"}]


KINDS = {
    "choices": lambda: choice("right"),
    "textarea": lambda: written("Yes.", "note"),
    "rating": lambda: result("stars", "rating", {"rating": 4}),
    "datetime": lambda: result("when", "datetime", {"datetime": "2026"}),
    "rectanglelabels": lambda: result("box", "rectanglelabels", {"rectanglelabels": ["x"], "x": 1}),
    "relation": lambda: {"type": "relation", "from_id": "a", "to_id": "b"},
    "custom": lambda: result("own", "reactcode", {"reactcode": {"a": 1}}),
    "without": lambda: choice(),
}


NUMBERS = count()


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(st.lists(st.sampled_from(sorted(KINDS)), max_size=5, unique=True), max_size=3), max_size=4))
def test_every_label_and_annotation_is_stored_or_counted(of_tasks, kinds):
    slug = f"terns-{next(NUMBERS)}"
    tasks = [[annotation(choice("right"), choice("4", control="stars"), written("No.", "note"), by=9)]]
    tasks += [[annotation(*(KINDS[kind]() for kind in each), by=n) for n, each in enumerate(task)] for task in kinds]
    counts = import_project(of_tasks(*tasks), slug)
    stored, left_out = answers(slug), Counter()
    for reason, n in counts.excluded.counts.items():
        left_out[reason.split(" ")[0]] += n
    assert len(stored) + left_out["annotation"] == sum(map(len, tasks))
    labels = sum(len(each["result"]) for task in tasks for each in task)
    assert sum(map(len, stored)) + left_out["label"] == labels


def test_annotators_whose_accounts_were_deleted_are_unknown_ones(of_tasks):
    without = annotation(choice("wrong"))
    del without["completed_by"]
    tasks = [annotation(choice("right"), by=None), without, annotation(choice("right"), by={"id": None, "email": ""})]
    counts = import_project(of_tasks(tasks, tasks[:1], [annotation(choice("right"), by=7)]), "terns")
    assert counts.details()["unnamed"] == 4
    message = "annotations without an annotator's name: 4; a user whose name ends in -unknown may be several people"
    assert message in counts.lines()
    names = set(Rating.objects.values_list("rater__username", flat=True))
    assert names == {f"label-studio-{name}" for name in ("unknown", "unknown-2", "unknown-3", "7")}
    assert Project.objects.get().overlap == 3
    import_project(of_tasks(tasks[:1], annotators={"label-studio-unknown": "ann"}), "gulls")
    assert Rating.objects.get(project__slug="gulls").rater.username == "ann"


SIMILAR = (
    ["user 1", "user-1", "user/1"], ["Maria", "maria"], ["maria", "ｍaria"], ["a" * 151 + x for x in "bc"], ["***", "m"]
)  # fmt: skip


def test_annotators_whose_names_differ_in_little_are_never_one_user(of_tasks):
    for number, names in enumerate(SIMILAR):
        tasks, slug = [[annotation(choice("right"), by=name)] for name in names], f"terns-{number}"
        problems = refusal_of(import_project, of_tasks(*tasks), slug)
        assert len(problems) == max(1, len(names) - 1)
        assert all("--annotator ANNOTATOR=USER" in each for each in problems)
        mapping = {name: f"rater-{n}" for n, name in enumerate(names)}
        import_project(of_tasks(*tasks, annotators=mapping), slug)
        assert Rating.objects.filter(project__slug=slug).values("rater").distinct().count() == len(names)
        assert import_project(of_tasks(*tasks), slug).new == 0


def test_an_annotator_of_a_later_file_does_not_become_an_earlier_one_and_a_valid_name_stays(of_tasks):
    first = [annotation(choice("right"), by="user 1")]
    import_project(of_tasks(first, [annotation(choice("wrong"))]), "terns")
    assert Rating.objects.filter(rater__username="user-1").count() == 1
    later = of_tasks(first, [annotation(choice("wrong"), by="user/1")])
    problem = "annotators 'user 1' and 'user/1' would both be user 'user-1'"
    assert problem_of(import_project, later, "terns").startswith(problem)
    import_project(of_tasks([annotation(choice("right"), by="-dash")]), "dash")
    assert Rating.objects.get(project__slug="dash").rater.username == "-dash"


@pytest.mark.parametrize(
    "labels",
    [
        ["2", "?", "1"], ["?", "!", "option", "Option"], ["有帮助", "没有帮助", "不清楚"], ["صحيح", "خطأ"],
        ["a b", "a-b", "a_b", "a_b_2"], ["No label", "Another label", "no label"], ["x" * 90 + "1", "x" * 90 + "2"],
        ["No label"], ["Another label"],
    ],
)  # fmt: skip
def test_each_label_has_a_key_of_its_own_in_any_order(of_tasks, labels):
    for slug, ordered in (("terns", labels), ("gulls", labels[::-1])):
        counts = import_project(of_tasks(*([annotation(choice(each))] for each in ordered)), slug)
        [question] = Project.objects.get(slug=slug).protocol.definition.questions
        assert len({option.key for option in question.options}) == len(question.options) >= len(labels)
        by_key = {names[0]: field.removeprefix("verdict.") for field, names in counts.labels.by_field.items()}
        assert [each["verdict"] for each in answers(slug)] == [by_key[f"verdict:{label}"] for label in ordered]


def test_labels_of_spans_and_measures_of_several_controls_have_keys_of_their_own(of_tasks):
    span = result("a", "labels", {"start": 0, "end": 6, "text": "Answer", "labels": ["No label"]})
    results = [span, choice("b_c", control="a_"), choice("c", control="a__b"), choice("c", control="a b")]
    import_project(of_tasks([annotation(*results)], [annotation()]), "terns")
    measures = [measure.key for measure in Project.objects.get().protocol.definition.measures]
    assert len(set(measures)) == len(measures) == 4
    assert [each["a"] for each in answers()] == ["no_label", "no_label_2"]


def test_completions_of_versions_before_1_are_annotations(of_tasks):
    completion = annotation(choice("right"), created_at=1602506450, lead_time=2)
    del completion["completed_by"]
    changes = {1: {"annotations": None, "completions": [completion, {**completion, "skipped": True}]}}
    counts = import_project(of_tasks([], changes=changes), "terns")
    rating = Rating.objects.get()
    assert (rating.rater.username, rating.rated_at.isoformat()) == ("label-studio-unknown", "2020-10-12T12:40:50+00:00")
    assert counts.excluded.counts["skipped annotation"] == 1


def test_what_cannot_be_stored_is_named_in_one_line(of_tasks):
    tasks = [annotation(choice("a"))], [annotation(choice("b"))]
    for changed, problem in (
        ({"data": {"question": "Q?", "a\x00b": 1}}, "the name of column 2 contains a NUL character, at character 2"),
        ({"annotations": [annotation(choice("a\x00"))]}, "a label contains a NUL character"),
        ({"annotations": [annotation(choice("\ud800"))]}, "a label contains half of a surrogate pair"),
        ({"annotations": [annotation(choice("a"), by="b\x00")]}, "the name of an annotator contains a NUL character"),
        ({"annotations": [annotation(choice("a"), by=[1])]}, "an annotator must be a text or a number, but is '[1]'"),
    ):
        found = problem_of(import_project, of_tasks(*tasks, changes={2: changed}), "terns")
        assert found.startswith(f"tasks.json:1: {problem}")
    of_another_kind = {2: {"annotations": [annotation(result("a", "datetime\x00", {}))]}}
    counts = import_project(of_tasks(*tasks, changes=of_another_kind), "terns")
    assert counts.excluded.counts["label of a kind that is not imported: unknown"] == 1
