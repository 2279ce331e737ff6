"""Tables in Excel, Parquet and UTF-16: each brings the same rows as the CSV file."""

import csv
import json
from datetime import date, datetime
from pathlib import Path

import pyarrow
import pytest
from openpyxl import Workbook
from pyarrow import parquet

from annotation.importing import load_dataset, load_ratings, load_responses
from annotation.importing.column_mapping import columns_from
from annotation.models import Dataset, Prompt, Rating
from annotation.projects.create import create_project
from tests.cast import article_accuracy
from tests.importing.files import FIXTURES, refusal_of

pytestmark = pytest.mark.django_db
MAPPING = columns_from({"prompt": "Question", "response": "Answer", "system": "Model", "metadata": ["Day", "Year"]})
ROWS = [["Why?", "So.", "wren", date(2026, 3, 1), 2026], ["How?", "Well.", "wren", datetime(2026, 3, 2, 9, 30), 2.5]]


def cells_of(path: Path) -> list[list[str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def workbook(path: Path, rows: list[list]) -> Path:
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    book.create_sheet("Notes").append(["not", "read"])
    book.save(path)
    return path


def in_format(source: Path, path: Path) -> Path:
    """Write the CSV file `source` in the format that the ending of `path` names."""
    rows = cells_of(source)
    if path.suffix == ".xlsx":
        return workbook(path, rows)
    if path.suffix == ".parquet":
        columns = {name: [row[n] or None for row in rows[1:]] for n, name in enumerate(rows[0])}
        parquet.write_table(pyarrow.table(columns), path)
    elif path.suffix == ".json":
        path.write_text(json.dumps([json.loads(line) for line in source.with_suffix(".jsonl").open()], indent=1))
    else:
        path.write_text(source.read_text(encoding="utf-8"), encoding="utf-16")
    return path


@pytest.fixture(scope="module")
def dataset(module_rows) -> Dataset:
    load_dataset("jsonl", [FIXTURES / "jsonl" / "dataset.jsonl"], "tea")
    return Dataset.objects.get()


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "csv", "json"])
def test_responses_and_ratings_are_those_of_the_csv_file(dataset, tmp_path, ending):
    project = create_project("june", dataset, article_accuracy(), overlap=1)
    path = in_format(FIXTURES / "ratings" / "ratings.csv", tmp_path / f"r.{ending}")
    assert (load_ratings(path, project).new, Rating.objects.count()) == (10, 10)
    assert load_ratings(FIXTURES / "ratings" / "ratings.csv", project).new == 0
    path = in_format(FIXTURES / "responses" / "responses.csv", tmp_path / f"r.{ending}")
    first = load_responses(path, dataset).as_json()
    assert first == {"prompts": 2, "responses": 3, "items": 5, "left_out": {}, "new": 3}
    assert load_responses(FIXTURES / "responses" / "responses.csv", dataset).as_json() == {**first, "new": 0}


def test_the_first_sheet_is_read_as_texts_with_iso_dates_and_its_rows_numbered_as_in_excel(dataset, tmp_path):
    path = workbook(tmp_path / "own.xlsx", [[], ["Question", "Answer", "Model", "Day", "Year", None], *ROWS])
    counts = load_dataset("rows", [path], "s", columns=MAPPING)
    assert counts.totals == {"documents": 0, "prompts": 2, "responses": 2, "items": 2}
    assert [prompt.metadata for prompt in Prompt.objects.filter(dataset__slug="s").order_by("pk")] == [
        {"Day": "2026-03-01", "Year": "2026"},
        {"Day": "2026-03-02T09:30:00", "Year": "2.5"},
    ]
    rows = [[], ["prompt", "system", "text"], ["q1", "wren", "So.", "?"], ["q1", None, "S"]]
    assert refusal_of(load_responses, workbook(path, rows), dataset) == [
        "own.xlsx:3: a cell is to the right of the last named column; name the column",
        "own.xlsx:4: the row has no 'system'; set one for such rows with --system",
    ]


def test_a_nested_parquet_file_is_read_like_json_lines(tmp_path):
    rows = [{"q": "Why?", "answers": [{"model": "wren", "text": "So."}, {"model": "tern", "text": "Thus."}]}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "own.parquet")
    mapping = columns_from({"prompt": "q", "response": "answers[].text", "system": "answers[].model"})
    assert load_dataset("rows", [tmp_path / "own.parquet"], "s", columns=mapping).totals["responses"] == 2


def test_a_header_or_field_that_differs_in_case_or_spaces_is_suggested(dataset, tmp_path):
    source = tmp_path / "source.csv"
    source.write_text("Prompt ,system,Text\nbees-time,wren,So.\n")
    for ending in ("csv", "xlsx", "parquet"):
        [problem] = refusal_of(load_responses, in_format(source, tmp_path / f"r.{ending}"), dataset)
        assert "it has 'Prompt ': did you mean 'prompt'?; it has 'Text': did you mean 'text'?" in problem
    path = tmp_path / "r.jsonl"
    path.write_text('{"Prompt": "bees-time", "text": "So.", "system": "wren"}\n')
    [problem] = refusal_of(load_responses, path, dataset)
    assert problem == "r.jsonl:1: the row has no 'prompt'; it has 'Prompt': did you mean 'prompt'?"
