"""The data, the filters and the method of a report."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from .base import Count, Part


class ReportProtocol(Part, frozen=True):
    """The protocol version under which the ratings were given."""

    slug: str
    version: str
    sha256: str


class ReportSoftware(Part, frozen=True):
    """The versions that computed the report."""

    factuary: str
    numpy: str


class ExcludedResponses(Part, frozen=True):
    """Responses that a lead excluded for one reason, and the raters' ratings of them, which do not count."""

    reason: str
    responses: Count
    ratings: Count


class ReportSample(Part, frozen=True):
    """How the items were drawn that raters were asked about: `drawn` of `items`."""

    design: Annotated[
        str,
        Meta(
            description="`uniform`: spread over prompts, with equal probabilities; `responses`: whole responses, with "
            "equal probabilities; `uncertain`: more often where a judge was unsure. Only `weighted_estimates`, "
            "`hybrid` and `judge_against_people` are weighted for it.",
            extra_json_schema={"enum": ["uniform", "responses", "uncertain"]},
        ),
    ]
    items: Count
    drawn: Count


class ReportData(Part, frozen=True, kw_only=True):
    """The data of the report; `left_out` counts ratings by the reason why they do not count."""

    sha256: str
    ratings: Count
    assessed: Count
    left_out: Mapping[str, Count]
    prompts: Count
    responses: Count
    documents: Annotated[
        int | None, Meta(description="Absent where prompts have documents of their own, or nearly all of them.")
    ] = None
    without_document: Annotated[
        int | None,
        Meta(
            description="Prompts without a document, each a unit of its own where documents are the unit; absent "
            "without `documents`, and where there is none."
        ),
    ] = None
    items: Count | None
    raters: Count | None
    shown_in_translation: Annotated[
        Mapping[str, Count] | None,
        Meta(
            description="Readings of the project by the language in which the rater was shown the questions; absent "
            "where all saw the protocol's own words."
        ),
    ] = None
    verdict_shown: Annotated[
        int | None,
        Meta(
            description="Ratings that were given or changed after verdicts of a judge were shown to the rater; absent "
            "where none was."
        ),
    ] = None
    skipped: Annotated[
        Mapping[str, Count] | None,
        Meta(
            description="Items of the rated responses that raters were not asked about because they are marked as "
            "likely free of claims, by reason; absent where all are rated."
        ),
    ] = None
    sample: Annotated[
        ReportSample | None, Meta(description="The project's sample; absent where raters are asked about all items.")
    ] = None
    excluded: Annotated[
        Sequence[ExcludedResponses] | None,
        Meta(
            description="Responses that leads excluded, by reason; absent where none is. `left_out` counts their "
            "ratings."
        ),
    ] = None


EFFECTIVE = "effective"
"""`degrees_of_freedom` of a report whose intervals take into account that a few clusters are much larger."""

PEOPLE_ALONE = "people alone"
"""`constant_verdicts` of a report whose λ is 0 where all verdicts of the judge are alike."""

STUDENTIZED = "studentized"
"""`swap_statistic` of a report whose swap tests divide each difference by its standard error."""


class ReportMethod(Part, frozen=True):
    """How the intervals were computed."""

    level: float
    cluster: Annotated[str, Meta(extra_json_schema={"enum": ["prompt", "document"]})]
    resamples: Count
    seed: Count


class Inference(Part, frozen=True):
    """How the sampling unit was chosen and the tests were computed; absent in older reports."""

    cluster_chosen: Annotated[
        bool, Meta(description="Whether somebody chose the cluster; absent where the rule of `auto` did.")
    ] = False
    swap_statistic: Annotated[
        str | None,
        Meta(
            description="`studentized`: the difference over its standard error; absent in older reports, whose swap "
            "tests compare the difference itself."
        ),
    ] = None
    degrees_of_freedom: Annotated[
        str | None,
        Meta(
            description="`effective`: where clusters are very unequal (CV² of their sizes above .5), t of closed-form "
            "intervals has their effective number less one; absent in older reports, whose degrees are always the "
            "clusters less one."
        ),
    ] = None
    constant_verdicts: Annotated[
        str | None,
        Meta(
            description="`people alone`: in estimates with a judge, λ is 0 where all of its verdicts on a measure are "
            "alike; absent without such estimates, and in older reports, where λ followed from the weights then."
        ),
    ] = None


class Filters(Part, frozen=True):
    """The choices that exclude or replace ratings: those that are set."""

    answers: str | None = None
    least_gold: float | None = None
    without_raters: Sequence[str] | None = None
    least_seconds: float | None = None
    systems: Sequence[str] | None = None
    metadata: Mapping[str, Sequence[str]] | None = None

    @property
    def set_fields(self) -> list[str]:
        """The names of the filters that are set."""
        return [name for name in self.__struct_fields__ if getattr(self, name) is not None]

    def __bool__(self) -> bool:
        return bool(self.set_fields)
