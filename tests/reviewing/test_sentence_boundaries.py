"""Splitting and merging by hand: what was rated before, who is asked again, and what still counts."""

import pytest

from annotation.models import Assignment, AuditEvent, Item, Membership, Rating, Slot
from annotation.projects.create import create_project
from annotation.projects.members import add_member, remove_member
from annotation.qualification.next_work import take_next
from annotation.queue.leases import release
from annotation.queue.sheets import items_of
from annotation.rating.counting import left_out
from annotation.rating.finish import StillOpen, finish
from annotation.rating.submit import Submission, save
from annotation.rating.tally_check import find_tally_differences
from annotation.reviewing.sentence_boundaries import (
    BoundaryChangeRefused,
    change_refusal,
    merge,
    neighbors,
    replacement_items,
    split,
)
from tests.cast import ACCURATE, SEVERE, Study, article_accuracy, person, study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


@pytest.fixture
def june() -> Study:
    """Create one response of three sentences, finished by Ravi and Rosa."""
    prepared = study()
    for name in ("ravi", "rosa"):
        rates(prepared.people[name], prepared.project)
    return prepared


def cut_in_two(june: Study, item: Item) -> None:
    split(june.project, item, [item.text[:8], item.text[8:]], actor=june.people["lena"])


def counted(june: Study) -> int:
    return Rating.objects.filter(project=june.project, counted=True).count()


def test_a_split_sentence_is_retired_its_parts_are_appended_and_ratings_of_all_others_stay_and_count(june):
    second = june.items()[1]
    assert counted(june) == 6
    done = split(june.project, second, ["Sentence", "number 2 of heron."], actor=june.people["lena"])
    assert [(item.position, item.text, item.splitter) for item in done.new_items] == [
        (3, "Sentence", "by hand"),
        (4, "number 2 of heron.", "by hand"),
    ]
    second.refresh_from_db()
    assert (second.position, second.start, bool(second.retired_at)) == (1, done.new_items[0].start, True)
    text = june.responses[0].text
    assert [text[item.start : item.end] for item in done.new_items] == ["Sentence", "number 2 of heron."]
    assert replacement_items(second) == done.new_items
    sheet = june.project.sheets.get()
    assert [item.position for item in items_of(sheet, "sentence")] == [0, 3, 4, 2]  # as they stand in the text
    assert (counted(june), left_out(june.project), find_tally_differences()) == (4, {"retired": 2}, [])
    assert Rating.objects.count() == 6 and Rating.objects.filter(item=second, counted=False).count() == 2
    with pytest.raises(BoundaryChangeRefused, match="in the meantime"):
        cut_in_two(june, second)


def test_raters_who_had_finished_are_asked_about_the_new_ones_only_and_may_give_that_back(june):
    cut_in_two(june, june.items()[1])
    ravi, rosa = june.people["ravi"], june.people["rosa"]
    again = take_next(june.project, ravi)
    assert again is not None and again.sheet == june.project.sheets.get()
    new = list(Item.objects.filter(position__gte=3))
    with pytest.raises(StillOpen) as error:
        finish(Assignment.objects.select_related("project__protocol").get(pk=again.pk))
    assert error.value.open == [item.public_id for item in new]
    for item in new:
        save(ravi, again.public_id, item.public_id, Submission(SEVERE, base_version=0))
    assert counted(june) == 4
    finish(Assignment.objects.select_related("project__protocol").get(pk=again.pk))
    assert counted(june) == 6  # Ravi's two old and two new, and Rosa's two old
    assignment = take_next(june.project, rosa)
    release(assignment)
    assert Slot.objects.get(holder=assignment).finished_at
    assert (counted(june), left_out(june.project), find_tally_differences()) == (6, {"retired": 2}, [])


def test_answers_given_before_the_cut_count_again_for_what_was_unfinished():
    june = study()
    rates(june.people["ravi"], june.project, sentences=1)
    cut_in_two(june, june.items()[2])
    assignment = Assignment.objects.select_related("project__protocol").get()
    for item in items_of(assignment.sheet, "sentence")[1:]:
        save(june.people["ravi"], assignment.public_id, item.public_id, Submission(ACCURATE, base_version=0))
    finish(assignment)
    assert (counted(june), find_tally_differences()) == (4, [])


def test_two_neighbours_become_one(june):
    first, second, third = june.items()
    done = merge(june.project, third, second, actor=june.people["lena"])
    [item] = done.new_items
    assert item.text == f"{second.text}\n{third.text}"
    assert (done.asked_again, done.ratings) == (2, 4)
    assert left_out(june.project) == {"retired": 4}
    assert neighbors(item) == (first, None)
    with pytest.raises(BoundaryChangeRefused, match="no longer adjacent"):
        merge(june.project, first, second, actor=june.people["lena"])


def test_a_cut_never_changes_the_text(june):
    sentence = "Sentence number 2 of heron."
    for lines, why in (
        ([sentence], "only one line"),
        (["Sentence number 2", "of a heron."], "does not match the response"),
        (["Sentence number", "2 of"], "continues after the last line"),
        ([sentence, "And more."], "the text ends there"),
    ):
        with pytest.raises(BoundaryChangeRefused, match=why):
            split(june.project, june.items()[1], lines, actor=june.people["lena"])
    assert not Item.objects.filter(retired_at__isnull=False).exists()


def test_what_is_no_sentence_stays_as_it_was_given(june):
    first, second, _ = june.items()
    for unit in ("claim", "fact"):
        Item.objects.update(unit=unit, kind=unit)
        second.refresh_from_db()
        with pytest.raises(BoundaryChangeRefused, match=f"Only sentences can be edited: a {unit} stays"):
            cut_in_two(june, second)
        with pytest.raises(BoundaryChangeRefused, match="Only sentences"):
            merge(june.project, first, second, actor=june.people["lena"])
        assert change_refusal(second) and not Item.objects.filter(retired_at__isnull=False).exists()


def test_somebody_who_has_left_is_not_asked_and_their_other_ratings_count(june):
    remove_member(june.project, june.people["rosa"])
    cut_in_two(june, june.items()[1])
    assert Slot.objects.filter(finished_at__isnull=False).get().holder.rater == june.people["rosa"]
    assert counted(june) == 4


def test_what_another_project_rates_is_cut_only_by_who_leads_both(june):
    other, item = create_project("july", june.project.dataset, article_accuracy()), june.items()[1]
    with pytest.raises(BoundaryChangeRefused, match="1 project that you do not lead rates this"):
        cut_in_two(june, item)
    add_member(other, june.people["lena"], Membership.Role.LEAD)
    cut_in_two(june, item)
    assert AuditEvent.objects.filter(action="split").count() == 2
    merge(other, *Item.objects.filter(position__gte=3), actor=person("ada", admin=True))
    assert [item.position for item in items_of(other.sheets.get(), "sentence")] == [0, 5, 2]
