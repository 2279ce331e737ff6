"""Coverage of the weighted accuracy, precision and recall of a judge, by number of rated sentences, judge and ICC.

In the studies of `hybrid` with the design `uncertain`, figures of the drawn sentences are weighted by 1/π, and their
bounds take at most the number of sentences as the effective one (`stats.hybrid.weighted_share`). `value` is the
coverage of 95 % intervals, `baseline` .95. The table on standard error has the coverage and the mean half-width of the
accuracy in points, in brackets with at most Kish's number of equal weights, as of people alone.
"""

import sys
from collections.abc import Iterator
from itertools import product

import numpy as np

from annotation.stats.hybrid import people_alone, unit_sums
from annotation.stats.label_intervals import detection_intervals, match_intervals
from benchmarks._figure import Figure
from benchmarks._sampled_studies import JUDGES, PROMPTS, SHARE, Judge, Study, draw_study

STUDIES = 1_000
RATED, ICCS = (60, 120, 240, 480), (0.0, 0.1, 0.4)
ALL_JUDGES = (*JUDGES, (0.98, 0.97))
NAMES = ("accuracy", "precision", "recall")
LEAST = 0.93
Bounds = tuple[float | None, float | None]


def run() -> Iterator[Figure]:
    """Yield the coverage of each figure in each setting."""
    for judge, rated in product(ALL_JUDGES, RATED):
        cells = []
        for icc in ICCS:
            coverage, widths = setting(judge, rated, icc)
            cells.append(
                f"{100 * coverage['accuracy']:.1f} ± {50 * widths['accuracy']:.1f} "
                f"({100 * coverage['equal']:.1f} ± {50 * widths['equal']:.1f})"
            )
            for name in NAMES:
                yield Figure(
                    f"coverage of weighted {name}, {rated} rated, judge {judge[0]:g}/{judge[1]:g}, ICC {icc:g}",
                    coverage[name], 0.95, "share", STUDIES, at_least=LEAST / 0.95,
                )  # fmt: skip
        line = f"judge {judge[0]:g}/{judge[1]:g}, {rated} rated: "
        print(line + "; ".join(cells), file=sys.stderr, flush=True)


def setting(judge: Judge, rated: int, icc: float) -> tuple[dict[str, float], dict[str, float]]:
    """Return the share of intervals that cover, among those that exist, and their mean width, by figure."""
    generator = np.random.default_rng([ALL_JUDGES.index(judge), rated, int(100 * icc)])
    truth, found = true_figures(judge), {name: [0, 0.0, 0] for name in (*NAMES, "equal")}
    for _ in range(STUDIES):
        for name, (low, high) in bounds(draw_study(generator, "uncertain", judge, icc, rated)).items():
            if low is not None and high is not None:
                covers = low <= truth.get(name, truth["accuracy"]) <= high
                found[name] = [found[name][0] + covers, found[name][1] + high - low, found[name][2] + 1]
    return (
        {name: covered / max(1, n) for name, (covered, _, n) in found.items()},
        {name: width / max(1, n) for name, (_, width, n) in found.items()},
    )


def true_figures(judge: Judge) -> dict[str, float]:
    """Return accuracy, and precision and recall of accurate sentences, of all that a judge could rate."""
    sensitivity, specificity = judge
    accurate = SHARE * sensitivity
    judged = accurate + (1 - SHARE) * (1 - specificity)
    return {
        "accuracy": accurate + (1 - SHARE) * specificity,
        "precision": accurate / judged,
        "recall": sensitivity,
    }


def bounds(study: Study) -> dict[str, Bounds]:
    """Return the bounds of each figure from the drawn sentences."""
    unit, drawn = study.prompt[study.drawn], study.drawn
    truth, judged = study.truth[drawn].astype(int), study.verdict[drawn].astype(int)
    weight = 1 / study.probability[drawn]
    sums, squares, counts = (np.zeros((PROMPTS, 2, 2)) for _ in range(3))
    for table, each in ((sums, weight), (squares, weight**2), (counts, 1.0)):
        np.add.at(table, (unit, truth, judged), each)
    figures = match_intervals(sums, squares, counts, resamples=1)
    figures |= detection_intervals(sums, {1}, squares, counts, resamples=1)
    one, right = np.ones(len(study.truth)), (study.truth == study.verdict).astype(float)
    nothing = np.zeros(len(one))
    equal = people_alone(unit_sums(study.prompt, right, one, nothing, nothing, drawn, study.probability, units=PROMPTS))
    return {name: (figures[name].low, figures[name].high) for name in NAMES} | {"equal": (equal.low, equal.high)}
