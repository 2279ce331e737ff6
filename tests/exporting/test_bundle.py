"""A bundle holds a report and all that it stands on; test_rebuilding.py and scripts verify it from its files."""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from annotation import protocols
from annotation.exporting.bundle import Bundle
from annotation.exporting.codebook import entries
from annotation.exporting.rating_columns import flat_columns
from annotation.importing import load_ratings
from annotation.jobs import Refused
from annotation.models import Rating, Report
from annotation.pseudonyms import Pseudonyms
from annotation.reporting import build
from tests.cast import ACCURATE, person
from tests.exporting.bundles import (
    FEW,
    copy_of_the_study,
    facts_report,
    frozen,
    new_rating,
    read_report,
    read_table,
    unpacked,
)
from tests.reporting.project_rows import NOON, project_of, worked_example

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


@pytest.mark.parametrize("role", ["rater", "gold"])
def test_when_ratings_or_gold_answers_have_changed_there_is_no_bundle(worked, role):
    project = worked.report.project
    first = Rating.objects.filter(project=project).order_by("pk").first()
    if role == "rater":
        first.delete()
    else:
        new_rating(project, first.item, person("lena"), role, ACCURATE, NOON).save()
    with pytest.raises(Refused, match="Freeze a new report"):
        next(iter(Bundle(worked.report)))


def test_how_means_are_computed_is_in_a_file(tmp_path):
    folder = unpacked(facts_report(), tmp_path, tables=False)
    assert (folder / "means.csv").read_text(encoding="utf-8").splitlines()[1:4] == [
        '"fact_precision","supported_by_reference","","",""',
        '"fact_recall","supported_by_response","","",""',
        '"fact_f1","supported_by_reference","","",""',
    ]


def test_the_codebook_has_every_column_answer_and_measure(worked):
    lines = read_table(worked.folder / "codebook.csv")
    assert all(line["meaning"] and line["kind"] for line in lines)
    for name in ("prompts.jsonl", "responses.jsonl", "items.jsonl"):
        columns = {line["column"] for line in lines if line["file"] == name}
        assert columns >= set(json.loads((worked.folder / name).read_text(encoding="utf-8").splitlines()[0]))
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
    protocol = protocols.load(source.replace('"disputed"', '"unclear"'))
    values = {entry.value for entry in entries(protocol, {"ratings.csv": flat_columns(protocol)})}
    assert "unclear" in values and "disputed" not in values


def test_the_ratings_of_a_bundle_are_imported_elsewhere_and_give_the_same_figures(tmp_path):
    report = frozen(copy_of_the_study("here", rated=True))
    imported = copy_of_the_study("there")
    folder = unpacked(report, tmp_path, tables=False)
    load_ratings(folder / "ratings.jsonl", imported)
    bundled, copied = read_report(folder), build(imported, FEW, agreement_intervals=True).to_dict()
    assert copied["data"].pop("sha256") != bundled["data"].pop("sha256")
    assert json.loads(json.dumps(copied)) == bundled
