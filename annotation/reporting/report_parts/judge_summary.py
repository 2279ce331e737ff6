"""The section of a report about its judge: the comparison with people without single items and costs."""

from collections.abc import Mapping, Sequence

import msgspec

from .base import Count, Part
from .judge_comparison import (
    AlternativeAnnotator,
    DetectionFigures,
    FingerprintAccuracy,
    HumanCeiling,
    ItemGroup,
    JudgeCalibration,
    JudgeComparison,
    LabelFigures,
    OrderBias,
    OwnModel,
    RateDifference,
    RunAccuracy,
    SampleConsistency,
    SampleWeights,
    VersionDrift,
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
        """The name of the judge without its version."""
        return self.judge.partition("@")[0]


Compared = JudgeComparison | JudgeAgainstPeople
"""What the tables and sentences about a judge are made from: all of a comparison, or the report's part of it."""
