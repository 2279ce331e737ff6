"""Warnings that a judge adds nothing to estimates, or that its weight rests on few units."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ...i18n.unit_names import unit_words
from ..report import HybridSystem, Report
from .figure_format import count
from .names import Names

NEARLY_ALL = 0.98
"""The share of verdicts that count, or do not, in every measure: the judge then gives nearly one answer only."""
ENOUGH_UNITS = 30
"""Units with human ratings from which intervals with a judge covered 93 % or more in benchmarks/hybrid_few_units.py
where neither answer is rare; where one is, `notes.rare_note` says so (docs/statistics.md)."""
ONE_ANSWER = gettext_noop(
    "The judge gives (nearly) the same answer to all of these items. Its verdicts do not say which items differ: "
    "accuracy is the share of this answer among people’s, and what the judge seems to add to estimates is due to "
    "chance. Use people alone, or another judge."
)
FEW_UNITS = gettext_noop(
    "Fewer than 30 prompts or documents have items that both rated. With so few, the figures here and the weight λ of "
    "the judge in estimates depend on chance. Have more of them rated before the judge is relied on."
)


def one_answer_warning(judge: str, shares: Sequence[float | None]) -> str:
    """Warn if the judge gives nearly the same answer to everything: its share in each measure is about 0 or 1. "" if
    not, or without a share.
    """
    defined = [share for share in shares if share is not None]
    if not defined or any(1 - NEARLY_ALL < share < NEARLY_ALL for share in defined):
        return ""
    sentence = _(
        "Judge %(judge)s gives (nearly) the same answer to everything, so its verdicts do not say which items differ. "
        "What it seems to add to people’s ratings is due to chance. Use the estimates of people alone, or another "
        "judge."
    )
    return sentence % {"judge": judge}


def few_units_warning(units: Mapping[str, int], cluster: str) -> str:
    """Warn if the weight of the judge rests on few units with human ratings; `units`: their number by name of the
    estimate. "" if all have enough.
    """
    few = {name: n for name, n in units.items() if n < ENOUGH_UNITS}
    if not few:
        return ""
    sentence = _(
        "Few %(clusters)s with ratings of people (%(counts)s). With fewer than %(enough)s, the weight λ of the judge "
        "can be large by chance, and intervals with the judge too narrow. Have more %(clusters)s rated, or use the "
        "estimates of people alone."
    )
    counts = "; ".join(f"{name}: {count(n)}" for name, n in few.items())
    return sentence % {"clusters": unit_words(cluster, 2), "counts": counts, "enough": ENOUGH_UNITS}


def hybrid_warnings(report: Report, names: Names) -> Iterator[str]:
    """Yield the warnings about the estimates of a report; none without estimates."""
    hybrid = report.hybrid
    if hybrid is None or hybrid.overall is None:
        return
    cells = [*hybrid.systems, hybrid.overall]
    shares = [measure.judge_alone for measure in hybrid.overall.measures.values()]
    units = {cell.system or names.all_systems: n for cell in cells if (n := _fewest_units(cell)) is not None}
    yield from filter(None, [one_answer_warning(hybrid.judge, shares), few_units_warning(units, report.method.cluster)])


def _fewest_units(cell: HybridSystem) -> int | None:
    """Return the smallest number of units behind an interval in which the judge has weight; None without one."""
    units = [each.human.units for each in cell.measures.values() if each.lambda_ and each.low is not None]
    return min(units, default=None)
