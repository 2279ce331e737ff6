"""The planner for programs: the figures of its page, defaults from the project, and what a judge adds."""

import pytest

from annotation.api.planner import PlannerFiguresSerializer
from annotation.models import Item
from annotation.projects.project_settings import change_settings
from annotation.reporting.live import live_figures
from annotation.reporting.planning.hybrid import hybrid_plan_data, hybrid_plans
from annotation.reporting.planning.plans import sample_plan
from annotation.web.reports.planner_form import PERCENTAGES, PlanForm
from tests.api.clients import send
from tests.cast import ACCURATE, person, signed_in, study
from tests.judging.judges import rule_judge
from tests.reporting.project_rows import MILD, judge_items, project_of, two_systems
from tests.reporting.sampled_studies import items_of, judge_all, rate_items, sampled_study, study_with_good_judge
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
PLANNER = "projects/june/planner/"
JUDGE = "projects/{}/planner/judge/"
TEXTBOOK = {
    "half_width": 0.05, "share": 0.5, "difference": 0.1, "power": 0.8, "pairs": 1, "prompts": 100,
    "prompts_per_document": 1, "document_variation": 0, "sentences": 1, "variation": 0, "excluded": 0, "overlap": 1,
    "systems": 1, "raters": 3, "seconds": 36, "icc_document": 0, "icc": 0.1, "icc_sentence": 0.5, "icc_rater": 0.02,
    "correlation": 0,
}  # fmt: skip


def of_page(figures, unit):
    """Return what the page computes from the figures of the API."""
    names = {"excluded": "left_out"}
    values = {names.get(name, name): value for name, value in figures.items()}
    shown = {name: 100 * value if name in PERCENTAGES else value for name, value in values.items()}
    form = PlanForm({**shown, "unit": unit})
    assert form.is_valid()
    return sample_plan(form.figures(), unit)


@pytest.mark.parametrize("unit", ["prompt", "document"])
def test_the_figures_are_those_of_the_page(unit, lena):
    query = "&".join(f"{name}={value}" for name, value in TEXTBOOK.items())
    status, plan = send(lena, "GET", f"{PLANNER}?{query}&unit={unit}")
    page = of_page(TEXTBOOK, unit)
    assert (status, plan["figures"], plan["usual"]) == (200, TEXTBOOK, [])
    assert [(row["units"], row["prompts"], row["ratings"], row["hours"]) for row in plan["margins"]] == [
        (row.plan.units, row.plan.prompts, row.ratings, row.hours) for row in page.margins
    ]
    assert [(row["raters"], row["units"], row["detectable"], row["too_few_raters"]) for row in plan["differences"]] == [
        (row.raters, row.plan.units, row.detectable, row.too_few_raters) for row in page.differences
    ]
    assert [row["half_width_more_units"] for row in plan["same_work"]] == [
        row.half_width_more_units for row in page.same_work
    ]
    assert (plan["half_width"], plan["units"], plan["ratings"]) == (page.half_width, page.units, page.ratings)
    assert (plan["least_half_width"], plan["alpha_each"]) == (page.least_half_width, page.alpha_each)


def test_more_prompts_give_a_smaller_margin_and_no_other_figure_changes(lena):
    few, many = (send(lena, "GET", f"{PLANNER}?prompts={prompts}")[1] for prompts in (50, 200))
    assert many["half_width"] < few["half_width"] and many["ratings"] == 4 * few["ratings"]
    assert few["figures"] | {"prompts": 200} == many["figures"]


def test_without_parameters_the_figures_are_the_project_s_and_those_of_the_page(lena):
    change_settings(project_of(two_systems(), "own"), {"target_half_width": 0.04}, actor=person("lena"))
    _status, plan = send(lena, "GET", PLANNER.replace("june", "own"))
    page = signed_in("lena").get("/projects/own/plan/").context
    form = page["form"]
    unit = form.cleaned_data["unit"]
    assert (plan["measure"], plan["system"], plan["unit"]) == (page["measure"].key, page["system"], unit)
    own = {name: float(value) for name, value in form.figures().items()}
    shown = {"left_out" if name == "excluded" else name: value for name, value in plan["figures"].items()}
    assert shown == pytest.approx(own)
    assert [row["units"] for row in plan["margins"]] == [
        row.plan.units for row in sample_plan(form.figures(), unit).margins
    ]
    assert plan["target"] == 0.04
    assert [(row["system"], row["measure"], row["half_width"], row["met"]) for row in plan["intervals"]] == [
        (row.system, row.measure, row.half_width, row.met) for row in page["widths"]
    ]


