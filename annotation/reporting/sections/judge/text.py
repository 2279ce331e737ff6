"""The section about a judge against people in words: what is compared, what the judge is good for, and the Methods."""

from collections.abc import Iterator

from ....i18n.unit_names import counted, unit_words
from ....stats.intervals import MIN_CLUSTERS
from ...methods.references import ALTERNATIVE_ANNOTATOR
from ...report import Report
from ...text.figure_format import coefficient, count, interval, joined_bounds, percent_or_dash
from ...text.names import Names
from .figures import Compared, DetectionFigures, JudgeCalibration, LabelFigures

LEFT_OUT = {
    "tuned": "it tuned the judge’s prompt",
    "failed": "the verdict failed",
    "not_rated": "no rating of a person counts",
    "judge_cannot_assess": "the judge could not assess it",
    "people_cannot_assess": "people could not assess it",
    "tied": "people are tied, without an adjudication",
}
"""Why a verdict is not compared, by the keys of `left_out`."""
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
ENOUGH_FOUND = 0.8
"""The precision and recall from which detection is good enough."""
MAX_CALIBRATION_ERROR = 0.1
"""The expected calibration error up to which a confidence is calibrated."""
ENOUGH_CONFIDENCES = 200
"""Items with a confidence from which calibration is judged. With fewer, also the error of a calibrated judge can exceed
MAX_CALIBRATION_ERROR by chance: its mean is up to about .8 · √(.25 · 10 / n), which is .09 with 200 items in ten bins.
"""


def judge_notes(report: Report, names: Names) -> Iterator[str]:
    """Yield what is compared, what is not and why, the test, and how to read the figures; nothing without a judge."""
    part = report.judge_against_people
    if part is None:
        return
    yield f"{counted(part.items, names.unit)} compared, of {count(part.verdicts)} verdicts."
    if reasons := "; ".join(f"{LEFT_OUT[reason]}: {count(n)}" for reason, n in part.left_out.items()):
        yield f"Not compared: {reasons}."
    yield from part.notes
    yield alternative_sentence(part)
    yield (
        "The reference is the answer of most ratings; of a tie, the newest adjudication. No interval with fewer than "
        f"{MIN_CLUSTERS} {unit_words(report.method.cluster, 2)}. No judge can be expected to agree with people more "
        "than they agree with each other."
    )


def alternative_sentence(part: Compared) -> str:
    test = part.alternative_annotator
    if test.passes is None:
        return (
            "Alternative annotator test: not possible, raters with enough items: "
            f"{count(test.tested)} of {count(test.raters)}."
        )
    return (
        f"Alternative annotator test (ε = {test.epsilon:g}): {'passed' if test.passes else 'not passed'}, winning rate "
        f"{percent_or_dash(test.winning_rate)} over {counted(test.tested, 'rater')}."
    )


def judge_methods(report: Report, names: Names) -> str:
    """Return the sentences of the Methods; "" without a judge, or where nothing can be compared."""
    part = report.judge_against_people
    if part is None or not part.items:
        return ""
    people, judge = part.human_ceiling.people, part.human_ceiling.judge
    return (
        f"Judge {part.judge} was compared with people on {counted(part.items, names.unit)}: accuracy "
        f"{_with_interval(part.majority, 'accuracy')} and kappa {_with_interval(part.majority, 'kappa')} against the "
        "majority of their ratings, ties resolved by adjudication. A rating of a person against the majority of the "
        f"other raters had accuracy {percent_or_dash(people.accuracy)} and kappa {coefficient(people.kappa)} "
        f"({counted(part.human_ceiling.ratings, 'rating')}), the judge against the same majorities "
        f"{percent_or_dash(judge.accuracy)} and {coefficient(judge.kappa)}. The alternative annotator test is that of "
        f"{ALTERNATIVE_ANNOTATOR.citation}."
    )


def judge_use(comparison: Compared, names: Names) -> list[str]:
    if not comparison.items:
        return ["Nothing can be said about its use: no verdict can be compared with a rating of a person."]
    if FEW_UNITS in comparison.notes:
        return [
            f"The data are too few to say what this judge is good for: fewer than {ENOUGH_UNITS} prompts or documents "
            "have items that both rated. Use people alone until more are rated."
        ]
    if ONE_ANSWER in comparison.notes:
        return ["Do not use this judge: it gives (nearly) the same answer to everything."]
    units = unit_words(names.unit, 2)
    return [
        _in_place_of_a_rater(comparison),
        *(use for key, row in comparison.detection.items() for use in _detection(names.measure(key), row, units)),
        _for_estimates(comparison),
        _confidence(comparison.calibration),
    ]


