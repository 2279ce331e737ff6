"""The projects of the seeded database, which tests with the mark `seeded` find: they take a second to make.

`june` is the worked example, `judged` a study with a judge and a sample drawn with unequal probabilities; both have a
frozen report. Ravi rates and Lena leads in both; Otto leads `other`, which has no ratings.
"""

from annotation.models import Membership, Project
from annotation.projects.members import add_member
from annotation.reporting import Choices, freeze
from tests.cast import person
from tests.reporting.project_rows import project_of, worked_example
from tests.reporting.sampled_studies import random_study

RESAMPLES = 200


def create_seeds() -> None:
    june = project_of(worked_example())
    add_member(june, person("ravi"), Membership.Role.RATER)
    add_member(project_of([], "other"), person("otto"), Membership.Role.LEAD)
    for project in (june, random_study(21, slug="judged")):
        freeze(project, Choices(resamples=RESAMPLES), actor=person("lena"))


def seeded(slug: str) -> Project:
    """Return the project called `slug` of the seeded database."""
    return Project.objects.get(slug=slug)
