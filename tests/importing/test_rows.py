"""Anybody's own rows: which column is what, and what becomes of them."""

import json

import openpyxl
import pyarrow
import pytest

from annotation.importing import columns_from, load_dataset
from annotation.importing.column_guesses import guess_columns, sample_rows
from annotation.importing.column_mapping import columns_of_arguments
from annotation.importing.input_files import SourceFile
from annotation.models import Dataset, DatasetImport, Prompt, Response
from tests.importing.files import FIXTURES, lines, problem_of

pytestmark = pytest.mark.django_db

ANSWERS = FIXTURES / "rows" / "answers.csv"
ARTICLES = FIXTURES / "rows" / "articles"
LONG = [
    {"q": "Why?", "model": "wren", "a": "So.", "topic": "birds", "score": 1},
    {"q": "Why?", "model": "finch", "a": "Thus.", "topic": "birds", "score": 2},
    {"q": "How?", "model": "wren", "a": "Well. Indeed.", "topic": "bees", "score": 3},
]
OF_LONG = {"prompt": "q", "response": "a", "system": "model"}


def mapped(**fields):
    return columns_from(fields)


def load(path, slug="s", **options):
    return load_dataset("rows", [path], slug, **options)


def test_a_row_a_response_with_the_prompt_in_each(tmp_path):
    path = lines(tmp_path / "d.jsonl", [*LONG, LONG[0]])
    counts = load(path, columns=mapped(**OF_LONG), dry_run=True)
    assert counts.details()["columns"]["response_metadata"] == ["score"]
    assert "prompt: q" in counts.lines()
    assert not Dataset.objects.exists()
    counts = load(path, columns=mapped(**OF_LONG))
    assert counts.totals == {"documents": 0, "prompts": 2, "responses": 3, "items": 4}
    assert counts.excluded.counts["identical row"] == 1
    thus = Response.objects.select_related("prompt", "system").get(text="Thus.")
    assert (thus.prompt.text, thus.system.name) == ("Why?", "finch")
    # What is the same for all rows of a prompt is its metadata, and the rest the responses'.
    assert (thus.prompt.metadata, thus.metadata) == ({"topic": "birds"}, {"score": 2})


def test_a_column_of_answers_for_each_system_with_articles_beside(tmp_path):
    counts = load_dataset("rows", [ANSWERS, ARTICLES], "s")
    assert counts.totals == {"documents": 2, "prompts": 3, "responses": 5, "items": 7}
    left_out = {reason: n for reason, n in counts.excluded.counts.items() if n}
    assert left_out == {"row without a prompt": 1, "response without text": 1, "page without text": 1}
    places = {"row without a prompt": ["answers.csv:5"], "response without text": ["answers.csv:3"]}
    assert counts.excluded.examples == DatasetImport.objects.get().options["examples"] == places
    assert "excluded: 1 × row without a prompt (answers.csv:5)" in counts.lines()
    prompt = Prompt.objects.get(text="How does a swarm decide?")
    assert (prompt.document.key, prompt.metadata) == ("bees.txt", {"kind": "explanation", "note": "checked"})
    assert sorted(prompt.responses.values_list("system__name", flat=True)) == ["finch_answer", "wren_answer"]


def test_the_mapping_is_kept_with_the_load_and_used_for_the_next_file(tmp_path):
    path = lines(tmp_path / "d.jsonl", LONG)
    load(path, columns=mapped(**OF_LONG, leave_out=["score"]))
    assert DatasetImport.objects.get().options["columns"] == {
        "prompt": ["q"], "response": ["a"], "system": ["model"], "metadata": ["topic"], "leave_out": ["score"]
    }  # fmt: skip
    again = load(path)
    assert (again.new, again.totals["responses"]) == (0, 3)
    more = lines(tmp_path / "more.jsonl", [{"q": "When?", "model": "wren", "a": "Now.", "score": 4}])
    assert load(more).totals["responses"] == 1
    assert Response.objects.get(text="Now.").metadata == {}


def test_a_json_list_and_objects_and_lists_of_objects_in_rows(tmp_path):
    path = tmp_path / "d.json"
    answers = [{"model": "wren", "text": "So."}, {"model": "finch", "text": "Thus.", "score": 2}]
    path.write_text(json.dumps([{"q": {"text": "Why?", "topic": "birds"}, "answers": answers}]))
    columns = mapped(prompt="q.text", response="answers[].text", system="answers[].model")
    assert load(path, columns=columns).totals == {"documents": 0, "prompts": 1, "responses": 2, "items": 2}
    assert Prompt.objects.get().metadata == {"q.topic": "birds"}
    assert Response.objects.get(text="Thus.").metadata == {"score": 2}


