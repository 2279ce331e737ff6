"""Hostile files are read in a process of its own, which ends at its limits and when the job is canceled."""

import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from annotation import jobs
from annotation.importing import workbooks
from annotation.importing.input_files import FileReader, source_file
from annotation.importing.limited_process import output_of
from annotation.importing.workbooks import parquet_rows, workbook_rows
from annotation.jobs import Refused, Stopped
from annotation.models import Job
from tests.importing.workbook_files import SHEET, XMLNS, saved, with_cell

TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
NUMBERED = pyarrow.map_(pyarrow.int64(), pyarrow.map_(pyarrow.string(), pyarrow.float64()))
END = "print('{\"end\": true}')\n"


def program(folder: Path, text: str) -> Path:
    path = folder / "program.py"
    path.write_text(text)
    return path


def problem_of(rows: Callable[[FileReader], Iterator[Any]], path: Path) -> str:
    with pytest.raises(Refused) as caught:
        list(rows(FileReader(source_file(path))))
    [problem] = caught.value.problems
    return problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("import time; print('{}', flush=True); time.sleep(60)", "time"),
        ("print('{\"row\": 1', end='', flush=True); import os; os.abort()", "died"),
        ("print('{}')", "died"),
        ("import time; print('x' * 17_000_000, flush=True); time.sleep(60)", "died"),
    ],
)
def test_a_process_that_does_not_come_to_its_end_is_a_problem(tmp_path, text, problem):
    assert list(output_of(program(tmp_path, text), "a", seconds=1, megabytes=100))[-1] == {"problem": problem}


def test_values_come_in_their_order_and_of_any_length(tmp_path):
    text = "import json, sys\nfor n in range(3): print(json.dumps([n, sys.argv[1:], 'é' * 300_000 * n]))\n" + END
    values = list(output_of(program(tmp_path, text), "a b", 7, seconds=60, megabytes=100))
    assert values == [*([n, ["a b", "60", "100", "7"], "é" * 300_000 * n] for n in range(3)), {"end": True}]


@pytest.mark.django_db(transaction=True)
def test_canceling_a_job_ends_the_process(tmp_path, monkeypatch):
    monkeypatch.setattr("annotation.jobs.HEARTBEAT", 0.05)
    number = tmp_path / "number"
    text = f"import os, time\nopen({str(number)!r}, 'w').write(str(os.getpid()))\n"
    text += "print('{}', flush=True)\ntime.sleep(600)\n"
    job = jobs.create("load_dataset")
    seen: list[str] = []

    def work(running: Job, progress: jobs.Progress) -> None:
        try:
            for _value in output_of(program(tmp_path, text), "a", seconds=600, megabytes=100):
                thread = threading.Thread(target=lambda: jobs.cancel(running))
                thread.start()
                thread.join()
        except Stopped:
            seen.append("stopped")
            raise

    jobs.run(job.pk, work)
    job.refresh_from_db()
    assert (job.state, seen) == (Job.State.CANCELLED, ["stopped"])
    with pytest.raises(ProcessLookupError):
        os.kill(int(number.read_text()), 0)


def test_a_workbook_with_a_row_beyond_the_last_one_or_too_many_parts_is_refused(tmp_path):
    path = saved(tmp_path / "a.xlsx", {SHEET: with_cell(1_048_576, "A1048576")})
    assert [number for number, _cells in workbook_rows(FileReader(source_file(path)))] == [1_048_576]
    saved(path, {SHEET: with_cell(900_000_000, "A900000000")})
    assert "has a row after row 1048576" in problem_of(workbook_rows, path)
    with zipfile.ZipFile(path, "w") as file:
        for number in range(workbooks.MAX_PARTS + 1):
            file.writestr(f"{number}/", "")
    assert "has too many parts" in problem_of(workbook_rows, path)


def write(path: Path, values: list[str]) -> Path:
    parquet.write_table(pyarrow.table({"text": values}), path, compression="zstd")
    return path


def test_a_parquet_file_that_unpacks_to_much_or_has_two_columns_of_one_name_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    too_long, too_much = (
        "a.parquet:2: the row is longer than 16 MB",
        "a.parquet: the file unpacks to more than 16384 MB",
    )
    for values, says in (
        (["x" * 70_000_000], "100 times its size"),
        (["a", "x" * 17_000_000], too_long),
        (["a", "я" * 9_000_000], too_long),
        # A dictionary states its value once, in the file and in the sizes of its footer.
        (["x" * 1_000_000] * 100, f"{too_much} or to more than 100 times its size"),
    ):
        assert says in problem_of(parquet_rows, write(path, values))
    parquet.write_table(pyarrow.Table.from_arrays([["a"], ["b"], ["c"]], names=["text", "id", "text"]), path)
    assert problem_of(parquet_rows, path) == "a.parquet: two columns have the name text"


def test_a_shared_text_of_a_workbook_is_counted_in_each_cell(tmp_path):
    kinds = {"workbook": "sheet.main", "worksheets/sheet1": "worksheet", "sharedStrings": "sharedStrings"}
    overrides = "".join(
        f'<Override PartName="/xl/{part}.xml" ContentType="{SPREADSHEET}.{kind}+xml"/>' for part, kind in kinds.items()
    )
    for length, cells, rows, says in (
        (9_000_000, 26, 1, "a.xlsx:1: the row is longer than 16 MB"),
        (1_000_000, 1, 100, "unpacks to more than 256 MB or to more than 100 times"),
    ):
        row = "".join(f'<c r="{chr(65 + n)}{{0}}" t="s"><v>0</v></c>' for n in range(cells))
        data = "".join(f'<row r="{n}">{row.format(n)}</row>' for n in range(1, rows + 1))
        parts = {
            SHEET: f'<worksheet xmlns="{XMLNS}"><sheetData>{data}</sheetData></worksheet>',
            "[Content_Types].xml": f'<Types xmlns="{TYPES}">{overrides}</Types>',
            "xl/sharedStrings.xml": f'<sst xmlns="{XMLNS}"><si><t>{"x" * length}</t></si></sst>',
        }
        assert says in problem_of(workbook_rows, saved(tmp_path / "a.xlsx", parts))


def test_maps_and_lists_of_a_fixed_length_are_values_of_json(tmp_path):
    time = pyarrow.timestamp("ns")
    at, later = 1_704_067_200_000_000_001, 1_704_153_600_000_000_000
    columns = {
        "map": pyarrow.array([[("a", at)], []], pyarrow.map_(pyarrow.string(), time)),
        "by_number": pyarrow.array([[(1, [("b", 2.5)])], None], NUMBERED),
        "pair": pyarrow.array([[at, later], [None, later]], pyarrow.list_(time, 2)),
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet")
    rows = [values for _number, values, _is_flat in parquet_rows(FileReader(source_file(tmp_path / "a.parquet")))]
    assert rows == [
        {"map": {"a": "2024-01-01"}, "by_number": {"1": {"b": 2.5}}, "pair": ["2024-01-01", "2024-01-02"]},
        {"map": {}, "by_number": None, "pair": [None, "2024-01-02"]},
    ]


def test_reading_tables_ends_at_the_limits(tmp_path, monkeypatch):
    for limit, value, says in (("MAX_MEMORY", 1, "MB of memory"), ("MAX_SECONDS", 0, "longer than 0 seconds")):
        monkeypatch.setattr(workbooks, limit, value)
        assert says in problem_of(workbook_rows, saved(tmp_path / "a.xlsx", {}))
        assert says in problem_of(parquet_rows, write(tmp_path / "a.parquet", ["a"]))
