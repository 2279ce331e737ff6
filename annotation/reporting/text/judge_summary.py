"""The section about a judge against people in words: what is compared, the test, and the sentences of the Methods."""

from collections.abc import Iterator

from ...i18n.unit_names import counted, unit_words
from ...stats.intervals import MIN_CLUSTERS
from ..report import Report
from ..report_parts.judge_comparison import Intervals, LabelFigures
from ..report_parts.judge_summary import Compared
from .figure_format import coefficient, count, interval, joined_bounds, percent_or_dash
from .names import Names
from .references import ALTERNATIVE_ANNOTATOR

LEFT_OUT = {
    "tuned": "it tuned the judge’s prompt",
    "failed": "the verdict failed",
    "not_rated": "no rating of a person counts",
    "judge_cannot_assess": "the judge could not assess it",
    "people_cannot_assess": "people could not assess it",
    "tied": "people are tied, without an adjudication",
}
"""Why a verdict is not compared, by the keys of `left_out`."""


def share_cell(value: float | None, intervals: Intervals, name: str) -> str:
    """Format a share with the bounds of this name: 92.1 % [90.0–94.0]."""
    bounds = intervals.get(name)
    return percent_or_dash(value) if bounds is None else f"{percent_or_dash(value)} [{interval(*bounds)}]"


def coefficient_cell(value: float | None, intervals: Intervals, name: str) -> str:
    """Format a coefficient with the bounds of this name: 0.71 [0.66–0.76]."""
    bounds = intervals.get(name)
    text = coefficient(value)
    return text if bounds is None else f"{text} [{joined_bounds(map(coefficient, bounds))}]"


def label_cells(figures: LabelFigures) -> list[str]:
    """Return accuracy, kappa and macro F1 with their intervals."""
    return [
        share_cell(figures.accuracy, figures.intervals, "accuracy"),
        coefficient_cell(figures.kappa, figures.intervals, "kappa"),
        coefficient_cell(figures.macro_f1, figures.intervals, "macro_f1"),
    ]


def judge_notes(report: Report, names: Names) -> Iterator[str]:
    """Yield what is compared, what is not and why, the test, and how to read the figures; nothing without a judge."""
    part = report.judge_against_people
    if part is None:
        return
    compared = "%(items)s compared, of %(verdicts)s verdicts."
    yield compared % {"items": counted(part.items, names.unit), "verdicts": count(part.verdicts)}
    if reasons := "; ".join(f"{LEFT_OUT[reason]}: {count(n)}" for reason, n in part.left_out.items()):
        yield f"Not compared: {reasons}."
    yield from (note for note in part.notes)
    yield alternative_sentence(part)
    reading = (
        "The reference is the answer of most ratings; of a tie, the newest adjudication. No interval with fewer than "
        "%(fewest)s %(clusters)s. No judge can be expected to agree with people more than they agree with each other."
    )
    yield reading % {"fewest": MIN_CLUSTERS, "clusters": unit_words(report.method.cluster, 2)}


def alternative_sentence(part: Compared) -> str:
    """Return the result of the alternative annotator test."""
    test = part.alternative_annotator
    values = {"tested": counted(test.tested, "rater"), "raters": count(test.raters), "epsilon": f"{test.epsilon:g}"}
    if test.passes is None:
        sentence = "Alternative annotator test: not possible, raters with enough items: %(tested)s of %(raters)s."
        return sentence % (values | {"tested": count(test.tested)})
    passed = "Alternative annotator test (ε = %(epsilon)s): passed, winning rate %(rate)s over %(tested)s."
    failed = "Alternative annotator test (ε = %(epsilon)s): not passed, winning rate %(rate)s over %(tested)s."
    return (passed if test.passes else failed) % (values | {"rate": percent_or_dash(test.winning_rate)})


def judge_methods(report: Report, names: Names) -> str:
    """Return the sentences of the Methods; "" without a judge, or where nothing can be compared."""
    part = report.judge_against_people
    if part is None or not part.items:
        return ""
    sentence = (
        "Judge %(judge)s was compared with people on %(items)s: accuracy %(accuracy)s and kappa %(kappa)s against the "
        "majority of their ratings, ties resolved by adjudication. A rating of a person against the majority of the "
        "other raters had accuracy %(ceiling)s and kappa %(ceiling_kappa)s (%(ratings)s), the judge against the same "
        "majorities %(judge_accuracy)s and %(judge_kappa)s. The alternative annotator test is that of %(citation)s."
    )
    ceiling, people = part.human_ceiling, part.human_ceiling.people
    accuracy, kappa, _macro = label_cells(part.majority)
    return sentence % {
        "judge": part.judge,
        "items": counted(part.items, names.unit),
        "accuracy": accuracy,
        "kappa": kappa,
        "ceiling": percent_or_dash(people.accuracy),
        "ceiling_kappa": coefficient(people.kappa),
        "ratings": counted(ceiling.ratings, "rating"),
        "judge_accuracy": percent_or_dash(ceiling.judge.accuracy),
        "judge_kappa": coefficient(ceiling.judge.kappa),
        "citation": ALTERNATIVE_ANNOTATOR.citation,
    }
