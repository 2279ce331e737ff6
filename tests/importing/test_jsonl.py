"""The project's own format."""

import pytest

from annotation.importing import load_dataset
from annotation.jobs import Progress
from annotation.models import AuditEvent, Dataset, Document, Item, Prompt, Response, System
from annotation.projects.create import create_project
from annotation.splitting import VERSION
from tests.cast import article_accuracy
from tests.importing.files import FIXTURES, lines, problem_of, prompt, refusal_of

pytestmark = pytest.mark.django_db
SAMPLE = FIXTURES / "jsonl" / "dataset.jsonl"
ONE = {"id": "r", "system": "W", "text": "One."}


def load(path, slug="own", **options):
    return load_dataset("jsonl", [path], slug, **options)


def test_the_sample_brings_documents_prompts_responses_and_items_once():
    steps = []
    dry = load(SAMPLE, dry_run=True)
    assert not Dataset.objects.exists() and not Response.objects.exists()
    counts = load(SAMPLE, progress=Progress(lambda p: steps.append((p.done, p.total, p.message))))
    assert counts.totals == dry.totals == {"documents": 2, "prompts": 5, "responses": 5, "items": 11}
    assert counts.new == dry.new == 12
    assert (steps[0][2], steps[-1]) == ("checking the files", (5, 5, "storing prompts"))
    assert list(System.objects.values_list("name", flat=True)) == ["Stork", "Wren"]
    assert Prompt.objects.get(key="moon-colour").document is None
    assert Prompt.objects.get(key="bees-time").document == Document.objects.get(key="bees")
    assert Prompt.objects.get(key="bees-how").reference.startswith("Scouts dance")
    rows = list(Response.objects.order_by("pk").values())
    assert load(SAMPLE).as_json() == {**counts.as_json(), "new": 0}
    assert list(Response.objects.order_by("pk").values()) == rows
    assert Dataset.objects.get().imports.count() == 1


def test_given_items_are_taken_as_they_are_and_the_rest_is_split():
    load(SAMPLE)
    items = {key: Item.objects.filter(response__key=f"bees-{key}").order_by("position") for key in (
        "how.wren", "how.stork", "time.wren"
    )}  # fmt: skip
    imported = [(item.kind, item.rate, item.splitter) for item in items["how.wren"]]
    assert imported[:2] == [("heading", False, ""), ("sentence", True, "")]
    for item in Item.objects.select_related("response"):
        assert item.response.text[item.start : item.end] == item.text
    assert [item.text for item in items["how.stork"]] == ["Swarms elect a queen.", "She then chooses the hollow."]
    texts = ["It took 16 hours on average.", "Eight swarms were watched."]
    assert [(item.text, item.splitter) for item in items["time.wren"]] == [(text, VERSION) for text in texts]


def test_a_response_without_an_id_is_known_by_prompt_system_and_text_which_is_kept_byte_for_byte(tmp_path):
    answer = {"system": "Wren", "text": "  Tabs\tand\r\nline ends\u2028 and\u00a0spaces 🐝 \n\n"}
    rows = [prompt("q1", responses=[answer, answer]), prompt("q2", responses=[answer])]
    counts = load(lines(tmp_path / "r.jsonl", rows))
    assert counts.totals["responses"] == 2
    assert counts.as_json()["left_out"] == {"repeated response": 1}
    assert len(set(Response.objects.values_list("key", flat=True))) == 2
    assert set(Response.objects.values_list("text", flat=True)) == {answer["text"]}


def test_one_document_with_two_contents_in_a_file_is_refused(tmp_path):
    rows = [prompt(f"q{n}", document={"id": "d", "title": f"Title {n}"}) for n in (1, 2)]
    problem = "d.jsonl:2: document 'd' has other content in d.jsonl:1"
    assert problem_of(load, lines(tmp_path / "d.jsonl", rows)) == problem


