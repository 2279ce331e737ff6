"""The section about a judge against people in words: what is compared, the test, and the sentences of the Methods."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ....i18n.unit_names import counted, unit_words
from ....stats.intervals import MIN_CLUSTERS
from ...methods.references import ALTERNATIVE_ANNOTATOR
from ...report import Report
from ...text.figure_format import coefficient, count, interval, joined_bounds, listed, percent_or_dash
from ...text.names import Names
from ..hybrid.figures import HybridSystem
from .figures import Compared, DetectionFigures, Intervals, JudgeCalibration, LabelFigures

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


ENOUGH_FOUND = 0.8
"""The precision and recall from which detection is good enough."""
MAX_CALIBRATION_ERROR = 0.1
"""The expected calibration error up to which a confidence is calibrated."""
ENOUGH_CONFIDENCES = 200
"""Items with a confidence from which calibration is judged. With fewer, also the error of a calibrated judge can exceed
MAX_CALIBRATION_ERROR by chance: its mean is up to about .8 · √(.25 · 10 / n), which is .09 with 200 items in ten bins.
"""


def judge_use(comparison: Compared, names: Names) -> list[str]:
    """Return what the judge may be used for, a sentence each, in the active language."""
    return list(_sentences(comparison, names))


def _sentences(comparison: Compared, names: Names) -> Iterator[str]:
    if not comparison.items:
        yield "Nothing can be said about its use: no verdict can be compared with a rating of a person."
    elif FEW_UNITS in comparison.notes:
        few = (
            "The data are too few to say what this judge is good for: fewer than %(enough)s prompts or documents have "
            "items that both rated. Use people alone until more are rated."
        )
        yield few % {"enough": ENOUGH_UNITS}
    elif ONE_ANSWER in comparison.notes:
        yield "Do not use this judge: it gives (nearly) the same answer to everything."
    else:
        yield _as_rater(comparison)
        for key, row in comparison.detection.items():
            yield from _detection(names.measure(key), row, unit_words(names.unit, 2))
        yield _in_estimates(comparison)
        yield _confidence(comparison.calibration)


def _as_rater(comparison: Compared) -> str:
    test = comparison.alternative_annotator
    if test.passes is None:
        sentence = (
            "In place of a rater: the data are too few to say. The alternative annotator test needs two raters with "
            "enough items, and %(tested)s of %(raters)s have them."
        )
        return sentence % {"tested": count(test.tested), "raters": count(test.raters)}
    passed = (
        "In place of a rater: yes, it may stand in for one of several raters. It passed the alternative annotator "
        "test (winning rate %(rate)s over %(raters)s)."
    )
    failed = (
        "In place of a rater: no. It did not pass the alternative annotator test (winning rate %(rate)s over "
        "%(raters)s)."
    )
    values = {"rate": percent_or_dash(test.winning_rate), "raters": counted(test.tested, "rater")}
    return (passed if test.passes else failed) % values


def _detection(measure: str, row: DetectionFigures, units: str) -> Iterator[str]:
    """Yield whether the judge finds the items of a measure, and whether those that it flags are right."""
    recall = {
        True: "%(measure)s: it finds at least %(enough)s of these %(units)s (recall %(figure)s).",
        False: ("%(measure)s: it finds fewer than %(enough)s of these %(units)s (recall %(figure)s). Do not rely on "
                 "it to find them."),
        None: ("%(measure)s: the data are too few to say whether it finds %(enough)s of these %(units)s (recall "
                "%(figure)s)."),
    }  # fmt: skip
    precision = {
        True: "%(measure)s: at least %(enough)s of the %(units)s that it flags are right (precision %(figure)s).",
        False: ("%(measure)s: fewer than %(enough)s of the %(units)s that it flags are right (precision %(figure)s). "
                 "Have people check each of them."),
        None: ("%(measure)s: the data are too few to say whether %(enough)s of the %(units)s that it flags are right "
                "(precision %(figure)s)."),
    }  # fmt: skip
    values = {"measure": measure, "enough": f"{100 * ENOUGH_FOUND:.0f} %", "units": units}
    for name, sentences in (("recall", recall), ("precision", precision)):
        figure = share_cell(getattr(row, name), row.intervals, name)
        yield sentences[_is_enough(row, name)] % (values | {"figure": figure})


def _is_enough(row: DetectionFigures, name: str) -> bool | None:
    """Return whether the whole interval is at or above ENOUGH_FOUND, or below; None if neither, or without one."""
    bounds = row.intervals.get(name)
    if bounds is None or bounds[0] < ENOUGH_FOUND <= bounds[1]:
        return None
    return bounds[0] >= ENOUGH_FOUND


def _in_estimates(comparison: Compared) -> str:
    majority = comparison.majority
    bounds = majority.intervals.get("kappa")
    if bounds is None or bounds[0] <= 0:
        sentence = (
            "For estimates: no. It is not shown that it agrees with people more than by chance (kappa %(kappa)s). Use "
            "people alone."
        )
    elif comparison.alternative_annotator.passes:
        sentence = (
            "For estimates: yes, together with people’s ratings of a drawn sample, which correct its errors. It agrees "
            "with people more than by chance (kappa %(kappa)s)."
        )
    else:
        sentence = (
            "For estimates: use it for nothing else than estimates from people and judge together, where people’s "
            "ratings of a drawn sample correct its errors. It agrees with people more than by chance (kappa %(kappa)s)."
        )
    return sentence % {"kappa": coefficient_cell(majority.kappa, majority.intervals, "kappa")}


def _confidence(calibration: JudgeCalibration | None) -> str:
    if calibration is None or not calibration.n or calibration.ece is None:
        return "Confidence: its verdicts have none."
    values = {"n": count(calibration.n), "enough": count(ENOUGH_CONFIDENCES), "ece": coefficient(calibration.ece, 3)}
    if calibration.n < ENOUGH_CONFIDENCES:
        sentence = (
            "Confidence: the data are too few to say whether it is calibrated. Items with one: %(n)s; needed: "
            "%(enough)s."
        )
    elif calibration.ece <= MAX_CALIBRATION_ERROR:
        sentence = (
            "Confidence: calibrated. It is about how often the judge is right (expected calibration error %(ece)s)."
        )
    else:
        sentence = (
            "Confidence: not calibrated (expected calibration error %(ece)s). Do not read it as the probability that a "
            "verdict is right."
        )
    return sentence % values


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
