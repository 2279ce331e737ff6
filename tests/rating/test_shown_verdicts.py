"""Verdicts that raters get: when, and which ratings record that they had them."""

from copy import deepcopy
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.access import assignments_for
from annotation.judging.judges import find_judge
from annotation.models import Assignment, Purpose, Rating, RatingEvent, Verdict, VerdictsShown
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.projects.project_settings import change_settings
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


@pytest.fixture(scope="module")
def judged(module_rows) -> Study:
    return judged_study("never")


@pytest.fixture
def june(judged: Study) -> Study:
    """Return a study of one response with verdicts, which raters do not see yet."""
    return deepcopy(judged)


def show(june: Study, when: str) -> None:
    change_settings(june.project, {"verdict_visibility": when, "shown_judge": find_judge("rule")})


def take(june: Study, rater: str = "ravi") -> Assignment:
    assignment = take_next(june.project, june.people[rater])
    assert assignment
    return assignment


def fetched(assignment: Assignment) -> Assignment:
    """Return the assignment as the next request finds it."""
    return assignments_for(assignment.rater).get(pk=assignment.pk)


def sent(assignment: Assignment, queries: int | None = None) -> list[ShownVerdict | None]:
    """Return the verdicts on the rated items that the next page would have, which is then sent."""
    work = fetched(assignment)
    items = answered_items(work)
    with CaptureQueriesContext(connection) as captured:
        attach_verdicts(work, items)
    assert queries in (None, len(captured))
    return [getattr(item, "verdict", None) for item in items]


def rate(assignment: Assignment, *positions: int, answers=ACCURATE) -> None:
    for position in positions:
        item = assignment.sheet.response.items.get(position=position)
        own = Rating.objects.filter(item=item, rater=assignment.rater, project=assignment.project).first()
        save(assignment.rater, assignment.public_id, item.public_id, Submission(answers, own.version if own else 0))


def marks(role: str = "rater") -> list[bool]:
    return list(Rating.objects.filter(role=role).order_by("item__position").values_list("verdict_shown", flat=True))


def test_before_shows_verdicts_at_once_and_each_rating_records_it(june):
    show(june, "before")
    ravi = take(june)
    assert sent(ravi)[0] == VERDICT
    rate(ravi, 0, 1, 2)
    assert marks() == [True] * 3
    assert set(RatingEvent.objects.filter(role="rater").values_list("verdict_shown", flat=True)) == {True}
    assert marks("judge") == [False] * 3
    delete_answer(ravi.rater, ravi.public_id, ravi.sheet.response.items.get(position=0).public_id, 1)
    rate(ravi, 0)
    assert marks() == [True] * 3


def test_a_rating_from_before_the_verdicts_came_records_them_only_once_it_is_changed(june):
    ravi = take(june)
    assert sent(ravi, queries=0) == [None] * 3, "a project that shows none pays nothing"
    assert not VerdictsShown.objects.exists()
    rate(ravi, 0, 1)
    show(june, "before")
    assert sent(ravi)[0] == VERDICT
    show(june, "never")
    assert sent(ravi) == [None] * 3
    rate(ravi, 1, answers=SEVERE)
    rate(ravi, 2)
    assert marks() == [False, True, True]


def test_after_shows_verdicts_on_the_finished_response_and_a_later_change_records_it(june):
    show(june, "after")
    ravi = take(june)
    assert sent(ravi) == [None] * 3
    rate(ravi, 0, 1, 2)
    finish(fetched(ravi))
    assert marks() == [False] * 3
    assert sent(ravi)[0] == VERDICT
    reopen(fetched(ravi), actor=june.people["lena"])
    assert sent(ravi) == [None] * 3  # the response is not finished any more; what was sent stays recorded
    rate(ravi, 1, answers=SEVERE)
    assert marks() == [False, True, False]


def test_it_is_about_the_rater_who_got_them_and_a_later_page_takes_two_queries(june):
    show(june, "before")
    ravi, rosa = take(june), take(june, "rosa")
    sent(ravi)
    first = VerdictsShown.objects.get()
    assert (first.person, first.response_id, first.against_id) == (ravi.rater, ravi.sheet.response_id, None)
    sent(ravi, queries=2)
    assert VerdictsShown.objects.get().first_shown_at == first.first_shown_at
    rate(rosa, 0)
    assert marks() == [False]


def test_training_qualification_and_failed_verdicts_show_none(june):
    show(june, "before")
    ravi = take(june)
    for purpose in (Purpose.TRAINING, Purpose.QUALIFICATION):
        Assignment.objects.update(purpose=purpose)
        assert sent(ravi) == [None] * 3
    Assignment.objects.update(purpose=Purpose.WORK)
    Verdict.objects.update(rating=None, state="failed", problem="no answer")
    assert sent(ravi) == [None] * 3
    rate(ravi, 0)
    assert marks() == [False]


def test_verdicts_shown_in_one_project_mark_ratings_of_the_response_in_another():
    june = judged_study("before", slug="august", prompts=2)
    july = create_project("july", june.project.dataset, june.project.protocol, overlap=2)
    for name, user in june.people.items():
        add_member(july, user, "lead" if name == "lena" else "rater")
    ravi, _rosa = take(june), take(june, "rosa")
    sent(ravi)
    for name in ("ravi", "rosa") * 2:
        work = take(Study(july, june.responses, june.people), name)
        rate(work, 0, 1, 2)
        finish(fetched(work))
    marked = Rating.objects.filter(project=july, verdict_shown=True)
    assert {(row.rater, row.item.response_id) for row in marked} == {(ravi.rater, ravi.sheet.response_id)}
    assert marked.count() == 3


def test_a_pair_is_not_its_first_response():
    june = judged_study("never", slug="august", systems=("heron", "plover"))
    ravi = take(june)
    heron, plover = (response.pk for response in june.responses)
    record_shown(ravi.rater, [(heron, plover), (plover, heron)])
    rate(ravi, 0)
    assert marks() == [False]
    record_shown(ravi.rater, [(heron, None), (plover, None), (heron, None)])
    rate(ravi, 1)
    assert marks() == [False, True]


def test_all_verdicts_of_a_project_are_those_of_judged_responses():
    june = judged_study("never", slug="august", prompts=3)
    lena, left = june.people["lena"], june.responses.pop()
    Rating.objects.filter(role="judge", item__response=left).delete()
    for _again in range(2):
        record_all_shown(lena, june.project)
    shown = VerdictsShown.objects.filter(person=lena).values_list("response", flat=True)
    assert sorted(shown) == sorted(response.pk for response in june.responses)


def test_imported_ratings_are_marked_by_their_time(june):
    rosa, (first, second, third) = june.people["rosa"], june.items()
    record_shown(rosa, [(june.responses[0].pk, None)])
    shown_at, second_of_time = VerdictsShown.objects.get().first_shown_at, timedelta(seconds=1)
    ratings = [
        NewRating(first, rosa, ACCURATE, rated_at=shown_at - second_of_time),
        NewRating(second, rosa, ACCURATE, rated_at=shown_at + second_of_time),
        NewRating(third, rosa, ACCURATE),
    ]
    store_ratings(june.project, ratings)
    assert marks() == [False, True, True]
    store_ratings(june.project, [NewRating(first, june.people["ravi"], ACCURATE)])
    assert not Rating.objects.get(rater=june.people["ravi"]).verdict_shown