def _in_place_of_a_rater(comparison: Compared) -> str:
    test = comparison.alternative_annotator
    if test.passes is None:
        return (
            "In place of a rater: the data are too few to say. The alternative annotator test needs two raters with "
            f"enough items, and {count(test.tested)} of {count(test.raters)} have them."
        )
    rate = f"(winning rate {percent_or_dash(test.winning_rate)} over {counted(test.tested, 'rater')})"
    if test.passes:
        return (
            "In place of a rater: yes, it may stand in for one of several raters. It passed the alternative annotator "
            f"test {rate}."
        )
    return f"In place of a rater: no. It did not pass the alternative annotator test {rate}."


def _detection(measure: str, row: DetectionFigures, units: str) -> Iterator[str]:
    """Yield whether the judge finds the items of a measure, and whether those that it flags are right."""
    doubt, share, is_low = _against_enough(row, "recall")
    advice = " Do not rely on it to find them." if is_low else ""
    yield f"{measure}: {doubt}it finds {share} of these {units} (recall {_with_interval(row, 'recall')}).{advice}"
    doubt, share, is_low = _against_enough(row, "precision")
    advice = " Have people check each of them." if is_low else ""
    figure = _with_interval(row, "precision")
    yield f"{measure}: {doubt}{share} of the {units} that it flags are right (precision {figure}).{advice}"


def _against_enough(row: DetectionFigures, name: str) -> tuple[str, str, bool]:
    """Return a doubt where the interval includes ENOUGH_FOUND, or there is none; the share in words; and whether the
    whole interval is below.
    """
    bounds, share = row.intervals.get(name), f"{100 * ENOUGH_FOUND:.0f} %"
    if bounds is None or bounds[0] < ENOUGH_FOUND <= bounds[1]:
        return "the data are too few to say whether ", share, False
    is_low = bounds[0] < ENOUGH_FOUND
    return "", f"{'fewer than' if is_low else 'at least'} {share}", is_low


def _for_estimates(comparison: Compared) -> str:
    bounds = comparison.majority.intervals.get("kappa")
    kappa = f"(kappa {_with_interval(comparison.majority, 'kappa')})"
    if bounds is None or bounds[0] <= 0:
        return (
            f"For estimates: no. It is not shown that it agrees with people more than by chance {kappa}. Use people "
            "alone."
        )
    if comparison.alternative_annotator.passes:
        use = "yes, together with people’s ratings of a drawn sample, which correct its errors"
    else:
        use = (
            "use it for nothing else than estimates from people and judge together, where people’s ratings of a drawn "
            "sample correct its errors"
        )
    return f"For estimates: {use}. It agrees with people more than by chance {kappa}."


def _confidence(calibration: JudgeCalibration | None) -> str:
    if calibration is None or not calibration.n or calibration.ece is None:
        return "Confidence: its verdicts have none."
    error = f"(expected calibration error {coefficient(calibration.ece, 3)})"
    if calibration.n < ENOUGH_CONFIDENCES:
        return (
            "Confidence: the data are too few to say whether it is calibrated. Items with one: "
            f"{count(calibration.n)}; needed: {count(ENOUGH_CONFIDENCES)}."
        )
    if calibration.ece <= MAX_CALIBRATION_ERROR:
        return f"Confidence: calibrated. It is about how often the judge is right {error}."
    return f"Confidence: not calibrated {error}. Do not read it as the probability that a verdict is right."


def _with_interval(figures: LabelFigures | DetectionFigures, name: str) -> str:
    """Format a share with its interval, 92.1 % [90.0 – 94.0], or kappa, .71 [.66, .76]."""
    value, bounds = getattr(figures, name), figures.intervals.get(name)
    if name == "kappa":
        text, between = coefficient(value), joined_bounds(map(coefficient, bounds or ()))
    else:
        text, between = percent_or_dash(value), interval(*bounds) if bounds else ""
    return f"{text} [{between}]" if bounds else text
