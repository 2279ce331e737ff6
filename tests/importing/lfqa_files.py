"""Files of lfqa_eval."""

from annotation.importing import load_dataset, load_ratings
from annotation.models import Dataset, Project
from annotation.projects.create import create_project
from tests.cast import newest_version
from tests.importing.files import FIXTURES

HERE = FIXTURES / "lfqa_eval"
EXPERTS = sorted(HERE.glob("Botany_*_Common4.json"))


def project_of(data: str, slug: str = "pairs") -> Project:
    return create_project(slug, Dataset.objects.get(slug=data), newest_version("pairwise-preference"))


def experts() -> Project:
    load_dataset("lfqa_eval", EXPERTS, "botany")
    project = project_of("botany")
    for path in EXPERTS:
        load_ratings(path, project, format="lfqa_eval")
    return project
