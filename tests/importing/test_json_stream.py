"""A file read in pieces of any size gives the same as the file read whole."""

import json
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.importing import input_files
from annotation.importing.input_files import FileReader, SourceFile
from annotation.importing.json_stream import JsonText
from annotation.importing.problems import Problems
from annotation.importing.qasper import read_qasper
from annotation.importing.tabular_files import read_rows
from tests.importing.files import FIXTURES

PIECES = [1, 3, 64, 1000]


@pytest.mark.parametrize("name", ["papers.json", "papers.columnar.jsonl", "papers.columnar.concatenated.json"])
def test_papers_are_the_same_and_stand_in_the_same_lines(monkeypatch, name):
    def read_all() -> list:
        return list(read_qasper(FileReader(SourceFile(FIXTURES / "qasper" / name)), Problems()))

    whole = read_all()
    assert len(whole) == 7
    for size in PIECES:
        monkeypatch.setattr(input_files, "CHUNK", size)
        assert read_all() == whole


def test_rows_are_the_same_and_so_is_the_hash_of_the_file(monkeypatch):
    source = SourceFile(FIXTURES / "ratings" / "ratings.csv")

    def read_all() -> tuple[list, str]:
        reading = FileReader(source)
        return list(read_rows(reading, Problems(), format=None, needed=["response"])), reading.sha256

    whole = read_all()
    assert len(whole[0]) == 10
    for size in PIECES:
        monkeypatch.setattr(input_files, "CHUNK", size)
        assert read_all() == whole


any_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
        text = JsonText(FileReader(SourceFile(path)))
        members = {key: text.value() for _location, key in text.members()}
    assert members == papers
