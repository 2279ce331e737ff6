"""The section of a report about its judge: the most important figures of the comparison with people."""

from collections.abc import Mapping, Sequence

from .base import Count, Part
from .judge_comparison import AlternativeAnnotator, DetectionFigures, HumanCeiling, LabelFigures


class JudgeAgainstPeople(Part, frozen=True, kw_only=True):
    """A version of a judge against the ratings that the report counts; all fields as in the whole comparison.

    `majority`: the judge's labels against the majority of people's.
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

    @property
    def name(self) -> str:
        """The name of the judge without its version."""
        return self.judge.partition("@")[0]
