"""A judge compared with people on the items that both rated."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from ...parts import Count, Fraction, JsonDocument, Part, ReportMethod, ReportProtocol
from ..agreement.figures import NamedItem

Intervals = Mapping[str, tuple[float, float] | None]
"""Bounds by figure; null where a figure has none."""


class JudgeDescription(Part, frozen=True):
    """What a version of a judge is: a rule, or a model with its prompt. Unused fields are null."""

    name: str
    version: Count
    rule: str | None
    model: str | None
    prompt_sha256: Annotated[str | None, Meta(description="Of the prompt template in UTF-8.")]
    sees: str | None
    rates: str | None
    samples: Count | None
    temperature: float | None
    returned_model: Annotated[
        str | None, Meta(description="As which the endpoint answered; empty: it names no model. Absent: no answer.")
    ] = None


class LabelFigures(Part, frozen=True, kw_only=True):
    """How two sets of labels match."""

    accuracy: Fraction | None
    kappa: float | None
    kappa_quadratic: float | None
    macro_f1: Fraction | None
    intervals: Intervals


class DetectionFigures(Part, frozen=True, kw_only=True):
    """Detection of the items that people find positive."""

    tp: Count
    fp: Count
    fn: Count
    tn: Count
    precision: Fraction | None
    recall: Fraction | None
    f1: Fraction | None
    mcc: float | None
    balanced_accuracy: Fraction | None
    intervals: Intervals


class HumanCeiling(Part, frozen=True):
    """People and judge against the majority of the other raters of the item, rating by rating."""

    items: Count
    ratings: Count
    people: LabelFigures
    judge: LabelFigures


class AlternativeAnnotator(Part, frozen=True):
    """The alternative annotator test; `passes` is null with fewer than two tested raters."""

    epsilon: float
    raters: Count
    tested: Count
    winning_rate: Fraction | None
    advantage: Fraction | None
    passes: bool | None


class ReliabilityBin(Part, frozen=True):
    """Verdicts with a confidence from `low` to below `high`; the last bin includes `high`. The bounds are those of the
    accuracy.
    """

    low: float
    high: float
    n: Count
    right: Count
    confidence: Fraction | None
    accuracy: Fraction | None
    accuracy_low: Fraction | None
    accuracy_high: Fraction | None


class JudgeCalibration(Part, frozen=True):
    """Whether the judge's confidence is how often it is right."""

    n: Count
    ece: Fraction | None
    largest_error: Fraction | None
    brier: Fraction | None
    bins: Sequence[ReliabilityBin]


class RateDifference(Part, frozen=True):
    """A measure's rate by the judge less its rate by people, as means over the items that both assessed."""

    items: Count
    people: Fraction | None
    judge: Fraction | None
    difference: float | None
    low: float | None
    high: float | None


class ItemGroup(Part, frozen=True):
    """The items of one group, such as those of a system; `accuracy` is that of the judge's labels."""

    value: str
    items: Count
    accuracy: Fraction | None
    low: float | None
    high: float | None
    measures: Mapping[str, RateDifference]


class OwnModel(Part, frozen=True):
    """The difference of `measure` on responses of the judge's own model, less that on all others."""

    systems: Sequence[str]
    measure: str
    difference: float | None
    low: float | None
    high: float | None


class OrderBias(Part, frozen=True):
    """Whether a judge of pairs favors the response that it is shown first, by its answers to `question`.

    Shares for the response that the judge is shown first; a tie counts half. People are shown the two in random order.
    `by_system`: the pairs in which a response of this system is shown first.
    """

    question: str
    overall: RateDifference
    by_system: Mapping[str, RateDifference]


class SampleConsistency(Part, frozen=True):
    """Items with several samples; `mean_agreement`: mean share of the samples that gave the most frequent answer."""

    items: Count
    all_agree: Fraction | None
    mean_agreement: Fraction | None


class AnswerChange(Part, frozen=True):
    """Items whose answer to the checked question another version gave as `before`, and this one as `after`."""

    before: str
    after: str
    items: Count


class VersionDrift(Part, frozen=True, kw_only=True):
    """Another version of the judge on the same items, and the accuracy of both against people.

    `same`: share of `items`, all that both versions rated, with the same answer to the checked question; `changes`: the
    others, most frequent first. `accuracy` and its `difference` are about `compared_items`, which people rated too.
    `is_repetition`: both versions have the same configuration.
    """

    judge: str
    is_repetition: bool
    items: Count
    same: Fraction | None
    same_low: float | None
    same_high: float | None
    kappa: float | None
    changes: Sequence[AnswerChange]
    compared_items: Count
    accuracy: Fraction | None
    other_accuracy: Fraction | None
    difference: float | None
    low: float | None
    high: float | None


class RunAccuracy(Part, frozen=True):
    """The items that one run rated; runs are numbered from 1 in the order of their start."""

    run: Count
    items: Count
    accuracy: Fraction | None
    low: float | None
    high: float | None


