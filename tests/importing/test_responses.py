"""Responses of further systems, for prompts that are there."""

import gzip
import json

import pytest

from annotation.importing import load_dataset, load_responses
from annotation.models import AuditEvent, Dataset, DatasetImport, Item, Response
from annotation.projects.create import create_project
from annotation.splitting import VERSION, split
from tests.cast import article_accuracy, person
from tests.importing.files import FIXTURES, lines, problem_of, prompt, refusal_of

pytestmark = pytest.mark.django_db
SAMPLES = FIXTURES / "responses"
STRONGEST = 'They liked the first.\n\n- It was the strongest\n- It was the "greenest", they said'
ROW = {"prompt": "tea-panel", "system": "W", "text": "One."}


@pytest.fixture(scope="module")
def dataset(module_rows) -> Dataset:
    load_dataset("jsonl", [FIXTURES / "jsonl" / "dataset.jsonl"], "tea")
    return Dataset.objects.get()


def rows_of(dataset):
    rows = dataset.responses.filter(key__in=["tea-panel.wren", "tea-panel.stork", "bees-time.stork"])
    return list(rows.order_by("key").values_list("key", "prompt__key", "system__name", "text"))


@pytest.mark.parametrize("name", ["responses.jsonl", "responses.csv"])
def test_both_formats_bring_the_same_responses(dataset, name):
    counts = load_responses(SAMPLES / name, dataset)
    assert counts.as_json() == {"prompts": 2, "responses": 3, "items": 5, "left_out": {}, "new": 3}
    assert rows_of(dataset) == [
        ("bees-time.stork", "bees-time", "Stork", "Three days, more or less."),
        ("tea-panel.stork", "tea-panel", "Stork", STRONGEST),
        ("tea-panel.wren", "tea-panel", "Wren", "The panel of nine liked the **second** infusion best."),
    ]


def test_a_response_is_split_once_and_unmatched_prompts_are_listed(dataset):
    first = load_responses(SAMPLES / "responses.jsonl", dataset).as_json()
    stork = Response.objects.get(key="tea-panel.stork")
    spans = [(s.start, s.end, s.kind, s.rate, VERSION) for s in split(stork.text)]
    items = Item.objects.filter(response=stork, unit="sentence").order_by("position")
    assert list(items.values_list("start", "end", "kind", "rate", "splitter")) == spans
    before = list(Item.objects.order_by("pk").values())
    assert load_responses(SAMPLES / "responses.csv", dataset).as_json() == {**first, "new": 0}
    assert list(Item.objects.order_by("pk").values()) == before
    assert DatasetImport.objects.filter(kind="responses").count() == 1
    assert refusal_of(load_responses, SAMPLES / "unmatched.jsonl", dataset) == [
        "unmatched.jsonl:2: no prompt of data set 'tea' has the id or the text 'bees-colour'",
        "unmatched.jsonl:3: no prompt of data set 'tea' has the id or the text 'Which tea was it?'",
    ]


def test_an_id_goes_before_a_text_and_a_text_that_two_prompts_have_names_neither(dataset, tmp_path):
    prompts = [prompt("a", text="b"), prompt("b", text="a"), prompt("c", text="Why?"), prompt("d", text="Why?")]
    load_dataset("jsonl", [lines(tmp_path / "m.jsonl", prompts)], "tea")
    load_responses(lines(tmp_path / "r.jsonl", [ROW | {"prompt": "a", "text": "So."}]), dataset)
    assert Response.objects.get(text="So.").prompt.key == "a"
    path = lines(tmp_path / "r.jsonl", [ROW | {"prompt": "Why?"}])
    problem = "r.jsonl:1: 2 prompts have the text 'Why?'; use the prompt's id"
    assert refusal_of(load_responses, path, dataset) == [problem]


