"""A protocol about what the data set did not bring: whole responses are made, other units refused with the remedy."""

import pytest
from django.urls import reverse

from annotation.importing import load_dataset
from annotation.models import Dataset, Item, Membership, Sheet, Slot
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.qualification.next_work import take_next
from annotation.queue.errors import ProjectError
from tests.cast import person, response, study, which_is_better
from tests.importing.files import FIXTURES

pytestmark = pytest.mark.django_db


def test_each_whole_response_becomes_one_item_once():
    june = study(prompts=2, systems=("heron", "plover"), heading=True)
    whole = create_project("whole", june.project.dataset, which_is_better("response"), overlap=2)
    items = Item.objects.filter(unit="response").select_related("response")
    assert [(i.text, i.start, i.end, i.position) for i in items] == [
        (i.response.text, 0, len(i.response.text), 0) for i in items
    ]
    assert items.count() == 4
    assert Slot.objects.filter(project=whole).count() == 8
    create_project("again", june.project.dataset, which_is_better("response"))
    assert items.count() == 4


def test_offsets_are_code_points_and_a_blank_response_has_nothing_to_rate():
    june = study()
    june.responses[0].text = "𝛼 is small.\nNaïve 👍"
    june.responses[0].save()
    blank = response(june.responses[0].prompt, "plover", 1)
    blank.text = " \n\t"
    blank.save()
    create_project("whole", june.project.dataset, which_is_better("response"))
    item = Item.objects.get(unit="response")
    assert (item.response, item.start, item.end) == (june.responses[0], 0, len(june.responses[0].text))


def test_responses_that_come_later_get_theirs():
    june = study()
    whole = create_project("whole", june.project.dataset, which_is_better("response"))
    response(june.responses[0].prompt, "plover", 2)
    load_dataset("jsonl", [FIXTURES / "jsonl" / "dataset.jsonl"], june.project.dataset.slug)
    sheets = Sheet.objects.filter(project=whole)
    assert sheets.count() == june.project.dataset.responses.count() > 2
    assert Item.objects.filter(unit="response").count() == sheets.count()


@pytest.mark.parametrize("format", ["expertqa", "lfqa_eval", "jsonl", "rows"])
def test_it_goes_with_data_of_every_format_and_the_same_file_still_changes_nothing(format):
    paths = {
        "expertqa": ["answers.jsonl"],
        "lfqa_eval": ["preferences.jsonl"],
        "jsonl": ["dataset.jsonl"],
        "rows": ["answers.csv", "articles"],
    }
    files = [FIXTURES / format / name for name in paths[format]]
    before = load_dataset(format, files, "data").as_json()
    project = create_project("whole", Dataset.objects.get(slug="data"), which_is_better("response"))
    assert Slot.objects.filter(project=project).count() == before["responses"] > 0
    assert load_dataset(format, files, "data").as_json() == before | {"new": 0}
    rater = person("ravi")
    add_member(project, rater, Membership.Role.RATER)
    assignment = take_next(project, rater)
    assert assignment


@pytest.mark.parametrize(("unit", "field"), [("claim", "items"), ("pair", "pairs")])
def test_what_cannot_be_made_is_refused_with_what_there_is_and_a_remedy(unit, field):
    june = study()
    with pytest.raises(ProjectError) as refused:
        create_project("none", june.project.dataset, which_is_better(unit))
    assert str(refused.value) == (
        f"data set june-data has no {unit}s, which this protocol asks about: choose a protocol for its units "
        f"(responses, sentences), or import its responses as JSON Lines with {unit}s (the field “{field}”)"
    )


def test_the_form_says_so_at_the_protocol(client):
    june = study()
    client.force_login(person("ada", admin=True))
    sent = {
        "dataset": june.project.dataset.slug,
        "title": "Claims",
        "slug": "claims",
        "protocol": which_is_better("claim").pk,
        "overlap": 1,
        "seed": 1,
    }
    page = client.post(reverse("new_project"), sent)
    assert "Data set june-data has no claims" in page.context["form"].errors["protocol"][0]
    assert page.status_code == 200


def test_facts_can_be_typed_in_so_a_project_about_them_may_begin_without():
    assert create_project("facts", study().project.dataset, which_is_better("fact"))
