"""The choice to rate all items or to skip those marked as likely free of claims."""

import pytest

from annotation.models import Assignment, AuditEvent, Item
from annotation.projects.claim_free import count_claim_free
from annotation.projects.create import create_project
from annotation.projects.project_settings import SETTINGS, change_settings
from annotation.qualification.next_work import take_next
from annotation.queue.errors import ProjectError
from annotation.rating.bulk_storage import NewRating, store_ratings
from tests.cast import ACCURATE, article_accuracy, marked_study

pytestmark = pytest.mark.django_db


def test_marked_items_are_counted_by_reason_whatever_the_choice() -> None:
    june = marked_study(responses=2)
    Item.objects.filter(response=june.responses[1], position=3).update(rate=False)
    counts = count_claim_free(june.project)
    assert (counts.items, counts.marked, counts.by_reason) == (7, 3, {"question": 2, "courtesy": 1})
    change_settings(june.project, {"skips_claim_free": True})
    assert count_claim_free(june.project) == counts
    assert counts.labels == [("question", 2), ("courtesy", 1)]


def test_the_choice_is_recorded_and_can_be_changed_back() -> None:
    june = marked_study()
    for skips in (True, False, False):
        change_settings(june.project, {"skips_claim_free": skips}, actor=june.people["lena"])
        june.project.refresh_from_db()
        assert june.project.skips_claim_free is skips
    events = AuditEvent.objects.filter(action="set skips claim free").order_by("pk")
    assert [(event.before, event.after) for event in events] == [(False, True), (True, False)]


@pytest.mark.parametrize("role", ["rater", "gold"])
def test_after_the_first_rating_the_choice_stays(role: str) -> None:
    june = marked_study()
    assert SETTINGS["skips_claim_free"].can_change(june.project)
    store_ratings(june.project, [NewRating(june.items()[0], june.people["ravi"], ACCURATE, role)])
    assert not SETTINGS["skips_claim_free"].can_change(june.project)
    with pytest.raises(ProjectError, match="already has ratings"):
        change_settings(june.project, {"skips_claim_free": True})
    change_settings(june.project, {"skips_claim_free": False})  # as it is
    june.project.refresh_from_db()
    assert not june.project.skips_claim_free


def test_a_response_without_any_other_item_leaves_the_queue_and_comes_back() -> None:
    june = marked_study(responses=2)
    Item.objects.filter(response=june.responses[0]).update(claim_free="courtesy")
    july = create_project("july", june.project.dataset, article_accuracy(), overlap=3, skips_claim_free=True)
    assert (july.skips_claim_free, july.slots.count()) == (True, 3), "a project may skip them from the start"
    assert AuditEvent.objects.get(project=july, action="create project").after["skips_claim_free"] is True
    for name in ("ravi", "rosa"):
        take_next(june.project, june.people[name])
    change_settings(june.project, {"skips_claim_free": True})
    [left] = june.project.slots.all()
    assert left.sheet.response == june.responses[1]
    released = Assignment.objects.filter(released_at__isnull=False)
    assert [assignment.sheet.response for assignment in released] == [june.responses[0]]
    change_settings(june.project, {"skips_claim_free": False})
    assert june.project.slots.count() == 2
