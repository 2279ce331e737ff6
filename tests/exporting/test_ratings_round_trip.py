"""What an export wrote, an import into an empty copy of the project reads back, and the report is the same bytes."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from annotation.importing import load_ratings
from annotation.models import Item, Project, Rating
from annotation.projects.create import create_project
from annotation.reporting import Choices, build
from tests.cast import ACCURATE, SEVERE, person, study, which_is_better
from tests.exporting.bundles import FEW, copy_of_the_study
from tests.exporting.odd_ratings import exported
from tests.importing.files import lines
from tests.reporting.project_rows import project_of, worked_example

pytestmark = pytest.mark.django_db


def frozen_bytes(project: Project) -> bytes:
    return build(project, FEW, agreement_intervals=True).to_json()


def test_ratings_that_came_by_import_count_like_rows_of_the_database():
    imported = copy_of_the_study("imported", rated=True)
    first, other = (json.loads(frozen_bytes(project)) for project in (imported, project_of(worked_example(), "direct")))
    for row in (*first["disagreements"], *other["disagreements"]):
        del row["text"]  # the rows have texts of their own
    del first["data"]["documents"], first["concentration"]  # and are about none
    assert first["sensitivity"].pop()["analysis"] == "by document"
    assert all(model.pop("dropped") == {"document": "one level"} for model in first["crossed_models"])
    assert first == other


def test_gold_adjudications_times_and_weeks_come_along_too(tmp_path):
    here, imported = copy_of_the_study("here", rated=True), copy_of_the_study("there")
    first = datetime(2026, 11, 2, tzinfo=UTC)
    for n, rating in enumerate(Rating.objects.filter(project=here)):
        Rating.objects.filter(pk=rating.pk).update(seconds=n / 3, rated_at=first + timedelta(hours=5 * n))
    for n, item in enumerate(Item.objects.filter(response__dataset=here.dataset, rate=True)[:30]):
        for role, answers in (("gold", ACCURATE), ("adjudicator", SEVERE)):
            Rating.objects.create(
                project=here, item=item, rater=person(f"ines{n % 2}"), role=role, answers=answers, choices=answers,
                rated_at=first,
            )  # fmt: skip
    file = tmp_path / "ratings.jsonl"
    file.write_bytes(exported(here, "jsonl"))
    load_ratings(file, imported)
    for choices in (FEW, Choices(200, 200, "document", "adjudicated", 0.5, (), 1.0)):
        built, other = (build(project, choices, agreement_intervals=True).to_json() for project in (here, imported))
        assert built == other
        assert b'"2026-W48"' in built


def test_ratings_of_whole_responses_give_a_copy_the_same_report_and_export(tmp_path):
    """Twelve prompts with two responses each; a rater gave a comment like a formula to some, and no answer to one."""
    data = study("sentences", prompts=12, systems=("heron", "tern"), sentences=2).project.dataset
    data.prompts.filter(key__gt="q3").update(metadata={"kind": ["old", "new"]})

    def project_of(slug: str) -> Project:
        return create_project(slug, data, which_is_better("response"))

    rows = [
        {
            "response": response.key, "unit": "response", "item": 0, "rater": rater,
            "answers": {"better": ("first", "second")[(n + len(rater)) % 2]}, "comment": "=1+1" if n % 4 == 0 else "",
        }
        for n, response in enumerate(data.responses.order_by("key"))
        for rater in ("ravi", "rosamund")
    ]  # fmt: skip
    june = project_of("june")
    assert load_ratings(lines(tmp_path / "given.jsonl", rows[1:]), june).new == 47
    report = build(june, FEW)
    assert (report.data.items, report.data.ratings) == (24, 47)
    for format in ("jsonl", "csv"):
        copy, path = project_of(f"july-{format}"), tmp_path / f"r.{format}"
        path.write_bytes(exported(june, format))
        assert load_ratings(path, copy).new == 47
        assert build(copy, FEW).to_json() == report.to_json()
        assert exported(copy, format) == path.read_bytes()
        assert load_ratings(path, copy).new == 0
