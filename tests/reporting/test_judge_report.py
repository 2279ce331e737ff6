"""A judge against people: what is compared, the figures of a small study by hand, and figures that are not defined."""

import json
import math
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.exporting.judge_card import judge_card
from annotation.judging.judges import Configuration
from annotation.models import Item, Judge, Rating
from annotation.reporting import Choices
from annotation.reporting.compute.judge_groups import is_same_model
from annotation.reporting.judge_report import SCHEMA, SEVERAL_FINGERPRINTS, compare_judge
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person
from tests.reporting.judged_rows import MODEL, judge_items
from tests.reporting.project_rows import DISPUTED, MILD, Row, project_of

pytestmark = pytest.mark.django_db

UNSUPPORTED = {"accuracy": "unsupported", "severity": "not_severe"}
RULE = Configuration(rule="always-accurate")
CHOICES = Choices(resamples=200)


def rows(*items, prompt="q1", system="heron", raters=("ravi", "rosa", "tom")):
    """Return the ratings of items, each a tuple with the answers of Ravi, Rosa and Tom, or None."""
    return [
        Row(prompt, system, rater, answers, item)
        for item, each in enumerate(items)
        for rater, answers in zip(raters, each, strict=False)
        if answers
    ]


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
    given = [ACCURATE, MILD, ACCURATE, SEVERE, ACCURATE, CANNOT_ASSESS]
    judge = judge_items(project, {("q1.heron", n): answers for n, answers in enumerate(given)})
    Item.objects.create(response=adjudicated.response, unit="sentence", position=6, text="unrated")
    judge_items(project, {("q1.heron", 6): ACCURATE})
    comparison = compare_judge(project, judge, CHOICES)
    assert (comparison.items, comparison.verdicts) == (3, 7)
    assert comparison.left_out == {
        "not_rated": 1, "judge_cannot_assess": 1, "people_cannot_assess": 1, "tied": 1
    }  # fmt: skip
    assert comparison.labels == ["accurate", "disputed", "unsupported", "inaccurate"]
    assert comparison.confusion == [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]]
    assert (comparison.accuracy, comparison.kappa, comparison.macro_f1) == (1, 1, 1)
    severely = comparison.detection["severely_inaccurate"]
    # The adjudication says severe, the judge not; two raters of item 3 differ in severity: it is not compared.
    assert (severely.tp, severely.fp, severely.fn, severely.tn) == (0, 0, 1, 1)
    assert (severely.precision, severely.recall, severely.f1) == (None, 0, 0)
    assert list(comparison.detection) == ["inaccurate", "severely_inaccurate", "any_problem"]


def test_people_and_judge_against_the_majority_of_the_other_raters():
    project = project_of(rows((ACCURATE, ACCURATE, SEVERE), (SEVERE, SEVERE, SEVERE), (ACCURATE, SEVERE), (ACCURATE,)))
    judge = judge_items(project, {("q1.heron", n): ACCURATE for n in range(4)})
    ceiling = compare_judge(project, judge, CHOICES).human_ceiling
    # Item 0: Tom against two that agree, Ravi and Rosa against a tie. Item 1: three agree. Item 2: two differ.
    assert (ceiling.items, ceiling.ratings) == (3, 6)
    assert ceiling.people.accuracy == ceiling.accuracy == 3 / 6
    assert ceiling.judge.accuracy == 2 / 6  # Tom's others, and the one of item 2 whose other is accurate


