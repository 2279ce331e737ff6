"""`manage.py split_sentences` needs no database and no settings, and says where its input is wrong."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.management.command_runs import run

CODE = Path(__file__).resolve().parents[2]


@pytest.fixture
def source(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("responses.jsonl")


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_responses_from_standard_input_come_back_in_order_with_their_spans():
    done = subprocess.run(
        [sys.executable, str(CODE / "manage.py"), "split_sentences", "-"],
        input=lines({"id": "b", "text": "# Tides\n\nThey rise. 😀 They fall."}, {"id": 7, "text": ""}),
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8"},
        check=True,
    )
    spans = [
        {"start": 2, "end": 7, "kind": "heading", "rate": False},
        {"start": 9, "end": 21, "kind": "sentence", "rate": True},
        {"start": 22, "end": 32, "kind": "sentence", "rate": True},
    ]
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"id": "b", "spans": spans},
        {"id": 7, "spans": []},
    ]
    assert done.stderr == ""


def test_items_are_written_on_request_and_a_file_whole(source, capsys):
    source.write_text(lines({"id": "a", "text": "The loss is\n\n$$a = b$$\n\nwhere b is known."}), encoding="utf-8")
    assert run(capsys, "split_sentences", "--items", source, "--output", "spans.jsonl") == (0, "", "")
    [item] = json.loads(Path("spans.jsonl").read_text(encoding="utf-8"))["spans"]
    assert item == {"start": 0, "end": 41, "kind": "sentence", "rate": True}


def test_every_problem_is_named_with_its_line_and_nothing_is_written(source, capsys):
    rows = [{"id": "a", "text": "One."}, {"text": "x"}, {"id": "c"}, {"id": "d", "text": 5}, {"id": True, "text": "x"}]
    source.write_text(lines(*rows, ["x"], {"id": "a", "text": "Two."}) + "{oops\n", encoding="utf-8")
    code, _, problems = run(capsys, "split_sentences", source, "--output", "spans.jsonl")
    assert code == 1 and problems.splitlines() == [
        "responses.jsonl:2: 'id' is missing",
        "responses.jsonl:3: 'text' is missing",
        "responses.jsonl:4: 'text' is not a string",
        "responses.jsonl:5: 'id' is not a string or a whole number",
        'responses.jsonl:6: this is not an object; write {"id": …, "text": …}',
        "responses.jsonl:7: id 'a' is also on line 1; give every response its own id",
        "responses.jsonl:8: this is not JSON (Expecting property name enclosed in double quotes); "
        "write one object a line",
    ]
    assert not Path("spans.jsonl").exists()


def test_at_most_twenty_problems_are_listed_and_a_missing_file_and_bytes_that_are_no_text_are_one_line_each(
    source, capsys
):
    assert run(capsys, "split_sentences", source) == (1, "", "responses.jsonl: there is no such file\n")
    source.write_text("x\n" * 50)
    code, _, problems = run(capsys, "split_sentences", source)
    assert (code, len(problems.splitlines())) == (1, 20)
    source.write_bytes(b'{"id": "a", "text": "caf\xe9"}\n')
    code, _, problems = run(capsys, "split_sentences", source)
    assert (code, len(problems.splitlines())) == (1, 1) and problems.startswith("responses.jsonl:1: ")
