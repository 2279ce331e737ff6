"""Sentences of the Methods about planning: target and precision, power, and the analysis plan with its tests."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...i18n.numbers import localized
from ..compute.planning import HalfWidth, half_widths
from ..provenance_record import Deviation, PlanCheck, PlanRecord, Provenance
from ..report import Report
from .figure_format import count
from .methods_power import power_sentence
from .names import Names
from .plan_deviations import topic_name, values_in_words
from .planned_family import family_in_words, family_test, has_own_family, tests_in_words
from .sensitivity import within_a_sentence

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
    goal = _("The project’s precision target was a half-width of %(points)s points") % {"points": _points(target)}
    bounded = [row for row in widths if row.half_width is not None]
    if not bounded:
        return f"{goal}."
    widest = max(bounded, key=lambda row: row.half_width or 0.0)
    reached = ngettext(
        "%(met)s of %(n)s interval of the systems’ proportions reaches it, the widest has %(points)s points "
        "(%(measure)s, %(system)s).",
        "%(met)s of %(n)s intervals of the systems’ proportions reach it, the widest has %(points)s points "
        "(%(measure)s, %(system)s).",
        len(bounded),
    ) % {
        "met": count(sum(row.met or False for row in bounded)),
        "n": count(len(bounded)),
        "points": _points(widest.half_width or 0.0),
        "measure": names.measure(widest.measure).lower(),
        "system": widest.system,
    }
    return f"{goal}; {reached}"


def _points(share: float) -> str:
    return localized(f"{100 * share:.1f}")


def _plan(plan: PlanRecord | None, names: Names) -> str:
    if plan is None:
        return _("No analysis plan was stored in the software before the analysis, which is therefore post hoc.")
    return _check(plan, names)


def _before_the_first_rating(plan: PlanRecord, names: Names) -> str:
    """State what was planned before the first rating, where the newest version is from after it."""
    if plan.before_first_rating:
        return ""
    if plan.earlier is None:
        return _("No version of the plan is from before the first rating.")
    return _check(plan.earlier, names)


def _check(plan: PlanCheck, names: Names) -> str:
    when = _("before the first rating") if plan.before_first_rating else _("after the first rating")
    version = _("version %(version)s of the analysis plan (SHA-256 %(hash)s…, stored %(day)s, %(when)s)") % {
        "version": count(plan.version),
        "hash": plan.sha256[:DIGEST],
        "day": plan.stored_at[:DAY],
        "when": when,
    }
    if plan.as_planned:
        return _("The analysis follows %(plan)s.") % {"plan": version}
    deviations = "; ".join(_deviation(deviation, names) for deviation in plan.deviations)
    return _("The analysis deviates from %(plan)s in: %(deviations)s.") % {"plan": version, "deviations": deviations}


def _family(plan: PlanRecord, names: Names) -> str:
    """State the tests over the plan's family, where that is not the pairs of each measure; "" without such tests."""
    if not has_own_family(plan):
        return ""
    adjusted = [test for test in plan.tests if test.p_family is not None]
    sentence = _("Over the plan’s family (%(covered)s, %(tests)s) Holm’s adjustment gives: %(p)s.")
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
    sentence = _("%(topic)s (planned: %(planned)s; reported: %(actual)s)")
    return sentence % {"topic": within_a_sentence(topic_name(topic)), **numbers}
