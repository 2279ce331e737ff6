"""The sections of a report: the one list of them, in the order of pages and documents.

Building a report, its page, its documents, its list of tables and tidy CSV are loops over this list.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..data.study import Study
from ..parts import Fields
from ..report import Report
from ..tables import Table
from ..text.names import Names
from .aggregations import tables as aggregations
from .aggregations.figures import aggregations_fields
from .agreement import tables as agreement
from .agreement.figures import agreement_fields
from .answers import tables as answers
from .crossed_models import tables as crossed_models
from .crossed_models.figures import crossed_models_fields
from .differences import tables as differences
from .differences.figures import differences_fields
from .fact_qa import tables as fact_qa
from .fact_qa.figures import fact_qa_fields
from .hybrid import tables as hybrid
from .hybrid.figures import hybrid_fields, weighted_fields
from .judge import tables as judge
from .judge.comparison import judge_fields
from .means import tables as means
from .means.figures import means_fields
from .metrics import tables as metrics
from .metrics.figures import metrics_fields
from .proportions import tables as proportions
from .proportions.figures import proportions_fields
from .raters import tables as raters
from .raters.figures import raters_fields
from .scores import tables as scores
from .sensitivity import tables as sensitivity
from .sensitivity.figures import sensitivity_fields

READING, RATERS, PROPORTIONS, COMPARISONS, AGREEMENT, SENSITIVITY, CROSSED_MODELS = STEPS = (
    "Reading ratings",
    "Raters",
    "Intervals of the proportions",
    "Comparing systems",
    "Agreement between raters",
    "Sensitivity",
    "Crossed random-effects models",
)
"""Steps of building a report, as the progress of its job names them."""


@dataclass(frozen=True)
class Section:
    """A part of a report: `anchor` and `title` lead to it on the page, which shows its `tables` under the `heading`.

    `compute` returns its fields of the report, in the step of STEPS; `compute_last` those that depend on fields of
    earlier steps. `is_folded`: the page shows the tables on request. `drawing`: the figure above them.
    """

    anchor: str
    title: str
    tables: Callable[[Report, Names], Iterator[Table]]
    step: str = ""
    compute: Callable[[Study], Fields] | None = None
    compute_last: Callable[[Study, Report], Fields] | None = None
    heading: str = ""
    is_folded: bool = False
    drawing: str = ""


SECTIONS = (
    Section("proportions", "Proportions", proportions.tables, PROPORTIONS, proportions_fields),
    Section("weighted", "People alone, weighted", hybrid.weighted, RATERS, weighted_fields),
    Section("hybrid", "People and judge", hybrid.tables, RATERS, hybrid_fields),
    Section(
        "fact-qa", "Fact-QA", fact_qa.tables, SENSITIVITY, fact_qa_fields,
        heading="Fact-QA: precision and recall of facts",
    ),
    Section("judge", "Judge against people", judge.tables, RATERS, judge_fields),
    Section("metrics", "Automatic metrics", metrics.tables, SENSITIVITY, metrics_fields),
    Section(
        "differences", "Differences", differences.tables, COMPARISONS, differences_fields,
        heading="Differences between systems", is_folded=True, drawing="differences",
    ),
    Section("scores", "Scores", scores.tables),
    Section("means", "Means", means.tables, COMPARISONS, means_fields),
    Section("answers", "Distribution of answers", answers.tables, is_folded=True, drawing="options"),
    Section("by", "Breakdowns", proportions.breakdowns),
    Section(
        "sensitivity", "Sensitivity", sensitivity.tables, SENSITIVITY, compute_last=sensitivity_fields, is_folded=True,
        drawing="sensitivity",
    ),
    Section(
        "aggregation", "Aggregation", aggregations.tables, AGREEMENT, aggregations_fields,
        heading="Sensitivity to aggregation", is_folded=True,
    ),
    Section(
        "crossed", "Crossed model", crossed_models.tables, CROSSED_MODELS, crossed_models_fields,
        heading="Crossed random-effects model",
    ),
    Section("agree", "Agreement", agreement.tables, AGREEMENT, agreement_fields, heading="Agreement between raters"),
    Section("raters", "Raters", raters.tables, RATERS, raters_fields),
    Section("design", "Design effects", proportions.design_effects),
)  # fmt: skip
"""In the order of pages and documents. Answers, breakdowns and design effects are tables of the proportions' fields,
scores of theirs and of the differences'; pages show design effects among the proportions."""
