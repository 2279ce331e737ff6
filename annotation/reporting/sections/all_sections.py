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
from .scores.figures import scores_fields
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
    """A part of a report: `anchor` and `title` lead to it on the page, which `template` draws from its `tables`.

    `compute` returns its fields of the report, in the step of STEPS; `compute_last` those that depend on fields of
    earlier steps. `is_folded`: the page shows its tables on request. `drawing`: the figure above them.
    """

    anchor: str
    title: str
    tables: Callable[[Report, Names], Iterator[Table]]
    template: str = "reports/_section.html"
    step: str = ""
    compute: Callable[[Study], Fields] | None = None
    compute_last: Callable[[Study, Report], Fields] | None = None
    is_folded: bool = False
    drawing: str = ""


def _sensitivity(study: Study, report: Report) -> Fields:
    return sensitivity_fields(study, [report.overall, *report.systems], report.aggregations, report.raters)


SECTIONS = (
    Section(
        "proportions", "Proportions", proportions.tables, "reports/_proportions.html", PROPORTIONS, proportions_fields
    ),
    Section("weighted", "People alone, weighted", hybrid.weighted, step=RATERS, compute=weighted_fields),
    Section("hybrid", "People and judge", hybrid.tables, step=RATERS, compute=hybrid_fields),
    Section("fact-qa", "Fact-QA", fact_qa.tables, "reports/_fact_qa.html", SENSITIVITY, fact_qa_fields),
    Section("judge", "Judge against people", judge.tables, "reports/_judge.html", RATERS, judge_fields),
    Section("metrics", "Automatic metrics", metrics.tables, "reports/_metrics.html", SENSITIVITY, metrics_fields),
    Section(
        "differences", "Differences", differences.tables, "reports/_comparisons.html", COMPARISONS, differences_fields
    ),
    Section("scores", "Scores", scores.tables, step=COMPARISONS, compute=scores_fields),
    Section("means", "Means", means.tables, step=COMPARISONS, compute=means_fields),
    Section("answers", "Distribution of answers", answers.tables, "reports/_answers.html"),
    Section("by", "Breakdowns", proportions.breakdowns, "reports/_breakdowns.html"),
    Section(
        "sensitivity",
        "Sensitivity",
        sensitivity.tables,
        step=SENSITIVITY,
        compute_last=_sensitivity,
        is_folded=True,
        drawing="sensitivity",
    ),
    Section(
        "aggregation",
        "Aggregation",
        aggregations.tables,
        step=AGREEMENT,
        compute=aggregations_fields,
        is_folded=True,
    ),
    Section(
        "crossed",
        "Crossed model",
        crossed_models.tables,
        "reports/_crossed_models.html",
        CROSSED_MODELS,
        crossed_models_fields,
    ),
    Section("agree", "Agreement", agreement.tables, "reports/_agreement.html", AGREEMENT, agreement_fields),
    Section("raters", "Raters", raters.tables, "reports/_raters.html", RATERS, raters_fields),
    Section("design", "Design effects", proportions.design_effects, template=""),
)
"""In the order of pages and documents. Answers, breakdowns and design effects are tables of the proportions' fields;
pages show design effects among the proportions."""