def test_usual_names_figures_that_neither_request_nor_project_have(lena):
    study("own", prompts=2)
    _status, plan = send(lena, "GET", "projects/own/planner/?icc=0.2")
    assert {"share", "excluded", "icc_rater"} <= set(plan["usual"]) and "icc" not in plan["usual"]
    assert plan["system"] is None and all(row["half_width"] is None for row in plan["intervals"])


def test_the_limits_are_those_of_the_form():
    for name, field in PlannerFiguresSerializer().fields.items():
        entered = PlanForm.base_fields[field.source]
        scale = 100 if field.source in PERCENTAGES else 1
        limits = (field.min_value * scale, field.max_value * scale)
        assert limits == pytest.approx((entered.min_value, entered.max_value)), name
    sources = {field.source for field in PlannerFiguresSerializer().fields.values()}
    assert sources | {"unit"} == set(PlanForm.base_fields)


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        (PLANNER, {
            "half_width=0": "half_width", "share=nan": "share", "overlap=many": "overlap", "prompts=1.5": "prompts",
            "unit=rater": "unit", "measure=none": "measure", "system=none": "system",
            "share=0.5&difference=0.6": "difference",
        }),
        (JUDGE.format("judged"), {
            "": "judge", "judge=none": "judge", "judge=rule": "judge", "judge=j&further=0": "further",
            "judge=j&system=none": "system",
        }),
    ],
)  # fmt: skip
def test_bad_input_is_refused_at_its_parameter(address, wrong, lena):
    rule_judge()
    for query, field in wrong.items():
        status, problem = send(lena, "GET", f"{address}?{query}")
        assert (status, list(problem["errors"])) == (400, [field]), query


def test_the_plan_with_a_judge_has_the_figures_of_the_planner(lena):
    project = study_with_good_judge(slug="good")
    status, answer = send(lena, "GET", f"{JUDGE.format('good')}?judge=j&further=50")
    plans = hybrid_plans(live_figures(project, hybrid_plan_data, "j@1"), 50)
    assert (status, answer["judge"], answer["further"], answer["reason"]) == (200, "j@1", 50, "")
    plan = answer["plan"]
    assert [plan[name] for name in ("items", "drawn", "rated", "ratings", "planned_items", "ratings_left")] == [
        *(plans.items, plans.drawn, plans.rated, plans.ratings, plans.planned_items, plans.ratings_left)
    ]
    for row, expected in zip(plan["measures"], plans.measures, strict=True):
        assert (row["measure"], row["value"], row["judge_weight"]) == (
            *(expected.measure, expected.value, expected.judge_weight),
        )
        assert (row["half_width"], row["people_half_width"]) == (expected.half_width, expected.people_half_width)
        assert (row["planned_half_width"], row["people_planned_half_width"]) == (
            *(expected.planned_half_width, expected.people_planned_half_width),
        )
    assert plan["measures"][0]["worth"] == round(plans.measures[0].worth) > 0
    assert plan["measures"][0]["people_planned_half_width"] < plan["measures"][0]["people_half_width"]


def test_one_system_is_planned_and_the_usual_number_of_ratings_is_200(lena):
    project = seeded("judged")
    _status, answer = send(lena, "GET", f"{JUDGE.format('judged')}?judge=j@1&system=tern")
    plans = hybrid_plans(live_figures(project, hybrid_plan_data, "j@1"), 200, "tern")
    assert (answer["system"], answer["further"], answer["plan"]["items"]) == ("tern", 200, plans.items)
    assert answer["plan"]["measures"][0]["planned_half_width"] == plans.measures[0].planned_half_width


def test_without_ratings_the_reason_is_given_and_then_the_warning_of_a_judge_with_one_answer(lena):
    project = sampled_study(slug="own")
    judge_all(project, lambda item: ACCURATE)
    answer = send(lena, "GET", f"{JUDGE.format('own')}?judge=j")[1]
    assert (answer["plan"], answer["warnings"]) == (None, [])
    assert answer["reason"].startswith("No rating of the sample counts yet")
    rate_items(project, items_of(project, drawn=True), lambda item, _: MILD if item.pk % 3 == 0 else ACCURATE)
    answer = send(lena, "GET", f"{JUDGE.format('own')}?judge=j")[1]
    assert "gives (nearly) the same answer to everything" in " ".join(answer["warnings"])
    assert answer["reason"] == "" and answer["plan"]["measures"][0]["worth"] == 0


def test_without_a_sample_the_reason_is_given(lena):
    item = Item.objects.filter(ratings__project__slug="june").first()
    judge_items(seeded("june"), {(item.response.key, item.position): ACCURATE})
    answer = send(lena, "GET", f"{JUDGE.format('june')}?judge=j")[1]
    assert answer["plan"] is None and answer["reason"].startswith("no sample was drawn")
