"""A judge against people: what is compared, the figures of a small study by hand, and figures that are not defined."""

import json
import math
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.exporting.judge_card import judge_card
from annotation.models import Item, Judge, Project, Rating
from annotation.reporting import Choices
from annotation.reporting.sections.judge.accuracy import is_same_model
from annotation.reporting.sections.judge.comparison import SCHEMA, SEVERAL_FINGERPRINTS, compare_judge
from annotation.reporting.sections.judge.figures import JudgeComparison
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person
from tests.reporting.project_rows import DISPUTED, MILD, MODEL, Row, judge_items, project_of

pytestmark = pytest.mark.django_db

OTHER = {**MODEL, "temperature": 0.5}  # a second version of the judge


def rows(*items, prompt="q1", system="heron"):
    """Return the ratings of items, each a tuple with the answers of Ravi, Rosa and Tom, or None."""
    return [
        Row(prompt, system, rater, answers, item)
        for item, each in enumerate(items)
        for rater, answers in zip(("ravi", "rosa", "tom"), each, strict=False)
        if answers
    ]


def items(n: int) -> list[tuple[str, int]]:
    return [("q1.heron", position) for position in range(n)]


def said(answers: list) -> dict:
    """Return verdicts on the items of the first response."""
    return dict(zip(items(len(answers)), answers, strict=True))


def compared(project: Project, judge: Judge) -> JudgeComparison:
    return compare_judge(project, judge, Choices(resamples=200))


def test_the_reference_is_the_majority_and_ties_are_decided_by_the_newest_adjudication():
    project = project_of(
        rows(
            (ACCURATE, ACCURATE, SEVERE),
            (ACCURATE, SEVERE),  # tied, adjudicated
            (ACCURATE, DISPUTED),  # tied
            (SEVERE, MILD),
            (CANNOT_ASSESS, CANNOT_ASSESS),
            (ACCURATE,),
        )
    )
    adjudicated = Item.objects.get(position=1)
    Rating.objects.create(
        project=project, item=adjudicated, rater=person("lena"), role="adjudicator", answers=SEVERE, choices=SEVERE,
        rated_at=timezone.now(),
    )  # fmt: skip
    judge = judge_items(project, said([ACCURATE, MILD, ACCURATE, SEVERE, ACCURATE, CANNOT_ASSESS]))
    Item.objects.create(response=adjudicated.response, unit="sentence", position=6, text="unrated")
    judge_items(project, {("q1.heron", 6): ACCURATE})
    comparison = compared(project, judge)
    assert (comparison.items, comparison.verdicts) == (3, 7)
    left_out = {"not_rated": 1, "judge_cannot_assess": 1, "people_cannot_assess": 1, "tied": 1}
    assert comparison.left_out == left_out
    assert comparison.labels == ["accurate", "disputed", "unsupported", "inaccurate"]
    assert comparison.confusion == [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]]
    assert (comparison.accuracy, comparison.kappa, comparison.macro_f1) == (1, 1, 1)
    severely = comparison.detection["severely_inaccurate"]
    # The adjudication says severe, the judge not; two raters of item 3 differ in severity: it is not compared.
    assert (severely.tp, severely.fp, severely.fn, severely.tn) == (0, 0, 1, 1)
    assert (severely.precision, severely.recall, severely.f1) == (None, 0, 0)
    assert list(comparison.detection) == ["inaccurate", "severely_inaccurate", "any_problem"]


def test_people_and_judge_against_the_majority_of_the_other_raters():
    """Item 0: Tom against two that agree, Ravi and Rosa against a tie. Item 1: three agree. Item 2: two differ."""
    project = project_of(rows((ACCURATE, ACCURATE, SEVERE), (SEVERE, SEVERE, SEVERE), (ACCURATE, SEVERE), (ACCURATE,)))
    ceiling = compared(project, judge_items(project, dict.fromkeys(items(4), ACCURATE))).human_ceiling
    assert (ceiling.items, ceiling.ratings) == (3, 6)
    assert ceiling.people.accuracy == 3 / 6
    assert ceiling.judge.accuracy == 2 / 6  # Tom's others, and the one of item 2 whose other is accurate


