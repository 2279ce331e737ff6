"""A bundle holds a report and all that it stands on, and its programs find the report's figures in its ratings."""

import csv
import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path

import pytest
from django.utils import timezone

from annotation import reporting
from annotation.exporting.bundle import Bundle
from annotation.exporting.codebook import entries
from annotation.importing import load_ratings
from annotation.jobs import Refused
from annotation.models import Document, Item, Project, Prompt, Rating, Report, User
from annotation.pseudonyms import Pseudonyms
from annotation.reporting import Choices, build
from tests.cast import ACCURATE, SEVERE, person
from tests.exporting.test_ratings_round_trip import copy_of_the_study
from tests.reporting.project_rows import Row, project_of, worked_example

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FEW = Choices(resamples=200)


def many_prompts() -> list[Row]:
    """Return 60 prompts of two systems, rated by three raters: enough for a bootstrap in some cells, not in all."""
    rows = []
    for n in range(60):
        metadata = {"kind": ["long", "hard"] if n % 3 else "short", "rater": "x" if n % 2 else "=y"}
        for index, system in enumerate(("=heron", "tern")):
            for rater in ("ravi", "rosa", "tom")[: 2 + n % 2]:
                for item in range(3):
                    answers = SEVERE if (n * 7 + item * 3 + index + len(rater)) % 5 == 0 else ACCURATE
                    answers = {"accuracy": "cannot_assess"} if (n + item) % 11 == 0 else answers
                    rows.append(Row(f"q{n:02}", system, rater, answers, item, metadata=metadata))
    return rows


def named_like_tables() -> list[Row]:
    """Return metadata whose names are those of other tables, with and without the prefix that tells them apart."""
    values = {"systems": lambda n: f"s{n % 2}", "overall": lambda n: "o", "by overall": lambda n: f"b{n % 3}"}
    return [
        Row(f"q{n:02}", system, rater, SEVERE if (n + len(rater)) % 4 == 0 else ACCURATE,
            metadata={key: value(n) for key, value in values.items()})
        for n in range(12) for system in ("heron", "tern") for rater in ("ravi", "rosa")
    ]  # fmt: skip


@pytest.fixture
def without_figures(monkeypatch):
    """Leave figures out of bundles: drawing takes most of the time, and no program reads them."""
    monkeypatch.setattr(import_module("annotation.reporting.freeze"), "figures", lambda report, protocol: {})
    monkeypatch.setattr(Bundle, "_figures", lambda bundle: iter(()))


def frozen(project: Project, choices: Choices = FEW) -> Report:
    return reporting.freeze(project, choices)


def unpacked(report: Report, folder: Path, **options) -> Path:
    """Return the folder of the bundle of `report`."""
    with zipfile.ZipFile(io.BytesIO(b"".join(Bundle(report, **options)))) as archive:
        archive.extractall(folder)
        return folder / archive.namelist()[0].split("/")[0]


def nearly_equal(first: object, other: object) -> bool:
    """Compare all but the last digits of numbers, which depend on the order of the raters' names."""
    if isinstance(first, dict) and isinstance(other, dict):
        return first.keys() == other.keys() and all(nearly_equal(first[key], other[key]) for key in first)
    if isinstance(first, list) and isinstance(other, list):
        return len(first) == len(other) and all(map(nearly_equal, first, other))
    return first == (pytest.approx(other, rel=1e-12) if isinstance(other, float) else other)


def run(folder: Path, program: str = "recompute.py") -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-I", program], cwd=folder, capture_output=True, text=True, timeout=600, check=False
    )


@pytest.mark.usefixtures("without_figures")
@pytest.mark.parametrize("rows", [worked_example, many_prompts, named_like_tables])
@pytest.mark.parametrize("with_names", [False, True])
def test_the_program_in_the_bundle_finds_every_figure_of_the_report_in_its_ratings(tmp_path, rows, with_names):
    folder = unpacked(frozen(project_of(rows())), tmp_path, with_names=with_names)
    done = run(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    compared = int(done.stdout.split()[0])
    report = json.loads((folder / "report.json").read_text())
    cells = [report["overall"], *report["systems"], *(cell for cells in report["by"].values() for cell in cells)]
    assert compared >= len(cells) + sum(6 * len(cell["measures"]) - 2 * 3 for cell in cells)
    assert "Not recomputed" not in done.stdout


@pytest.mark.usefixtures("without_figures")
@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("report.json", ('"k": 61', '"k": 60')),
        ("ratings.csv", (',"accurate","",', ',"disputed","severe",')),
        ("measures.csv", ('"counts","accuracy","accurate"', '"counts","accuracy","disputed"')),
    ],
)
def test_the_program_says_what_differs(tmp_path, path, change):
    folder = unpacked(frozen(project_of(worked_example())), tmp_path)
    text = (folder / path).read_text()
    assert change[0] in text
    (folder / path).write_text(text.replace(*change, 1))
    done = run(folder)
    assert done.returncode == 1
    assert " in the report" in done.stdout and done.stderr == ""


