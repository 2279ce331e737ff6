"""What was loaded and not rated."""

import pytest

from annotation.models import Prompt, Response, System
from annotation.reporting.data.project_items import Unrated, unrated_parts
from tests.reporting.project_rows import project_of, worked_example

pytestmark = pytest.mark.django_db


def test_what_was_loaded_and_not_rated_is_counted_beside_the_report():
    project = project_of(worked_example())
    data = project.dataset
    prompt = Prompt.objects.create(dataset=data, key="another", text="?")
    yew = System.objects.create(dataset=data, name="Yew")
    Response.objects.create(dataset=data, prompt=prompt, system=yew, key="y", text="!")
    assert unrated_parts(project) == Unrated(systems=["Yew"], responses=1, prompts=1)
