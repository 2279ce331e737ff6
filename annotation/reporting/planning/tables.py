"""The tables of the planner: designs by raters per sentence, the same work in others, and margins with a judge."""

from collections.abc import Sequence

from django.db.models import Count

from ...i18n.english import localized
from ...i18n.unit_names import counted, unit_words
from ...models import Project
from ...models.rated_items import is_rated
from ...rating.counting import counted_ratings
from ..report import Report
from ..tables import Column, Figure, Kind, Row, Table
from ..tables.kinds import COEFFICIENT, COUNT, DESIGN_EFFECT, LABEL, PERCENT, TEXT, plain
from ..text.figure_format import coefficient, count, percent, plan_size
from ..text.names import Names
from .hybrid import HybridPlans, MeasurePlan
from .plans import PlanRow, SamplePlan

PlannedTable = tuple[Table, str, str]
"""A table with the size that answers its question, and with what this size is."""


def half_width(value: float) -> str:
    """Format half the width of an interval, in points: ± 3.1."""
    return f"± {percent(value, sign=False)}"


def sample_size_tables(plan: SamplePlan) -> list[PlannedTable]:
    """Return the designs that reach the margin, those that detect the difference, and the same work in others."""
    share, figures = percent(plan.figures["share"]), plan.figures
    is_at_minimum = any(row.plan.is_at_minimum for row in plan.margins if row.is_overlap or row is plan.margins[0])
    minimum = " “Minimum”: no interval is given for fewer than 10 units." if is_at_minimum else ""
    return [
        _designs(
            "needed",
            f"Sample size for {half_width(figures['half_width'])} points around {share}",
            plan,
            plan.margins,
            f"The margin is half the width of the 95 % interval of one system’s proportion.{minimum} Hours are the "
            "seconds per rating, without reading the article. The interval is the report’s: exact binomial on the "
            "effective number of ratings (Korn and Graubard) with few units or events, else ± t · √(p(1 − p) · design "
            "effect / ratings).",
        ),
        _designs(
            "difference",
            f"Sample size to detect {share} against {percent(plan.other_share)} with a power of "
            f"{percent(figures['power'])}",
            plan,
            plan.differences,
            "Two-sided t test of the linearized difference of two systems on the same units, with alpha "
            f"{plan.alpha_each:.4f} for each pair and a correlation of {coefficient(figures['correlation'])} between "
            "the systems’ results by unit. Holm’s procedure has at least this power.",
        ),
        (_same_work(plan), "", ""),
    ]


def _designs(key: str, title: str, plan: SamplePlan, rows: Sequence[PlanRow], note: str) -> PlannedTable:
    columns = [
        Column("Raters", LABEL),
        Column("Design effect", DESIGN_EFFECT),
        Column("Documents", COUNT, shown="everywhere" if plan.by_documents else "csv"),
        Column("Prompts", COUNT),
        Column("Responses", COUNT),
        Column("Ratings", COUNT),
        Column("Person-hours", HOURS),
        Column("Hours per rater", HOURS),
        Column("Detectable now", DETECTABLE, shown="csv" if rows is plan.margins else "everywhere"),
    ]
    table_rows = []
    for row in rows:
        overlap = " (overlap)" if row.is_overlap else ""
        too_few_raters = " (more than available)" if row.too_few_raters else ""
        prompts = Figure(row.plan.prompts, after="minimum" if row.plan.is_at_minimum else "")
        values = [f"{plain(row.raters)} per sentence{overlap}{too_few_raters}", row.plan.deff, row.plan.units, prompts]
        table_rows.append(Row([*values, row.responses, row.ratings, row.hours, row.hours_each, row.detectable]))
    answer = next(row for row in rows if row.is_overlap)
    total = f" ({counted(answer.plan.prompts, 'prompt')} in total)" if plan.by_documents else ""
    explanation = f"at an overlap of {plain(answer.raters)}{total}."
    if answer.detectable is not None:
        prompts_now, least = counted(int(plan.figures["prompts"]), "prompt"), percent(answer.detectable, sign=False)
        explanation += f" With {prompts_now} the minimal detectable difference is {least} points."
    return Table(key, title, columns, table_rows, note), plan_size(answer.plan, plan.unit), explanation


def _hours(value: float) -> str:
    """Format hours: 2.25 -> 2.3 h; 120.4 -> 120 h; less than an hour in minutes."""
    if value < 0.995:
        return f"{max(1, round(60 * value))} min"
    return localized(f"{value:,.1f} h" if value < 99.5 else f"{value:,.0f} h")


HALF_WIDTH = Kind(half_width)
HOURS = Kind(_hours)
DETECTABLE = Kind(lambda value: percent(value, sign=False), undefined="none")


