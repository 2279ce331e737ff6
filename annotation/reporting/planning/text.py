"""What the planner says of a sample and of a judge."""

from ...i18n.unit_names import counted, unit_words
from ...models import Project
from ..data.sample import count_rated
from ..report import Report
from ..text.figure_format import count, percent
from .hybrid import MeasurePlan


def half_width(value: float) -> str:
    """Format half the width of an interval, in points: ± 3.1."""
    return f"± {percent(value, sign=False)}"


def sample_precision(project: Project, report: Report, *, is_weighted: bool) -> str:
    """State how much of the sample is rated, and what margins and plans assume; "" without a sample. One query."""
    sample = report.data.sample
    if sample is None:
        return ""
    items, rated = counted(sample.items, project.protocol.definition.unit), count_rated(project)
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
    """State how many ratings of people the judge is worth for one measure."""
    if plan.worth is None:
        if plan.people_now is None and plan.now is None:
            return "No interval yet: it takes ten units with ratings."
        return "The worth of the judge is not defined: one of the two has no interval."
    margin = half_width(plan.now or 0.0)
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
