"""Warnings that a judge adds nothing to estimates, or that its weight rests on few units."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...i18n.unit_names import unit_words
from ..report import HybridSystem, Report
from .figure_format import count, listed
from .names import Names

NEARLY_ALL = 0.98
"""The share of verdicts that count, or do not, in a measure: the judge then gives nearly one answer only about it."""
ENOUGH_UNITS = 30
"""Units with human ratings from which intervals with a judge covered 93 % or more in benchmarks/hybrid_few_units.py
where neither answer is rare; where one is, `notes.rare_note` says so (docs/statistics.md)."""
ONE_ANSWER = (
    "The judge gives (nearly) the same answer to all of these items. Its verdicts do not say which items differ: "
    "accuracy is the share of this answer among people’s, and what the judge seems to add to estimates is due to "
    "chance. Use people alone, or another judge."
)
FEW_UNITS = (
    "Fewer than 30 prompts or documents have items that both rated. With so few, the figures here and the weight λ of "
    "the judge in estimates depend on chance. Have more of them rated before the judge is relied on."
)


class Verdicts(NamedTuple):
    """The share of verdicts that a measure counts, and the share by people alone; None where not defined."""

    judge: float | None
    people: float | None

    @property
    def are_nearly_alike(self) -> bool:
        return self.judge is not None and _is_extreme(self.judge)

    @property
    def hide_a_difference(self) -> bool:
        """Whether all verdicts are alike and people’s answers are not, or nearly all and people’s not nearly."""
        if self.people is None or not self.are_nearly_alike:
            return False
        return self.people != self.judge if self.judge in (0.0, 1.0) else not _is_extreme(self.people)


def _is_extreme(share: float) -> bool:
    return not 1 - NEARLY_ALL < share < NEARLY_ALL


def one_answer_warning(judge: str, verdicts: Mapping[str, Verdicts]) -> str:
    """Warn if the judge gives nearly the same answer to everything, or about some measures, whose names are the keys
    of `verdicts`; "" if not, or without verdicts.
    """
    defined = {name: each for name, each in verdicts.items() if each.judge is not None}
    alike = [name for name, each in defined.items() if each.hide_a_difference]
    if defined and not all(each.are_nearly_alike for each in defined.values()):
        return _one_answer_in(judge, alike) if alike else ""
    if not defined:
        return ""
    sentence = (
        "Judge %(judge)s gives (nearly) the same answer to everything, so its verdicts do not say which items differ. "
        "What it seems to add to people’s ratings is due to chance. Use the estimates of people alone, or another "
        "judge."
    )
    return sentence % {"judge": judge}


def _one_answer_in(judge: str, measures: Sequence[str]) -> str:
    sentence = (
        "Judge %(judge)s gives (nearly) the same answer to every item in %(measures)s, so its verdicts there do not "
        "show which items differ. Its weight λ is 0 where all are alike; what it seems to add elsewhere is due to "
        "chance. Use the estimates of people alone for these measures."
    )
    return sentence % {"judge": judge, "measures": listed(list(measures), "and")}


def few_units_warning(units: Mapping[str, int], cluster: str) -> str:
    """Warn if the weight of the judge rests on few units with human ratings; `units`: their number by name of the
    estimate. "" if all have enough.
    """
    few = {name: n for name, n in units.items() if n < ENOUGH_UNITS}
    if not few:
        return ""
    sentence = (
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
    verdicts = {
        names.measure(key): Verdicts(measure.judge_alone, measure.human.value)
        for key, measure in hybrid.overall.measures.items()
    }
    units = {cell.system or names.all_systems: n for cell in cells if (n := _fewest_units(cell)) is not None}
    yield from filter(
        None, [one_answer_warning(hybrid.judge, verdicts), few_units_warning(units, report.method.cluster)]
    )


def _fewest_units(cell: HybridSystem) -> int | None:
    """Return the smallest number of units behind an interval in which the judge has weight; None without one."""
    units = [each.human.units for each in cell.measures.values() if each.lambda_ and each.low is not None]
    return min(units, default=None)
