"""A file read in pieces of any size gives the same as the file read whole."""

import csv
import io
import json
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation import csv_guarding
from annotation.importing import input_files
from annotation.importing.input_files import FileReader, SourceFile
from annotation.importing.json_stream import JsonText
from annotation.importing.problems import Problems
from annotation.importing.qasper import _members, read_qasper
from annotation.importing.tabular_files import read_rows
from tests.importing.files import FIXTURES

pytestmark = pytest.mark.slow

PIECES = [1, 2, 3, 7, 64, 1000]


@pytest.mark.parametrize("size", PIECES)
@pytest.mark.parametrize("name", ["papers.json", "papers.columnar.jsonl", "papers.columnar.concatenated.json"])
def test_papers_are_the_same_and_stand_in_the_same_lines(monkeypatch, name, size):
    source = SourceFile(FIXTURES / "qasper" / name)
    whole = list(read_qasper(FileReader(source), Problems()))
    monkeypatch.setattr(input_files, "CHUNK", size)
    assert list(read_qasper(FileReader(source), Problems())) == whole
    assert len(whole) == 7


@pytest.mark.parametrize("size", PIECES)
def test_rows_are_the_same_and_so_is_the_hash_of_the_file(monkeypatch, size):
    source = SourceFile(FIXTURES / "ratings" / "ratings.csv")

    def read_all() -> tuple[list, str]:
        reading = FileReader(source)
        return list(read_rows(reading, Problems(), format=None, needed=["response"])), reading.sha256

    whole = read_all()
    monkeypatch.setattr(input_files, "CHUNK", size)
    assert read_all() == whole
    assert len(whole[0]) == 10


any_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    papers=st.dictionaries(st.text(min_size=1), st.dictionaries(st.text(), any_json), min_size=1),
    ascii_only=st.booleans(),
    indent=st.sampled_from([None, 0, 2]),
    size=st.integers(1, 40),
)
def test_any_object_of_objects_is_read_member_by_member(tmp_path, papers, ascii_only, indent, size):
    path = tmp_path / "any.json"
    text = json.dumps(papers, ensure_ascii=ascii_only, indent=indent)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with patch.object(input_files, "CHUNK", size):
        members = {key: value for _, key, value in _members(JsonText(FileReader(SourceFile(path))))}
    assert members == papers


texts = st.text(st.sampled_from("'=+-@\t\r\n\",a \uff1d🐝"), max_size=8)


@settings(deadline=None, max_examples=300)
@given(rows=st.lists(st.tuples(texts, texts), max_size=4))
def test_a_guarded_cell_is_harmless_and_comes_back_exactly(rows):
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\r\n").writerows(
        [csv_guarding.guard_cell(a), csv_guarding.guard_cell(b)] for a, b in rows
    )
    written = buffer.getvalue()
    rows_of_csv = list(csv.reader(io.StringIO(written, newline=""), strict=True))
    for row, (a, b) in zip(rows_of_csv, rows, strict=True):
        assert all(cell[:1] not in tuple("=+-@\t\r\n\uff1d") or not cell for cell in row)
        assert list(csv_guarding.unguard_row({"a": row[0], "b": row[1]}, is_exported=True).values()) == [a, b]
