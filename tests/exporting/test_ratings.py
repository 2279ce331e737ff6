"""An export holds what counts, in every format alike, and an import reads it back to the last digit."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import connection, transaction

from annotation.exporting import FORMATS, RatingsExport
from annotation.exporting.rating_columns import columns, flat_columns
from annotation.importing import load_dataset, load_ratings, load_responses
from annotation.models import Dataset, Item, Project, Rating, User
from annotation.projects.create import create_project
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.rating.tally_check import find_tally_differences
from annotation.reporting import Choices, build
from tests.cast import ACCURATE, SEVERE, article_accuracy, person, study

pytestmark = pytest.mark.slow

FIXTURES = Path(__file__).parents[2] / "fixtures"
DOCS = Path(__file__).parents[2] / "docs"

ODD_TEXTS = [
    "",
    '=HYPERLINK("http://evil.example")',
    "'=1+1",
    "''-1",
    "'quoted'",
    "+1",
    "@SUM(A1)",
    "-2 is what it says",
    "\tTab first",
    "\rCR first",
    "\n\nlines\r\nof\rall\nkinds\u2028and\u2029more",
    'commas, "quotes" and "',
    "emoji 🐝 and right-to-left \u202e text",
    " spaces at both ends ",
    "\ufeffa byte order mark",
    "NULL",
    "null",
    "\uff1dfull width",
]
ODD_EVIDENCE = [
    [],
    ["p1"],
    ['a\n"b"', "=1"],
    [{"paragraph": "p3", "start": 0, "end": 1.5, "text": "Zürich"}],
    [[None, True, 1e-7]],
]
ODD_SECONDS = [None, 0.0, 0.1 + 0.2, 1e-9, 12345678.000000001, 3.0]


@pytest.fixture
def project(db) -> Project:
    return copy_of("one")


def copy_of(slug: str) -> Project:
    """Create a project with its own data set, without ratings."""
    load_dataset("jsonl", [FIXTURES / "jsonl" / "dataset.jsonl"], f"{slug}-data")
    dataset = Dataset.objects.get(slug=f"{slug}-data")
    load_responses(FIXTURES / "responses" / "responses.jsonl", dataset)
    return create_project(slug, dataset, article_accuracy(), overlap=2)


def store_unusual_ratings(project: Project) -> int:
    """Store ratings of every item by four raters in all roles, with every unusual value."""
    raters = [person(name) for name in ("ravi", "rosa", "Zoë", "-ines@home")]
    items = list(Item.objects.filter(response__dataset=project.dataset, rate=True).order_by("pk"))
    ratings = []
    for n, (item, rater) in enumerate((item, rater) for item in items for rater in raters):
        ratings.append(
            NewRating(
                item,
                rater,
                SEVERE if n % 3 else ACCURATE,
                role=Rating.Role.values[n % 4] if n % 7 == 0 else "rater",
                comment=ODD_TEXTS[n % len(ODD_TEXTS)],
                evidence=ODD_EVIDENCE[n % len(ODD_EVIDENCE)],
                verdict_shown=n % 4 == 1,
                seconds=ODD_SECONDS[n % len(ODD_SECONDS)],
                rated_at=datetime(2026, 1, 2, 3, 4, 5, n * 7919 % 1_000_000 if n % 5 else 0, tzinfo=UTC),
            )
        )
    return store_ratings(project, ratings).new


def exported(project: Project, format: str, **options) -> bytes:
    return b"".join(RatingsExport(project, format, **options))


def test_every_odd_text_is_among_the_ratings(project):
    store_unusual_ratings(project)
    assert set(Rating.objects.values_list("comment", flat=True)) == set(ODD_TEXTS)


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_export_import_export_gives_the_same_bytes_and_the_same_report(project, tmp_path, format):
    n = store_unusual_ratings(project)
    first = exported(project, format)
    path = tmp_path / f"ratings.{format}"
    path.write_bytes(first)
    copy = copy_of("two")
    assert load_ratings(path, copy).new == n
    assert exported(copy, format) == first
    assert build(copy, Choices(resamples=200)).to_json() == build(project, Choices(resamples=200)).to_json()
    assert find_tally_differences() == []


def test_the_round_trip_stores_the_same_values(project, tmp_path):
    store_unusual_ratings(project)
    path = tmp_path / "ratings.csv"
    path.write_bytes(exported(project, "csv"))
    copy = copy_of("two")
    load_ratings(path, copy)
    fields = ("item__response__key", "item__position", "rater__username", "role", "answers", "choices", "counted")
    fields += ("comment", "evidence", "verdict_shown", "seconds", "rated_at")
    ordered = Rating.objects.order_by(*fields[:4])
    assert list(ordered.filter(project=copy).values_list(*fields)) == list(
        ordered.filter(project=project).values_list(*fields)
    )


def test_a_file_from_before_the_column_was_added_leaves_what_is_stored(project, tmp_path):
    store_unusual_ratings(project)
    marked = Rating.objects.filter(verdict_shown=True).count()
    rows = [json.loads(line) for line in exported(project, "jsonl").splitlines()]
    path = tmp_path / "ratings.jsonl"
    path.write_text("\n".join(json.dumps(row | {"comment": "", "verdict_shown": None}) for row in rows))
    load_ratings(path, project, replace=True)
    assert Rating.objects.filter(verdict_shown=True).count() == marked > 0


def test_importing_an_export_into_its_own_project_changes_nothing(project, tmp_path):
    store_unusual_ratings(project)
    for format in ("jsonl", "csv"):
        path = tmp_path / f"ratings.{format}"
        path.write_bytes(exported(project, format))
        counts = load_ratings(path, project)
        assert (counts.new, counts.changed) == (0, 0)


def test_no_cell_of_a_csv_begins_as_a_formula(project):
    store_unusual_ratings(project)
    cells = [cell for row in csv.reader(io.StringIO(exported(project, "csv").decode(), newline="")) for cell in row]
    assert any(cell.startswith("'=") for cell in cells)
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")]


def test_the_three_formats_hold_the_same(project, tmp_path):
    from pyarrow import parquet

    n = store_unusual_ratings(project)
    lines = [json.loads(line) for line in exported(project, "jsonl").decode().split("\n")[:-1]]
    rating_rows = list(csv.DictReader(io.StringIO(exported(project, "csv").decode(), newline="")))
    path = tmp_path / "ratings.parquet"
    path.write_bytes(exported(project, "parquet"))
    table = parquet.read_table(path).to_pylist()
    assert len(lines) == len(rating_rows) == len(table) == n
    for line, row, typed in zip(lines, rating_rows, table, strict=True):
        assert line["answers"].get("severity") == (row["answers.severity"] or None) == typed["answers.severity"]
        assert line["seconds"] == (float(row["seconds"]) if row["seconds"] else None) == typed["seconds"]
        assert line["comment"] == typed["comment"]
        assert line["item"] == int(row["item"]) == typed["item"]
        assert datetime.fromisoformat(line["rated_at"]) == typed["rated_at"]
        assert line["evidence"] == json.loads(row["evidence"] or "[]") == json.loads(typed["evidence"] or "[]")


def test_parquet_of_a_project_without_ratings_has_its_columns(project, tmp_path):
    from pyarrow import parquet

    path = tmp_path / "ratings.parquet"
    path.write_bytes(exported(project, "parquet"))
    names = [column.name for column in flat_columns(project.protocol.definition)]
    assert parquet.read_schema(path).names == names


def test_rows_say_what_they_are_about(project):
    item = Item.objects.get(response__key="bees-how.wren", response__dataset=project.dataset, position=3)
    store_ratings(project, [NewRating(item, person("ravi"), SEVERE, rated_at=datetime(2026, 1, 2, tzinfo=UTC))])
    assert json.loads(exported(project, "jsonl")) == {
        "response": "bees-how.wren",
        "against": None,
        "unit": "sentence",
        "item": 3,
        "rater": "ravi",
        "role": "rater",
        "answers": {"accuracy": "inaccurate", "severity": "severe"},
        "comment": "",
        "evidence": [],
        "suggestions": "",
        "guidelines": None,
        "seconds": None,
        "rated_at": "2026-01-02T00:00:00.000000+00:00",
        "prompt": "bees-how",
        "document": "bees",
        "system": "Wren",
        "kind": "sentence",
        "start": 103,
        "end": 131,
        "text": "It took 61 hours on average.",
        "by_hand": False,
        "protocol": "article-accuracy",
        "protocol_version": "1",
        "protocol_sha256": project.protocol.sha256,
    }


def test_the_order_comes_from_imported_ids_not_from_the_database(project):
    store_unusual_ratings(project)
    backwards = copy_of("two")
    for rating in reversed(Rating.objects.filter(project=project).order_by("pk").select_related("item__response")):
        item = Item.objects.get(
            response__dataset=backwards.dataset, response__key=rating.item.response.key, position=rating.item.position
        )
        fields = {
            name: getattr(rating, name) for name in ("comment", "evidence", "verdict_shown", "seconds", "rated_at")
        }
        store_ratings(backwards, [NewRating(item, rating.rater, rating.answers, rating.role, **fields)])
    assert exported(backwards, "jsonl") == exported(project, "jsonl")


def test_unfinished_and_retired_ratings_are_left_out_and_counted(db):
    from django.utils import timezone

    june = study("june")
    items = june.items()
    ratings = [NewRating(item, june.people[name], ACCURATE) for item in items for name in ("ravi", "rosa")]
    store_ratings(june.project, ratings)
    Rating.objects.filter(item=items[0], rater=june.people["ravi"]).update(counted=False)
    Item.objects.filter(pk=items[1].pk).update(retired_at=timezone.now())
    export = RatingsExport(june.project, "jsonl")
    lines = b"".join(export).decode().splitlines()
    assert [(json.loads(line)["item"], json.loads(line)["rater"]) for line in lines] == [
        (0, "rosa"),
        (2, "ravi"),
        (2, "rosa"),
    ]
    assert (export.rows, export.left_out) == (3, {"unfinished": 1, "retired": 2})


def test_nobody_elses_ratings_are_in_an_export(db):
    june, other = study("june"), study("other", raters=("otto",))
    store_ratings(june.project, [NewRating(june.items()[0], june.people["ravi"], ACCURATE)])
    store_ratings(other.project, [NewRating(other.items()[0], other.people["otto"], ACCURATE)])
    assert exported(june.project, "jsonl").count(b"\n") == 1
    assert b"otto" not in exported(june.project, "jsonl")


def raters_of(project: Project, **options) -> list[str]:
    return [json.loads(line)["rater"] for line in exported(project, "jsonl", **options).decode().split("\n")[:-1]]


def test_pseudonyms_are_stable_within_a_project_and_differ_between_projects(project):
    store_unusual_ratings(project)
    first = raters_of(project, pseudonymous=True)
    assert first == raters_of(project, pseudonymous=True)
    assert len(set(first)) == 4
    assert all(name.startswith("rater-") and len(name) == 18 for name in first)
    for name in User.objects.values_list("username", flat=True):
        assert name.encode() not in exported(project, "csv", pseudonymous=True)
    copy = copy_of("two")
    store_unusual_ratings(copy)
    assert not set(first) & set(raters_of(copy, pseudonymous=True))


def test_the_order_of_pseudonymous_rows_tells_nothing_about_names(project):
    store_unusual_ratings(project)
    rating_rows = [json.loads(line) for line in exported(project, "jsonl", pseudonymous=True).decode().split("\n")[:-1]]
    keys = [(row["response"], row["item"], row["role"], row["rater"]) for row in rating_rows]
    assert keys == sorted(keys)


def test_a_pseudonymous_export_can_be_imported_and_gives_the_same_figures(project, tmp_path):
    store_unusual_ratings(project)
    path = tmp_path / "ratings.jsonl"
    path.write_bytes(exported(project, "jsonl", pseudonymous=True))
    copy = copy_of("two")
    load_ratings(path, copy)
    assert build(copy, Choices(resamples=200)).overall == build(project, Choices(resamples=200)).overall


def test_an_unknown_format_is_an_error(project):
    with pytest.raises(ValueError, match="choose one of: jsonl, csv, parquet"):
        RatingsExport(project, "xlsx")
    assert FORMATS == ("jsonl", "csv", "parquet", "label-studio", "argilla", "inspect-scores")


@pytest.mark.django_db(transaction=True)
def test_an_export_is_of_one_moment_even_if_raters_go_on():
    june = study("june", prompts=4, sentences=1)
    items = [june.items(n)[0] for n in range(4)]
    store_ratings(june.project, [NewRating(item, june.people["ravi"], ACCURATE) for item in items])
    export = RatingsExport(june.project, "csv")
    pieces = iter(export)
    read = [next(pieces)]  # the header: the snapshot stands
    from threading import Thread

    def meanwhile() -> None:
        try:
            store_ratings(june.project, [NewRating(item, june.people["rosa"], ACCURATE) for item in items])
        finally:
            connection.close()

    rater = Thread(target=meanwhile)
    rater.start()
    rater.join()
    read += pieces
    assert export.rows == 4
    assert b"rosa" not in b"".join(read)
    assert b"rosa" in exported(june.project, "csv")


@pytest.mark.django_db(transaction=True)
def test_an_export_that_nobody_reads_to_the_end_leaves_no_transaction_open():
    june = study("june")
    pieces = iter(RatingsExport(june.project, "csv"))
    next(pieces)
    pieces.close()
    assert not connection.in_atomic_block
    with transaction.atomic():
        assert Rating.objects.count() == 0


def test_memory_stays_flat_however_many_ratings_there_are(db):
    import tracemalloc

    from annotation.exporting import rating_rows

    def peak(n: int) -> int:
        june = study(f"june-{n}", prompts=n, sentences=2)
        raters = [person(f"rater-{k}") for k in range(10)]
        for response in range(n):
            store_ratings(june.project, [NewRating(i, r, ACCURATE) for i in june.items(response) for r in raters])
        tracemalloc.start()
        try:
            for _ in RatingsExport(june.project, "jsonl"):
                pass
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    rating_rows.CHUNK_SIZE, before = 100, rating_rows.CHUNK_SIZE
    try:
        peak(2)
        assert peak(80) < 1.6 * peak(50)
    finally:
        rating_rows.CHUNK_SIZE = before


def test_the_page_about_the_columns_names_each_with_its_kind_and_nothing_else():
    page = (DOCS / "export-columns.md").read_text(encoding="utf-8")
    rating_rows = [line.strip("| \n").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    documented = [(name.strip("`"), kind, holds) for name, kind, holds in rating_rows]
    assert documented == [(column.name, column.kind, column.holds) for column in columns()]


def test_a_project_with_a_sample_exports_its_probabilities_and_a_copy_accepts_the_file(db, tmp_path):
    june = study(prompts=4, sentences=3, sample=4)
    drawn = [row.item for row in june.project.sampled_items.filter(is_drawn=True).select_related("item")]
    other = june.project.sampled_items.filter(is_drawn=False).first().item
    store_ratings(june.project, [NewRating(item, june.people["ravi"], ACCURATE) for item in drawn])
    store_ratings(june.project, [NewRating(other, june.people["lena"], ACCURATE, "gold")])
    lines = [json.loads(line) for line in exported(june.project, "jsonl").decode().splitlines()]
    assert sorted((line["role"], line["sampled"], line["probability"]) for line in lines) == [
        ("gold", False, 4 / 12),
        *[("rater", True, 4 / 12)] * 4,
    ]
    [header, *_rows] = exported(june.project, "csv").decode().splitlines()
    assert header.endswith('"protocol_sha256","sampled","probability"')
    copy = study("copy", prompts=4, sentences=3, sample=4).project
    (tmp_path / "ratings.jsonl").write_bytes(exported(june.project, "jsonl"))
    assert load_ratings(tmp_path / "ratings.jsonl", copy).new == 5
    assert exported(copy, "jsonl") == exported(june.project, "jsonl")
