"""The tables of the planner: designs by raters per sentence, the same work in others, and margins with a judge."""

from collections.abc import Sequence

from ...i18n.english import localized
from ...i18n.unit_names import counted
from ..tables import Column, Figure, Kind, Row, Table
from ..tables.kinds import COEFFICIENT, COUNT, DESIGN_EFFECT, LABEL, PERCENT, TEXT, plain
from ..text.figure_format import coefficient, count, percent, plan_size
from ..text.names import Names
from .hybrid import HybridPlans
from .plans import PlanRow, SamplePlan
from .text import half_width

PlannedTable = tuple[Table, str, str]
"""A table with the size that answers its question, and with what this size is."""


def sample_size_tables(plan: SamplePlan) -> list[PlannedTable]:
    """Return the designs that reach the margin, those that detect the difference, and the same work in others."""
    share, given = percent(plan.figures["share"]), plan.figures
    is_at_minimum = any(row.plan.is_at_minimum for row in plan.rows if row.is_overlap or row is plan.rows[0])
    minimum = " “Minimum”: no interval is given for fewer than 10 units." if is_at_minimum else ""
    return [
        _designs(
            "needed",
            f"Sample size for {half_width(given['half_width'])} points around {share}",
            plan,
            plan.rows,
            f"The margin is half the width of the 95 % interval of one system’s proportion.{minimum} Hours are the "
            "seconds per rating, without reading the article. The interval is the report’s: exact binomial on the "
            "effective number of ratings (Korn and Graubard) with few units or events, else ± t · √(p(1 − p) · design "
            "effect / ratings).",
        ),
        _designs(
            "difference",
            f"Sample size to detect {share} against {percent(plan.other_share)} with a power of "
            f"{percent(given['power'])}",
            plan,
            plan.differences,
            "Two-sided t test of the linearized difference of two systems on the same units, with alpha "
            f"{plan.alpha_each:.4f} for each pair and a correlation of "
            f"{coefficient(given['correlation'])} between the systems’ results by unit. Holm’s procedure has at least "
            "this power.",
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
        Column("Detectable now", DETECTABLE, shown="csv" if rows is plan.rows else "everywhere"),
    ]
    table_rows = []
    for row in rows:
        overlap = " (overlap)" if row.is_overlap else ""
        too_many = " (more than available)" if row.too_many else ""
        prompts = Figure(row.plan.prompts, after="minimum" if row.plan.is_at_minimum else "")
        values = [f"{plain(row.raters)} per sentence{overlap}{too_many}", row.plan.deff, row.plan.units, prompts]
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
    prompts, now = counted(int(plan.figures["prompts"]), "prompt"), half_width(plan.now)
    rows = [Row([counted(plan.now_ratings, "rating"), f"{prompts} × {counted(1, 'rater')}: {now}", now, now])]
    for row in plan.spent:
        more_prompts = counted(row.prompts, "prompt")
        documents = f", {counted(row.units, 'document')}" if plan.by_documents else ""
        rows.append(
            Row(
                [
                    counted(row.ratings, "rating"),
                    f"{prompts} × {counted(row.raters, 'rater')}: {half_width(row.more_raters)}",
                    f"{more_prompts}, {counted(plan.units, 'document')}: {half_width(row.more_per_document or 0.0)}",
                    f"{more_prompts}{documents}: {half_width(row.more_units)}",
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
    if plan.least:
        note += (
            " Raters are treated as fixed, and their errors are not corrected. If these "
            f"{count(int(plan.figures['raters']))} are a sample of raters in general, the margin of error stays above "
            f"{half_width(plan.least)} points for any number of prompts."
        )
    return Table("spent", "The same number of ratings in other designs", columns, rows, note)


def judge_plan_table(plans: HybridPlans, names: Names) -> Table:
    """Return the margins now and with further ratings, with the judge and of people alone."""
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
                Figure(plan.value, after="" if plan.now is None else half_width(plan.now)),
                Figure(plan.people_value, after="" if plan.people_now is None else half_width(plan.people_now)),
                plan.planned,
                plan.people_planned,
                plan.lambda_,
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
