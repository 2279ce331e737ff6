"""Hostile and damaged workbooks are refused with one line, before they fill the memory."""

import zipfile
from pathlib import Path

import pytest

from annotation.importing import workbooks
from annotation.importing.input_files import FileReader, source_file
from annotation.importing.table_extractor import cell_text
from annotation.importing.workbooks import workbook_rows
from annotation.jobs import Refused
from tests.importing.workbook_files import SHEET, saved, with_cell


def problem_of(path: Path) -> str:
    with pytest.raises(Refused) as caught:
        list(workbook_rows(FileReader(source_file(path))))
    [problem] = caught.value.problems
    return problem


def test_a_part_that_unpacks_to_much_or_a_sheet_with_too_many_columns_or_cells_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "bomb.xlsx"
    for part, size, says in (("xl/styles.xml", workbooks.MAX_PART + 1, 32), (SHEET, 70 * 2**20, 70)):
        problem = f"the workbook unpacks to more than {says} MB"
        assert problem in problem_of(saved(path, {part: " " * size}))
    problem = problem_of(saved(path, {SHEET: with_cell(1, "XFD1")}))
    assert problem.startswith("bomb.xlsx:1: the sheet has more than 1000 columns")
    monkeypatch.setattr(workbooks, "MAX_CELLS", 3)
    problem = problem_of(saved(path, {SHEET: with_cell(1_000, "D1000")}))
    assert problem.startswith("bomb.xlsx:1000: the sheet has more than")


def test_entities_are_not_expanded_and_a_damaged_workbook_is_named(tmp_path):
    page = '<!DOCTYPE a [<!ENTITY b "bbbb">]>' + with_cell(1, "A1").replace("<t>x", "<t>&b;")
    assert "the workbook cannot be read" in problem_of(saved(tmp_path / "entities.xlsx", {SHEET: page}))
    path = saved(tmp_path / "own.xlsx", {"xl/workbook.xml": "<workbook"})
    assert problem_of(path) == "own.xlsx: the workbook cannot be read; save it again as .xlsx, or as CSV in UTF-8"
    path.write_bytes(path.read_bytes()[:200])
    assert "the workbook is damaged" in problem_of(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("own.csv", "a,b")
    assert problem_of(path) == "own.xlsx: this is a zip archive, not an Excel workbook; name the file in it"


def test_a_cell_is_its_value_as_text():
    values = [None, True, 3.0, 0.1, 7, " a"]
    assert [cell_text(value) for value in values] == ["", "true", "3", "0.1", "7", " a"]
