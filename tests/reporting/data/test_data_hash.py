"""The hash of the data, with and without free text."""

import pytest
from django.utils import timezone

from annotation.models import Item, Prompt, Rating
from annotation.reporting import Choices
from annotation.reporting.data.study import read_study
from tests.cast import SEVERE
from tests.reporting.project_rows import project_of, worked_example

pytestmark = pytest.mark.django_db


def test_free_text_is_hashed_in_the_database_to_the_same_hash(monkeypatch):
    """Protocols that ask for text have their answers hashed where they are; of choices alone both ways are the same."""
    project = project_of(worked_example())
    item = Item.objects.filter(response__dataset=project.dataset).first()
    Rating.objects.create(
        project=project, item=item, rater=project.memberships.get().user, role="adjudicator",
        answers=SEVERE, choices=SEVERE, rated_at=timezone.now(),
    )  # fmt: skip
    several = [Choices(), Choices(without_raters=("ravi",)), Choices(answers="adjudicated", systems=("Birch",))]
    here = [read_study(project, choices).sha256 for choices in several]
    monkeypatch.setattr("annotation.reporting.data.study.has_only_choices", lambda protocol: False)
    assert [read_study(project, choices).sha256 for choices in several] == here
    assert len(set(here)) == 3


def test_metadata_of_a_prompt_changes_the_hash():
    project = project_of(worked_example())
    before = read_study(project).sha256
    Prompt.objects.filter(dataset=project.dataset, key="tide-01").update(metadata={"question_type": "other"})
    assert read_study(project).sha256 != before
