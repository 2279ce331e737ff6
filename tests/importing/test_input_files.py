"""Files as they come: damaged, hostile, from other systems. One line says what is wrong, and memory stays flat."""

import gc
import gzip
import json
import tracemalloc
from itertools import product

import pytest
from django.db import transaction

from annotation.importing import SourceFile, dataset, input_files, load_dataset, load_responses
from annotation.jobs import Progress, Stopped
from annotation.models import Dataset, Prompt
from tests.importing.files import FIXTURES, count_rows, lines, paper, prompt, qasper, question, refusal_of

pytestmark = pytest.mark.django_db


def problem_of(path, format="jsonl", content: str | bytes | None = None) -> str:
    """Return the one problem of a file, with this content if any."""
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    [problem] = refusal_of(load_dataset, format, [path], "s")
    return problem


def test_a_file_that_is_not_there_or_a_folder_or_may_not_be_read_is_named(tmp_path, monkeypatch):
    def forbidden(*args):
        raise PermissionError(13, "Permission denied")

    assert problem_of(tmp_path / "none.jsonl") == "none.jsonl: there is no such file"
    assert problem_of(tmp_path, "qasper") == f"{tmp_path.name}: this is a folder; name the files in it"
    path = lines(tmp_path / "x7f3", [{"id": "q1"}])
    [problem] = refusal_of(load_dataset, "jsonl", [SourceFile(path, "mine.jsonl")], "s")
    assert problem.startswith("mine.jsonl:1: "), "an upload is known by the name it was sent with"
    for format in ("jsonl", "qasper"):
        assert problem_of(tmp_path / "empty.json", format, b"").startswith("empty.json:")
    problem = problem_of(qasper(tmp_path / "p.json", {}), "qasper")
    assert problem.startswith("p.json:1: paper (no id): the record has no 'id'")
    monkeypatch.setattr(input_files, "open", forbidden, raising=False)
    assert problem_of(tmp_path / "secret.jsonl") == "secret.jsonl: cannot be read: Permission denied"


def test_a_list_is_read_like_lines_in_the_own_format(tmp_path):
    path = tmp_path / "list.json"
    path.write_text(json.dumps([prompt("q1"), prompt("q2")], indent=1))
    assert load_dataset("jsonl", [path], "s").totals["prompts"] == 2
    path.write_text('[{"id": "q1"},\n 7]')
    problems = ["list.json:1: the line has no 'text'", "list.json:2: this is not valid JSON: an object is expected"]
    assert refusal_of(load_dataset, "jsonl", [path], "t") == problems


@pytest.mark.parametrize(
    ("encoding", "mark"), [("utf-8", b"\xef\xbb\xbf"), ("utf-16", b""), ("utf-16-be", b"\xfe\xff")]
)
def test_a_byte_order_mark_and_crlf_do_not_matter(tmp_path, encoding, mark):
    path = tmp_path / "windows.jsonl"
    texts = [json.dumps(prompt(f"é{n}"), ensure_ascii=False) for n in (1, 2)]
    path.write_bytes(mark + "\r\n".join([*texts, "", ""]).encode(encoding))
    assert load_dataset("jsonl", [path], "s").totals["prompts"] == 2
    assert Prompt.objects.filter(key="é2").exists()
    path = tmp_path / "windows.json"
    path.write_bytes(mark + json.dumps({"1": paper()}, indent=1).replace("\n", "\r\n").encode(encoding))
    assert load_dataset("qasper", [path], "t").totals["prompts"] == 1


