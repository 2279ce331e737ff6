"""The data set folder: three Parquet files, and a card that says of each column what it is."""

import io
import zipfile

import pytest
import yaml
from pyarrow import parquet

from annotation.exporting.huggingface import HuggingFace, configs
from annotation.models import Item, Rating, Response
from annotation.rating.bulk_storage import NewRating, store_ratings
from tests.cast import ACCURATE, study
from tests.exporting.odd_ratings import copy_of, store_unusual_ratings

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def project(module_rows):
    prepared = copy_of("one")
    prepared.title = 'Odd: "title" # of 🐝 — [x]'
    prepared.save()
    store_unusual_ratings(prepared)
    return prepared


@pytest.fixture(scope="module")
def files(project) -> dict[str, bytes]:
    return folder(project)


def folder(project, **options) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(b"".join(HuggingFace(project, **options)))) as archive:
        return {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}


def table(files: dict[str, bytes], name: str) -> list[dict]:
    return parquet.read_table(io.BytesIO(files[f"data/{name}.parquet"])).to_pylist()


def front_matter(files: dict[str, bytes]) -> dict:
    return yaml.safe_load(files["README.md"].decode().split("---\n")[1])


def test_the_card_names_each_file_and_the_type_of_each_column(project, files):
    metadata = front_matter(files)
    assert metadata["pretty_name"] == project.title
    assert [config["config_name"] for config in metadata["configs"]] == ["ratings", "items", "responses"]
    assert [config.get("default", False) for config in metadata["configs"]] == [True, False, False]
    for config, info in zip(metadata["configs"], metadata["dataset_info"], strict=True):
        assert info["config_name"] == config["config_name"]
        schema = parquet.read_schema(io.BytesIO(files[config["data_files"][0]["path"]]))
        types = {field.name: str(field.type).replace("double", "float64") for field in schema}
        assert {feature["name"]: feature["dtype"] for feature in info["features"]} == types
    text = files["README.md"].decode()
    for config in configs(project):
        for column in config.columns:
            assert column.holds and f"| `{column.name}` |" in text
    assert all(question.text in text for question in project.protocol.definition.questions)


def test_the_tables_hold_what_is_in_the_project_and_names_where_they_are_asked_for(project, files):
    named = folder(project, with_names=True)
    ratings, items, responses = (table(named, name) for name in ("ratings", "items", "responses"))
    assert len(ratings) == Rating.objects.count()
    assert len(items) == Item.objects.count()
    whole = {row["response"]: row["text"] for row in responses}
    assert whole == dict(Response.objects.values_list("key", "text"))
    texts = {(row["response"], row["item"]): row["text"] for row in items}
    for row in ratings:
        assert texts[row["response"], row["item"]] == row["text"] == whole[row["response"]][row["start"] : row["end"]]
    assert "ravi" in {row["rater"] for row in ratings}
    assert all(row["rater"].startswith("rater-") for row in table(files, "ratings"))


def test_nothing_of_another_project_on_the_same_site_is_in_it(project, files):
    other = study("other", raters=("otto",))
    store_ratings(other.project, [NewRating(other.items()[0], other.people["otto"], ACCURATE)])
    assert folder(project) == files


def test_a_sample_is_in_the_tables_and_on_the_card():
    files = folder(study(prompts=4, sentences=3, heading=True, sample=4).project)
    items = table(files, "items")
    assert [row["rate"] for row in items] == [bool(row["sampled"]) for row in items]
    assert {(row["kind"], row["probability"]) for row in items} == {("heading", None), ("sentence", 4 / 12)}
    assert sum(row["rate"] for row in items) == 4
    names = [feature["name"] for feature in front_matter(files)["dataset_info"][0]["features"]]
    assert names[-2:] == ["sampled", "probability"]