class FingerprintAccuracy(Part, frozen=True):
    """The items whose answers came with these system fingerprints, which the endpoint named: several samples may have
    several, separated by spaces.
    """

    fingerprints: str
    items: Count
    accuracy: Fraction | None
    low: float | None
    high: float | None


class DifferingItem(NamedItem, frozen=True):
    """An item that judge and people answer differently, by imported ids; `unlike`: share of people's answers."""

    judge: str
    people: Mapping[str, Count]
    unlike: Fraction
    confidence: Fraction | None
    reason: str


class SampleWeights(Part, frozen=True):
    """The weights 1/π of the compared items. `effective_items`: how many of equal weight they are worth (Kish 1965).

    `confusion`: the weighted share of each cell of the confusion table.
    """

    smallest: float | None
    largest: float | None
    effective_items: float
    confusion: Sequence[Sequence[Fraction]]


class JudgeCost(Part, frozen=True):
    """USD; null without prices."""

    total: float | None
    per_item: float | None


class JudgeComparison(JsonDocument, frozen=True, kw_only=True):
    """factuary-judge-comparison/1. Shares are 0 to 1, undefined figures null.

    `items`: those with an answer of the judge and one of people that can be compared; the figures below are about them.
    `left_out`: verdicts that are not, by reason. `excluded`: verdicts on items that tuned the judge's prompt (`tuned`),
    and those that failed (`failed`); ratings given or changed after verdicts were shown (`verdict_shown`), and those of
    items without a weight (`not_drawn`); adjudications after verdicts were shown (`adjudications_verdict_shown`), which
    resolve no tie; items that raters are not asked about because they are likely free of claims (`skipped`).
    `confusion`: counts, rows are people's answers, columns the judge's, in the order of `labels`. `notes`: what must be
    known to read the figures, a sentence each. `weights`: null where all items have the same; otherwise all figures but
    counts are weighted by them, except those about verdicts alone.
    `fingerprints` is absent where the endpoint names none. `use`: what the judge is good for, a sentence each.
    """

    schema: str
    judge: JudgeDescription
    protocol: ReportProtocol
    method: ReportMethod
    items: Count
    verdicts: Count
    left_out: Mapping[str, Count]
    excluded: Mapping[str, Count]
    notes: Sequence[str]
    weights: SampleWeights | None
    labels: Sequence[str]
    confusion: Sequence[Sequence[Count]]
    accuracy: Fraction | None
    kappa: float | None
    kappa_quadratic: float | None
    macro_f1: Fraction | None
    intervals: Intervals
    detection: Mapping[str, DetectionFigures]
    human_ceiling: HumanCeiling
    alternative_annotator: AlternativeAnnotator
    calibration: JudgeCalibration
    measures: Mapping[str, RateDifference]
    by: Mapping[str, Sequence[ItemGroup]]
    own_model: OwnModel | None
    order: OrderBias | None
    consistency: SampleConsistency
    versions: Sequence[VersionDrift]
    runs: Sequence[RunAccuracy]
    cost_usd: JudgeCost
    differing_items: Sequence[DifferingItem]
    fingerprints: Sequence[FingerprintAccuracy] = ()
    use: Sequence[str] = ()

    @property
    def majority(self) -> LabelFigures:
        """The judge's labels against the majority of people's."""
        return LabelFigures(
            accuracy=self.accuracy,
            kappa=self.kappa,
            kappa_quadratic=self.kappa_quadratic,
            macro_f1=self.macro_f1,
            intervals=self.intervals,
        )


class JudgeAgainstPeople(Part, frozen=True, kw_only=True):
    """A version of a judge, NAME@N, against the ratings that the report counts; all fields as in the whole comparison.

    `majority`: the judge's labels against the majority of people's. `versions`: in frozen reports.
    """

    judge: str
    version: Count
    items: Count
    verdicts: Count
    left_out: Mapping[str, Count]
    excluded: Mapping[str, Count]
    notes: Sequence[str]
    majority: LabelFigures
    detection: Mapping[str, DetectionFigures]
    human_ceiling: HumanCeiling
    alternative_annotator: AlternativeAnnotator
    weights: SampleWeights | None = None
    labels: Sequence[str] = ()
    confusion: Sequence[Sequence[Count]] = ()
    calibration: JudgeCalibration | None = None
    measures: Mapping[str, RateDifference] = msgspec.field(default_factory=dict)
    by: Mapping[str, Sequence[ItemGroup]] = msgspec.field(default_factory=dict)
    own_model: OwnModel | None = None
    order: OrderBias | None = None
    consistency: SampleConsistency | None = None
    versions: Sequence[VersionDrift] = ()
    runs: Sequence[RunAccuracy] = ()
    fingerprints: Sequence[FingerprintAccuracy] = ()

    @property
    def name(self) -> str:
        return self.judge.partition("@")[0]


Compared = JudgeComparison | JudgeAgainstPeople
"""What the tables and sentences about a judge are made from: all of a comparison, or the report's part of it."""
