"""Verdicts that raters get: when, and which ratings record that they had them."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.access import assignments_for
from annotation.judging.judges import find_judge
from annotation.models import Assignment, Purpose, Rating, RatingEvent, Verdict, VerdictsShown
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.projects.verdict_visibility import set_verdict_visibility
from annotation.qualification.next_work import take_next
from annotation.queue.reopening import reopen
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.rating.finish import finish
from annotation.rating.rater_view import answered_items
from annotation.rating.shown_verdicts import ShownVerdict, attach_verdicts, record_all_shown, record_shown
from annotation.rating.submit import Submission, delete_answer, save
from tests.cast import ACCURATE, SEVERE, Study
from tests.rating.judged_study import QUOTE, judged_study

pytestmark = pytest.mark.django_db
VERDICT = ShownVerdict(
    judge="rule@1",
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
    return list(Rating.objects.filter(role=role).order_by("item__position").values_list("verdict_shown", flat=True))


def test_before_shows_verdicts_at_once_and_each_rating_records_it():
    june = judged_study("before")
    ravi = take(june)
    assert sent(ravi)[0] == VERDICT
    for position in range(3):
        rate(ravi, position)
    assert marks() == [True] * 3
    assert set(RatingEvent.objects.filter(role="rater").values_list("verdict_shown", flat=True)) == {True}
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
    assert not VerdictsShown.objects.exists()


def test_the_first_time_is_stored_and_a_later_page_takes_two_queries():
    ravi = take(judged_study("before"))
    sent(ravi)
    first = VerdictsShown.objects.get()
    assert (first.person, first.response_id, first.against_id) == (ravi.rater, ravi.sheet.response_id, None)
    assignment = assignments_for(ravi.rater).get(pk=ravi.pk)
    items = answered_items(assignment)
    with CaptureQueriesContext(connection) as queries:
        attach_verdicts(assignment, items)
    assert (len(queries), VerdictsShown.objects.get().first_shown_at) == (2, first.first_shown_at)


def test_verdicts_shown_in_one_project_mark_ratings_of_the_response_in_another():
    june = judged_study("before", prompts=2)
    july = other_project(june)
    ravi, rosa = take(june), take(june, "rosa")
    sent(ravi)
    for _ in june.responses:
        rate_all(july, "ravi")
        rate_all(july, "rosa")
    marked = Rating.objects.filter(project=july.project, verdict_shown=True)
    assert {(row.rater, row.item.response_id) for row in marked} == {(ravi.rater, ravi.sheet.response_id)}
    assert marked.count() == 3 and rosa.sheet_id


def other_project(june: Study) -> Study:
    """Return a project about the same responses, with the same people and without a judge."""
    project = create_project("july", june.project.dataset, june.project.protocol, overlap=2)
    for name, user in june.people.items():
        add_member(project, user, "lead" if name == "lena" else "rater")
    return Study(project, june.responses, june.people)


def rate_all(study: Study, rater: str) -> None:
    """Let a rater rate and finish the next response."""
    assignment = take(study, rater)
    for position in range(3):
        item = assignment.sheet.response.items.get(position=position)
        save(assignment.rater, assignment.public_id, item.public_id, Submission(ACCURATE, 0))
    finish(assignments_for(assignment.rater).get(pk=assignment.pk))


def test_a_pair_is_not_its_first_response():
    june = judged_study("never", systems=("heron", "plover"))
    ravi = take(june)
    heron, plover = (response.pk for response in june.responses)
    record_shown(ravi.rater, [(heron, plover), (plover, heron)])
    rate(ravi, 0)
    assert marks() == [False]
    record_shown(ravi.rater, [(heron, None), (plover, None), (heron, None)])
    rate(ravi, 1)
    assert marks() == [False, True]


def test_all_verdicts_of_a_project_are_those_of_judged_responses():
    june = judged_study("never", prompts=3)
    lena, left = june.people["lena"], june.responses[2]
    Rating.objects.filter(role="judge", item__response=left).delete()
    record_all_shown(lena, june.project)
    record_all_shown(lena, june.project)
    shown = VerdictsShown.objects.filter(person=lena).values_list("response", flat=True)
    assert set(shown) == {response.pk for response in june.responses} - {left.pk} and len(shown) == 2


def test_imported_ratings_are_marked_by_their_time():
    june = judged_study("never")
    rosa, (first, second, third) = june.people["rosa"], june.items()
    record_shown(rosa, [(june.responses[0].pk, None)])
    shown_at = VerdictsShown.objects.get().first_shown_at
    ratings = [
        NewRating(first, rosa, ACCURATE, rated_at=shown_at - timedelta(seconds=1)),
        NewRating(second, rosa, ACCURATE, rated_at=shown_at + timedelta(seconds=1)),
        NewRating(third, rosa, ACCURATE),
        NewRating(first, june.people["ravi"], ACCURATE),
    ]
    store_ratings(june.project, ratings)
    assert list(
        Rating.objects.filter(rater=rosa).order_by("item__position").values_list("verdict_shown", flat=True)
    ) == [False, True, True]
    assert not Rating.objects.get(rater=june.people["ravi"]).verdict_shown