def test_a_system_can_be_named_for_rows_without_one(dataset, tmp_path):
    rows = [{"prompt": "tea-panel", "text": "One."}, {"prompt": "tea-panel", "system": "Wren", "text": "Two."}]
    path = lines(tmp_path / "r.jsonl", rows)
    problem = "the row has no 'system'; set one for such rows with --system"
    assert problem in problem_of(load_responses, path, dataset)
    load_responses(path, dataset, system="Heron")
    systems = dict(Response.objects.values_list("text", "system__name"))
    assert (systems["One."], systems["Two."]) == ("Heron", "Wren")


def test_without_an_id_the_same_row_is_the_same_response_and_an_id_that_comes_twice_is_refused(dataset, tmp_path):
    by_text = ROW | {"prompt": "Which infusion did the panel like best?"}
    counts = load_responses(lines(tmp_path / "r.jsonl", [ROW, ROW, by_text]), dataset)
    assert (counts.totals["responses"], counts.new) == (1, 1)
    assert problem_of(load_responses, lines(tmp_path / "r.jsonl", [ROW | {"id": "r"}] * 2), dataset) == (
        "r.jsonl:2: response 'r' occurs a second time; the first is in r.jsonl:1; 'id' is the id of the response: "
        "rename it if it is the question's"
    )


def test_every_project_of_the_data_set_gets_the_new_responses_once(dataset):
    project = create_project("june", dataset, article_accuracy(), overlap=2)
    before = {sheet.response_id: sheet.pk for sheet in project.sheets.all()}
    ada = person("ada", admin=True)
    load_responses(SAMPLES / "responses.jsonl", dataset, actor=ada)
    load_responses(SAMPLES / "responses.jsonl", dataset, actor=ada)
    after = {sheet.response_id: sheet.pk for sheet in project.sheets.all()}
    assert len(after) == len(before) + 3
    assert before.items() <= after.items()
    [event] = AuditEvent.objects.filter(action="add responses")
    assert (event.actor, event.project, event.after) == (ada, project, {"responses": 3})


def test_a_row_that_cannot_be_used_is_named_and_nothing_is_stored(dataset, tmp_path):
    for row, says in (
        ({"prompt": "tea-panel", "system": "W"}, "the row has no 'text'"),
        ({"system": "W", "text": "One."}, "the row has no 'prompt'"),
        (ROW | {"prompt": 5}, "'prompt' of the row must be a text, but is a number"),
        (ROW | {"id": "bees-how.wren"}, "already stored with other"),
        ("tea-panel", "the row must be an object, but is a text"),
    ):
        [problem] = refusal_of(load_responses, lines(tmp_path / "r.jsonl", [ROW, row, ROW]), dataset)
        assert problem.startswith("r.jsonl:2: ") and says in problem


def test_a_csv_is_refused_with_the_line_where_the_row_begins(dataset, tmp_path):
    for content, problem in (
        ("prompt;system;words\n", "r.csv:1: there is no column text; the header has: prompt, system, words"),
        ("prompt,text,text\n", "r.csv:1: two columns have the name text"),
        ("prompt,system,text\ntea-panel,W\n", "r.csv:2: the row and the header differ in length (2 and 3 cells)"),
        ('prompt,system,text\ntea-panel,W,"a\n\nb"x\n', "r.csv:4: this is not valid CSV"),
        (
            'prompt,system,text\ntea-panel,W,"never closed\n',
            "r.csv:2: a quotation mark that opens in this row is never",
        ),
        ('prompt,system,text\ntea-panel,W,"a\nb"\nnone,W,c\n', "r.csv:4: no prompt of data set 'tea' has the id"),
        ("", "r.csv:1: there is no column prompt, text; the header has: nothing"),
        ("prompt,system,text\n", "r.csv: there is no response in the file"),
        (
            "prompt,system,text," + ",".join(f"c{n}" for n in range(998)) + "\n",
            "r.csv:1: the table has 1,001 columns and may have 1,000: remove those that you do not need",
        ),
    ):
        path = tmp_path / "r.csv"
        path.write_text(content)
        assert problem_of(load_responses, path, dataset).startswith(problem)


