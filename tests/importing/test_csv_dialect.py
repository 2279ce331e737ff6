"""Tables as spreadsheets of other countries, older programs and other tools write them."""

import csv
import io
import json
from datetime import datetime
from itertools import product

import pyarrow
import pytest
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from pyarrow import parquet

from annotation.importing import SourceFile, load_dataset, load_ratings, load_responses
from annotation.importing.csv_dialect import dialect_of
from annotation.importing.input_files import FileReader
from annotation.importing.problems import Problems
from annotation.importing.tabular_files import read_rows
from annotation.importing.workbooks import workbook_rows
from annotation.jobs import Refused
from annotation.metrics.score_files import load_metric_scores
from annotation.models import Dataset, Response
from annotation.projects.create import create_project
from tests.cast import article_accuracy
from tests.importing.files import FIXTURES, lines, problem_of
from tests.importing.workbook_files import SHEET, XMLNS, saved

TABLE = 'name{0}text\r\na{0}"one{0} two"\r\nb{0}three, four; five\r\n'


def rows_of(path, problems: Problems | None = None) -> list[tuple[str, dict]]:
    rows = read_rows(FileReader(SourceFile(path)), problems or Problems(), format=None, needed=())
    return [(row.location, row.values) for row in rows]


def file(tmp_path, text: str | bytes, name: str = "t.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(path) -> str:
    """Return the one problem for which the file is not read at all."""
    with pytest.raises(Refused) as caught:
        rows_of(path)
    [problem] = caught.value.problems
    return problem


class TestSeparators:
    def test_are_found_or_stated(self, tmp_path):
        for separator in ("\t", "|"):
            for first, stated in ((2, ""), (3, "sep={0}\r\n"), (3, '"sep={0}"\n')):
                assert rows_of(file(tmp_path, (stated + TABLE).format(separator))) == [
                    (f"t.csv:{first}", {"name": "a", "text": f"one{separator} two"}),
                    (f"t.csv:{first + 1}", {"name": "b", "text": "three, four; five"}),
                ]

    def test_are_those_that_fit_the_first_rows(self, tmp_path):
        for text, separator in (
            ("a,b\n1;2,3\n", ","),
            ('"a, b";"c, d"\n1;2\n', ";"),
            ('"a; b; c","d"\n1,2\n', ","),
            ("a;b\n1,5;2,5\n3,5;4,5\n", ";"),
            ("question, as asked;answer, as given\nWhy?;So.\nHow?;Well.\n", ";"),
            ('"two\nlines";b\n1;2\n', ";"),
            ("single\na,b\n", ","),
            ("", ","),
            ("sep=|\na|b\n", "|"),
            ("\ufeffSEP=;\r\na;b\r\n", ";"),
            ("sep=^\na^b\n", "^"),
        ):
            assert dialect_of(FileReader(SourceFile(file(tmp_path, text)))).separator == separator

    def test_those_with_the_needed_columns_are_preferred_and_a_row_that_differs_names_them(self, tmp_path):
        path = file(tmp_path, "response;metric, name;value\nr;m, n;1\ns;m, n;2\n")
        assert dialect_of(FileReader(SourceFile(path)), ["response", "value"]).separator == ";"
        problems = Problems()
        assert len(rows_of(file(tmp_path, "sep=;\na;b\n1;2\n3\n"), problems)) == 1
        [problem] = problems.lines
        assert problem.startswith("t.csv:4: the row and the header differ in length (1 and 2 cells); check semicolons")


class TestLineEnds:
    def test_of_all_programs_are_read_in_utf_16_and_in_json_lines_too(self, tmp_path):
        for end in ("\r", "\r\n", "\n"):
            text = end.join(["a,b", "1,2", '"x\ny",3', ""])
            expected = [("t.csv:2", {"a": "1", "b": "2"}), ("t.csv:3", {"a": "x\ny", "b": "3"})]
            assert rows_of(file(tmp_path, text)) == expected
        assert rows_of(file(tmp_path, "a;b\r1;2\r".encode("utf-16"))) == [("t.csv:2", {"a": "1", "b": "2"})]
        found = rows_of(file(tmp_path, '{"a": 1}\r{"a": 2}\r', "t.jsonl"))
        assert found == [("t.jsonl:1", {"a": 1}), ("t.jsonl:2", {"a": 2})]

    def test_a_lone_carriage_return_within_a_cell_ends_no_line(self, tmp_path):
        found = rows_of(file(tmp_path, 'a,b\r\n"x\ry",1\r\n"z",2\r\n'))
        assert found == [("t.csv:2", {"a": "x\ry", "b": "1"}), ("t.csv:3", {"a": "z", "b": "2"})]

    def test_of_a_program_that_writes_crlf_in_place_of_each_lf_are_read(self, tmp_path):
        for end, before in product(("\r\r\n", "\r\r\r\n"), ([], ["sep=,"])):
            found = rows_of(file(tmp_path, end.join([*before, "a,b", '1,"x"', "2,y", ""])))
            line = 2 + len(before)
            assert found == [(f"t.csv:{line}", {"a": "1", "b": "x"}), (f"t.csv:{line + 1}", {"a": "2", "b": "y"})]


def test_one_object_on_several_lines_is_one_problem(tmp_path):
    several = "one object is written on several lines"
    for text, problem in (
        ('{\n "rows": [\n  {"a": 1}\n ]\n}\n', f"1: {several}; write each record on a line"),
        ('\n{"a":\n 1}\n{"a":\n 2}\n', f"2: {several}"),
        ('{\n "a": [\n  {"b": 1', "3: the file ends in the middle of a value; it is truncated"),
    ):
        assert refused(file(tmp_path, text, "t.json")).startswith(f"t.json:{problem}")


def test_a_list_that_may_hold_the_records_is_named(tmp_path):
    for name, is_named in (("rows", True), ("messages", False), ("conversations", False)):
        text = json.dumps({name: [{"role": "user", "content": "Why?"}]}, indent=1) + "\n{}\n"
        assert ("of this object may be it" in refused(file(tmp_path, text, "t.json"))) == is_named


def test_a_line_that_is_cut_off_before_others_is_named_alone(tmp_path):
    problems = Problems()
    assert len(rows_of(file(tmp_path, '{"a": "b\n{"a": 1}\n', "t.jsonl"), problems)) == 1
    assert problems.lines == ["t.jsonl:1: this ends in the middle of a value; it is truncated"]


ESCAPED = {
    "one_x000D_\ntwo": "one\r\ntwo",
    "_x005F_x000D_": "_x000D_",
    "_x005f_x005F_": "_x005F_",
    "tab_x0009_end": "tab\tend",
    "_xD83D__xDE00_": "\U0001f600",
    "_x00e9_": "é",
    "_xZZZZ_ _x12_ x000D_": "_xZZZZ_ _x12_ x000D_",
}


def test_escapes_of_a_workbook_are_the_characters_and_formatted_texts_are_whole(tmp_path):
    path, book = tmp_path / "t.xlsx", Workbook()
    book.worksheets[0].append([f"name{n}" for n, _text in enumerate(ESCAPED)] + ["formatted"])
    book.worksheets[0].append([*ESCAPED, CellRichText("one_x000D_\n", TextBlock(InlineFont(b=True), "two"))])
    book.save(path)
    [(_place, values)] = rows_of(path)
    assert list(values.values()) == [*ESCAPED.values(), "one\r\ntwo"]
    cells = "".join(f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>' for text in ESCAPED)
    inline = f'<worksheet xmlns="{XMLNS}"><sheetData><row r="1">{cells}</row></sheetData></worksheet>'
    path = saved(tmp_path / "inline.xlsx", {SHEET: inline})
    assert next(workbook_rows(FileReader(SourceFile(path))))[1] == list(ESCAPED.values())


def test_times_in_nanoseconds_are_read_at_any_depth(tmp_path):
    times = pyarrow.array([1_772_359_200_123_456_789, None], pyarrow.timestamp("ns", "UTC"))
    columns = {
        "text": ["a", "b"],
        "at": times,
        "lists": pyarrow.array([[1_001], []], pyarrow.list_(pyarrow.timestamp("ns"))),
        "objects": pyarrow.array([{"at": 1_001}, None], pyarrow.struct([("at", pyarrow.time64("ns"))])),
        "took": pyarrow.array([1_500, None], pyarrow.duration("ns")),
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "t.parquet")
    [(_place, first), _second] = rows_of(tmp_path / "t.parquet")
    assert first["at"] == datetime.fromisoformat("2026-03-01T10:00:00.123456+00:00").isoformat()
    assert first["lists"] == ["1970-01-01T00:00:00.000001"] and first["objects"] == {"at": "00:00:00.000001"}


@pytest.mark.django_db
class TestImports:
    def test_columns_of_several_lists_are_kept_whole(self, tmp_path):
        lists = {"contexts": [{"text": "c"}], "citations": [{"text": "d"}, {"text": "e"}]}
        load_dataset("rows", [lines(tmp_path / "t.jsonl", [{"question": "Q?", "answer": "A.", **lists}])], "two")
        assert Response.objects.get().metadata == {"contexts[].text": ["c"], "citations[].text": ["d", "e"]}

    def test_responses_ratings_and_scores_take_semicolons(self, tmp_path):
        load_dataset("jsonl", [FIXTURES / "jsonl" / "dataset.jsonl"], "tea")
        dataset = Dataset.objects.get()
        project = create_project("june", dataset, article_accuracy(), overlap=1)
        for load, about, name in [(load_responses, dataset, "responses"), (load_ratings, project, "ratings")]:
            text = (FIXTURES / name / f"{name}.csv").read_text(encoding="utf-8")
            path = file(tmp_path, with_semicolons(text), f"{name}.csv")
            assert load(path, about).new > 0
            assert load(FIXTURES / name / f"{name}.csv", about).new == 0
        response = Response.objects.first().key
        scores = file(tmp_path, f"sep=;\r\nresponse;metric;value\r\n{response};bleurt;0.5\r\n", "scores.csv")
        assert load_metric_scores(scores, dataset).new == 1

    def test_a_name_that_cannot_be_stored_is_one_problem(self, tmp_path):
        for character in ("\x00", "\ud800"):
            row = {"question": "Why?", f"a{character}b": "x"}
            for name, content in (("t.jsonl", row), ("t.json", [row])):
                problem = problem_of(load_dataset, "rows", [file(tmp_path, json.dumps(content), name)], "s")
                assert problem.startswith(f"{name}:1: the name of column 2 contains ") and "at character 2" in problem
        problem = problem_of(load_dataset, "rows", [file(tmp_path, "question,a\x00b\nWhy?,x\n")], "s")
        assert problem == "t.csv:1: the name of column 2 contains a NUL character, at character 2; remove it"


def with_semicolons(text: str) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";").writerows(csv.reader(io.StringIO(text, newline="")))
    return out.getvalue()