def decide(project: Project) -> None:
    """Store times, two adjudications of every fifth item, gold answers that only Ravi always gives, and documents."""
    ratings = list(Rating.objects.filter(project=project).select_related("rater").order_by("pk"))
    for n, rating in enumerate(ratings):
        rating.seconds = [None, 2.0, 3.0, 5.0][n % 4]
    Rating.objects.bulk_update(ratings, ["seconds"])
    answers = {(rating.item_id, rating.rater.username): rating.answers for rating in ratings}
    lead, other, now, more = person("lena"), person("ines"), timezone.now(), []
    for n, item in enumerate(Item.objects.filter(response__dataset=project.dataset).order_by("pk")):
        ravis, rosa = (answers[item.pk, name] for name in ("ravi", "rosa"))
        if n % 5 == 0:
            more.append(new_rating(project, item, lead, "adjudicator", SEVERE, now))
            more.append(new_rating(project, item, other, "adjudicator", ACCURATE, now + timedelta(seconds=n - 101)))
        if n % 3 == 0:
            gold = ravis if ravis != rosa or n % 2 else {"accuracy": "disputed", "severity": "severe"}
            more.append(new_rating(project, item, lead, "gold", gold, now))
    Rating.objects.bulk_create(more)
    documents = [Document.objects.create(dataset=project.dataset, key=f"d{n}", title="") for n in range(14)]
    for n, prompt in enumerate(Prompt.objects.filter(dataset=project.dataset).order_by("key")):
        Prompt.objects.filter(pk=prompt.pk).update(document=documents[n % 14] if n % 10 else None)


def new_rating(project: Project, item: Item, user: User, role: str, answers: dict, when: datetime) -> Rating:
    return Rating(project=project, item=item, rater=user, role=role, answers=answers, choices=answers, rated_at=when)


