"""The provenance record of a frozen report: what stands beside its figures and not in its bytes.

Dates, raters and the analysis plan depend on the project and not only on the data, so they are stored next to the
report when it is frozen, and never change either.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from .parts import Count, Fraction, JsonDocument, Part, Share

SCHEMA = "factuary-provenance/1"


class Attempts(Part, frozen=True):
    """A rater's attempts at the training or the qualification; `right` of `items` in the last that ended."""

    attempts: Count
    passed: bool
    right: Count
    items: Count


class RaterRecord(Part, frozen=True, kw_only=True):
    """One rater of the report. `gold`: of counted ratings, those that equal the gold answer; `hidden_gold`: apart."""

    rater: str
    ratings: Count
    training: Attempts | None
    qualification: Attempts | None
    waived: Annotated[bool, Meta(description="Whether a lead waived training and qualification.")]
    gold: Share | None
    hidden_gold: Share | None


class Preparation(Part, frozen=True, kw_only=True):
    """What raters had to do before their work, and how all together did.

    `passed`: raters of the report who passed the qualification. Shares are pooled over these raters.
    """

    training_responses: Count
    qualification_responses: Count
    pass_mark: Fraction
    tries: Count
    trained: Count
    passed: Count
    waived: Count
    hidden_gold_every: Annotated[Count | None, Meta(description="One in this number of responses is hidden gold.")]
    training: Share | None
    qualification: Share | None
    gold: Share | None
    hidden_gold: Share | None


class Blinding(Part, frozen=True, kw_only=True):
    """What raters saw beside a response. `imported`: counted ratings given elsewhere, under unknown conditions.

    That system names are hidden and responses come in random order holds for every project and is not recorded.
    """

    suggestions: Annotated[bool, Meta(description="Whether raters were shown likely passages when it was frozen.")]
    reference_shown: bool
    imported: Count


class Lengths(Part, frozen=True):
    """The distribution of a length over responses; `cv2` is the variance (n - 1) over the squared mean."""

    mean: float
    median: float
    cv2: float | None


class SystemLengths(Part, frozen=True):
    """The lengths of one system's rated responses: rated items of the protocol's unit, and words."""

    system: str
    responses: Count
    items: Lengths
    words: Lengths


class Deviation(Part, frozen=True):
    """A topic in which the report is not as planned; an empty list means none or not given."""

    topic: Annotated[
        str,
        Meta(
            extra_json_schema={
                "enum": [
                    "measures", "unit", "comparisons", "seed", "resamples", "answers", "least_gold", "least_seconds",
                    "without_raters", "systems", "metadata", "target",
                ]
            }
        ),
    ]  # fmt: skip
    planned: Sequence[str]
    actual: Sequence[str]


class PlanCheck(Part, frozen=True, kw_only=True):
    """The report against one version of the plan. `before_first_rating`: stored before anything was rated."""

    version: Count
    sha256: str
    stored_at: str
    before_first_rating: bool
    deviations: Sequence[Deviation]

    @property
    def as_planned(self) -> bool:
        return not self.deviations


class FamilyTest(Part, frozen=True):
    """A planned comparison: `p` of the report, and adjusted by Holm over the plan's family."""

    a: str
    b: str
    measure: str
    p: Fraction | None
    p_family: Fraction | None


class PlanRecord(PlanCheck, frozen=True, kw_only=True):
    """The report against the newest version of the plan.

    `earlier`: against the last version before the first rating, where the newest is from after it. `family_size`: the
    tests with a p that the adjustment covers. `unplanned`: measures of the report that are not in the plan.
    """

    earlier: PlanCheck | None
    family: Annotated[str, Meta(extra_json_schema={"enum": ["measure", "report", "planned"]})]
    family_size: Annotated[Count, Meta(description="Of one measure where the family is `measure`.")]
    tests: Sequence[FamilyTest]
    unplanned: Sequence[str]


class Provenance(JsonDocument, frozen=True, kw_only=True):
    """factuary-provenance/1. Times are ISO 8601 in UTC; `plan` is null without an analysis plan (post hoc)."""

    schema: str
    project: str
    title: str
    dataset: str
    software: str
    scipy: Annotated[str, Meta(description="The version of SciPy; absent in older records.")] = ""
    first_rating: str | None
    last_rating: str | None
    ratings: Count
    raters: Sequence[RaterRecord]
    preparation: Preparation
    blinding: Blinding
    overlap: Count
    splitters: Annotated[
        Mapping[str, Count], Meta(description="Rated items by version of the splitter; empty: came with the data.")
    ]
    not_rated: Annotated[
        Mapping[str, Count],
        Meta(description="Items of the rated responses whose kind is not rated, by kind; absent: none."),
    ] = {}
    nothing_to_rate: Annotated[
        Mapping[str, Count],
        Meta(
            description="Responses without an item that raters are asked about, by system: of reasoning, headings or "
            "code alone; absent: none."
        ),
    ] = {}
    marked_claim_free: Annotated[
        Mapping[str, Count],
        Meta(description="Rated items marked as likely free of claims, by reason; absent: none, or they are skipped."),
    ] = {}
    lengths: Sequence[SystemLengths]
    guidelines: Annotated[
        Mapping[str, Count], Meta(description="Ratings by version of the project's guidelines; empty: under none.")
    ]
    target: Annotated[float | None, Meta(description="The precision target, a half-width.")]
    plan: PlanRecord | None
