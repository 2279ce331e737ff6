"""A bundle holds a report and all that it stands on, and its program finds the report's figures in its ratings."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from annotation import protocols
from annotation.exporting.bundle import Bundle
from annotation.exporting.codebook import entries
from annotation.importing import load_ratings
from annotation.jobs import Refused
from annotation.models import Project, Rating, Report
from annotation.pseudonyms import Pseudonyms
from annotation.reporting import Choices, build
from tests.exporting.bundles import (
    FEW,
    Done,
    copy_of_the_study,
    decide,
    frozen,
    many_prompts,
    named_like_tables,
    read_report,
    read_table,
    run,
    run_with,
    unpacked,
)
from tests.reporting.project_rows import project_of, worked_example

pytestmark = pytest.mark.django_db
NAMES = {f"{row.rater}-surname" for row in worked_example()}


class Worked(NamedTuple):
    """The report of the worked example, whose raters have surnames, and the folders of its bundles."""

    report: Report
    folder: Path
    named: Path


@pytest.fixture(scope="module")
def worked(module_rows, tmp_path_factory) -> Worked:
    rows = [replace(row, rater=f"{row.rater}-surname") for row in worked_example()]
    report = frozen(project_of(rows), figures=True)
    folders = (
        unpacked(report, tmp_path_factory.mktemp("bundle"), figures=True, with_names=named) for named in (False, True)
    )
    return Worked(report, *folders)


@pytest.fixture(scope="module")
def decided(module_rows) -> Project:
    project = project_of(many_prompts(28), "decided")
    decide(project)
    return project


def nearly_equal(first: object, other: object) -> bool:
    """Compare all but the last digits of numbers, which depend on the order of the raters' names."""
    if isinstance(first, dict) and isinstance(other, dict):
        return first.keys() == other.keys() and all(nearly_equal(first[key], other[key]) for key in first)
    if isinstance(first, list) and isinstance(other, list):
        return len(first) == len(other) and all(map(nearly_equal, first, other))
    return first == (pytest.approx(other, rel=1e-12) if isinstance(other, float) else other)


def assert_every_figure_is_found(folder: Path, done: Done) -> None:
    assert done.returncode == 0, done.stdout
    report = read_report(folder)
    cells = [report["overall"], *report["systems"], *(cell for cells in report["by"].values() for cell in cells)]
    assert int(done.stdout.split()[0]) >= len(cells) + sum(6 * len(cell["measures"]) - 2 * 3 for cell in cells)
    assert "Not recomputed" not in done.stdout


@pytest.mark.parametrize(("rows", "with_names"), [(many_prompts, False), (named_like_tables, True)])
def test_the_program_in_the_bundle_finds_every_figure_of_the_report_in_its_ratings(tmp_path, rows, with_names):
    folder = unpacked(frozen(project_of(rows(), "own")), tmp_path, tables=False, with_names=with_names)
    assert_every_figure_is_found(folder, run(folder))


def test_the_program_runs_in_the_folder_without_the_project_around_it_and_finds_the_same_with_names(worked):
    done = subprocess.run(
        [sys.executable, "-IB", "recompute.py"], cwd=worked.folder, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert_every_figure_is_found(worked.folder, Done(done.returncode, done.stdout))
    assert_every_figure_is_found(worked.named, run(worked.named))


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("report.json", ('"k": 61', '"k": 60')),
        ("ratings.csv", (',"accurate","",', ',"disputed","severe",')),
        ("measures.csv", ('"counts","accuracy","accurate"', '"counts","accuracy","disputed"')),
    ],
)
def test_the_program_says_what_differs(worked, tmp_path, path, change):
    folder = shutil.copytree(worked.folder, tmp_path / "bundle", ignore=shutil.ignore_patterns("figures", "tables"))
    text = (folder / path).read_text()
    assert change[0] in text
    (folder / path).write_text(text.replace(*change, 1))
    assert " in the report" in run_with(folder, read_report(folder))


@pytest.mark.parametrize(
    "choices",
    [
        Choices(resamples=100, systems=("tern",), without_raters=("ravi",)),
        Choices(resamples=100, metadata=(("kind", ("hard",)),), least_seconds=3.0),
        Choices(resamples=100, least_gold=0.6),
        Choices(resamples=100, answers="adjudicated", systems=("tern",), without_raters=("rosa",), cluster="document"),
    ],
)
def test_a_report_with_choices_is_found_in_the_ratings_that_it_took(decided, tmp_path, choices):
    report = frozen(decided, choices)
    assert set(json.loads(report.document)["data"]["left_out"]) - {"gold", "adjudicator"}
    folder = unpacked(report, tmp_path, tables=False)
    if choices.answers == "adjudicated":
        assert run(folder).returncode == 0
    else:
        assert ", 1 differ." in run_with(folder, read_report(folder)), "the checksum alone"


