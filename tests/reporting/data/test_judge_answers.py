"""What says how good a judge is: no ratings that its verdicts may have led, and no items that tuned its prompt."""

import json

import pytest

from annotation.judging.judges import create_judge, find_judge
from annotation.judging.run import run_judge
from annotation.judging.tuning import record_tuning
from annotation.models import Item, Judge, Rating
from annotation.rating.shown_verdicts import record_shown
from annotation.reporting import Choices, build
from annotation.reporting.data.groups import cells_of
from annotation.reporting.data.judge_answers import read_judge_answers, tuning_items
from annotation.reporting.data.sample import read_sample_frame
from annotation.reporting.data.study import read_study
from annotation.reporting.sections.hybrid.figures import HybridData
from annotation.reporting.sections.hybrid.tables import hybrid_note
from annotation.reporting.sections.judge.comparison import compare_judge
from annotation.reporting.text.names import Names
from annotation.reporting.text.notes import verdicts_note
from annotation.reviewing.adjudication import adjudicate
from tests.cast import ACCURATE, SEVERE, person
from tests.reporting.project_rows import opposite_raters, project_of, report_of
from tests.reporting.sampled_studies import items_of, random_study

pytestmark = pytest.mark.django_db
CHOICES = Choices(resamples=100)
JUDGED = Choices(resamples=100, judge="j")


@pytest.fixture(scope="module")
def project(module_rows):
    return project_of(opposite_raters(20))


@pytest.fixture(scope="module")
def judge(project):
    """Return a judge that finds every sentence accurate."""
    judge, _is_new = create_judge(Judge(name="rule", rule="always-accurate"))
    run_judge(judge, project)
    return judge


@pytest.fixture(scope="module")
def before(project, judge):
    return compare_judge(project, judge, CHOICES)


@pytest.fixture(scope="module")
def sampled(module_rows):
    return random_study(7, slug="sampled")


def mark_of_kim(project, n: int) -> None:
    own = Rating.objects.filter(project=project, role="rater", counted=True, rater__username="kim").order_by("pk")
    own.filter(pk__in=[rating.pk for rating in own[:n]]).update(verdict_shown=True)


def test_they_count_and_their_number_is_stated_where_there_are_some(project):
    before = report_of(project)
    assert "verdict_shown" not in json.loads(before.to_json())["data"]
    assert verdicts_note(before) == ""
    mark_of_kim(project, 3)
    report = report_of(project)
    assert report.data.verdict_shown == 3
    assert report.overall == before.overall and report.data.ratings == before.data.ratings
    assert verdicts_note(report).startswith(f"3 of {before.data.ratings} ratings were given or changed after the")
    assert report_of(project, without_raters=("kim",)).data.verdict_shown is None, "only those in the report count"


def test_a_comparison_excludes_ratings_after_verdicts_and_counts_them(project, judge, before):
    reasons = ("tuned", "failed", "verdict_shown", "adjudications_verdict_shown", "not_drawn", "skipped")
    assert before.excluded == dict.fromkeys(reasons, 0)
    of_kim = Rating.objects.filter(project=project, rater__username="kim", counted=True).count()
    mark_of_kim(project, of_kim)
    after = compare_judge(project, judge, CHOICES)
    assert after.excluded == {**before.excluded, "verdict_shown": of_kim}
    Rating.objects.update(verdict_shown=False)
    without_kim = compare_judge(project, judge, Choices(resamples=100, without_raters=("kim",)))
    for figure in ("items", "accuracy", "confusion"):
        assert getattr(after, figure) == getattr(without_kim, figure)


def test_an_adjudication_after_verdicts_resolves_no_tie(project, judge):
    Rating.objects.filter(project=project, rater__username__in=["ravi", "rosa"]).delete()  # Kim and Bo always differ
    lena, item = person("lena"), Item.objects.filter(ratings__project=project).first()
    tied = compare_judge(project, judge, CHOICES)
    adjudicate(project, item, ACCURATE, "It is in the abstract.", lena)
    decided = compare_judge(project, judge, CHOICES)
    assert (decided.items, decided.left_out["tied"]) == (tied.items + 1, tied.left_out["tied"] - 1)
    assert decided.excluded["adjudications_verdict_shown"] == 0
    record_shown(lena, [(item.response_id, item.against_id)])
    adjudicate(project, item, SEVERE, "It is not in the abstract.", lena)
    led = compare_judge(project, judge, CHOICES)
    assert led.excluded["adjudications_verdict_shown"] == 1
    assert (led.items, led.confusion, led.left_out) == (tied.items, tied.confusion, tied.left_out)


def test_a_comparison_excludes_the_items_that_tuned_the_prompt_also_of_an_earlier_version(project, judge, before):
    items = list(judge.verdicts.order_by("pk").values_list("item", flat=True))
    record_tuning(judge, items)
    after = compare_judge(project, judge, CHOICES)
    assert after.excluded["tuned"] == after.left_out["tuned"] == len(items)
    assert (before.items > 0, after.verdicts, after.items) == (True, before.verdicts, 0)
    for name, tuned in (("rule", set(items)), ("another", set())):
        other, _is_new = create_judge(Judge(name=name, rule="numbers"))
        assert tuning_items(other) == tuned


def test_an_estimate_with_the_judge_excludes_both_and_counts_them(sampled):
    before = build(sampled, JUDGED).hybrid
    assert (before.tuned, before.verdict_shown) == (None, None)
    rated = list(Rating.objects.filter(project=sampled, role="rater").order_by("pk"))
    Rating.objects.filter(pk__in=[rating.pk for rating in rated[:9]]).update(verdict_shown=True)
    record_tuning(find_judge("j"), [rating.item_id for rating in rated[-5:]])
    report = build(sampled, JUDGED)
    after = report.hybrid
    assert (after.tuned, after.verdict_shown, report.data.verdict_shown) == (5, 9, 9)
    assert after.overall.items == before.overall.items - 5
    assert after.overall.rated == before.overall.rated - 14
    assert after.overall.measures["accurate"].n_judge < before.overall.measures["accurate"].n_judge


def test_an_estimate_states_what_it_assumes_of_tuning_items_and_keeps_the_size_of_the_population(sampled):
    judge, protocol = find_judge("j"), sampled.protocol.definition
    drawn = [item.pk for item in items_of(sampled, drawn=True)]
    record_tuning(judge, drawn[::2])
    note = hybrid_note(build(sampled, JUDGED), Names(protocol))
    assert "assume that these are a random part of what was drawn" in note
    frame = read_sample_frame(sampled, CHOICES, "prompt").with_tuned(tuning_items(judge))
    answers = {row.item_id: row for row in read_judge_answers(judge, sampled).rows}
    table = read_study(sampled, CHOICES).ratings
    data = HybridData(frame, table, cells_of(protocol, table), answers, sampled.overlap)
    assert data.has_rating.sum() == len(drawn) - len(drawn[::2])
    assert data.verdict_weight.sum() == pytest.approx(len(frame.items), rel=0.05)
    assert (data.has_rating / data.probability).sum() == pytest.approx(len(frame.items), rel=0.15)


def test_there_is_no_estimate_from_adjudications_made_beside_verdicts(sampled):
    written = build(sampled, Choices(resamples=100, judge="j", answers="adjudicated")).hybrid
    assert "choose the raters' answers (--answers raw)" in written.reason
    assert written.overall is None