def _same_work(plan: SamplePlan) -> Table:
    """Return a row for each number of ratings; the first is that of one rater on the available prompts."""
    prompts, now = counted(int(plan.figures["prompts"]), "prompt"), half_width(plan.half_width)
    rows = [Row([counted(plan.ratings, "rating"), f"{prompts} × {counted(1, 'rater')}: {now}", now, now])]
    for row in plan.same_work:
        more_prompts = counted(row.prompts, "prompt")
        documents = f", {counted(row.units, 'document')}" if plan.by_documents else ""
        of_documents = row.half_width_more_prompts_per_document or 0.0
        rows.append(
            Row(
                [
                    counted(row.ratings, "rating"),
                    f"{prompts} × {counted(row.raters, 'rater')}: {half_width(row.half_width_more_raters)}",
                    f"{more_prompts}, {counted(plan.units, 'document')}: {half_width(of_documents)}",
                    f"{more_prompts}{documents}: {half_width(row.half_width_more_units)}",
                ]
            )
        )
    columns = [
        Column("Total", LABEL),
        Column("More raters on the same sentences", TEXT),
        Column("More prompts per document", TEXT, shown="everywhere" if plan.by_documents else "csv"),
        Column("More documents" if plan.by_documents else "More prompts", TEXT),
    ]
    documents = f"{percent(plan.between_documents)} of the variance of a rating lies between documents. "
    note = (
        f"{documents if plan.by_documents else ''}{percent(plan.between_prompts)} of the variance of a rating lies "
        f"between prompts, {percent(plan.between_sentences)} between the sentences of a response, and "
        f"{percent(plan.within_sentences)} between raters of one sentence. A further rater on the same sentences "
        "reduces only the last part; a further unit reduces all. Two raters per sentence are still needed to measure "
        "agreement."
    )
    if plan.least_half_width:
        note += (
            " Raters are treated as fixed, and their errors are not corrected. If these "
            f"{count(int(plan.figures['raters']))} are a sample of raters in general, the margin of error stays above "
            f"{half_width(plan.least_half_width)} points for any number of prompts."
        )
    return Table("spent", "The same number of ratings in other designs", columns, rows, note)


def judge_plan_table(plans: HybridPlans, names: Names) -> Table:
    columns = [
        Column("Measure", LABEL),
        Column("Now, with the judge", PERCENT),
        Column("Now, people alone", PERCENT),
        Column("Planned, with the judge", HALF_WIDTH),
        Column("Planned, people alone", HALF_WIDTH),
        Column("λ", COEFFICIENT),
    ]
    rows = [
        Row(
            [
                names.measure(plan.measure),
                Figure(plan.value, after="" if plan.half_width is None else half_width(plan.half_width)),
                Figure(
                    plan.people_value,
                    after="" if plan.people_half_width is None else half_width(plan.people_half_width),
                ),
                plan.planned_half_width,
                plan.people_planned_half_width,
                plan.judge_weight,
            ]
        )
        for plan in plans.measures
    ]
    more = ""
    if plans.is_all:
        more = " These are all items."
    elif plans.is_larger_sample:
        more = (
            f" The sample has {counted(plans.ratings_left, 'rating')} left; more take a new project with a larger "
            "sample of the same design."
        )
    note = (
        f"Now: {counted(plans.ratings, 'rating')} of {counted(plans.rated, names.unit)}; {count(plans.drawn)} of "
        f"{count(plans.items)} were drawn. Planned: {counted(plans.further, 'rating')} more, "
        f"{plain(plans.ratings_each)} each as so far, so {counted(plans.planned_items, names.unit)} in all.{more} λ: "
        "the weight of the judge’s verdicts, from 0 (not used) to 1. Margins are half the width of 95 % intervals, on "
        "average over samples. They come from the raters’ own answers, without adjudications, and assume that the "
        "judge and the raters stay as they are."
    )
    return Table("judge_plan", "Margins with the judge and of people alone", columns, rows, note)


def sample_precision(project: Project, report: Report, *, is_weighted: bool) -> str:
    """State how much of the sample is rated, and what margins and plans assume; "" without a sample. One query."""
    sample = report.data.sample
    if sample is None:
        return ""
    items = counted(sample.items, project.protocol.definition.unit)
    of_drawn = counted_ratings(project).filter(is_rated(project, "item__"))
    rated = of_drawn.aggregate(n=Count("item", distinct=True))["n"] or 0
    sentences = [
        f"Raters are asked about a sample of {count(sample.drawn)} of {items}; {count(rated)} have ratings that count."
    ]
    if rated < sample.drawn:
        sentences.append("The margins assume that these are a random part of the sample.")
    if sample.design == Project.SamplingDesign.UNCERTAIN:
        sentences.append(
            "Proportions and margins are weighted, as some were drawn more often."
            if is_weighted
            else "Some were drawn more often, and proportions and margins are not weighted for this: use “People "
            "alone, weighted” of the report."
        )
    return " ".join(sentences)


def worth_sentence(plan: MeasurePlan) -> str:
    if plan.worth is None:
        if plan.people_half_width is None and plan.half_width is None:
            return "No interval yet: it takes ten units with ratings."
        return "The worth of the judge is not defined: one of the two has no interval."
    margin = half_width(plan.half_width or 0.0)
    if plan.whole_worth is None:
        return (
            f"This judge is worth more than all further ratings: people alone would not reach {margin} with all items."
        )
    n = plan.whole_worth
    if not n:
        return "This judge is worth no ratings: the margin with it is not smaller."
    return (
        f"This judge is worth {counted(n, 'rating')}: without it, {count(n)} more {unit_words('rating', n)} of people "
        f"would be needed for the margin that the estimate with it has now, {margin}."
    )
