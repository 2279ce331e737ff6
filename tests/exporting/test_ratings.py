"""An export holds what counts, in every format alike, and an import reads it back to the last digit."""

import csv
import io
import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.utils import timezone
from pyarrow import parquet

from annotation.exporting import FORMATS, RatingsExport, rating_columns, writers
from annotation.exporting.rating_columns import columns, flat_columns
from annotation.importing import load_ratings
from annotation.models import Item, Project, Rating, User
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.rating.tally_check import find_tally_differences
from annotation.reporting import Choices, build
from tests.cast import ACCURATE, SEVERE, person, study
from tests.exporting.odd_ratings import ODD_TEXTS, copy_of, exported, store_unusual_ratings

pytestmark = pytest.mark.django_db

DOCS = Path(__file__).parents[2] / "docs"
FEW = Choices(resamples=100)


@pytest.fixture(scope="module")
def project(module_rows) -> Project:
    """Return a project whose ratings have every unusual value."""
    project = copy_of("one")
    store_unusual_ratings(project)
    return project


def in_json(project: Project, **options) -> list[dict]:
    return [json.loads(line) for line in exported(project, "jsonl", **options).decode().split("\n")[:-1]]


def in_csv(project: Project) -> list[list[str]]:
    return list(csv.reader(io.StringIO(exported(project, "csv").decode(), newline="")))


def written(project: Project, format: str, folder: Path, **options) -> Path:
    path = folder / f"ratings.{format}"
    path.write_bytes(exported(project, format, **options))
    return path


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_export_import_export_gives_the_same_bytes_values_and_report(project, tmp_path, format):
    path = written(project, format, tmp_path)
    copy = copy_of("two")
    assert load_ratings(path, copy).new == project.ratings.count()
    assert exported(copy, format) == path.read_bytes()
    fields = ("item__response__key", "item__position", "rater__username", "role", "answers", "choices", "counted")
    fields += ("comment", "evidence", "verdict_shown", "seconds", "rated_at")
    rows, copied = (list(each.ratings.order_by(*fields[:4]).values_list(*fields)) for each in (project, copy))
    assert copied == rows and {row[7] for row in rows} == set(ODD_TEXTS)
    assert build(copy, FEW).to_json() == build(project, FEW).to_json()
    assert find_tally_differences() == []
    counts = load_ratings(path, project)
    assert (counts.new, counts.changed) == (0, 0), "an import into its own project changes nothing"


def test_a_file_from_before_the_column_was_added_leaves_what_is_stored(project, tmp_path):
    marked = Rating.objects.filter(verdict_shown=True).count()
    path = tmp_path / "ratings.jsonl"
    path.write_text("\n".join(json.dumps(row | {"comment": "", "verdict_shown": None}) for row in in_json(project)))
    load_ratings(path, project, replace=True)
    assert Rating.objects.filter(verdict_shown=True).count() == marked > 0


def test_the_three_formats_hold_the_same_and_no_cell_of_a_csv_begins_as_a_formula(project, tmp_path):
    head, *rows = in_csv(project)
    cells = [cell for row in rows for cell in row]
    assert any(cell.startswith("'=") for cell in cells)
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")]
    table = parquet.read_table(written(project, "parquet", tmp_path)).to_pylist()
    assert len(rows) == len(table) == project.ratings.count()
    for line, cells, typed in zip(in_json(project), rows, table, strict=True):
        row = dict(zip(head, cells, strict=True))
        assert line["answers"].get("severity") == (row["answers.severity"] or None) == typed["answers.severity"]
        assert line["seconds"] == (float(row["seconds"]) if row["seconds"] else None) == typed["seconds"]
        assert line["comment"] == typed["comment"]
        assert line["item"] == int(row["item"]) == typed["item"]
        assert datetime.fromisoformat(line["rated_at"]) == typed["rated_at"]
        assert line["evidence"] == json.loads(row["evidence"] or "[]") == json.loads(typed["evidence"] or "[]")


def test_rows_say_what_they_are_about_and_parquet_has_its_columns_without_ratings(tmp_path):
    project = copy_of("two")
    names = [column.name for column in flat_columns(project.protocol.definition)]
    assert parquet.read_schema(written(project, "parquet", tmp_path)).names == names
    item = Item.objects.get(response__key="bees-how.wren", response__dataset=project.dataset, position=3)
    store_ratings(project, [NewRating(item, person("ravi"), SEVERE, rated_at=datetime(2026, 1, 2, tzinfo=UTC))])
    assert in_json(project) == [{
        "response": "bees-how.wren", "against": None, "unit": "sentence", "item": 3, "rater": "ravi", "role": "rater",
        "answers": {"accuracy": "inaccurate", "severity": "severe"}, "comment": "", "evidence": [], "suggestions": "",
        "guidelines": None, "seconds": None, "rated_at": "2026-01-02T00:00:00.000000+00:00",
        "prompt": "bees-how", "document": "bees", "system": "Wren", "kind": "sentence", "start": 103, "end": 131,
        "text": "It took 61 hours on average.", "by_hand": False,
        "protocol": "article-accuracy", "protocol_version": "1", "protocol_sha256": project.protocol.sha256,
    }]  # fmt: skip