def test_a_csv_may_have_a_byte_order_mark_crlf_long_cells_and_no_telling_name(dataset, tmp_path):
    path, text = tmp_path / "r.dat", "x" * 140_000  # more than the module csv takes unless it is told to
    rows = f'\ufeffprompt,system,text\r\ntea-panel,W,"{text}\r\nTwo\rthree."\r\n\r\n'
    path.write_bytes(gzip.compress(rows.encode()))
    load_responses(path, dataset)
    assert Response.objects.get(system__name="W").text == f"{text}\r\nTwo\rthree."
    path = tmp_path / "r.csv"
    path.write_text("prompt,system,text\ntea-panel,V,'=SUM(1)\n")
    load_responses(path, dataset)
    assert Response.objects.get(system__name="V").text == "'=SUM(1)", "an apostrophe before a formula is kept"


def test_a_response_without_text_is_left_out_in_each_format(dataset, tmp_path):
    (tmp_path / "r.csv").write_text('prompt,system,text\ntea-panel,V,"Good."\ntea-panel,W,""\ntea-panel,X,"  "\n')
    texts = {"V": "Good.", "W": "", "X": "  "}
    lines(tmp_path / "r.jsonl", [ROW | {"system": system, "text": text} for system, text in texts.items()])
    for name, first, new in (("r.jsonl", 2, 1), ("r.csv", 3, 0)):
        counts = load_responses(tmp_path / name, dataset)
        assert counts.as_json()["left_out"] == {"response without text": 2}
        assert counts.excluded.examples == {"response without text": [f"{name}:{first}", f"{name}:{first + 1}"]}
        assert (counts.totals["responses"], counts.new) == (1, new)
    assert dataset.imports.filter(kind="responses").first().options["examples"]
    counts = load_responses(FIXTURES / "hostile" / "blank.jsonl", dataset)
    assert (counts.as_json()["left_out"], counts.new) == ({"response without text": 1}, 0)


def test_the_first_responses_are_a_sample_of_the_import(dataset, tmp_path):
    rows = [{"prompt": "tea-panel", "system": f"S{n}", "text": "One. Two."} for n in range(9)]
    [entry] = load_responses(lines(tmp_path / "r.jsonl", rows), dataset, dry_run=True).details()["sample"]
    assert entry["prompt"]["text"] == dataset.prompts.get(key="tea-panel").text
    assert [response["system"] for response, _sentences in entry["responses"]] == ["S0", "S1", "S2", "S3", "S4"]
    assert {sentences for _response, sentences in entry["responses"]} == {2}


def test_the_answers_of_a_log_are_joined_to_prompts_by_id_or_by_text_and_others_are_named(dataset, tmp_path):
    path = FIXTURES / "inspect" / "bird_facts.json"
    log = json.loads(path.read_text(encoding="utf-8"))
    first, second = refusal_of(load_responses, path, dataset, format="inspect")
    assert "no prompt of data set 'tea' has the id or the text '1'" in first and "'2'" in second
    assert "choose one of: rows, inspect" in problem_of(load_responses, "x.json", dataset, format="other")
    log["samples"] = log["samples"][:2]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    for by, before in (("id", ""), ("text", "own-")):
        rows = [prompt(f"{before}{n}", text=sample["input"]) for n, sample in enumerate(log["samples"], 1)]
        load_dataset("jsonl", [lines(tmp_path / "prompts.jsonl", rows)], by)
        birds = Dataset.objects.get(slug=by)
        assert load_responses(path, birds, format="inspect").new == 2
        assert load_responses(path, birds, format="inspect").new == 0
        found = birds.responses.order_by("prompt__key").values_list("prompt__key", "system__name", "key")
        assert list(found) == [(row["id"], "example/plover-1", f"uuid{n}e1") for n, row in enumerate(rows, 1)]
        assert birds.imports.get(kind="responses").options == {"system": "", "format": "inspect"}
