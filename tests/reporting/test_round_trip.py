"""What an export wrote, an import into an empty copy of the project reads back, and the report is the same bytes."""

import pytest

from annotation.assigning.projects import create_project
from annotation.exporting import RatingsExport
from annotation.importing import load_dataset, load_ratings
from annotation.models import Dataset, Project
from annotation.reporting import Choices, as_bytes, build
from tests.cast import article_accuracy
from tests.reporting.given import WORKED_EXAMPLE, project_of, worked_example

pytestmark = pytest.mark.django_db


def copy_of_the_study(slug: str) -> Project:
    load_dataset("jsonl", [WORKED_EXAMPLE / "dataset.jsonl"], f"{slug}-data")
    return create_project(slug, Dataset.objects.get(slug=f"{slug}-data"), article_accuracy(), overlap=3)


def frozen_bytes(project: Project) -> bytes:
    return as_bytes(build(project, Choices(resamples=300), agreement_intervals=True))


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_the_report_of_exported_and_imported_ratings_is_the_same_to_the_last_byte(tmp_path, format):
    here, there = copy_of_the_study("here"), copy_of_the_study("there")
    load_ratings(WORKED_EXAMPLE / "ratings.jsonl", here)
    file = tmp_path / f"ratings.{format}"
    file.write_bytes(b"".join(RatingsExport(here, format)))
    assert frozen_bytes(there) != frozen_bytes(here)
    load_ratings(file, there)
    assert frozen_bytes(there) == frozen_bytes(here)


def test_ratings_that_came_by_import_count_like_rows_of_the_database():
    imported = copy_of_the_study("imported")
    load_ratings(WORKED_EXAMPLE / "ratings.jsonl", imported)
    assert frozen_bytes(imported) == frozen_bytes(project_of(worked_example(), "direct"))