def test_bias_is_the_judges_rate_less_peoples_by_system_length_and_position():
    heron = rows((ACCURATE, SEVERE), (ACCURATE, ACCURATE), (SEVERE, SEVERE), (SEVERE, SEVERE))
    other = rows((ACCURATE, ACCURATE), (ACCURATE, ACCURATE), (SEVERE, SEVERE), (SEVERE, SEVERE), system="tern")
    project = project_of([*heron, *other])
    for item in Item.objects.all():
        item.text = "word " * (1 + 10 * item.position)
        item.save()
    judge = judge_items(
        project,
        {(f"q1.{system}", n): ACCURATE if n < (3 if system == "heron" else 2) else SEVERE
         for system in ("heron", "tern") for n in range(4)},
    )  # fmt: skip
    comparison = compare_judge(project, judge, CHOICES)
    heron_group, tern_group = comparison.by["system"]
    accurate = heron_group.measures["accurate"]
    assert (heron_group.value, heron_group.items, accurate.items) == ("heron", 3, 4)  # one item is tied
    assert (accurate.people, accurate.judge, accurate.difference) == (1.5 / 4, 3 / 4, 1.5 / 4)
    assert tern_group.measures["accurate"].difference == 0
    assert (heron_group.accuracy, tern_group.accuracy) == (2 / 3, 1)
    assert comparison.own_model.systems == ["heron"]
    assert comparison.own_model.difference == 1.5 / 4
    assert comparison.own_model.low is None
    assert [(group.value, group.items) for group in comparison.by["length"]] == [
        ("1", 1), ("11", 2), ("21", 2), ("31", 2)
    ]  # fmt: skip
    assert [group.value for group in comparison.by["position"]] == ["1", "2", "3", "4"]


def test_quarters_have_about_equally_many_items_and_equal_numbers_in_one():
    project = project_of(rows(*[(ACCURATE,)] * 10))
    judge = judge_items(project, {("q1.heron", n): ACCURATE for n in range(10)})
    by_position = compare_judge(project, judge, CHOICES).by["position"]
    assert [(group.value, group.items) for group in by_position] == [("1–2", 2), ("3–5", 3), ("6–7", 2), ("8–10", 3)]
    (by_length,) = compare_judge(project, judge, CHOICES).by["length"]
    assert (by_length.value, by_length.items) == ("2", 10)


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
    items = [("q1.heron", n) for n in range(4)]
    votes = {items[0]: [ACCURATE] * 3, items[1]: [ACCURATE, SEVERE, None], items[2]: [SEVERE, MILD, SEVERE]}
    given = dict(zip(items, [ACCURATE, ACCURATE, SEVERE, ACCURATE], strict=True))
    judge = judge_items(project, given, confidence={items[0]: 1.0, items[1]: 0.35, items[2]: 1.0}, votes=votes)
    comparison = compare_judge(project, judge, CHOICES)
    assert (comparison.calibration.n, comparison.calibration.brier) == (3, pytest.approx((0.65**2 + 1) / 3))
    assert comparison.calibration.ece == pytest.approx(1 / 3 * 0.65 + 2 / 3 * 0.5)
    assert [each.n for each in comparison.calibration.bins] == [0, 0, 0, 1, 0, 0, 0, 0, 0, 2]
    consistency = comparison.consistency  # severe or not: the same answer to the checked question
    assert (consistency.items, consistency.all_agree) == (3, pytest.approx(2 / 3))
    assert consistency.mean_agreement == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert (comparison.cost_usd.total, comparison.cost_usd.per_item) == (1.0, 0.25)


def test_versions_and_runs_are_compared_on_the_same_items():
    project = project_of(rows(*[(ACCURATE,)] * 4))
    items = [("q1.heron", n) for n in range(4)]
    first = judge_items(project, dict.fromkeys(items[:3], ACCURATE))
    second = judge_items(project, dict.fromkeys(items[:2], SEVERE), configuration=replace(MODEL, temperature=0.5))
    judge_items(project, dict.fromkeys(items[2:], ACCURATE), configuration=replace(MODEL, temperature=0.5))
    (drift,) = compare_judge(project, second, CHOICES).versions
    assert (drift.judge, drift.items, drift.compared_items, drift.is_repetition) == (first.label, 3, 3, False)
    assert (drift.same, drift.accuracy, drift.other_accuracy) == (1 / 3, 1 / 3, 1)
    assert [(change.before, change.after, change.items) for change in drift.changes] == [("accurate", "inaccurate", 2)]
    assert (drift.same_low, drift.kappa) == (None, 0)  # one prompt
    assert drift.difference == pytest.approx(-2 / 3)
    runs = compare_judge(project, second, CHOICES).runs
    assert [(run.run, run.items, run.accuracy) for run in runs] == [(1, 2, 0), (2, 2, 1)]


