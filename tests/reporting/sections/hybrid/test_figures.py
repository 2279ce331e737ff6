"""The estimates from people and a judge: by hand, against independent code for the formula, and without them."""

import json

import numpy as np
import pytest
from scipy import stats

from annotation.models import Rating, SampledItem
from annotation.queue.exclusion import exclude
from annotation.reporting import Choices
from annotation.reporting.report_comparison import choices_of
from tests.cast import ACCURATE, CANNOT_ASSESS, study
from tests.reporting.project_rows import MILD, judge_items, report_of
from tests.reporting.sampled_studies import items_of, judge_all, random_study, rate_items, sampled_study

pytestmark = pytest.mark.django_db


def formula(unit, y, a, f, g, drawn, pi, units, level=0.95):
    """Return value, low, high and λ by the formula: θ̂, z_c, V and the least V, λ̂ and Korn-Graubard's bounds."""
    w = np.where(drawn, 1 / pi, 0.0)

    def by_unit(values):
        return np.array([values[unit == c].sum() for c in range(units)])

    alone = (w * y).sum() / (w * a).sum()
    u, v = by_unit(w * (y - alone * a)), by_unit((w - 1) * (f - alone * g))
    lam = float(np.clip(np.cov(u, v)[0, 1] / v.var(ddof=1), 0, 1))
    top = (w * y).sum() - lam * ((w - 1) * f).sum()
    bottom = (w * a).sum() - lam * ((w - 1) * g).sum()
    theta = top / bottom
    z = by_unit(w * (y - theta * a) - lam * (w - 1) * (f - theta * g))
    rated = sum(a[(unit == c) & drawn].sum() > 0 for c in range(units))
    counted = units if lam else rated  # without the judge, units without a rating are not counted, as in the report
    variance = counted / (counted - 1) * ((z - z.mean()) ** 2).sum() / bottom**2
    upper = (1 + level) / 2
    weighted = (w * a).sum() ** 2 / (w * w * a).sum()  # ratings of equal weight: no more than these, as in the report
    most = max(weighted, (g > 0).sum()) if lam else weighted
    people = rated / (rated - 1) * (u**2).sum() / (w * a).sum() ** 2
    two_differences = 2 * lam * (((w * a) ** 2).sum() / (w * a).sum() ** 2) ** 2  # two items of mean weight that differ
    least = max(variance, min(people, two_differences))
    size = min(most, theta * (1 - theta) / least) * (stats.norm.ppf(upper) / stats.t.ppf(upper, rated - 1)) ** 2
    low = stats.beta.ppf(1 - upper, theta * size, size - theta * size + 1)
    high = stats.beta.ppf(upper, theta * size + 1, size - theta * size)
    return theta, low, high, lam, z / bottom, rated - 1, counted, least - variance


HITS = {
    "accurate": ("accuracy", "accurate"),
    "inaccurate": ("accuracy", "inaccurate"),
    "severely_inaccurate": ("severity", "severe"),
}


def arrays_of(project, measure, system=None):
    """Return the arrays of the formula for one measure, read from the database row by row."""
    question, hit = HITS[measure]
    items = items_of(project)
    prompts = sorted({item.response.prompt.key for item in items})
    sampled = {row.item_id: row for row in SampledItem.objects.filter(project=project)}
    by_role = {"rater": {}, "judge": {}}
    for rating in Rating.objects.filter(project=project):
        by_role[rating.role].setdefault(rating.item_id, []).append(rating.answers)
    columns, k = [], project.overlap
    for item in (item for item in items if system in (None, item.response.system.name)):
        row = sampled[item.pk]
        (said,) = by_role["judge"].get(item.pk, [CANNOT_ASSESS])
        assessed = [answers for answers in by_role["rater"].get(item.pk, []) if answers != CANNOT_ASSESS]
        of_people = sum(answers.get(question) == hit for answers in assessed), len(assessed)
        of_judge = k * (said.get(question) == hit), k * (said != CANNOT_ASSESS)
        columns.append((prompts.index(item.response.prompt.key), *of_people, *of_judge, row.is_drawn, row.probability))
    unit, y, a, f, g, drawn, pi = map(np.array, zip(*columns, strict=True))
    return unit, y, a, f, g, drawn.astype(bool), pi, len(prompts)