def test_no_name_of_a_rater_is_in_a_bundle_unless_asked_for(worked):
    for folder, with_names in ((worked.folder, False), (worked.named, True)):
        contents = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
        assert any(name.encode() in content for name in NAMES for content in contents) == with_names
        assert with_names == (worked.report.data_sha256[:8] in folder.name)
        assert with_names == (worked.report.data_sha256 in (folder / "report.json").read_text())
    assert (worked.named / "report.json").read_text() == worked.report.document


def test_a_rater_has_one_pseudonym_in_ratings_report_and_provenance_record(worked):
    pseudonyms = sorted(map(Pseudonyms(worked.report.project).pseudonym, NAMES))
    assert sorted({row["rater"] for row in read_table(worked.folder / "ratings.csv")}) == pseudonyms
    report = read_report(worked.folder)
    assert [cell["value"] for cell in report["by"]["rater"]] == pseudonyms
    record = json.loads((worked.folder / "provenance.json").read_text())["record"]
    assert [row["rater"] for row in record["raters"]] == pseudonyms
    assert record | {"raters": []} == worked.report.provenance | {"raters": []}


def test_the_same_report_gives_the_same_bytes_and_the_sums_are_those_of_all_files(worked):
    assert b"".join(Bundle(worked.report)) == (worked.folder.parent / "bundle.zip").read_bytes()
    folder = worked.folder
    sums = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {"SHA256SUMS"}
    assert sums == {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files}


def test_the_readme_names_every_file_and_no_other(worked):
    text = (worked.folder / "README.md").read_text()
    for path in worked.folder.iterdir():
        assert f"`{path.name}`" in text or f"{path.name}`" in text, path.name
    named = re.findall(r"`([^`]+)`", "".join(line.split(" | ")[0] for line in text.splitlines() if line[:3] == "| `"))
    assert [name for name in named if not (worked.folder / name).exists()] == []
    assert "87.1 %" in text


def test_when_ratings_have_changed_there_is_no_bundle(worked):
    Rating.objects.filter(project=worked.report.project).first().delete()
    with pytest.raises(Refused, match="Freeze a new report"):
        next(iter(Bundle(worked.report)))


def test_the_codebook_has_every_column_answer_and_measure(worked):
    lines = read_table(worked.folder / "codebook.csv")
    assert all(line["meaning"] and line["kind"] for line in lines)
    for name in ("ratings.csv", "measures.csv", "metadata.csv"):
        columns = [line["column"] for line in lines if line["file"] == name and not line["value"]]
        assert columns == list(read_table(worked.folder / name)[0])
    protocol = worked.report.project.protocol.definition
    for question in protocol.questions:
        lines_of_question = [line for line in lines if line["column"] == f"answers.{question.key}"]
        assert [line["value"] for line in lines_of_question[1:]] == list(question.option_keys)
        assert question.text in lines_of_question[0]["meaning"]
        for option, line in zip(question.options, lines_of_question[1:], strict=True):
            assert option.label in line["meaning"] and option.definition in line["meaning"]
    assert {line["value"] for line in lines if line["kind"] == "measure"} == {m.key for m in protocol.measures}


def test_the_codebook_follows_the_protocol():
    source = protocols.builtin()["article-accuracy"].source.replace('tone = "disputed"', 'tone = "neutral"')
    values = {entry.value for entry in entries(protocols.load(source.replace('"disputed"', '"unclear"')))}
    assert "unclear" in values and "disputed" not in values


def test_the_ratings_of_a_bundle_are_imported_elsewhere_and_give_the_same_figures(tmp_path):
    report = frozen(copy_of_the_study("here", rated=True))
    imported, named = copy_of_the_study("there"), copy_of_the_study("elsewhere")
    folder = unpacked(report, tmp_path, tables=False)
    load_ratings(folder / "ratings.jsonl", imported)
    bundled = read_report(folder)
    rebuilt = json.loads(build(imported, FEW, agreement_intervals=True).to_json())
    assert rebuilt["data"].pop("sha256") != bundled["data"].pop("sha256")
    for part in set(bundled) - {"software"}:
        assert nearly_equal(rebuilt[part], bundled[part]), part
    load_ratings(unpacked(report, tmp_path / "named", tables=False, with_names=True) / "ratings.csv", named)
    assert build(named, FEW, agreement_intervals=True).to_json() == report.document.encode()
