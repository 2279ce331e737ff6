"""Guidelines: versions that never change, the one each rating was given under, and looking at earlier ones again."""

import pytest
from django.db import ProgrammingError, transaction

from annotation.access import assignments_for
from annotation.exporting.protocol_markdown import guidelines
from annotation.exporting.ratings import iter_rows
from annotation.models import GuidelineVersion, Rating
from annotation.projects import guidelines as published
from annotation.projects.guidelines import Affected, publish_guidelines, reoffer_affected
from annotation.projects.members import remove_member
from annotation.qualification.next_work import take_next
from annotation.rating.bookmarks import bookmarks_of
from annotation.rating.finish import finish
from annotation.rating.submit import NotAllowed, Submission, save
from annotation.rating.tally_check import find_tally_differences
from tests.cast import ACCURATE, SEVERE
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


def test_versions_are_numbered_and_never_change(june):
    first = publish_guidelines(
        june.project, "Read it.", {"accuracy": {"accurate": " So. ", "disputed": " ", "nothing": "x"}}
    )
    assert (first.number, first.examples) == (1, {"accuracy": {"accurate": "So."}})
    assert publish_guidelines(june.project, "Read it. ", {"accuracy": {"accurate": "So."}}) == first
    assert publish_guidelines(june.project, "Read it twice.", note="Twice").number == 2
    assert published.current_guidelines(june.project).text == "Read it twice."
    with pytest.raises(ProgrammingError), transaction.atomic():
        GuidelineVersion.objects.filter(pk=first.pk).update(text="Do not read it.")


def test_what_cannot_be_published_is_told(june):
    for posted, field in (
        ({"text": " "}, "text"),
        ({"text": "x" * 100_001}, "text"),
        ({"text": "x", "note": "n" * 301}, "note"),
    ):
        with pytest.raises(published.NotPublishable) as refused:
            publish_guidelines(june.project, **posted)
        assert list(refused.value.errors) == [field]


def test_a_rating_says_under_which_version_it_was_given(june):
    ravi, items = june.people["ravi"], june.items()
    work = rates(ravi, june.project, sentences=1)
    publish_guidelines(june.project, "One.")
    publish_guidelines(june.project, "Two.")
    save(ravi, work.public_id, items[1].public_id, Submission(ACCURATE, base_version=0))
    save(ravi, work.public_id, items[2].public_id, Submission(ACCURATE, base_version=0, guidelines=1))
    with pytest.raises(NotAllowed) as refused:
        save(ravi, work.public_id, items[2].public_id, Submission(ACCURATE, base_version=1, guidelines=3))
    assert list(refused.value.errors) == ["guidelines"]
    assert list(Rating.objects.order_by("item__position").values_list("guidelines", flat=True)) == [None, 2, 1]
    finish(assignments_for(ravi).get())
    assert [row["guidelines"] for row in iter_rows(june.project)] == [None, 2, 1]


def test_affected_responses_go_back_to_their_raters_and_count_meanwhile(june):
    ravi = june.people["ravi"]
    work = rates(ravi, june.project)
    rates(june.people["rosa"], june.project)
    changed = save(ravi, work.public_id, june.items()[1].public_id, Submission(SEVERE, base_version=1))
    publish_guidelines(june.project, "What is severe is more than it was.")
    affected = Affected("severity", "severe")
    assert [rating.rater for rating in affected.ratings(june.project, 1)] == [ravi]
    assert reoffer_affected(june.project, affected) == (1, 1)
    assert Rating.objects.filter(counted=True).count() == 6
    assert [bookmark.item for bookmark in bookmarks_of(ravi, june.project)] == [june.items()[1]]
    again = take_next(june.project, ravi)
    assert again.public_id == work.public_id
    save(ravi, work.public_id, june.items()[1].public_id, Submission(SEVERE, base_version=changed.version))
    assert not bookmarks_of(ravi, june.project)
    finish(assignments_for(ravi).get())
    assert Rating.objects.filter(counted=True).count() == 6
    assert reoffer_affected(june.project, affected) == (0, 0)
    assert find_tally_differences() == []


def test_whoever_has_left_is_not_asked_again(june):
    rates(june.people["ravi"], june.project)
    remove_member(june.project, june.people["ravi"])
    publish_guidelines(june.project, "New.")
    assert reoffer_affected(june.project, Affected()) == (0, 0)
    assert Rating.objects.filter(counted=True).count() == 3


def test_an_export_holds_the_projects_own_text(june):
    publish_guidelines(june.project, "# Reading\n\nRead it.", {"accuracy": {"disputed": "Two differ."}})
    publish_guidelines(june.project, "Read it twice.", note="Twice")
    text = guidelines(june.project.protocol.definition, june.project.guidelines.all())
    assert text.index("guidelines, version 2") < text.index("Read it twice.") < text.index("guidelines, version 1")
    assert "### Reading\n\nRead it." in text and "### Examples of Disputed\n\nTwo differ." in text
