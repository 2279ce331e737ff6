"""Selecting verdicts: those that people's ratings differ from, and those with an answer."""

import pytest

from annotation.judging.verdicts import DIFFERS, verdict_options, verdicts_of
from annotation.models import Rating, Verdict
from annotation.reporting.sections.judge.comparison import compare_judge
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import DISPUTED, MILD, Row, judge_items, project_of

pytestmark = pytest.mark.django_db
PEOPLE = [
    (ACCURATE, ACCURATE, SEVERE),  # most agree with the judge
    (ACCURATE, SEVERE, SEVERE),
    (ACCURATE, SEVERE),  # tied
    (MILD, MILD),  # the same label
    (CANNOT_ASSESS, CANNOT_ASSESS),
    (SEVERE, CANNOT_ASSESS),
    (SEVERE,),  # the judge cannot assess it
    (DISPUTED,),  # no verdict
    (DISPUTED, SEVERE, ACCURATE),  # three labels
]
JUDGE = [ACCURATE, ACCURATE, ACCURATE, SEVERE, ACCURATE, ACCURATE, CANNOT_ASSESS, None, ACCURATE]


@pytest.fixture(scope="module")
def judged(module_rows):
    """Return a project with the ratings of PEOPLE, and a judge with the answers of JUDGE about its items."""
    project = project_of(
        Row("q1", "heron", rater, answers, item)
        for item, each in enumerate(PEOPLE)
        for rater, answers in zip(("ravi", "rosa", "tom"), each, strict=False)
    )
    answers = {("q1.heron", item): given for item, given in enumerate(JUDGE) if given}
    return project, judge_items(project, answers, failed=[("q1.heron", 7)])


def positions(verdicts):
    return [verdict.item.position for verdict in verdicts]


def test_verdicts_differ_where_more_than_half_of_the_assessing_ratings_have_another_label(judged):
    project, judge = judged
    judge_items(project, {("q1.heron", 0): SEVERE}, name="another")
    assert positions(verdicts_of(judge, project, state=DIFFERS)) == [1, 5, 8]
    shares = {row.item: row.unlike for row in compare_judge(project, judge).differing_items}
    assert {item for item, share in shares.items() if share > 0.5} == {1, 5, 8}


def test_ratings_that_do_not_count_or_that_a_verdict_may_have_led_are_not_asked(judged):
    project, judge = judged
    Rating.objects.filter(item__position=1, answers=SEVERE).update(verdict_shown=True)
    Rating.objects.filter(item__position=5).update(counted=False)
    assert positions(verdicts_of(judge, project, state=DIFFERS)) == [8]


def test_an_option_selects_verdicts_with_this_answer(judged):
    project, judge = judged
    assert verdict_options(project.protocol.definition)[0] == "accurate"
    assert positions(verdicts_of(judge, project, option="inaccurate")) == [3]
    assert positions(verdicts_of(judge, project, option="accurate", state=DIFFERS)) == [1, 5, 8]
    assert not verdicts_of(judge, project, option="unsupported").exists()


def test_the_list_is_in_the_order_of_verdicts_on_every_page(judged):
    project, judge = judged
    verdicts = verdicts_of(judge, project, state=DIFFERS)
    assert [*verdicts[:2], *verdicts[2:]] == list(verdicts)
    assert verdicts.count() == 3 == Verdict.objects.filter(pk__in=verdicts.values("pk")).count()