def test_documents_by_their_text(tmp_path):
    rows = [{"q": n, "text": "One.\n\nTwo.", "id": "d1", "title": "T"} for n in ("Why?", "How?")]
    columns = mapped(prompt="q", document="text", document_id="id", document_title="title")
    counts = load(lines(tmp_path / "d.jsonl", rows), columns=columns)
    assert (counts.totals["documents"], counts.totals["prompts"]) == (1, 2)
    [section] = Prompt.objects.first().document.sections
    assert [p["text"] for p in section["paragraphs"]] == ["One.", "Two."]


def test_a_mapping_that_makes_no_sense_is_refused():
    for mapping, says in (
        ({"promt": "q"}, "the mapping names an unknown field 'promt'; the fields are: prompt, "),
        ({"response": "a"}, "no column is mapped to the prompt's text"),
        ({"prompt": ["q", "r"]}, "'prompt' can have one column, but has 2: q, r"),
        ({"prompt": "q", "reference": "q"}, "column 'q' is mapped twice"),
        ({"prompt": "q", "response": ["a", "b"], "system": "m"}, "with several response columns, each column is a sys"),
        ({"prompt": "q", "system": "m"}, "no column is mapped to the response's text"),
        ({"prompt": 5}, "field 'prompt' of the mapping must be a column's name"),
        ({"prompt": "q", "document_title": "t"}, "'document_title' needs a column"),
        ({"prompt": "q", "response": "a[].b", "system": "c[].d"}, "columns of one list can be mapped"),
        (5, "the mapping must be an object"),
    ):
        assert says in problem_of(columns_from, mapping)


def test_a_column_that_is_not_there_is_named_with_those_that_are(tmp_path):
    path = lines(tmp_path / "d.jsonl", LONG)
    problem, has = problem_of(load, path, columns=mapped(prompt="question")), "it has: q, model, a, topic, score"
    assert problem == f"there is no column 'question' in the file; {has}"
    assert problem_of(load, path, columns=mapped(prompt="Q ")).endswith(f"{has}; did you mean 'q'?")
    problem = problem_of(load, lines(path, [{"frage": "?", "antwort": "!"}]))
    assert "choose one (--map prompt=COLUMN); it has: frage, antwort" in problem
    own_format = FIXTURES / "jsonl" / "dataset.jsonl"
    problem = problem_of(load_dataset, "jsonl", [own_format], "s", columns=mapped(prompt="q"))
    assert "format jsonl has fixed columns" in problem


def test_rows_of_a_prompt_that_differ_are_named_with_a_remedy_and_repeated_ones_counted(tmp_path):
    rows, path = [{**LONG[0], "topic": "birds"}, {**LONG[1], "topic": "bees"}], tmp_path / "d.jsonl"
    problem = problem_of(load, lines(path, rows), columns=mapped(**OF_LONG, metadata="topic"))
    assert problem.startswith("d.jsonl:2: prompt 'Why?' occurs a second time and differs from the first, in d.jsonl:1")
    assert "Map what differs to the response (response_metadata)" in problem
    prompts = lines(path, [{"q": "Why?"}, {"q": "How?"}, {"q": "Why?"}])
    assert load(prompts, columns=mapped(prompt="q")).excluded.counts["identical row"] == 1
    answers = lines(path, [{"q": "Why?", "a": "So.", "b": "No."}, {"q": "Why?", "a": "So.", "b": "Yes."}])
    counts = load(answers, "other", columns=mapped(prompt="q", response=["a", "b"]))
    assert (counts.totals["responses"], counts.excluded.counts["repeated response"]) == (3, 1)


def test_a_broken_row_is_named_with_its_line(tmp_path):
    path, good, columns = tmp_path / "d.jsonl", {"q": "Why?", "a": "So."}, mapped(prompt="q", response="a")
    for row, says in (
        ({"q": ["a"], "a": "b"}, "column 'q' must contain a text, but contains a list"),
        ([1], "the row must be an object with named fields, but is a list"),
        ({"q": "a\x00", "a": "b"}, "contains a NUL character"),
    ):
        problem = problem_of(load, lines(path, [good, row]), columns=columns)
        assert problem.startswith("d.jsonl:2: ") and says in problem
    nested = lines(path, [good, {"q": "a", "a": {"b": {"c": {"d": 1}}}}])
    assert load(nested, columns=columns).excluded.counts["response without text"] == 1