def test_another_file_of_the_format_adds_to_the_data_set_and_may_name_its_documents(tmp_path):
    load(SAMPLE)
    more = lines(tmp_path / "more.jsonl", [prompt("bees-more", document="bees")])
    assert load(more).new == 1
    assert Document.objects.get(key="bees").prompts.count() == 3
    clash = lines(tmp_path / "clash.jsonl", [prompt("bees-how")])
    assert len(refusal_of(load, clash, dry_run=True)) == 1, "a dry run finds it, too"
    [problem] = refusal_of(load_dataset, "qasper", [FIXTURES / "qasper" / "papers.json"], "own")
    assert "was imported from format jsonl" in problem


def test_an_id_never_changes_what_it_means(tmp_path):
    row = prompt(document={"id": "d", "title": "T", "sections": []}, metadata={"a": 1}, responses=[ONE])
    load(lines(tmp_path / "one.jsonl", [row]))
    for change, says in (
        ({"text": "Otherwise?"}, "prompt 'q1' is already stored with other content"),
        ({"reference": "Another"}, "prompt 'q1' is already stored with other content"),
        ({"metadata": {"a": 2}}, "prompt 'q1' is already stored with other content"),
        ({"document": None}, "prompt 'q1' is already stored with other content"),
        ({"document": {"id": "d", "title": "Other"}}, "document 'd' is already stored with other content"),
        ({"responses": [ONE | {"system": "X"}]}, "response 'r' is already stored with other content"),
        ({"responses": [ONE | {"text": "Two."}]}, "response 'r' is already stored with other content"),
        ({"responses": [ONE | {"items": [{"start": 0, "end": 3}]}]}, "response 'r' is already stored with other items"),
    ):
        assert problem_of(load, lines(tmp_path / "two.jsonl", [row | change])).startswith(f"two.jsonl:1: {says}")


def response(**fields):
    return prompt(responses=[{"id": "r", "system": "W", "text": "One. Two. One.", **fields}])


def test_a_line_that_cannot_be_used_is_named_with_the_reason(tmp_path):
    for row, says in (
        ({"id": "q1"}, "the line has no 'text'"),
        ({"text": "What?"}, "the line has no 'id'"),
        (["q1"], "the line must be an object, but is a list"),
        (prompt(id=5), "'id' of the line must be a text, but is a number"),
        (prompt(id="x" * 201), "has 201 characters; the limit is 200"),
        (prompt(text=" \n"), "'text' of the line contains only whitespace"),
        (prompt(document="d"), "document 'd' is not defined yet"),
        (prompt(document=5), "'document' must be an object"),
        (prompt(document={"title": "T"}), "the document has no 'id'"),
        (prompt(document={"id": "d", "sections": [{"level": 7}]}), "'level' of section 1 of the document is 7"),
        (prompt(document={"id": "d", "sections": [{"paragraphs": [5]}]}), "must be a text, but is a number"),
        (prompt(metadata=[1]), "'metadata' of the line must be an object"),
        (prompt(responses=[{"system": "W"}]), "response 1 of the line has no 'text'"),
        (response(system=None), "response 1 of the line has no 'system'"),
        (response(items=[{"start": 0}]), "item 1 of response 1 of the line needs 'start' and 'end', or 'text'"),
        (response(items=[{"start": 0, "end": 15}]), "goes from 0 to 15, but the response has 14 characters"),
        (response(items=[{"start": 4, "end": 4}]), "goes from 4 to 4"),
        (response(items=[{"start": 4, "end": 5}]), "contains only whitespace"),
        (
            response(items=[{"text": "Two."}] * 2),
            "the text of item 2 of response 1 of the line, 'Two.', does not occur",
        ),
        (
            response(items=[{"start": 0, "end": 9}, {"start": 5, "end": 14}]),
            "starts at 5, before the end of the one be",
        ),
        (response(items=[{"start": 0, "end": 4, "text": "Two."}]), "has the text 'One.' at 0 to 4, not 'Two.'"),
        (response(items=[{"start": 0, "end": 4, "unit": "word"}]), "it must be one of: sentence, claim, fact"),
        (response(items=[{"start": True, "end": 4}]), "'start' of item 1 of response 1 of the line must be a number"),
    ):
        path = lines(tmp_path / "bad.jsonl", [prompt("q0"), row])
        [problem] = refusal_of(load, path)
        assert problem.startswith("bad.jsonl:2: ")
        assert says in problem


