"""The tables of a report as plain text cells, for any format.

A grid is one table; formats only differ in their markup. `cell_text` formats the values, each share with its k of n,
each interval with its bounds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..reporting.compute import significance
from ..reporting.compute.aggregations import by_measure
from ..reporting.compute.ranks import best_first
from ..reporting.figures.drawing import shorten
from ..reporting.provenance_record import Provenance
from ..reporting.report import Cell, Disagreement, Report
from ..reporting.text import comparison_notes, figure_format, notes
from ..reporting.text.cautions import cautions
from ..reporting.text.missing_figures import missing_note
from ..reporting.text.names import Names, agreement_of, breakdown_label, label_columns
from ..reporting.text.other_options import other_options
from ..reporting.text.planned_family import planned_family_note
from ..reporting.text.sensitivity import has_sensitivity_panel
from ..reporting.text.unrated_measures import without_unrated_measures
from ..reporting.text.value_order import with_ordered_values
from . import cell_text
from .answer_tables import answers_by_breakdown, options, other_answers
from .crossed_tables import crossed_grids
from .difference_tables import differences
from .fact_qa_tables import fact_qa_grids
from .hybrid_tables import DIFFERENCES, HYBRID, WEIGHTED, WEIGHTED_DIFFERENCES, hybrid_grids, weighted_grids
from .judge_tables import JUDGE_TABLES, judge_grids
from .mean_tables import mean_grids
from .metric_grids import metric_grids
from .plan_tables import plan_grids
from .rater_tables import rater_grids
from .score_tables import score_grids
from .sensitivity_table import sensitivity
from .table import Grid
from .table_names import table_name
from .unit_tables import prompt_unit_grids

RANK_NOTE = (
    "Rank 1 is the best value, the highest where neither end is better. Intervals: 95 % percentile intervals over the "
    "resamples, one system at a time. A one-value rank interval does not imply a significant difference."
)
AGGREGATION_NOTE = (
    "Pooled: all assessed ratings together, as in the other tables. Majority: of the items with a majority; ties are "
    "excluded. Means: every item, response or prompt has the same weight."
)
MODEL_NOTE = (
    "Dawid-Skene: raters weighted by how well they agree with the others, estimated separately for each "
    "system and for all systems, so the value of all systems may lie outside theirs."
)
DESIGN_NOTE = (
    "Design effect: the variance, as a multiple of what independent ratings would have; ICC in brackets, where it is "
    "defined."
)
DISAGREEMENT_NOTE = (
    "Disagreement: each pair of an item’s ratings weighs one for every question answered differently and for every "
    "measure that counts one of the two and not the other; their sum is divided by the number of pairs that would "
    "differ if the raters were split evenly. Items are counted from 1 within a response, rated or not."
)
ON_REQUEST = ("ranks",)
"""Tables that a document omits: beside "no two systems differ" a one-value rank interval would be misread. It also
omits breakdowns with more than MAX_VALUES rows."""
WEIGHTED_TABLES = (WEIGHTED, WEIGHTED_DIFFERENCES, HYBRID, DIFFERENCES, *JUDGE_TABLES)
"""Tables whose figures are weighted where items were drawn with unequal probabilities."""
MAX_TEXT_LENGTH = 120  # characters of an item; the JSON has the whole text
MAX_VALUES = 60  # rows of a breakdown in a document; a table of its own contains all


def grids(report: Report, names: Names, record: Provenance | None = None) -> Iterator[Grid]:
    """Return all tables of a report, main tables first, each with a note on the selection of ratings; the note on
    differences names the family of the analysis plan in `record`.
    """
    choice, family = notes.filters_note(report, names), planned_family_note(record, report, names)
    rated, unrated = without_unrated_measures(with_ordered_values(report))
    for grid in _grids(rated, unrated, names):
        missing = missing_note(grid.key, rated, names)
        options = notes.options_note(report, names) if grid.key in WEIGHTED_TABLES else choice
        sentences = [grid.note, missing, options, family if grid.key == "comparisons" else ""]
        yield replace(grid, note=" ".join(filter(None, sentences)))


def document_grids(report: Report, names: Names, record: Provenance | None = None) -> Iterator[Grid]:
    """Return the tables of a document, without those that are only shown on request."""
    omitted = {*ON_REQUEST, *(table_name(key) for key, cells in report.by.items() if len(cells) > MAX_VALUES)}
    return (grid for grid in grids(report, names, record) if grid.key not in omitted)


def requested_grids(report: Report, names: Names, record: Provenance | None = None) -> Iterator[Grid]:
    """Return all tables that can be asked for one by one: also the answers by breakdown, and those of the record."""
    yield from grids(report, names, record)
    choice = notes.filters_note(report, names)
    for grid in answers_by_breakdown(with_ordered_values(report), names):
        yield replace(grid, note=" ".join(filter(None, [grid.note, choice])))
    if record is not None and record.plan is not None:
        yield from plan_grids(record.plan, names)


def _grids(report: Report, unrated: list[str], names: Names) -> Iterator[Grid]:
    if not report.systems:
        yield from fact_qa_grids(report)
        return
    systems = [*report.systems, report.overall]
    intervals = notes.interval_note([cell.measures for cell in systems], report.method.cluster)
    sentences = [
        intervals,
        notes.documents_note(report),
        notes.raters_note(report),
        *cautions(report, names),
        notes.pairs_note(report, names),
        _no_column(unrated, names),
    ]
    note = " ".join(filter(None, sentences))
    title = f"Proportions by {names.system_word}"
    yield measures("systems", title, [names.system_head], systems, names, note, with_options=True)
    yield from weighted_grids(report, names)
    yield from hybrid_grids(report, names)
    yield from fact_qa_grids(report)
    yield from judge_grids(report, names)
    yield from metric_grids(report, names)
    yield options(report, names)
    yield from other_answers(report, names)
    for key, cells in report.by.items():
        if cells:
            title = f"Proportions by {breakdown_label(key, names)}"
            labels = label_columns(key, cells[0], names)
            yield measures(table_name(key), title, labels, cells, names, notes.breakdown_note(report, key))
    if report.comparisons and not significance.nothing_in_common(report):
        yield comparisons(report, names)
    yield from prompt_unit_grids(report, names)
    yield from _rank_and_aggregation_grids(report, names)
    yield agreement(report, names)
    if report.disagreements:
        yield disagreements(report, names)
    yield from rater_grids(report, names)
    yield design_effects(report, names)
    yield from mean_grids(report, names)
    yield from score_grids(report, names)
    if has_sensitivity_panel(report):
        yield sensitivity(report, names)
    yield from crossed_grids(report, names)


def _no_column(unrated: list[str], names: Names) -> str:
    listed = figure_format.listed([names.measure(key) for key in unrated], "and")
    return f"No column, because no rating is assessed: {listed}." if listed else ""


def _rank_and_aggregation_grids(report: Report, names: Names) -> Iterator[Grid]:
    if report.ranks:
        yield ranks(report, names)
    if report.aggregations:
        yield aggregations(report, names)


def measures(
    key: str,
    title: str,
    labels: list[str],
    cells: Sequence[Cell],
    names: Names,
    note: str,
    *,
    with_options: bool = False,
) -> Grid:
    """Return one row per cell: names under `labels`, measures with interval and k of n, numbers assessed and left
    out; `with_options` also the assessed options without a measure.
    """
    keys, figures = list(cells[0].measures), [cell.measures for cell in cells]
    options = [other_options(cell, names) if with_options else {} for cell in cells]
    rows = [
        [
            *cell_text.labels(cell, names),
            *(cell_text.measure(cell.measures[measure], figures) for measure in keys),
            *(cell_text.measure(share, figures) for share in others.values()),
            figure_format.count(cell.assessed),
            figure_format.count(cell.left_out),
        ]
        for cell, others in zip(cells, options, strict=True)
    ]
    head = [*labels, *map(names.measure, keys), *map(names.option, options[0]), "Assessed", "Excluded"]
    return Grid(key, title, head, rows, note, len(labels))


def comparisons(report: Report, names: Names) -> Grid:
    """Return every pair of systems with its difference in percentage points."""
    rows, cluster = significance.comparisons_shown(report), report.method.cluster
    note = comparison_notes.comparison_note(rows, cluster, studentized=report.is_studentized)
    return differences("comparisons", "Differences between systems", rows, note, names, cluster)


def agreement(report: Report, names: Names) -> Grid:
    """Return each question with its coefficients and their intervals, if computed."""
    rows = [
        [
            agreement_of(key, names),
            figure_format.count(agreement.items),
            figure_format.count(agreement.raters),
            *(cell_text.coefficient(name, agreement) for name in figure_format.COEFFICIENTS),
        ]
        for key, agreement in report.agreement.items()
    ]
    head = ["Question", "Items", "Raters", *figure_format.COEFFICIENTS.values()]
    note = notes.agreement_note(report.method.cluster)
    return Grid("agreement", "Agreement between raters", head, rows, note)


def disagreements(report: Report, names: Names) -> Grid:
    """Return the items with most disagreement, with the counts of each answer and the items that tie with the last."""
    rows = [
        [
            shorten(row.text, MAX_TEXT_LENGTH),
            figure_format.item_of(row, first=1),
            row.system,
            _answers(row, names),
            figure_format.count(row.ratings),
            cell_text.plain(row.disagreement),
        ]
        for row in report.disagreements or ()
    ]
    head = [names.unit.capitalize(), "Where", names.system_head, "Answers", "Ratings", "Disagreement"]
    title = "Largest disagreements"
    note = f"{notes.tie_note(report, names.unit)} {DISAGREEMENT_NOTE}".strip()
    return Grid("disagreements", title, head, rows, note, labels=4, wraps=(0, 3))


def _answers(row: Disagreement, names: Names) -> str:
    first = figure_format.times((names.option(key), n) for key, n in row.options.items())
    return "; ".join(filter(None, [first, figure_format.answers_to_others(row, names)]))


def ranks(report: Report, names: Names) -> Grid:
    """Return the rank of each system on each measure, 1 for the best value, with its interval."""
    rows = [
        [
            names.measure(row.measure),
            row.system,
            cell_text.plain(row.rank),
            cell_text.from_to(row.low, row.high),
        ]
        for row in best_first(report.ranks or (), names.better)
    ]
    return Grid("ranks", "Ranks of the systems", ["Measure", "System", "Rank", "95 % interval"], rows, RANK_NOTE, 2)


def aggregations(report: Report, names: Names) -> Grid:
    """Return the same proportion under each common aggregation; without a column of models where none is estimated."""
    measures = list(by_measure(report.aggregations or ()))
    with_model = any(p.dawid_skene for _, _, p in measures)
    rows = [
        [
            names.measure(measure),
            system or names.all_systems,
            figure_format.percent_or_dash(p.pooled),
            cell_text.majority(p.majority),
            *map(figure_format.percent_or_dash, (p.macro_item, p.macro_response, p.macro_prompt)),
            cell_text.share(p.responses_with_any) if names.better(measure) == "lower" else figure_format.UNDEFINED,
            *([cell_text.dawid_skene(p.dawid_skene)] if with_model else []),
        ]
        for measure, system, p in measures
    ]
    note = f"{AGGREGATION_NOTE} {MODEL_NOTE}" if with_model else AGGREGATION_NOTE
    head = ["Measure", names.system_head, "Pooled", "Majority vote", f"Mean of {names.unit}s", "Mean of responses",
            "Mean of prompts", "Responses with any", *(["Dawid-Skene"] if with_model else [])]  # fmt: skip
    return Grid("aggregations", "Sensitivity to aggregation", head, rows, note, 2)


def design_effects(report: Report, names: Names) -> Grid:
    """Return the design effect, which widens the intervals, and the intra-cluster correlation if known."""
    cells = [*report.systems, report.overall]
    keys = list(report.overall.measures)
    rows = [
        [cell_text.system(cell, names), *(cell_text.design_effect(cell.measures[key]) for key in keys)]
        for cell in cells
    ]
    head = [names.system_head, *(names.measure(key) for key in keys)]
    return Grid("design_effects", "Design effects", head, rows, DESIGN_NOTE)