def test_columns_are_guessed_by_their_names(tmp_path):
    for row, expected in (
        (
            {"question_id": "1", "question": "?", "answer": "a", "model_name": "m", "topic": "t"},
            {"prompt_id": "question_id", "prompt": "question", "response": "answer", "system": "model_name"},
        ),
        ({"id": "1", "prompt": "?", "context": "c", "output": "o"}, {"prompt_id": "id", "document": "context"}),
        ({"question": "?", "article": "a.pdf"}, {"document_id": "article"}),
        ({"question": "?", "ans_wren": "a", "ans_finch": "b"}, {"prompt": "question", "response": "ans_wren"}),
        ({"Question": "?", "Gold Answer": "g"}, {"prompt": "Question", "reference": "Gold Answer"}),
    ):
        columns = guessed(lines(tmp_path / "d.jsonl", [row]))
        assert {field: columns.column_of(field) for field in expected} == expected


def test_a_prompt_with_a_list_of_answers_needs_no_mapping(tmp_path):
    for called in ("answers", "responses", "outputs"):
        rows = [
            {"question": f"Why {n}?", called: [{"model": name, "text": f"{name} {n}."} for name in ("wren", "finch")]}
            for n in range(10)
        ]
        assert load(lines(tmp_path / "d.jsonl", rows), called).totals["responses"] == 20
        seventh = Prompt.objects.get(dataset__slug=called, text="Why 7?")
        assert seventh.responses.get(system__name="finch").text == "finch 7."


def guessed(*files):
    return guess_columns(sample_rows([SourceFile(file) for file in files]))


def test_a_column_that_names_the_articles_is_the_documents_whatever_it_is_called(tmp_path):
    rows = [{"question": f"Why {n}?", "paper": name, "answer": "So."} for n, name in enumerate(["terns.pdf", "bees"])]
    files = [lines(tmp_path / "d.jsonl", rows), ARTICLES / "terns.pdf", ARTICLES / "bees.txt"]
    assert guessed(*files).column_of("document_id") == "paper"
    assert not guessed(files[0]).column_of("document_id")


def test_what_could_be_no_breakdown_is_guessed_as_left_out(tmp_path):
    same = {"notes": "long " * 50, "tags": ["a", "b"], "x": [[1]]}
    rows = [{"question": f"{n}?", "topic": f"t{n % 3}", "key": f"k{n}", **same} for n in range(12)]
    columns = guessed(lines(tmp_path / "d.jsonl", rows))
    assert columns.all("metadata") == ("topic", "tags")
    assert columns.all("leave_out") == ("key", "notes", "x")


def test_columns_of_a_file_are_shown_with_samples_and_arguments_and_mapping_say_the_same():
    sample = sample_rows([SourceFile(ANSWERS)])
    assert sample.names == ["question", "article", "kind", "wren_answer", "finch_answer", "note"]
    assert sample.columns["finch_answer"].filled == 2
    assert sample.columns["kind"].samples == ["number", "unanswerable", "explanation"]
    columns = columns_from({"prompt": "the question", "response": ["a", "b"]})
    assert columns.as_arguments() == "--map 'prompt=the question' --map response=a --map response=b"
    pairs = ["prompt=the question", "response=a", "response=b"]
    assert columns_from(columns_of_arguments(pairs)) == columns


def answers(path, rows):
    """Write rows of id, question, model and answer as CSV."""
    path.write_text("".join(f"{','.join(row)}\n" for row in [("id", "question", "model", "answer"), *rows]))
    return SourceFile(path)


BY_QUESTION = [
    ("q1", "Why?", "wren", "So."), ("q1", "Why?", "finch", "So."), ("q2", "How?", "wren", "Well."),
    ("q2", "How?", "finch", "Thus."),
]  # fmt: skip


def test_an_id_of_questions_is_the_prompts_and_one_of_rows_the_responses(tmp_path):
    counts = load(answers(tmp_path / "a.csv", BY_QUESTION))
    assert counts.as_json()["left_out"] == {}, "no system is dropped"
    assert set(Prompt.objects.values_list("key", flat=True)) == {"q1", "q2"}
    assert Response.objects.count() == 4
    load(answers(tmp_path / "a.csv", [(f"r{n}", *row[1:]) for n, row in enumerate(BY_QUESTION)]), "rows")
    data = Dataset.objects.get(slug="rows")
    responses = data.responses.order_by("pk").values_list("metadata__id", flat=True)
    assert (list(responses), data.prompts.count()) == (["r0", "r1", "r2", "r3"], 2)