@pytest.mark.usefixtures("without_figures")
@pytest.mark.parametrize(
    "choices",
    [
        Choices(resamples=200, systems=("tern",)),
        Choices(resamples=200, without_raters=("ravi",)),
        Choices(resamples=200, metadata=(("kind", ("hard",)),)),
        Choices(resamples=200, least_seconds=3.0),
        Choices(resamples=200, answers="adjudicated"),
        Choices(resamples=200, answers="adjudicated", systems=("tern",), without_raters=("rosa",)),
        Choices(resamples=200, least_gold=0.6),
        Choices(resamples=200, cluster="document"),
    ],
)
def test_a_report_with_choices_is_found_in_the_ratings_that_it_took(tmp_path, choices):
    project = project_of(many_prompts())
    decide(project)
    report = frozen(project, choices)
    left_out = set(json.loads(report.document)["data"]["left_out"]) - {"gold", "adjudicator"}
    assert left_out or choices.cluster == "document"
    done = run(unpacked(report, tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_name_of_a_rater_is_in_a_bundle_unless_asked_for(tmp_path):
    report = frozen(project_of([replace(row, rater=f"{row.rater}-surname") for row in worked_example()]))
    names = {row.rater for row in worked_example()}
    for with_names in (False, True):
        folder = unpacked(report, tmp_path / str(with_names), with_names=with_names)
        holding = [
            path.name
            for path in folder.rglob("*")
            if path.is_file() and any(f"{name}-surname".encode() in path.read_bytes() for name in names)
        ]
        assert bool(holding) == with_names
        assert with_names == (report.data_sha256[:8] in folder.name)
        assert with_names == (report.data_sha256 in (folder / "report.json").read_text())


@pytest.mark.usefixtures("without_figures")
def test_a_rater_has_one_pseudonym_in_ratings_and_report(tmp_path):
    project = project_of(worked_example())
    folder = unpacked(frozen(project), tmp_path)
    pseudonyms = {Pseudonyms(project).pseudonym(row.rater) for row in worked_example()}
    with open(folder / "ratings.csv", newline="", encoding="utf-8") as file:
        assert {row["rater"] for row in csv.DictReader(file)} == pseudonyms
    report = json.loads((folder / "report.json").read_text())
    assert [cell["value"] for cell in report["by"]["rater"]] == sorted(pseudonyms)


@pytest.mark.usefixtures("without_figures")
def test_with_names_the_report_is_the_frozen_bytes(tmp_path):
    report = frozen(project_of(worked_example()))
    assert (unpacked(report, tmp_path, with_names=True) / "report.json").read_text() == report.document


def test_the_same_report_gives_the_same_bytes():
    report = frozen(project_of(worked_example()))
    assert b"".join(Bundle(report)) == b"".join(Bundle(report))


def test_the_sums_are_those_of_all_files(tmp_path):
    folder = unpacked(frozen(project_of(worked_example())), tmp_path)
    sums = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {"SHA256SUMS"}
    assert set(sums) == files
    for name, digest in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


def test_the_provenance_record_is_as_frozen_and_its_raters_have_the_same_pseudonyms(tmp_path):
    project = project_of(worked_example())
    report = frozen(project)
    folder = unpacked(report, tmp_path)
    record = json.loads((folder / "provenance.json").read_text())["record"]
    names = Pseudonyms(project)
    frozen_names = {row["rater"] for row in report.provenance["raters"]}
    assert [row["rater"] for row in record["raters"]] == sorted(map(names.pseudonym, frozen_names))
    assert record | {"raters": []} == report.provenance | {"raters": []}


def test_the_readme_names_every_file_and_no_other(tmp_path):
    folder = unpacked(frozen(project_of(worked_example())), tmp_path)
    text = (folder / "README.md").read_text()
    for path in folder.iterdir():
        assert f"`{path.name}`" in text or f"{path.name}`" in text, path.name
    named = re.findall(r"`([^`]+)`", "".join(line.split(" | ")[0] for line in text.splitlines() if line[:3] == "| `"))
    assert [name for name in named if not (folder / name).exists()] == []
    assert "87.1 %" in text


def test_when_ratings_have_changed_there_is_no_bundle():
    project = project_of(worked_example())
    report = frozen(project)
    Rating.objects.filter(project=project).first().delete()
    with pytest.raises(Refused, match="Freeze a new report"):
        next(iter(Bundle(report)))


@pytest.mark.usefixtures("without_figures")
def test_the_codebook_has_every_column_answer_and_measure(tmp_path):
    project = project_of(worked_example())
    folder = unpacked(frozen(project), tmp_path)
    with open(folder / "codebook.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert all(line["meaning"] and line["kind"] for line in lines)
    for name in ("ratings.csv", "measures.csv", "metadata.csv"):
        with open(folder / name, newline="", encoding="utf-8") as file:
            head = next(csv.reader(file))
        assert [line["column"] for line in lines if line["file"] == name and not line["value"]] == head
    protocol = project.protocol.definition
    for question in protocol.questions:
        lines_of_question = [line for line in lines if line["column"] == f"answers.{question.key}"]
        assert [line["value"] for line in lines_of_question[1:]] == list(question.option_keys)
        assert question.text in lines_of_question[0]["meaning"]
        for option, line in zip(question.options, lines_of_question[1:], strict=True):
            assert option.label in line["meaning"] and option.definition in line["meaning"]
    assert {line["value"] for line in lines if line["kind"] == "measure"} == {m.key for m in protocol.measures}


def test_the_codebook_follows_the_protocol(db):
    from annotation import protocols

    source = protocols.builtin()["article-accuracy"].source.replace('tone = "disputed"', 'tone = "neutral"')
    other = protocols.load(source.replace('"disputed"', '"unclear"'))
    assert "unclear" in {entry.value for entry in entries(other)}
    assert "disputed" not in {entry.value for entry in entries(other)}


@pytest.mark.usefixtures("without_figures")
def test_the_ratings_of_a_bundle_are_imported_elsewhere_and_give_the_same_figures(tmp_path):
    from tests.reporting.project_rows import WORKED_EXAMPLE

    here, imported = copy_of_the_study("here"), copy_of_the_study("there")
    load_ratings(WORKED_EXAMPLE / "ratings.jsonl", here)
    folder = unpacked(frozen(here), tmp_path)
    load_ratings(folder / "ratings.jsonl", imported)
    bundled = json.loads((folder / "report.json").read_text())
    rebuilt = build(imported, FEW, agreement_intervals=True).to_dict()
    for part in set(bundled) - {"data", "software"}:
        assert nearly_equal(json.loads(json.dumps(rebuilt[part])), bundled[part]), part
    assert {**rebuilt["data"], "sha256": ""} == {**bundled["data"], "sha256": ""}


@pytest.mark.usefixtures("without_figures")
def test_the_csv_of_a_bundle_is_imported_too(tmp_path):
    from tests.reporting.project_rows import WORKED_EXAMPLE

    here, imported = copy_of_the_study("here"), copy_of_the_study("there")
    load_ratings(WORKED_EXAMPLE / "ratings.jsonl", here)
    load_ratings(unpacked(frozen(here), tmp_path, with_names=True) / "ratings.csv", imported)
    assert build(imported, FEW, agreement_intervals=True).to_json() == Report.objects.get().document.encode()
