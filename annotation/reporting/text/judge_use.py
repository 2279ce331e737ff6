"""What a judge is good for: sentences that follow from its comparison with people by fixed rules (docs/judges.md)."""

from collections.abc import Iterator

from ...i18n.unit_names import counted, unit_words
from ..report_parts.judge_comparison import DetectionFigures, JudgeCalibration
from ..report_parts.judge_summary import Compared
from .figure_format import coefficient, count, percent_or_dash
from .judge_summary import coefficient_cell, share_cell
from .judge_warnings import ENOUGH_UNITS, FEW_UNITS, ONE_ANSWER
from .names import Names

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
