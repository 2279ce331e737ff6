"""Workbooks with contents of their own."""

import zipfile
from pathlib import Path

from openpyxl import Workbook

SHEET = "xl/worksheets/sheet1.xml"
XMLNS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
ROW = '<sheetData><row r="{row}"><c r="{cell}" t="inlineStr"><is><t>x</t></is></c></row></sheetData>'


def saved(path: Path, parts: dict[str, str]) -> Path:
    """Write a workbook of one cell with other contents of some parts."""
    book = Workbook()
    book.worksheets[0].append(["x"])
    book.save(path.with_suffix(".plain"))
    with zipfile.ZipFile(path.with_suffix(".plain")) as plain, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name in {*plain.namelist(), *parts}:
            file.writestr(name, parts.get(name) or plain.read(name))
    return path


def with_cell(row: int, cell: str) -> str:
    return f'<worksheet xmlns="{XMLNS}">{ROW.format(row=row, cell=cell)}</worksheet>'