def test_versions_are_compared_on_all_items_and_can_t_assess_is_an_answer_but_not_right_or_wrong():
    project = project_of([row for n in range(12) for row in rows((ACCURATE,), prompt=f"q{n:02}")])
    Item.objects.bulk_create(
        Item(response=item.response, unit="sentence", position=1, text="unrated") for item in Item.objects.all()
    )
    items = [(f"q{n:02}.heron", position) for n in range(12) for position in range(2)]
    judge_items(project, dict.fromkeys(items, ACCURATE))
    second = judge_items(
        project,
        {item: (CANNOT_ASSESS if n < 2 else MILD if n < 6 else ACCURATE) for n, item in enumerate(items[:20])},
        configuration=replace(MODEL, temperature=0.5),
    )
    (drift,) = compare_judge(project, second, CHOICES).versions
    assert (drift.items, drift.same, drift.compared_items) == (20, 14 / 20, 9)
    assert [(change.before, change.after, change.items) for change in drift.changes] == [
        ("accurate", "inaccurate", 4),
        ("accurate", "cannot_assess", 2),
    ]
    assert drift.same_low < 14 / 20 < drift.same_high
    assert (drift.accuracy, drift.other_accuracy, drift.low) == (7 / 9, 1, None)  # nine prompts


def test_accuracy_by_the_order_of_the_verdicts():
    project = project_of(rows(*[(ACCURATE,)] * 8))
    judge = judge_items(project, {("q1.heron", n): ACCURATE if n < 4 else SEVERE for n in range(8)})
    for n, rating in enumerate(Rating.objects.filter(role="judge").order_by("item__position")):
        Rating.objects.filter(pk=rating.pk).update(rated_at=timezone.now() + timedelta(minutes=-n))
    by_time = compare_judge(project, judge, CHOICES).by["time"]
    found = [(group.value, group.items, group.accuracy) for group in by_time]
    assert found == [("1–2", 2, 0), ("3–4", 2, 0), ("5–6", 2, 1), ("7–8", 2, 1)]
    Rating.objects.filter(role="judge").update(rated_at=timezone.now())
    assert [group.value for group in compare_judge(project, judge, CHOICES).by["time"]] == ["1"]


def test_system_fingerprints_have_their_accuracy_and_a_warning_and_stand_on_the_card():
    project = project_of(rows(*[(ACCURATE,)] * 4))
    items = [("q1.heron", n) for n in range(4)]
    names = dict(zip(items, ("fp_1", "fp_1", "fp_2", ""), strict=True))
    given = dict(zip(items, (ACCURATE, SEVERE, ACCURATE, ACCURATE), strict=True))
    judge = judge_items(project, given, fingerprints=names)
    Judge.objects.update(returned_model="heron-2-2026")
    judge.refresh_from_db()
    comparison = compare_judge(project, judge, CHOICES)
    assert [(row.fingerprints, row.items, row.accuracy) for row in comparison.fingerprints] == [
        ("fp_1", 2, 0.5), ("fp_2", 1, 1)
    ]  # fmt: skip
    assert SEVERAL_FINGERPRINTS in comparison.notes
    assert comparison.to_dict()["judge"]["returned_model"] == "heron-2-2026"
    card = judge_card(comparison, project.protocol.definition)
    assert "- The endpoint answered as: heron-2-2026" in card
    assert "- System fingerprint fp\\_2: accuracy 100.0 % on 1 items" in card
    nameless = judge_items(project, {items[0]: ACCURATE}, configuration=replace(MODEL, temperature=0.5))
    comparison = compare_judge(project, nameless, CHOICES)
    assert SEVERAL_FINGERPRINTS not in comparison.notes
    assert "fingerprints" not in comparison.to_dict() and "returned_model" not in comparison.to_dict()["judge"]


