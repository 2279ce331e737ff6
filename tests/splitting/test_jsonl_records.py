"""`manage.py split_sentences` needs no database and no settings, and says where its input is wrong."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CODE = Path(__file__).resolve().parents[2]
BARE = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8"}


def run(*arguments, text=""):
    command = [sys.executable, str(CODE / "manage.py"), "split_sentences", *map(str, arguments)]
    return subprocess.run(command, input=text, capture_output=True, text=True, env=BARE, cwd=CODE, check=False)


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_responses_from_standard_input_come_back_in_order_with_their_spans():
    done = run("-", text=lines({"id": "b", "text": "# Tides\n\nThey rise. 😀 They fall."}, {"id": 7, "text": ""}))
    assert (done.returncode, done.stderr) == (0, "")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == {
        "id": "b",
        "spans": [
            {"start": 2, "end": 7, "kind": "heading", "rate": False},
            {"start": 9, "end": 21, "kind": "sentence", "rate": True},
            {"start": 22, "end": 32, "kind": "sentence", "rate": True},
        ],
    }
    assert second == {"id": 7, "spans": []}


def test_items_are_written_on_request_and_a_file_whole(tmp_path):
    text = lines({"id": "a", "text": "The loss is\n\n$$a = b$$\n\nwhere b is known."})
    spans, items = (json.loads(run(*options, "-", text=text).stdout)["spans"] for options in ([], ["--items"]))
    assert [span["kind"] for span in spans] == ["sentence", "math", "sentence"]
    assert items == [{"start": 0, "end": 41, "kind": "sentence", "rate": True}]
    source, target = tmp_path / "responses.jsonl", tmp_path / "spans.jsonl"
    source.write_text(lines({"id": "a", "text": "One. Two."}), encoding="utf-8")
    done = run(source, "--output", target)
    assert (done.returncode, done.stdout) == (0, "")
    assert [s["end"] for s in json.loads(target.read_text(encoding="utf-8"))["spans"]] == [4, 9]


def test_every_problem_is_named_with_its_line_and_nothing_is_written(tmp_path):
    source, target = tmp_path / "responses.jsonl", tmp_path / "spans.jsonl"
    rows = [{"id": "a", "text": "One."}, {"text": "x"}, {"id": "c"}, {"id": "d", "text": 5}, {"id": True, "text": "x"}]
    source.write_text(lines(*rows, ["x"], {"id": "a", "text": "Two."}) + "{oops\n", encoding="utf-8")
    done = run(source, "--output", target)
    assert done.returncode == 1
    assert [line.removeprefix(f"{tmp_path}/") for line in done.stderr.splitlines()] == [
        "responses.jsonl:2: 'id' is missing",
        "responses.jsonl:3: 'text' is missing",
        "responses.jsonl:4: 'text' is not a string",
        "responses.jsonl:5: 'id' is not a string or a whole number",
        'responses.jsonl:6: this is not an object; write {"id": …, "text": …}',
        "responses.jsonl:7: id 'a' is also on line 1; give every response its own id",
        "responses.jsonl:8: this is not JSON (Expecting property name enclosed in double quotes); "
        "write one object a line",
    ]
    assert not target.exists()


def test_at_most_twenty_problems_are_listed_and_a_missing_file_and_bytes_that_are_no_text_are_one_line_each(tmp_path):
    many, missing = run("-", text="x\n" * 50), run(tmp_path / "none.jsonl")
    assert (many.returncode, len(many.stderr.splitlines())) == (1, 20)
    assert (missing.returncode, missing.stderr) == (1, f"{tmp_path}/none.jsonl: there is no such file\n")
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes(b'{"id": "a", "text": "caf\xe9"}\n')
    refused = run(latin)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (1, 1)
    assert refused.stderr.startswith(f"{latin}:1: ")