@pytest.mark.parametrize("seed", range(2))
def test_random_studies_equal_independent_code_for_the_formula(seed):
    project = random_study(seed, overlap=1 + seed % 2)
    hybrid = report_of(project, judge="j").hybrid
    assert len({row.probability for row in SampledItem.objects.filter(project=project)}) > 100
    weights, expected_of = {}, {}
    for cell in (hybrid.overall, *hybrid.systems):
        for key in HITS:
            expected = expected_of[cell.system, key] = formula(*arrays_of(project, key, cell.system))
            measure = cell.measures[key]
            assert (measure.value, measure.low, measure.high, measure.lambda_) == pytest.approx(expected[:4], abs=1e-9)
            weights[cell.system, key] = measure.lambda_
    # One λ for each system and measure, also where another is best for all systems together.
    assert len({weight for weight in weights.values() if 0 < weight < 1}) >= 3
    assert weights["heron", "accurate"] != weights["tern", "accurate"] != weights["tern", "severely_inaccurate"]
    assert [(row.a, row.b, row.measure) for row in hybrid.comparisons] == [("heron", "tern", key) for key in HITS]
    for row in hybrid.comparisons:
        first, second = (expected_of[name, row.measure] for name in ("heron", "tern"))
        parts, units = first[4] - second[4], max(first[6], second[6])
        variance = units / (units - 1) * (parts**2).sum() + first[7] + second[7]
        half = stats.t.ppf(0.975, min(first[5], second[5])) * np.sqrt(variance)
        expected = (first[0] - second[0], first[0] - second[0] - half, first[0] - second[0] + half)
        assert (row.difference, row.low, row.high) == pytest.approx(expected, abs=1e-9)


def test_a_worked_example():
    """Two prompts with two sentences, one drawn of each with π = ½: people say hit and miss, the judge hit, miss; hit,
    miss, where the first of each prompt was drawn.

    w = 2 for drawn items. Σwy = 2, Σwa = 4, so people alone are at ½. u = (2·½, 2·(−½)) = (1, −1). Drawn items have
    w − 1 = 1, others −1: v = ((½) − (−½), (½) − (−½)) = (1, 1). v does not vary: λ = 0.
    """
    project = sampled_study(prompts=2, systems=("heron",), sentences=2, sample=2)
    for row in SampledItem.objects.filter(project=project).select_related("item"):
        row.is_drawn = row.item.position == 0
        row.save()
    first = sorted({item.response.key for item in items_of(project)})[0]
    rate_items(project, items_of(project, drawn=True), lambda item, _: ACCURATE if item.response.key == first else MILD)
    judge = judge_all(project, lambda item: ACCURATE if item.position == 0 else MILD)
    measure = report_of(project, judge=judge.label).hybrid.overall.measures["accurate"]
    assert (measure.value, measure.lambda_, measure.human.value, measure.human.n) == (0.5, 0, 0.5, 2)
    assert (measure.judge_alone, measure.n_judge, measure.low, measure.human.low) == (0.5, 4, None, None)
    # A second judge agrees with people on drawn items, and says miss on the others: v = (½ + ½, −½ + ½) = (1, 0),
    # λ = Cov(u, v) / Var(v) = 1 / ½ = 2, clipped to 1.
    # Σ(w−1)f = 1 and Σ(w−1)g = 0, so θ̂ = (2 − 1) / (4 − 0).
    drawn = {item.pk for item in items_of(project, drawn=True)}
    exact = judge_all(
        project, lambda item: ACCURATE if item.pk in drawn and item.response.key == first else MILD, name="exact"
    )
    measure = report_of(project, judge=exact.label).hybrid.overall.measures["accurate"]
    assert (measure.value, measure.lambda_, measure.judge_alone) == (0.25, 1, 0.25)


@pytest.fixture(scope="module")
def drawn(module_rows):
    """Return a study with a judge, and its estimates."""
    project = random_study(4, slug="drawn")
    return project, report_of(project, judge="j")


