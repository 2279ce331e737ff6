"""Sentences of the Methods about planning: target and precision, power, and the analysis plan with its tests."""

from collections.abc import Iterator

from ..planning.plans import half_widths
from ..provenance_record import Deviation, PlanCheck, Provenance
from ..report import Report
from ..sections.analysis_plan.text import topic_name, values_in_words
from ..sections.differences.text import family_in_words, family_test, has_own_family, tests_in_words
from ..sections.sensitivity.text import within_a_sentence
from ..text.figure_format import count
from ..text.names import Names
from .comparisons import power_sentence
from .record import DAY, DIGEST


def planning_sentences(report: Report, record: Provenance, names: Names) -> Iterator[str]:
    """Yield the precision that was wanted and reached, the power, and whether the analysis was planned."""
    if record.target is not None:
        yield _target(report, record.target, names)
    yield power_sentence(report, record, names)
    plan = record.plan
    if plan is None:
        yield "No analysis plan was stored in the software before the analysis, which is therefore post hoc."
        return
    yield _check(plan, names)
    if not plan.before_first_rating:
        yield _check(plan.earlier, names) if plan.earlier else "No version of the plan is from before the first rating."
    if has_own_family(plan):
        tests = "; ".join(family_test(test, names) for test in plan.tests if test.p_family is not None)
        yield (
            f"Over the plan’s family ({family_in_words(plan)}, {tests_in_words(plan.family_size)}) Holm’s adjustment "
            f"gives: {tests}."
        )


def _target(report: Report, target: float, names: Names) -> str:
    """State the target, how many intervals reach it, and the widest one."""
    goal = f"The project’s precision target was a half-width of {100 * target:.1f} points"
    widths = [(row.half_width, row) for row in half_widths(report, target) if row.half_width is not None]
    if not widths:
        return f"{goal}."
    widest, row = max(widths, key=lambda each: each[0])
    met = count(sum(bool(row.met) for _, row in widths))
    noun, verb = ("interval", "reaches") if len(widths) == 1 else ("intervals", "reach")
    return (
        f"{goal}; {met} of {count(len(widths))} {noun} of the systems’ proportions {verb} it, the widest has "
        f"{100 * widest:.1f} points ({names.measure(row.measure).lower()}, {row.system})."
    )


def _check(plan: PlanCheck, names: Names) -> str:
    version = (
        f"version {count(plan.version)} of the analysis plan (SHA-256 {plan.sha256[:DIGEST]}…, stored "
        f"{plan.stored_at[:DAY]}, {'before' if plan.before_first_rating else 'after'} the first rating)"
    )
    if plan.as_planned:
        return f"The analysis follows {version}."
    return f"The analysis deviates from {version} in: {'; '.join(_deviation(each, names) for each in plan.deviations)}."


def _deviation(deviation: Deviation, names: Names) -> str:
    """Name a deviation; excluded raters are counted, not named."""
    planned, actual = (
        count(len(values)) if deviation.topic == "without_raters" else values_in_words(deviation.topic, values, names)
        for values in (deviation.planned, deviation.actual)
    )
    return f"{within_a_sentence(topic_name(deviation.topic))} (planned: {planned}; reported: {actual})"
