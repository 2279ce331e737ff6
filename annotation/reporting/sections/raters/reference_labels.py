"""What the ratings of raters are compared with: gold answers, adjudications and the other raters' answers."""

from dataclasses import dataclass

import numpy as np

from ....protocols import Measure, Protocol, Question
from ....stats import raters as stats
from ...data.arrays import MISSING, Indices, SmallNumbers, indices
from ...data.filters import checked_answers
from ...data.study import Study
from ...data.table import RatingTable, References
from ..agreement.figures import ACCURATE


@dataclass(frozen=True)
class ReferenceLabels:
    """The answers that each rating is compared with: arrays of shape (ratings,).

    `labels`: the answer to the first measured question, MISSING for options outside every measure; `checked`: the
    answer to the checked question; `gold`, `adjudicated`: the expected answer, never decided by the same rater;
    all numbers of options; `hits`: 1, 0 or MISSING; `same`, `apart`: see `stats.raters`.
    """

    question: Question
    labels: SmallNumbers
    hits: SmallNumbers
    checked_options: list[str]
    checked: SmallNumbers
    gold: SmallNumbers
    adjudicated: SmallNumbers
    same: SmallNumbers
    apart: stats.Differences


def reference_labels(study: Study) -> ReferenceLabels:
    """Return the labels that the ratings of raters are compared with."""
    ratings, cells, question = study.by_raters, study.cells, study.protocol.first_measured_question
    number = {key: i for i, key in enumerate(question.option_keys)}
    options = indices(number.get(answers.get(question.key, ""), MISSING) for answers in cells.answers)
    left_out = [number[key] for key in cells.protocol.left_out(question.key)]
    checked = checked_answers(cells.protocol, cells.answers)
    labels = ratings.expand(np.where(np.isin(options, left_out), MISSING, options))
    hits, among = cells.masks(leniency_measure(cells.protocol))
    hit = ratings.expand(np.where(among, hits, MISSING))
    return ReferenceLabels(
        question=question,
        labels=labels,
        hits=hit,
        checked_options=checked.options,
        checked=ratings.expand(checked.by_answers),
        gold=_expected(ratings, ratings.items.gold, checked.by_answers),
        adjudicated=_expected(ratings, ratings.items.adjudicated, checked.by_answers),
        same=stats.agrees_with_majority(ratings.item, labels, len(number)),
        apart=stats.differences(ratings.item, hit),
    )


def leniency_measure(protocol: Protocol) -> Measure:
    """Return the measure of leniency: `accurate`, or the first."""
    measures = protocol.measures
    return next((measure for measure in measures if measure.key == ACCURATE), measures[0])


def _expected(ratings: RatingTable, references: References, options: Indices) -> SmallNumbers:
    """Return for each rating the reference's label of its item, as a number of `options` by set of answers; MISSING if
    there is none, or if the rater gave it, because raters are not compared with their own answers.
    """
    option = np.append(options, MISSING)[references.answer].astype(np.int16)[ratings.item]
    return np.where(references.rater[ratings.item] == ratings.rater, np.int16(MISSING), option)