def test_text_items_are_found_in_their_order_and_units_are_counted_each_for_itself(tmp_path):
    load(lines(tmp_path / "r.jsonl", [response(items=[{"text": "One."}, {"text": "Two."}, {"text": "One."}])]))
    assert list(Item.objects.order_by("position").values_list("start", flat=True)) == [0, 5, 10]
    items = [{"text": "One."}, {"text": "One. Two.", "unit": "claim"}, {"text": "Two.", "unit": "claim"}]
    load(lines(tmp_path / "r.jsonl", [response(items=items)]), "units")
    found = Item.objects.filter(response__dataset__slug="units").order_by("unit", "position")
    units = [("claim", 0, "One. Two."), ("claim", 1, "Two."), ("sentence", 0, "One.")]
    assert list(found.values_list("unit", "position", "text")) == units


def test_new_responses_reach_every_project_of_the_data_set(tmp_path):
    load(SAMPLE)
    project = create_project("june", Dataset.objects.get(), article_accuracy(), overlap=2)
    load(lines(tmp_path / "m.jsonl", [prompt("new", responses=[ONE | {"id": "r9", "text": "Black. Is it?"}])]))
    assert project.sheets.filter(response__key="r9").count() == 1
    assert project.sheets.count() == 6
    assert AuditEvent.objects.filter(action="add responses", project=project).count() == 1


def test_pairs_of_responses_are_items_of_both_and_name_two_of_its_line(tmp_path):
    responses = [{"id": f"r{n}", "system": f"s{n}", "text": "It is so."} for n in (1, 2, 3)]
    data = lines(tmp_path / "d.jsonl", [prompt(responses=responses, pairs=[["r1", "r2"], ["r3", "r1"]])])
    counts = load(data)
    assert counts.totals["items"] == 5 and counts.new == 6
    pairs = Item.objects.filter(unit="pair").values_list("response__key", "against__key", "text")
    assert sorted(pairs) == [("r1", "r2", "What of q1?"), ("r3", "r1", "What of q1?")]
    again = load(data)
    assert again.new == 0 and again.totals == counts.totals
    for pair, problem in (
        (["r1"], "must be a list of two ids of its responses"),
        (["r1", "r9"], "names 'r9', which is no id of a response in this line"),
        (["r1", "r1"], "names 'r1' twice"),
    ):
        data = lines(tmp_path / "d.jsonl", [prompt(responses=[ONE | {"id": "r1"}], pairs=[pair])])
        assert problem_of(load, data, "other") == f"d.jsonl:1: pair 1 of the line {problem}"


def test_a_response_without_text_is_left_out_and_named(tmp_path):
    responses = [{"id": f"r{n}", "system": f"S{n}", "text": "One."} for n in (1, 2)]
    for slug, text in (("empty", ""), ("blank", " \n"), ("none", None)):
        row = prompt(
            responses=[*responses, {"id": "r3", "system": "S3", "text": text}], pairs=[["r1", "r2"], ["r1", "r3"]]
        )
        counts = load(lines(tmp_path / "a.jsonl", [row]), slug)
        assert counts.totals["responses"] == 2
        assert counts.as_json()["left_out"] == {"response without text": 1, "pair with a response without text": 1}
        assert counts.excluded.examples["response without text"] == ["a.jsonl:1"]
        assert "excluded: 1 × response without text (a.jsonl:1)" in counts.lines()


def test_the_first_prompts_are_a_sample_of_the_import(tmp_path):
    two = ONE | {"text": "One. Two."}
    rows = [prompt(f"q{n}", responses=[two | {"id": f"r{n}"}], metadata={"a": n}) for n in range(5)]
    rows[0]["responses"][0]["items"] = [{"text": "One."}]
    sample = load(lines(tmp_path / "a.jsonl", rows), dry_run=True).details()["sample"]
    assert [entry["prompt"]["metadata"] for entry in sample] == [{"a": 0}, {"a": 1}, {"a": 2}]
    assert sample[1]["responses"] == [({"system": "W", "text": "One. Two."}, 2)]
    assert sample[0]["responses"][0][1] == 1