def test_bias_is_the_judges_rate_less_peoples_by_system_length_and_position():
    heron = rows((ACCURATE, SEVERE), (ACCURATE, ACCURATE), (SEVERE, SEVERE), (SEVERE, SEVERE))
    other = rows((ACCURATE, ACCURATE), (ACCURATE, ACCURATE), (SEVERE, SEVERE), (SEVERE, SEVERE), system="tern")
    project = project_of([*heron, *other])
    for item in Item.objects.all():
        item.text = "word " * (1 + 10 * item.position)
        item.save()
    accurate = {"heron": 3, "tern": 2}
    comparison = compared(project, judge_items(project, {
        (f"q1.{system}", n): ACCURATE if n < accurate[system] else SEVERE for system in accurate for n in range(4)
    }))  # fmt: skip
    heron_group, tern_group = comparison.by["system"]
    measure = heron_group.measures["accurate"]
    assert (heron_group.value, heron_group.items, measure.items) == ("heron", 3, 4)  # one item is tied
    assert (measure.people, measure.judge, measure.difference) == (1.5 / 4, 3 / 4, 1.5 / 4)
    assert tern_group.measures["accurate"].difference == 0
    assert (heron_group.accuracy, tern_group.accuracy) == (2 / 3, 1)
    own = comparison.own_model
    assert (own.systems, own.difference, own.low) == (["heron"], 1.5 / 4, None)
    lengths = [(group.value, group.items) for group in comparison.by["length"]]
    assert lengths == [("1", 1), ("11", 2), ("21", 2), ("31", 2)]
    assert [group.value for group in comparison.by["position"]] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("system", "model", "same"),
    [
        ("GPT-4o", "openai/gpt-4o-2024-08-06", True),
        ("vendor/heron-2", "heron-2", True),
        ("heron", "tern-1", False),
        ("heron", "", False),
        ("a", "large-1", False),
    ],
)
def test_a_system_is_of_the_judges_model_if_one_name_contains_the_other(system, model, same):
    assert is_same_model(system, model) is same


def test_calibration_and_consistency_over_samples():
    project = project_of(rows(*[(ACCURATE,)] * 4))
    first, second, third, _ = items(4)
    votes = {first: [ACCURATE] * 3, second: [ACCURATE, SEVERE, None], third: [SEVERE, MILD, SEVERE]}
    given, confidence = said([ACCURATE, ACCURATE, SEVERE, ACCURATE]), {first: 1.0, second: 0.35, third: 1.0}
    comparison = compared(project, judge_items(project, given, confidence=confidence, votes=votes))
    assert (comparison.calibration.n, comparison.calibration.brier) == (3, pytest.approx((0.65**2 + 1) / 3))
    assert comparison.calibration.ece == pytest.approx(1 / 3 * 0.65 + 2 / 3 * 0.5)
    assert [each.n for each in comparison.calibration.bins] == [0, 0, 0, 1, 0, 0, 0, 0, 0, 2]
    consistency = comparison.consistency  # severe or not: the same answer to the checked question
    assert (consistency.items, consistency.all_agree) == (3, pytest.approx(2 / 3))
    assert consistency.mean_agreement == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert (comparison.cost_usd.total, comparison.cost_usd.per_item) == (1.0, 0.25)


def changes_of(drift) -> list[tuple[str, str, int]]:
    return [(change.before, change.after, change.items) for change in drift.changes]


def test_versions_and_runs_are_compared_on_the_same_items():
    project = project_of(rows(*[(ACCURATE,)] * 4))
    first = judge_items(project, dict.fromkeys(items(3), ACCURATE))
    second = judge_items(project, dict.fromkeys(items(2), SEVERE), settings=OTHER)
    judge_items(project, dict.fromkeys(items(4)[2:], ACCURATE), settings=OTHER)
    comparison = compared(project, second)
    (drift,) = comparison.versions
    assert (drift.judge, drift.items, drift.compared_items, drift.is_repetition) == (first.label, 3, 3, False)
    assert (drift.same, drift.accuracy, drift.other_accuracy) == (1 / 3, 1 / 3, 1)
    assert changes_of(drift) == [("accurate", "inaccurate", 2)]
    assert (drift.same_low, drift.kappa) == (None, 0)  # one prompt
    assert drift.difference == pytest.approx(-2 / 3)
    assert [(run.run, run.items, run.accuracy) for run in comparison.runs] == [(1, 2, 0), (2, 2, 1)]


def test_versions_are_compared_on_all_items_and_can_t_assess_is_an_answer_but_not_right_or_wrong():
    project = project_of([row for n in range(12) for row in rows((ACCURATE,), prompt=f"q{n:02}")])
    Item.objects.bulk_create(
        Item(response=item.response, unit="sentence", position=1, text="unrated") for item in Item.objects.all()
    )
    both = [(f"q{n:02}.heron", position) for n in range(12) for position in range(2)]
    judge_items(project, dict.fromkeys(both, ACCURATE))
    given = dict(zip(both, [CANNOT_ASSESS] * 2 + [MILD] * 4 + [ACCURATE] * 14, strict=False))
    (drift,) = compared(project, judge_items(project, given, settings=OTHER)).versions
    assert (drift.items, drift.same, drift.compared_items) == (20, 14 / 20, 9)
    assert changes_of(drift) == [("accurate", "inaccurate", 4), ("accurate", "cannot_assess", 2)]
    assert drift.same_low < 14 / 20 < drift.same_high
    assert (drift.accuracy, drift.other_accuracy, drift.low) == (7 / 9, 1, None)  # nine prompts


def test_quarters_have_about_equally_many_items_and_equal_numbers_in_one():
    project = project_of(rows(*[(ACCURATE,)] * 10))
    judge = judge_items(project, said([ACCURATE] * 5 + [SEVERE] * 5))
    now, verdicts = timezone.now(), Rating.objects.filter(role="judge")
    for n, rating in enumerate(verdicts.order_by("item__position")):
        verdicts.filter(pk=rating.pk).update(rated_at=now - timedelta(minutes=n))
    by = compared(project, judge).by
    positions, times = (
        [(group.value, group.items, group.accuracy) for group in by[key]] for key in ("position", "time")
    )
    assert positions == [("1–2", 2, 1), ("3–5", 3, 1), ("6–7", 2, 0), ("8–10", 3, 0)]
    assert times == [("1–2", 2, 0), ("3–5", 3, 0), ("6–7", 2, 1), ("8–10", 3, 1)]
    assert [(group.value, group.items) for group in by["length"]] == [("2", 10)]
    verdicts.update(rated_at=now)
    assert [group.value for group in compared(project, judge).by["time"]] == ["1"]