def test_of_rows_with_the_same_answer_those_with_ids_are_responses_and_repeated_numbers_are_left_out(tmp_path):
    said = [("1", "So."), ("2", "Thus."), ("3", "So.")]
    rows = [(number, "Why?", "wren", text) for number, text in said]
    assert load(answers(tmp_path / "a.csv", rows)).as_json()["left_out"] == {}
    assert set(Response.objects.values_list("key", "text")) == set(said)
    counts = load(answers(tmp_path / "a.csv", [*rows, ("2", "Why?", "wren", "No.")]), "other")
    assert (counts.totals["responses"], counts.excluded.counts["identical row"]) == (3, 1)


def test_an_id_that_repeats_or_the_same_answer_with_other_metadata_is_an_error_with_column_and_remedy(tmp_path):
    def problem(rows: list[tuple], **more: str) -> str:
        options = {"columns": mapped(prompt="question", response="answer", system="model", **more)} if more else {}
        return problem_of(load, answers(tmp_path / "a.csv", rows), **options)

    first, other = BY_QUESTION[0], ("q1", "When?", "wren", "Now.")
    for found in (problem([first, other, ("", "How?", "wren", "Well.")]), problem([first, other], prompt_id="id")):
        expected = "the id 'q1' occurs a second time with another prompt; the first is in a.csv:2"
        assert found.startswith(f"a.csv:3: {expected}") and "column 'id' is mapped to prompt_id" in found
    for second in (("q1", "Why?", "finch", "Thus."), ("q1", "Why?", "finch", "So.")):
        assert problem([first, second], response_id="id") == (
            "a.csv:3: response id 'q1' occurs a second time with another answer; the first is in a.csv:2: column 'id' "
            "is mapped to response_id, so it must have another value in each row; if it is the id of the question, map "
            "it to prompt_id (--map prompt_id=COLUMN), else omit it (--map leave_out=COLUMN)"
        )
    rows = [("1", "Why?", "wren", "So."), ("3", "Why?", "wren", "So.")]
    assert problem(rows, response_metadata="id") == (
        "a.csv:3: the same answer of 'wren' to 'Why?' is in a.csv:2, with another value of 'id': if a column with this "
        "name is the id of the answer, map it to response_id (--map response_id=COLUMN), else omit it (--map "
        "leave_out=COLUMN)"
    )


def test_a_row_without_the_list_of_answers_is_counted_and_another_value_refused(tmp_path):
    path, good = tmp_path / "a.jsonl", {"q": "Why?", "answers": [{"text": "So."}]}
    how = {"columns": mapped(prompt="q", response="answers[].text"), "system": "m"}
    counts = load(lines(path, [good, {"q": "How?", "answers": []}, {"q": "How?"}]), **how)
    assert counts.excluded.counts["response without text"] == 2
    for odd in (["So."], {"text": "So."}, [{"text": "So."}, None], "So."):
        problem = problem_of(load, lines(path, [good, {"q": "How?", "answers": odd}]), "other", **how)
        assert problem == "a.jsonl:2: 'answers' must be a list of objects, as in the other rows"


def test_files_that_have_no_table_to_read_are_refused_as_what_they_are(tmp_path):
    table, arrow = pyarrow.table({"question": ["Why?"]}), "this is an Arrow file (.arrow, .feather)"
    for name, new in (("a.feather", pyarrow.ipc.new_file), ("a.arrow", pyarrow.ipc.new_stream)):
        with open(tmp_path / name, "wb") as file, new(file, table.schema) as writer:
            writer.write_table(table)
        assert problem_of(load, tmp_path / name).startswith(f"{name}:1: {arrow}; write it as Parquet")
    problem = problem_of(load_dataset, "datasets", [tmp_path], "birds")
    assert f"there is no .parquet file in this folder; a.arrow: {arrow}" in problem
    workbook = openpyxl.Workbook()
    workbook.create_sheet("data").append(["question"])
    workbook.save(tmp_path / "a.xlsx")
    assert problem_of(load, tmp_path / "a.xlsx") == (
        "a.xlsx: there is no record in the file, so nothing is stored; only the first sheet of a workbook is read: "
        "move the table's sheet to the front"
    )
