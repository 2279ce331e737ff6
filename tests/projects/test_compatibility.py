"""A protocol about what the data set did not bring: whole responses are made, other units refused with the remedy."""

import pytest
from django.urls import reverse

from annotation.importing import load_dataset
from annotation.models import Dataset, Item, Membership, Sheet, Slot
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.qualification.next_work import take_next
from annotation.queue.errors import ProjectError
from tests.cast import person, response, which_is_better
from tests.importing.files import FIXTURES

pytestmark = pytest.mark.django_db


@pytest.mark.study(prompts=2, systems=("heron", "plover"), heading=True)
def test_each_whole_response_becomes_one_item_once(june):
    whole = create_project("whole", june.project.dataset, which_is_better("response"), overlap=2)
    items = Item.objects.filter(unit="response").select_related("response")
    assert all((i.text, i.start, i.end, i.position) == (i.response.text, 0, len(i.text), 0) for i in items)
    assert (items.count(), whole.slots.count()) == (4, 8)
    create_project("again", june.project.dataset, which_is_better("response"))
    assert items.count() == 4


def test_offsets_are_code_points_and_a_blank_response_has_nothing_to_rate(june):
    first, blank = june.responses[0], response(june.responses[0].prompt, "plover", 1)
    for each, text in ((first, "𝛼 is small.\nNaïve 👍"), (blank, " \n\t")):
        each.text = text
        each.save()
    create_project("whole", june.project.dataset, which_is_better("response"))
    item = Item.objects.get(unit="response")
    assert (item.response, item.start, item.end) == (first, 0, len(first.text))


def test_responses_that_come_later_get_theirs(june):
    whole = create_project("whole", june.project.dataset, which_is_better("response"))
    response(june.responses[0].prompt, "plover", 2)
    load_dataset("jsonl", [FIXTURES / "jsonl" / "dataset.jsonl"], june.project.dataset.slug)
    sheets = Sheet.objects.filter(project=whole)
    assert sheets.count() == june.project.dataset.responses.count() > 2
    assert Item.objects.filter(unit="response").count() == sheets.count()


@pytest.mark.parametrize(
    "files",
    ["expertqa/answers.jsonl", "lfqa_eval/preferences.jsonl", "jsonl/dataset.jsonl", "rows/answers.csv rows/articles"],
)
def test_it_goes_with_data_of_every_format_and_the_same_file_still_changes_nothing(files):
    format, paths = files.split("/")[0], [FIXTURES / name for name in files.split()]
    before = load_dataset(format, paths, "data").as_json()
    project = create_project("whole", Dataset.objects.get(slug="data"), which_is_better("response"))
    assert Slot.objects.filter(project=project).count() == before["responses"] > 0
    assert load_dataset(format, paths, "data").as_json() == before | {"new": 0}
    add_member(project, person("ravi"), Membership.Role.RATER)
    assert take_next(project, person("ravi"))


@pytest.mark.parametrize(("unit", "field"), [("claim", "items"), ("pair", "pairs")])
def test_what_cannot_be_made_is_refused_with_what_there_is_and_a_remedy(june, ada, unit, field):
    protocol = which_is_better(unit)
    with pytest.raises(ProjectError) as refused:
        create_project("none", june.project.dataset, protocol)
    assert str(refused.value) == (
        f"data set june-data has no {unit}s, which this protocol asks about: choose a protocol for its units "
        f"(responses, sentences), or import its responses as JSON Lines with {unit}s (the field “{field}”)"
    )
    about = {"dataset": "june-data", "title": "Claims", "slug": "claims", "overlap": 1, "seed": 1}
    page = ada.post(reverse("new_project"), {**about, "protocol": protocol.pk})
    assert f"Data set june-data has no {unit}s" in page.context["form"].errors["protocol"][0]
    assert page.status_code == 200


def test_facts_can_be_typed_in_so_a_project_about_them_may_begin_without(june):
    assert create_project("facts", june.project.dataset, which_is_better("fact"))