def test_the_order_comes_from_imported_ids_not_from_the_database(project):
    backwards = copy_of("two")
    items = {
        (item.response.key, item.position): item
        for item in Item.objects.filter(response__dataset=backwards.dataset).select_related("response")
    }
    also = ("comment", "evidence", "verdict_shown", "seconds", "rated_at")
    for rating in project.ratings.order_by("-pk").select_related("item__response", "rater"):
        item, values = items[rating.item.response.key, rating.item.position], {n: getattr(rating, n) for n in also}
        store_ratings(backwards, [NewRating(item, rating.rater, rating.answers, rating.role, **values)])
    assert exported(backwards, "jsonl") == exported(project, "jsonl")


def test_unfinished_retired_and_other_projects_ratings_are_left_out():
    june, other = study("june"), study("other", raters=("otto",))
    items = june.items()
    ratings = [NewRating(item, june.people[name], ACCURATE) for item in items for name in ("ravi", "rosa")]
    store_ratings(june.project, ratings)
    store_ratings(other.project, [NewRating(other.items()[0], other.people["otto"], ACCURATE)])
    Rating.objects.filter(item=items[0], rater=june.people["ravi"]).update(counted=False)
    Item.objects.filter(pk=items[1].pk).update(retired_at=timezone.now())
    export = RatingsExport(june.project, "jsonl")
    rows = [json.loads(line) for line in b"".join(export).splitlines()]
    assert [(row["item"], row["rater"]) for row in rows] == [(0, "rosa"), (2, "ravi"), (2, "rosa")]
    assert (export.rows, export.left_out) == (3, {"unfinished": 1, "retired": 2})


def test_pseudonyms_are_stable_within_a_project_and_differ_between_projects(project):
    rows = in_json(project, pseudonymous=True)
    first = [row["rater"] for row in rows]
    assert first == [row["rater"] for row in in_json(project, pseudonymous=True)]
    assert len(set(first)) == 4
    assert all(name.startswith("rater-") and len(name) == 18 for name in first)
    for name in User.objects.values_list("username", flat=True):
        assert name.encode() not in exported(project, "csv", pseudonymous=True)
    keys = [(row["response"], row["item"], row["role"], row["rater"]) for row in rows]
    assert keys == sorted(keys), "the order tells nothing about names"
    copy = copy_of("two")
    store_unusual_ratings(copy)
    assert not set(first) & {row["rater"] for row in in_json(copy, pseudonymous=True)}


def test_an_unknown_format_is_an_error(project):
    with pytest.raises(ValueError, match="choose one of: jsonl, csv, parquet"):
        RatingsExport(project, "xlsx")
    assert FORMATS == ("jsonl", "csv", "parquet", "label-studio", "argilla", "inspect-scores")


def test_memory_stays_flat_however_many_ratings_there_are(monkeypatch):
    def peak(prompts: int) -> int:
        june = study(f"june-{prompts}", prompts=prompts, sentences=2)
        raters, items = [person(f"rater-{n}") for n in range(5)], Item.objects.filter(response__in=june.responses)
        store_ratings(june.project, [NewRating(item, rater, ACCURATE) for item in items for rater in raters])
        tracemalloc.start()
        try:
            list(map(len, RatingsExport(june.project, "jsonl")))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    for module in (rating_columns, writers):
        monkeypatch.setattr(module, "CHUNK_SIZE", 20)
    peak(2)
    assert peak(24) < 1.3 * peak(8)


def test_the_page_about_the_columns_names_each_with_its_kind_and_nothing_else():
    page = (DOCS / "export-columns.md").read_text(encoding="utf-8")
    rows = [line.strip("| \n").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    documented = [(name.strip("`"), kind, holds) for name, kind, holds in rows]
    assert documented == [(column.name, column.kind, column.holds) for column in columns()]


def test_a_project_with_a_sample_exports_its_probabilities_and_a_copy_accepts_the_file(tmp_path):
    june = study(prompts=4, sentences=3, sample=4)
    drawn = [row.item for row in june.project.sampled_items.filter(is_drawn=True).select_related("item")]
    other = june.project.sampled_items.filter(is_drawn=False).first().item
    store_ratings(june.project, [NewRating(item, june.people["ravi"], ACCURATE) for item in drawn])
    store_ratings(june.project, [NewRating(other, june.people["lena"], ACCURATE, "gold")])
    assert sorted((row["role"], row["sampled"], row["probability"]) for row in in_json(june.project)) == [
        ("gold", False, 4 / 12),
        *[("rater", True, 4 / 12)] * 4,
    ]
    assert in_csv(june.project)[0][-3:] == ["protocol_sha256", "sampled", "probability"]
    copy = study("copy", prompts=4, sentences=3, sample=4).project
    path = written(june.project, "jsonl", tmp_path)
    assert load_ratings(path, copy).new == 5
    assert exported(copy, "jsonl") == path.read_bytes()
