"""The report as typed classes: the one definition of its JSON, its API schema, its pages and its exports.

`Report` is the whole; its parts are defined in `parts` and in `sections/*/figures.py`.

The classes are msgspec Structs. A frozen report is decoded and validated in one step, in about the time that plain
`json` takes, and the JSON schema comes from the same fields; dataclasses would need a decoder and a schema generator of
our own. The JSON text is written by the standard library, because its shortest float form (`1e-05`) differs from
msgspec's (`0.00001`), and the bytes of a report are compared.

Fields are in the order of the JSON keys. A field with a default was added after the first release: it is absent in
older reports, and absent again when these are written. `UNSET` is used where both null and absence occur.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from .parts import (
    EFFECTIVE,
    STUDENTIZED,
    Cell,
    Correlation,
    Count,
    Filters,
    Fraction,
    Inference,
    JsonDocument,
    ReportData,
    ReportMethod,
    ReportProtocol,
    ReportSoftware,
    ResponseMeans,
)
from .sections.aggregations.figures import Aggregation
from .sections.agreement.figures import Agreement, Disagreement, DisagreementTie
from .sections.crossed_models.figures import CrossedModel
from .sections.differences.figures import Comparison, Rank
from .sections.fact_qa.figures import FactQAReport
from .sections.hybrid.figures import Hybrid, WeightedEstimates
from .sections.judge.figures import JudgeAgainstPeople
from .sections.metrics.figures import MetricsAgainstPeople
from .sections.raters.figures import RaterQuality
from .sections.sensitivity.figures import SensitivityAnalysis

SCHEMA = "factuary-report/1"


class Report(JsonDocument, frozen=True, kw_only=True):
    """factuary-report/1. Shares are 0 to 1."""

    schema: Annotated[str, Meta(extra_json_schema={"enum": [SCHEMA]})]
    protocol: ReportProtocol
    software: ReportSoftware
    data: ReportData
    method: ReportMethod
    inference: Inference | None = None
    filters: Filters | None = None
    overall: Cell
    systems: Sequence[Cell]
    by: Mapping[str, Sequence[Cell]]
    multi_valued: Annotated[
        Sequence[str] | None, Meta(description="The parts of `by` whose cells overlap: a prompt has several values.")
    ] = None
    without_value: Annotated[
        Mapping[str, Count] | None,
        Meta(description="Ratings in no cell of a part of `by`: their prompt has no value there."),
    ] = None
    concentration: Annotated[
        Mapping[str, Fraction] | None,
        Meta(
            description="Systems of which one document has more than a quarter of the ratings, with its share; absent "
            "where there is none, and in older reports."
        ),
    ] = None
    correlations: Sequence[Correlation] | None = None
    responses: Sequence[ResponseMeans] | None = None
    comparisons: Sequence[Comparison]
    score_comparisons: Annotated[
        Sequence[Comparison] | None,
        Meta(description="Under protocols that have scores; differences in weighted errors per 100 ratings."),
    ] = None
    ranks: Sequence[Rank] | None = None
    aggregations: Sequence[Aggregation] | None = None
    agreement: Mapping[str, Agreement]
    disagreements: Sequence[Disagreement] | None = None
    disagreement_tie: Annotated[
        DisagreementTie | None, Meta(description="Absent where no item ties with the last of the list.")
    ] = None
    raters: Sequence[RaterQuality] | None = None
    sensitivity: Annotated[
        Sequence[SensitivityAnalysis] | None,
        Meta(
            description="In frozen reports; in others only the exclusion of raters with an alert (`flags`), if there "
            "are any."
        ),
    ] = None
    crossed_models: Annotated[Sequence[CrossedModel] | None, Meta(description="In frozen reports, by measure.")] = None
    hybrid: Annotated[
        Hybrid | None, Meta(description="Estimates from people's ratings and a judge; where a judge was chosen.")
    ] = None
    fact_qa: Annotated[
        Sequence[FactQAReport] | None,
        Meta(description="Where judges with Fact-QA have scored responses: the newest version of each that has."),
    ] = None
    judge_against_people: Annotated[
        JudgeAgainstPeople | None, Meta(description="Where a judge was chosen that has rated in the project.")
    ] = None
    weighted_estimates: Annotated[
        WeightedEstimates | None,
        Meta(description="Where items were drawn with unequal probabilities (`data.sample.design` is `uncertain`)."),
    ] = None
    metrics: Annotated[
        MetricsAgainstPeople | None, Meta(description="Where responses of the report have scores of automatic metrics.")
    ] = None

    @property
    def all_comparisons(self) -> list[Comparison]:
        return [*self.comparisons, *(self.score_comparisons or ())]

    @property
    def chosen_cluster(self) -> str | None:
        """The sampling unit if somebody chose it, None if the rule of `auto` did."""
        return self.method.cluster if self.inference is not None and self.inference.cluster_chosen else None

    @property
    def is_studentized(self) -> bool:
        """Whether p is that of the studentized swap test; in older reports it is that of the bare difference."""
        return self.inference is not None and self.inference.swap_statistic == STUDENTIZED

    @property
    def has_effective_degrees(self) -> bool:
        """Whether intervals take into account that a few clusters are much larger than the others."""
        return self.inference is not None and self.inference.degrees_of_freedom == EFFECTIVE

    @classmethod
    def from_json(cls, text: bytes | str) -> "Report":
        """Decode a stored report. Raises `msgspec.ValidationError` where it is not one."""
        return msgspec.json.decode(text, type=cls)
