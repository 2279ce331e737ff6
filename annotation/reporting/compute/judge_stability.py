"""How stable a judge is: over the samples of an item, over the versions of the judge, and over its runs."""

from collections.abc import Mapping, Sequence

import numpy as np

from ...protocols import Protocol
from ...stats.label_comparison import confusion, match
from ...stats.means import clustered_mean
from ...stats.undefined import quotient
from ..data.arrays import MISSING
from ..data.gold_questions import checked_answers
from ..data.verdicts import JudgeAnswer
from ..report_parts.judge_comparison import RunAccuracy, SampleConsistency, VersionDrift
from .cells import LEVEL
from .judge_groups import item_accuracy
from .judge_labels import JudgeLabels


def sample_consistency(protocol: Protocol, rows: Sequence[JudgeAnswer]) -> SampleConsistency:
    """Return how the samples of an item agree in the checked question, over items with several; an invalid sample
    agrees with none.
    """
    shares = [_agreement(protocol, row.votes) for row in rows if len(row.votes) > 1]
    agreeing = sum(share == 1 for share in shares)
    return SampleConsistency(len(shares), quotient(agreeing, len(shares)), quotient(sum(shares), len(shares)))


def version_drift(name: str, labels: JudgeLabels, other: JudgeLabels) -> VersionDrift:
    """Compare a version with another one, called `name`: the same labels, and the difference of their accuracies."""
    agreement = match(confusion(labels.judged, other.judged, len(labels.options)))
    used = labels.compared & other.compared
    right, other_right = ((each.judged == each.reference)[used].astype(float) for each in (labels, other))
    difference = clustered_mean(right - other_right, labels.people.item_cluster[used], level=LEVEL)
    return VersionDrift(
        judge=name,
        items=agreement.n,
        same=agreement.accuracy,
        kappa=agreement.cohen_kappa,
        compared_items=difference.n,
        accuracy=quotient(float(right.sum()), difference.n),
        other_accuracy=quotient(float(other_right.sum()), difference.n),
        difference=difference.value,
        low=difference.low,
        high=difference.high,
    )


def run_accuracies(labels: JudgeLabels, rows: Sequence[JudgeAnswer]) -> list[RunAccuracy]:
    """Return the accuracy on the items of each run, in the order of their start."""
    runs = sorted({row.run for row in rows if row.run is not None})
    number = {run: n for n, run in enumerate(runs)}
    by_row = np.array([MISSING if row.run is None else number[row.run] for row in rows] + [MISSING])
    run_of = by_row[labels.judge.row]
    return [RunAccuracy(n + 1, *item_accuracy(labels, run_of == n)) for n in range(len(runs))]


def _agreement(protocol: Protocol, votes: Sequence[Mapping[str, str] | None]) -> float:
    """Return the share of the samples that gave the most frequent answer to the checked question."""
    answers = checked_answers(protocol, [vote for vote in votes if vote is not None]).by_answers
    return int(np.bincount(answers[answers != MISSING], minlength=1).max()) / len(votes)
