"""The rows of one table as CSV: those of the report's CSV that a table for people is made of, unchanged."""

from collections.abc import Callable, Iterable
from itertools import chain, product

from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from .plan_tables import plan_rows
from .table_names import OPTIONS, answers_by, answers_to, table_name
from .tidy_rows import Row, tidy_rows

MEASURES = ("measure", "assessed option")
MODELS = "crossed_models"


def table_rows(report: Report, table: str, record: Provenance | None = None) -> list[Row]:
    """Return the rows of the table of this name, with every digit; the `record` has those of an analysis plan."""
    planned = plan_rows(record.plan) if record is not None and record.plan is not None else ()
    return select_rows(chain(tidy_rows(report), planned), report, table)


def select_rows(rows: Iterable[Row], report: Report, table: str) -> list[Row]:
    """Return those of the `rows` of a report that belong to a table."""
    is_part = _selection(report, table)
    return [row for row in rows if is_part(row)]


def _selection(report: Report, table: str) -> Callable[[Row], bool]:
    """Return whether a row belongs to a table: rows of systems and breakdowns are in several tables, by figure."""
    systems, breakdowns = ("systems", "overall"), [table_name(key) for key in report.by]
    questions = {OPTIONS: "option", **{answers_to(key): key for key in report.overall.questions}}
    parts: dict[str, tuple[tuple[str, ...], tuple[str, ...] | None]] = {
        "systems": (systems, MEASURES),
        "design_effects": (systems, ("measure",)),
        "means": ((*systems, *breakdowns), ("mean",)),
        "scores": ((*systems, *breakdowns), ("score",)),
        "odds_ratios": (("odds_ratios", MODELS), None),  # which models are fitted, too
        **{name: (systems, (figure,)) for name, figure in questions.items()},
        **{name: ((name,), MEASURES) for name in breakdowns},
        **{answers_by(name, by): ((by,), (questions[name],)) for name, by in product(questions, breakdowns)},
    }
    tables, figures = parts.get(table, ((table,), None))
    return lambda row: row["table"] in tables and (figures is None or row["figure"] in figures)
