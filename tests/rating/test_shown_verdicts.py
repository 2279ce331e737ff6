"""Verdicts that raters get: when, and which ratings record that they had them."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.access import assignments_for
from annotation.judging.judges import find_judge
from annotation.models import Assignment, Purpose, Rating, RatingEvent, Verdict
from annotation.projects.verdict_visibility import set_verdict_visibility
from annotation.qualification.next_work import take_next
from annotation.queue.reopening import reopen
from annotation.rating.finish import finish
from annotation.rating.rater_view import answered_items
from annotation.rating.shown_verdicts import ShownVerdict, attach_verdicts
from annotation.rating.submit import Submission, delete_answer, save
from tests.cast import ACCURATE, SEVERE, Study
from tests.rating.judged_study import QUOTE, judged_study

pytestmark = pytest.mark.django_db
VERDICT = ShownVerdict(
    judge="rule",
    answers={"accuracy": "inaccurate", "severity": "not_severe"},
    reason="Not in the document: 1.",
    quote=QUOTE,
    quote_found=True,
)


def take(june: Study, rater: str = "ravi") -> Assignment:
    with transaction.atomic():
        assignment = take_next(june.project, june.people[rater])
    assert assignment
    return assignment


def sent(assignment: Assignment) -> list[ShownVerdict | None]:
    """Return the verdicts on the rated items that the next page would have, which is then sent."""
    fetched = assignments_for(assignment.rater).get(pk=assignment.pk)
    items = answered_items(fetched)
    attach_verdicts(fetched, items)
    return [getattr(item, "verdict", None) for item in items]


def rate(assignment: Assignment, position: int, answers=ACCURATE) -> None:
    item = assignment.sheet.response.items.get(position=position)
    own = Rating.objects.filter(item=item, rater=assignment.rater).first()
    save(assignment.rater, assignment.public_id, item.public_id, Submission(answers, own.version if own else 0))


def marks(role: str = "rater") -> list[bool]:
    return list(Rating.objects.filter(role=role).order_by("item__position").values_list("saw_verdict", flat=True))


def test_before_shows_verdicts_at_once_and_each_rating_records_it():
    june = judged_study("before")
    ravi = take(june)
    assert sent(ravi)[0] == VERDICT
    for position in range(3):
        rate(ravi, position)
    assert marks() == [True] * 3
    assert set(RatingEvent.objects.filter(role="rater").values_list("saw_verdict", flat=True)) == {True}
    assert marks("judge") == [False] * 3


def test_a_rating_from_before_the_verdicts_came_records_them_only_once_it_is_changed():
    june = judged_study("never")
    ravi = take(june)
    assert sent(ravi) == [None] * 3
    rate(ravi, 0)
    rate(ravi, 1)
    set_verdict_visibility(june.project, "before", find_judge("rule"))
    assert sent(ravi)[0] == VERDICT
    set_verdict_visibility(june.project, "never")
    assert sent(ravi) == [None] * 3
    rate(ravi, 1, SEVERE)
    rate(ravi, 2)
    assert marks() == [False, True, True]


def test_after_shows_verdicts_on_the_finished_response_and_a_later_change_records_it():
    june = judged_study("after")
    ravi = take(june)
    assert sent(ravi) == [None] * 3
    for position in range(3):
        rate(ravi, position)
    finish(assignments_for(ravi.rater).get(pk=ravi.pk))
    assert marks() == [False] * 3
    assert sent(ravi)[0] == VERDICT
    reopen(assignments_for(ravi.rater).get(pk=ravi.pk), actor=june.people["lena"])
    assert sent(ravi) == [None] * 3  # the response is not finished any more; what was sent stays recorded
    rate(ravi, 1, SEVERE)
    assert marks() == [False, True, False]


def test_an_answer_that_is_deleted_and_given_again_records_it():
    june = judged_study("before")
    ravi = take(june)
    rate(ravi, 0)
    sent(ravi)
    delete_answer(ravi.rater, ravi.public_id, ravi.sheet.response.items.get(position=0).public_id, 1)
    rate(ravi, 0)
    assert marks() == [True]


def test_it_is_about_the_rater_who_got_them():
    june = judged_study("before")
    ravi, rosa = take(june), take(june, "rosa")
    sent(ravi)
    rate(rosa, 0)
    assert marks() == [False]


def test_failed_verdicts_and_those_of_other_judges_are_not_sent():
    june = judged_study("before")
    ravi = take(june)
    Verdict.objects.update(rating=None, state="failed", problem="no answer")
    assert sent(ravi) == [None] * 3
    rate(ravi, 0)
    assert marks() == [False]


@pytest.mark.parametrize("purpose", [Purpose.TRAINING, Purpose.QUALIFICATION])
def test_training_and_qualification_show_none(purpose):
    ravi = take(judged_study("before"))
    Assignment.objects.update(purpose=purpose)
    assert sent(ravi) == [None] * 3


def test_a_project_that_shows_none_pays_nothing():
    june = judged_study("never")
    assignment = assignments_for(june.people["ravi"]).get(pk=take(june).pk)
    items = answered_items(assignment)
    with CaptureQueriesContext(connection) as queries:
        attach_verdicts(assignment, items)
    assert len(queries) == 0
    assert Assignment.objects.get().verdicts_sent_at is None


def test_the_first_time_is_stored_and_a_later_page_takes_one_query():
    ravi = take(judged_study("before"))
    sent(ravi)
    first = Assignment.objects.get().verdicts_sent_at
    assignment = assignments_for(ravi.rater).get(pk=ravi.pk)
    items = answered_items(assignment)
    with CaptureQueriesContext(connection) as queries:
        attach_verdicts(assignment, items)
    assert (len(queries), Assignment.objects.get().verdicts_sent_at) == (1, first)
