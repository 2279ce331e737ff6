"""Folders of Hugging Face data sets: several Parquet files, in subfolders and in an archive."""

import shutil
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from annotation.importing import load_dataset
from annotation.models import Prompt, Response
from tests.importing.files import refusal_of

pytestmark = pytest.mark.django_db


def folder(path: Path) -> Path:
    data = path / "birds" / "data"
    data.mkdir(parents=True)
    (path / "birds" / "dataset_info.json").write_text('{"features": {}}', encoding="utf-8")
    (path / "birds" / "README.md").write_text("# Birds", encoding="utf-8")
    shards = {"train-00000-of-00002": [1, 2], "train-00001-of-00002": [3], "test-00000-of-00001": [4]}
    for name, numbers in shards.items():
        rows = [{"question": f"What is bird {n}?", "answer": f"Bird {n} is a wader.", "model": "wren"} for n in numbers]
        parquet.write_table(pyarrow.Table.from_pylist(rows), data / f"{name}.parquet")
    return path / "birds"


def contents(slug: str) -> list[tuple]:
    fields = ("key", "text", "prompt__metadata", "system__name")
    return list(Response.objects.filter(dataset__slug=slug).order_by("text").values_list(*fields))


def test_all_shards_of_a_folder_are_one_table_and_an_archive_has_the_same_contents(tmp_path):
    here = folder(tmp_path)
    counts = load_dataset("datasets", [here], "folder").as_json()
    assert (counts["prompts"], counts["responses"]) == (4, 4)
    assert sorted(Prompt.objects.values_list("metadata__split", flat=True)) == ["test", "train", "train", "train"]
    archive = shutil.make_archive(str(tmp_path / "birds"), "zip", here)
    assert load_dataset("datasets", [archive], "archive").excluded.counts["file of another kind"] == 2
    assert contents("archive") == contents("folder") and len(contents("folder")) == 4


def test_folders_without_parquet_and_damaged_shards_are_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    here = folder(tmp_path)
    (here / "data" / "broken.parquet").write_bytes(b"PAR1 and nothing more")
    archive = shutil.make_archive(str(tmp_path / "broken"), "zip", here)
    damaged = "broken.parquet: the Parquet file cannot be read"
    for path, says in (
        (tmp_path / "empty", "there is no .parquet file in this folder"),
        (here, damaged),
        (archive, damaged),
    ):
        assert says in refusal_of(load_dataset, "datasets", [path], "x")[0]