NO_UTF8 = [
    (b'{"id": "q1",\n "text": "\xff"}', "this is not UTF-8 (byte 0xff); save the file as UTF-8"),
    ('{"id": "q1"}'.encode("utf-16-le"), "this seems to be UTF-16 without a byte order mark; save the file as UTF-8"),
    (b"\xff\xfe\x00\xdcx\x00", "this is not valid UTF-16; save the file as UTF-8"),
    (b"PK\x03\x04 and more", "this is an Excel workbook (.xlsx) or another compressed file"),
    (b"PAR1 and more", "this is a Parquet file"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "this is an Excel file in an old format (.xls) or with a password"),
    (b'{"id": "q1", "text": "\xc3', "UTF-8"),
]
DOWNLOADS = [
    (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n", "fetch the file with `git lfs pull`"),
    (b"\xef\xbb\xbf\n<!DOCTYPE html>\n<title>Sign in</title>", "this is a web page"),
    (b"<HTML lang=en><title>Not found</title>", "this is a web page"),
]


def test_bytes_that_are_no_utf8_and_what_a_download_left_are_called_what_they_are(tmp_path):
    path = tmp_path / "odd.json"
    for format in ("jsonl", "qasper"):
        for content, says in NO_UTF8:
            path.write_bytes(content)
            assert says in refusal_of(load_dataset, format, [path], "s")[-1]
    for format, (content, says), pack in product(("jsonl", "qasper", "lfqa_eval"), DOWNLOADS, (bytes, gzip.compress)):
        problem = problem_of(path, format, pack(content))
        assert problem.startswith("odd.json:1: ") and says in problem


NO_JSON = [
    ('{"1": {"title": "T"', 1, "the file ends in the middle of a value; it is truncated"),
    ('{"1": {"title": "T', 1, "the file ends in the middle of a value; it is truncated"),
    ('{"1": {}', 1, "',' is expected, but there is nothing more"),
    ('{"1": {}, }', 1, "an object is expected"),
    ('{"1": {},\n"2": {"title" "T"}}', 2, "Expecting ':' delimiter"),
    ('{"1": {"title": "a\nb"}}', 1, "Invalid control character"),
    ('{"1": {"n": NaN}}', 1, "NaN is not JSON"),
    ('{"1": {"n": ' + "9" * 5000 + "}}", 1, "more digits than can be stored"),
    ('{"1": {"title": "a", "title": "b"}}', 1, "an object has the key 'title' twice"),
    ('{"1": {}} trailing', 1, "an object is expected"),
    ("title,abstract\na,b\n", 1, "an object is expected"),
    ('{"1": 5}', 1, "the record has no 'id'"),
    ('{"1": {}, 2: {}}', 1, "an object is expected"),
]


def test_what_is_no_json_is_named_with_its_line(tmp_path):
    for content, line, says in NO_JSON:
        problem = problem_of(tmp_path / "p.json", "qasper", content)
        assert problem.startswith(f"p.json:{line}: ") and says in problem


METADATA = '{"id": "q1", "text": "T", "metadata": {"n": %s}}'
BAD_LINES = [
    ('{"id": "q1" "text": "T"}', "this is not valid JSON: Expecting ',' delimiter, at character 13"),
    ('{"id": "q1", "text": "T', "this ends in the middle of a value; it is truncated"),
    ('{"id": "q1", "text":', "this ends in the middle of a value; it is truncated"),
    ('{"id": "q1", "id": "q2", "text": "T"}', "an object has the key 'id' twice"),
    (METADATA % "1e999", "a number that is too large"),
    (METADATA % "-Infinity", "-Infinity is not JSON"),
    (METADATA % ("9" * 5000), "more digits than can be stored"),
    (METADATA % ("9" * 400), "a number that is too large"),
    (METADATA % ("[" * 60 + "]" * 60), "nested too deeply"),
    (METADATA % r'{"a\u0000": 1}', "contains a NUL character"),
    (r'{"id": "q1", "text": "a\u0000b"}', "contains a NUL character, at character 2; remove it"),
    (r'{"id": "q1", "text": "ab\ud83d"}', "contains half of a surrogate pair, at character 3"),
    (r'{"id": "q\udc00", "text": "T"}', "contains half of a surrogate pair"),
    (r'{"id": "q1", "text": "T", "document": "d\u0000"}', "'document' contains a NUL character"),
    (r'{"id": "q1 ", "text": "T"}', "whitespace at its ends is most likely a mistake"),
]


def test_what_cannot_be_stored_is_refused_with_its_location_and_a_remedy(tmp_path):
    for line, says in BAD_LINES:
        problem = problem_of(tmp_path / "bad.jsonl", "jsonl", line + "\n")
        assert problem.startswith("bad.jsonl:1: ") and says in problem
        problem.encode()


@pytest.mark.usefixtures("collected_garbage")
def test_json_that_is_nested_deeper_than_the_stack_is_refused(tmp_path):
    for format, start in (("qasper", '{"1": {"n": '), ("jsonl", "")):
        problem = problem_of(tmp_path / "p.json", format, start + "[" * 100_000)
        assert problem.startswith("p.json:1: ") and "nested too deeply" in problem


def test_what_cannot_be_stored_of_an_article_is_refused_and_a_whole_surrogate_pair_is_kept(tmp_path):
    path = tmp_path / "p.json"
    for content in (r'{"a\u0000": {"title": "T"}}', r'{"id": "a\u0000", "title": "T"}'):
        problem = problem_of(path, "qasper", content)
        assert problem.startswith("p.json:1: paper ") and "contains a NUL character" in problem
    half = problem_of(path, "qasper", r'{"1": {"title": "a\ud83d", "qas": []}}')
    assert "contains half of a surrogate pair" in half
    path.write_text(r'{"1": {"title": "a\ud83d\udc1d", "qas": [{"question": "?", "question_id": "q"}]}}')
    load_dataset("qasper", [path], "s")
    assert Prompt.objects.get().document.title == "a🐝"


def test_the_hostile_samples_are_refused():
    load_dataset("jsonl", [FIXTURES / "jsonl" / "dataset.jsonl"], "s")
    for name in ("nul.jsonl", "lone-surrogate.jsonl"):
        [problem] = refusal_of(load_responses, FIXTURES / "hostile" / name, Dataset.objects.get())
        assert problem.startswith(f"{name}:1: 'text' of the row ")


def test_damaged_archives_and_those_that_unpack_to_something_huge_are_refused_early(tmp_path, monkeypatch):
    whole, path = gzip.compress(json.dumps(prompt()).encode() * 1000), tmp_path / "d.jsonl.gz"
    for content, says in ((whole[:-200], "damaged"), (whole[:-8] + bytes(8), "damaged"), (b"{}", "is not a gzip file")):
        assert says in problem_of(path, "jsonl", content)
    monkeypatch.setattr(input_files, "RATIO_MATTERS_FROM", input_files.MEGABYTE)
    bomb = gzip.compress(b"\n" * (8 * input_files.MEGABYTE))
    assert "unpacks to more than 100 times its size" in problem_of(path, "jsonl", bomb)
    monkeypatch.setattr(input_files, "MAX_UNPACKED", input_files.MEGABYTE)
    assert "unpacks to more than 1 MB" in problem_of(path)


@pytest.mark.parametrize(("format", "opening"), [("jsonl", b'{"text": "'), ("qasper", b'{"1": {"title": "')])
def test_a_record_without_end_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch, format, opening):
    for module in ("input_files", "json_stream"):
        monkeypatch.setattr(f"annotation.importing.{module}.MAX_RECORD_SIZE", input_files.MEGABYTE)
    path = tmp_path / "endless.json"
    path.write_bytes(opening + b"x" * (40 * input_files.MEGABYTE))
    tracemalloc.start()
    try:
        assert "is longer than 1 MB" in problem_of(path, format)
        assert tracemalloc.get_traced_memory()[1] < 20 * input_files.MEGABYTE
    finally:
        tracemalloc.stop()