def test_a_report_without_a_judge_has_no_part_for_it(drawn):
    project, with_judge = drawn
    without = report_of(project)
    assert without.hybrid is None and b"hybrid" not in without.to_json()
    written = json.loads(with_judge.to_json())
    measure = written["hybrid"]["systems"][0]["measures"]["accurate"]
    assert list(measure) == ["value", "low", "high", "lambda", "human", "judge_alone", "n_judge"]
    assert set(measure["human"]) == {"value", "low", "high", "n", "units"}
    of_judge = ("hybrid", "judge_against_people")
    assert written["inference"].pop("constant_verdicts") == "people alone"
    assert {key: part for key, part in written.items() if key not in of_judge} == json.loads(without.to_json())
    assert choices_of(with_judge) == Choices(resamples=200, judge="j@1")


def test_drawn_items_without_a_rating_divide_the_probability_of_the_others_of_the_system():
    project = sampled_study()
    drawn = items_of(project, drawn=True)
    rated = [item for item in drawn if item.response.system.name == "tern" or item.pk % 2]
    rate_items(project, rated, lambda item, _: MILD if item.pk % 3 == 0 else ACCURATE)
    judge_all(project, lambda item: MILD if item.pk % 4 == 0 else ACCURATE)
    hybrid = report_of(project, judge="j").hybrid
    heron, tern = hybrid.systems
    assert (tern.drawn, tern.rated) == (40, 40) and (heron.drawn, heron.rated) == (40, len(rated) - 40)
    unit, y, a, f, g, is_drawn, pi, units = arrays_of(project, "accurate", "heron")
    share = heron.rated / heron.drawn
    expected = formula(unit, y, a, f, g, is_drawn & (a > 0), pi * share, units)
    measure = heron.measures["accurate"]
    assert (measure.value, measure.low, measure.high, measure.lambda_) == pytest.approx(expected[:4], abs=1e-9)


def test_ratings_that_people_could_not_assess_are_rated_and_of_a_judge_count_for_nothing():
    project = sampled_study()
    rate_items(project, items_of(project, drawn=True), lambda item, _: CANNOT_ASSESS if item.pk % 2 else ACCURATE)
    judge_all(project, lambda item: CANNOT_ASSESS if item.pk % 5 == 0 else None if item.pk % 5 == 1 else MILD)
    hybrid = report_of(project, judge="j").hybrid
    measure = hybrid.overall.measures["accurate"]
    assert hybrid.overall.rated == hybrid.overall.drawn
    assert measure.n_judge == sum(item.pk % 5 > 1 for item in items_of(project))
    assert hybrid.failed == sum(item.pk % 5 == 1 for item in items_of(project))
    assert (measure.value, measure.human.value, measure.judge_alone) == (1, 1, 0)


def test_the_choices_of_systems_narrow_the_estimates_and_excluded_responses_are_not_in_the_frame(drawn):
    project, both = drawn[0], drawn[1].hybrid
    one = report_of(project, judge="j", systems=("tern",)).hybrid
    assert [cell.system for cell in one.systems] == ["tern"]
    assert one.systems[0] == both.systems[1]
    assert one.overall.items == one.systems[0].items
    sheet = project.sheets.order_by("response__key").first()
    exclude(project, [sheet.pk], "broken")
    report = report_of(project, judge="j")
    after, judged = report.hybrid, drawn[1].judge_against_people
    assert after.overall.items == both.overall.items - 6
    assert report.judge_against_people.verdicts == judged.verdicts - 6
    assert after.units == both.units


@pytest.mark.parametrize(
    ("sample", "judged", "lacking", "reason"),
    [
        (None, 1, 0, "no sample was drawn, so"),
        (2, 0, 0, "the judge has rated none of the items"),
        (2, 1, 1, "some items have no stored probability"),
    ],
)
def test_without_a_probability_for_every_item_or_a_verdict_the_reason_is_given(sample, judged, lacking, reason):
    project = study(sample=sample).project
    judge_items(project, {("q1-heron", n): ACCURATE for n in range(judged)})
    SampledItem.objects.filter(item__position__gt=2 - lacking).delete()
    written = report_of(project, judge="j").to_dict()["hybrid"]
    assert (written["judge"], written["version"], set(written)) == ("j@1", 1, {"judge", "version", "reason"})
    assert written["reason"].startswith(reason)