def test_items_that_differ_most_come_first():
    project = project_of(rows((ACCURATE, SEVERE, SEVERE), (SEVERE, SEVERE), (SEVERE,), (SEVERE,), (ACCURATE,)))
    items = [("q1.heron", n) for n in range(5)]
    judge = judge_items(project, dict.fromkeys(items, ACCURATE), confidence={items[3]: 0.9, items[2]: 0.4})
    differing = compare_judge(project, judge, CHOICES).differing_items
    assert [row.item for row in differing] == [1, 3, 2, 0]
    first = differing[0]
    assert (first.judge, first.people, first.reason) == ("accurate", {"inaccurate": 2}, "as judged")
    assert differing[3].unlike == 2 / 3


def test_intervals_are_by_prompt_and_absent_with_few_prompts():
    many = [row for n in range(12) for row in rows((ACCURATE,), (SEVERE if n % 3 else ACCURATE,), prompt=f"q{n:02}")]
    project = project_of(many)
    judge = judge_items(project, {(f"q{n:02}.heron", item): ACCURATE for n in range(12) for item in range(2)})
    comparison = compare_judge(project, judge, CHOICES)
    low, high = comparison.intervals["accuracy"]
    assert low < comparison.accuracy == 16 / 24 < high
    assert comparison.measures["accurate"].low < 1 / 3 < comparison.measures["accurate"].high
    few = compare_judge(project, judge, Choices(resamples=200, metadata=(), systems=("heron",)))
    assert few.accuracy == comparison.accuracy
    alone = project_of(rows((ACCURATE,), (SEVERE,)), slug="july")
    judge_items(alone, {("q1.heron", 0): ACCURATE, ("q1.heron", 1): ACCURATE})
    assert set(compare_judge(alone, judge, CHOICES).intervals.values()) == {None}


def test_without_a_common_item_every_figure_is_null_and_never_0_or_nan():
    project = project_of(rows((CANNOT_ASSESS,)))
    judge = judge_items(project, {("q1.heron", 0): ACCURATE}, configuration=RULE)
    written = json.loads(compare_judge(project, judge, CHOICES).to_json(), parse_constant=lambda name: 1 / 0)
    assert (written["schema"], written["items"], written["left_out"]) == (SCHEMA, 0, {"people_cannot_assess": 1})
    assert [written[key] for key in ("accuracy", "kappa", "kappa_quadratic", "macro_f1")] == [None] * 4
    assert written["detection"]["inaccurate"]["f1"] is None
    assert written["human_ceiling"]["people"]["accuracy"] is None
    assert written["calibration"]["ece"] is None
    assert written["measures"]["accurate"]["difference"] is None
    assert written["consistency"]["all_agree"] is None
    assert written["alternative_annotator"]["passes"] is None
    assert written["own_model"] is None
    assert written["judge"]["prompt_sha256"] is None
    empty = project_of([], "empty")
    comparison = compare_judge(empty, judge, CHOICES)
    assert (comparison.items, comparison.accuracy, comparison.differing_items) == (0, None, [])


def test_the_alternative_annotator_test_is_that_of_the_raters():
    answers = [(ACCURATE, ACCURATE, ACCURATE) if n % 4 else (SEVERE, SEVERE, SEVERE) for n in range(40)]
    project = project_of([row for n, each in enumerate(answers) for row in rows(each, prompt=f"q{n:02}")])
    judge = judge_items(project, {(f"q{n:02}.heron", 0): each[0] for n, each in enumerate(answers)})
    test = compare_judge(project, judge, CHOICES).alternative_annotator
    assert (test.raters, test.tested, test.winning_rate, test.passes) == (3, 3, 1, True)
    assert math.isclose(test.advantage, 1)