def test_memory_stays_flat_however_large_the_file_is(tmp_path):
    """Eight times the papers, and not twice the memory."""

    def peak(papers: int) -> int:
        text = [{"section_name": "One", "paragraphs": ["Terns fly further on turbid days. " * 500]}]
        papers_data = {str(n): paper(full_text=text, qas=[question(f"q{n}")]) for n in range(papers)}
        path = qasper(tmp_path / f"{papers}.json", papers_data)
        del papers_data
        gc.freeze()
        gc.collect()  # else Python collects the less often, the more a process of many tests has loaded
        tracemalloc.start()
        try:
            load_dataset("qasper", [path], f"s{papers}", dry_run=True)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
            gc.unfreeze()

    peak(2)
    assert peak(400) < 2 * peak(50)


def test_a_file_that_changes_between_the_two_readings_is_refused(tmp_path, monkeypatch):
    path, survey = lines(tmp_path / "d.jsonl", [prompt("q1")]), dataset._survey

    def then_changed(*args):
        contents = survey(*args)
        lines(path, [prompt("q1"), prompt("q2")])
        return contents

    monkeypatch.setattr(dataset, "_survey", then_changed)
    assert problem_of(path) == "a file changed while it was read; import it again"


def test_a_quotation_mark_that_is_never_closed_is_named_where_it_opens(tmp_path, monkeypatch):
    monkeypatch.setattr("annotation.importing.tabular_files.MAX_RECORD_SIZE", input_files.MEGABYTE)
    table = b"question,answer\nWhy?,So.\n" + b'How?,"' + b"never closed, \n" * (100 * 1024)
    problem = "a cell is longer than 1 MB: a quotation mark that opens here is most likely never closed"
    assert problem_of(tmp_path / "open.csv", "rows", table) == f"open.csv:3: {problem}"


def test_a_load_that_is_cancelled_on_its_way_leaves_nothing_half_stored(tmp_path):
    path = lines(tmp_path / "many.jsonl", [prompt(f"q{n}") for n in range(1200)])

    def cancel_while_storing(progress):
        if progress.message == "storing prompts" and progress.done > 600:
            progress.stopped.set()

    before = count_rows()
    with pytest.raises(Stopped), transaction.atomic():
        load_dataset("jsonl", [path], "s", progress=Progress(cancel_while_storing))
    assert count_rows() == before
