"""Sentences of the Methods about planning: target and precision, power, and the analysis plan with its tests."""

from collections.abc import Iterator, Sequence

from ...i18n.numbers import localized
from ..planning.plans import HalfWidth, half_widths
from ..provenance_record import Deviation, PlanCheck, PlanRecord, Provenance
from ..report import Report
from ..sections.analysis_plan.text import topic_name, values_in_words
from ..sections.differences.text import family_in_words, family_test, has_own_family, tests_in_words
from ..sections.sensitivity.text import within_a_sentence
from ..text.figure_format import count
from ..text.names import Names
from .comparisons import power_sentence

DIGEST = 12  # characters of a hash in a text
DAY = 10  # characters of a date in a time


def planning_sentences(report: Report, record: Provenance, names: Names) -> Iterator[str]:
    """Yield the precision that was wanted and reached, the power, and whether the analysis was planned."""
    if record.target is not None:
        yield _target(record.target, half_widths(report, record.target), names)
    yield power_sentence(report, record, names)
    yield _plan(record.plan, names)
    if record.plan is not None:
        yield _before_the_first_rating(record.plan, names)
        yield _family(record.plan, names)


def _target(target: float, widths: Sequence[HalfWidth], names: Names) -> str:
    """State the target, how many intervals reach it, and the widest one."""
    goal = f"The project’s precision target was a half-width of {_points(target)} points"
    bounded = [row for row in widths if row.half_width is not None]
    if not bounded:
        return f"{goal}."
    widest = max(bounded, key=lambda row: row.half_width or 0.0)
    reached = (
        (
            f"{count(sum(row.met or False for row in bounded))} of {count(len(bounded))} interval of the systems’ proportions reaches it, the widest has {_points(widest.half_width or 0.0)} points "
            f"({names.measure(widest.measure).lower()}, {widest.system})."
        )
        if len(bounded) == 1
        else (
            f"{count(sum(row.met or False for row in bounded))} of {count(len(bounded))} intervals of the systems’ proportions reach it, the widest has {_points(widest.half_width or 0.0)} points "
            f"({names.measure(widest.measure).lower()}, {widest.system})."
        )
    )
    return f"{goal}; {reached}"


def _points(share: float) -> str:
    return localized(f"{100 * share:.1f}")


def _plan(plan: PlanRecord | None, names: Names) -> str:
    if plan is None:
        return "No analysis plan was stored in the software before the analysis, which is therefore post hoc."
    return _check(plan, names)


def _before_the_first_rating(plan: PlanRecord, names: Names) -> str:
    """State what was planned before the first rating, where the newest version is from after it."""
    if plan.before_first_rating:
        return ""
    if plan.earlier is None:
        return "No version of the plan is from before the first rating."
    return _check(plan.earlier, names)


def _check(plan: PlanCheck, names: Names) -> str:
    when = "before the first rating" if plan.before_first_rating else "after the first rating"
    version = f"version {count(plan.version)} of the analysis plan (SHA-256 {plan.sha256[:DIGEST]}…, stored {plan.stored_at[:DAY]}, {when})"
    if plan.as_planned:
        return f"The analysis follows {version}."
    deviations = "; ".join(_deviation(deviation, names) for deviation in plan.deviations)
    return f"The analysis deviates from {version} in: {deviations}."


def _family(plan: PlanRecord, names: Names) -> str:
    """State the tests over the plan's family, where that is not the pairs of each measure; "" without such tests."""
    if not has_own_family(plan):
        return ""
    adjusted = [test for test in plan.tests if test.p_family is not None]
    sentence = "Over the plan’s family (%(covered)s, %(tests)s) Holm’s adjustment gives: %(p)s."
    parts = "; ".join(family_test(test, names) for test in adjusted)
    return sentence % {"covered": family_in_words(plan), "tests": tests_in_words(plan.family_size), "p": parts}


def _deviation(deviation: Deviation, names: Names) -> str:
    """Name a deviation; excluded raters are counted, not named."""
    topic, planned, actual = deviation.topic, deviation.planned, deviation.actual
    if topic == "without_raters":
        numbers = {"planned": count(len(planned)), "actual": count(len(actual))}
    else:
        sides = {"planned": planned, "actual": actual}
        numbers = {side: values_in_words(topic, values, names) for side, values in sides.items()}
    sentence = "%(topic)s (planned: %(planned)s; reported: %(actual)s)"
    return sentence % {"topic": within_a_sentence(topic_name(topic)), **numbers}
