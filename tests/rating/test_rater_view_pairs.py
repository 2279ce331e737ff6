"""The two answers of a pair: each rater has them in an order of their own; what is stored is of the data's order."""

import json
import uuid
from copy import deepcopy

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.access import assignments_for
from annotation.exporting.datasets import DatasetExport
from annotation.importing import load_dataset
from annotation.models import Assignment, Dataset, Item, Membership, Project, Rating, Slot
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.projects.overview import rater_work
from annotation.protocols import are_swapped
from annotation.qualification.next_work import take_next
from annotation.rating.finish import finish
from annotation.rating.rater_view import answered_items, responses_as_seen
from annotation.rating.submit import Outdated, Submission, save
from tests.cast import article_accuracy, newest_version, person, signed_in
from tests.importing.files import FIXTURES

pytestmark = pytest.mark.django_db
GIVEN = {"preference": "a", "coherence": "tie", "factuality": "b", "difficult": "no", "justification": "A says why."}
TURNED = GIVEN | {"preference": "b", "factuality": "a"}


@pytest.fixture(scope="module")
def loaded(module_rows) -> Project:
    load_dataset("lfqa_eval", [FIXTURES / "lfqa_eval" / "preferences.jsonl"], "pairs-data")
    data = Dataset.objects.get(slug="pairs-data")
    return create_project("pairs", data, newest_version("pairwise-preference"), overlap=2)


@pytest.fixture
def project(loaded: Project) -> Project:
    return deepcopy(loaded)


def work(project: Project, *, swapped: bool, name: str = "ravi") -> Assignment:
    """Return the rater's first pair, in the given order."""
    add_member(project, person(name), Membership.Role.RATER)
    assignment = take_next(project, person(name))
    assert assignment
    assignment.public_id = uuid.UUID(int=uuid.uuid4().int & ~1 | swapped)
    assignment.save()
    return assignments_for(person(name)).get(pk=assignment.pk)


def item_of(assignment: Assignment) -> Item:
    return Item.objects.get(response=assignment.sheet.response, unit="pair")


@pytest.mark.parametrize("swapped", [False, True])
def test_answers_are_stored_in_the_data_s_order_and_read_back_in_the_rater_s(project, swapped):
    assignment = work(project, swapped=swapped)
    item = item_of(assignment)
    assert responses_as_seen(assignment) == [item.response, item.against][:: -1 if swapped else 1]
    place, given = (
        (person("ravi"), assignment.public_id, item.public_id),
        Submission(GIVEN, 0, key="k", fingerprint="f"),
    )
    saved = save(*place, given)
    assert saved.answers == GIVEN
    stored = Rating.objects.get()
    assert stored.answers == (TURNED if swapped else GIVEN)
    assert stored.choices["preference"] == stored.answers["preference"]
    assert [read.answers for read in answered_items(assignment)] == [GIVEN]
    assert save(*place, given) == saved
    with pytest.raises(Outdated) as outdated:
        save(*place, Submission(GIVEN, 0))
    assert outdated.value.answers == GIVEN


def test_programs_get_the_rater_s_order_as_the_page_does(project):
    assignment = work(project, swapped=True)
    item, client = item_of(assignment), signed_in("ravi")
    got = client.post("/api/v1/projects/pairs/assignments/").json()
    assert [each["id"] for each in got["responses"]] == [str(item.against.public_id), str(item.response.public_id)]
    address = f"/api/v1/assignments/{assignment.public_id}/items/{item.public_id}/"
    body = json.dumps({"answers": {"preference": "a"}, "base_version": 0})
    assert client.put(address, body, content_type="application/json").json()["answers"] == {"preference": "a"}
    assert Rating.objects.get().answers == {"preference": "b"}
    page = client.get(reverse("assignment", args=[assignment.public_id])).content.decode()
    assert page.index(item.against.text[:20]) < page.index(item.response.text[:20])
    assert '"answers": {"preference": "a"}' in page
    assert item.response.system.name not in page and item.response.key not in page


def test_the_order_stays_and_differs_between_raters_of_a_protocol_with_sides(project):
    orders = {are_swapped(project.protocol.definition, uuid.uuid4()) for _ in range(200)}
    assert orders == {False, True}
    assignment = work(project, swapped=True)
    assert responses_as_seen(assignment) == responses_as_seen(assignment)
    assert not are_swapped(article_accuracy().definition, uuid.UUID(int=1))


def test_an_export_and_a_review_say_whose_words_mean_the_other_sides(project):
    for name, swapped in (("rosa", False), ("ravi", True)):
        assignment = work(project, swapped=swapped, name=name)
        item = item_of(assignment)
        save(person(name), assignment.public_id, item.public_id, Submission(GIVEN, 0))
        finish(assignment)
    rows = [json.loads(line) for line in b"".join(DatasetExport(project, "lfqa_eval")).splitlines()]
    said = sorted((row["overall_preference"], row.get("sides_swapped", False)) for row in rows)
    assert said == [(-1, False), (1, True)]
    add_member(project, person("lena"), Membership.Role.LEAD)
    page = signed_in("lena").get(reverse("review_item", args=["pairs", item.public_id])).content.decode()
    assert page.count("This rater saw the answers in reverse order") == 1
    assert page.index(item.response.text[:20]) < page.index(item.against.text[:20])


@pytest.mark.parametrize("shared", ["response", "against"])
def test_whoever_has_imported_ratings_of_either_answer_gets_no_pair_with_it(project, shared):
    ravi, pair = person("ravi"), Item.objects.filter(unit="pair").order_by("pk").first()
    add_member(project, ravi, Membership.Role.RATER)
    response = {"response": pair.against, "against": pair.response}[shared]
    other = Item.objects.create(response=response, unit="response", position=0, kind="response", text=response.text)
    given = {key: {"preference": "a"} for key in ("answers", "choices")}
    Rating.objects.create(project=project, item=other, rater=ravi, rated_at=timezone.now(), **given)
    remaining = rater_work(ravi, project)[0].remaining
    got = []
    while assignment := take_next(project, ravi):
        got.append((assignment.sheet.response_id, assignment.sheet.against_id))
        Assignment.objects.filter(pk=assignment.pk).update(finished_at=timezone.now())
        Slot.objects.filter(holder=assignment).update(finished_at=timezone.now())
    assert got and (pair.response_id, pair.against_id) not in got
    assert remaining == len(got)
