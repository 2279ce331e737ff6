"""The sample of SyllabusQA as a project whose raters are asked about facts."""

from annotation.importing import load_dataset, load_responses
from annotation.models import Dataset, Project
from annotation.projects.create import create_project
from tests.cast import newest_version
from tests.importing.files import FIXTURES

HERE = FIXTURES / "syllabusqa"


def courses_data(slug: str = "courses") -> Dataset:
    load_dataset("syllabusqa", [HERE / "test.json", HERE / "text"], slug)
    return Dataset.objects.get(slug=slug)


def facts_project(slug: str = "facts") -> Project:
    """Create the sample project with facts that nobody has judged."""
    courses = courses_data()
    load_responses(HERE / "facts.jsonl", courses)
    return create_project(slug, courses, newest_version("fact-support"))