def test_system_fingerprints_have_their_accuracy_and_a_warning_and_stand_on_the_card():
    project = project_of(rows(*[(ACCURATE,)] * 4))
    names = said(["fp_1", "fp_1", "fp_2", ""])
    judge = judge_items(project, said([ACCURATE, SEVERE, ACCURATE, ACCURATE]), fingerprints=names)
    Judge.objects.update(returned_model="heron-2-2026")
    judge.refresh_from_db()
    comparison = compared(project, judge)
    found = [(row.fingerprints, row.items, row.accuracy) for row in comparison.fingerprints]
    assert found == [("fp_1", 2, 0.5), ("fp_2", 1, 1)]
    assert SEVERAL_FINGERPRINTS in comparison.notes
    assert comparison.to_dict()["judge"]["returned_model"] == "heron-2-2026"
    card = judge_card(comparison, project.protocol.definition)
    assert "- The endpoint answered as: heron-2-2026" in card
    assert "| fp\\_2 | 1 | 100.0 % |" in card
    comparison = compared(project, judge_items(project, said([ACCURATE]), settings=OTHER))
    assert SEVERAL_FINGERPRINTS not in comparison.notes
    assert "fingerprints" not in comparison.to_dict() and "returned_model" not in comparison.to_dict()["judge"]


def test_items_that_differ_most_come_first():
    project = project_of(rows((ACCURATE, SEVERE, SEVERE), (SEVERE, SEVERE), (SEVERE,), (SEVERE,), (ACCURATE,)))
    _, _, third, fourth, _ = items(5)
    judge = judge_items(project, dict.fromkeys(items(5), ACCURATE), confidence={fourth: 0.9, third: 0.4})
    differing = compared(project, judge).differing_items
    assert [row.item for row in differing] == [1, 3, 2, 0]
    first = differing[0]
    assert (first.judge, first.people, first.reason) == ("accurate", {"inaccurate": 2}, "as judged")
    assert differing[3].unlike == 2 / 3


def test_intervals_are_by_prompt_and_absent_with_few_prompts():
    many = [row for n in range(12) for row in rows((ACCURATE,), (SEVERE if n % 3 else ACCURATE,), prompt=f"q{n:02}")]
    project = project_of(many)
    judge = judge_items(project, {(f"q{n:02}.heron", item): ACCURATE for n in range(12) for item in range(2)})
    comparison = compared(project, judge)
    low, high = comparison.intervals["accuracy"]
    assert low < comparison.accuracy == 16 / 24 < high
    assert comparison.measures["accurate"].low < 1 / 3 < comparison.measures["accurate"].high
    one_system = compare_judge(project, judge, Choices(resamples=200, systems=("heron",)))
    assert one_system.accuracy == comparison.accuracy
    alone = project_of(rows((ACCURATE,), (SEVERE,)), slug="july")
    judge_items(alone, dict.fromkeys(items(2), ACCURATE))
    assert set(compared(alone, judge).intervals.values()) == {None}


def test_without_a_common_item_every_figure_is_null_and_never_0_or_nan():
    project = project_of(rows((CANNOT_ASSESS,)))
    judge = judge_items(project, said([ACCURATE]), settings={"rule": "always-accurate"})
    written = json.loads(compared(project, judge).to_json(), parse_constant=lambda name: 1 / 0)
    assert (written["schema"], written["items"], written["left_out"]) == (SCHEMA, 0, {"people_cannot_assess": 1})
    for path in (
        "accuracy", "kappa", "kappa_quadratic", "macro_f1", "detection.inaccurate.f1", "human_ceiling.people.accuracy",
        "calibration.ece", "measures.accurate.difference", "consistency.all_agree", "alternative_annotator.passes",
        "own_model", "judge.prompt_sha256",
    ):  # fmt: skip
        figure = written
        for key in path.split("."):
            figure = figure[key]
        assert figure is None, path
    comparison = compared(project_of([], "empty"), judge)
    assert (comparison.items, comparison.accuracy, comparison.differing_items) == (0, None, [])


def test_the_alternative_annotator_test_is_that_of_the_raters():
    answers = [ACCURATE if n % 4 else SEVERE for n in range(40)]
    project = project_of([row for n, each in enumerate(answers) for row in rows((each,) * 3, prompt=f"q{n:02}")])
    judge = judge_items(project, {(f"q{n:02}.heron", 0): each for n, each in enumerate(answers)})
    test = compared(project, judge).alternative_annotator
    assert (test.raters, test.tested, test.winning_rate, test.passes) == (3, 3, 1, True)
    assert math.isclose(test.advantage, 1)
