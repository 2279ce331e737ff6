"""The tables of a report: those of all sections, as people see them and in tidy CSV."""

from collections.abc import Iterator
from dataclasses import replace

from msgspec import structs

from ..provenance_record import Provenance
from ..report import Report
from ..tables import Table, TidyRow
from ..tables.tidy import rows_of
from ..text import notes
from ..text.figure_format import listed
from ..text.missing_figures import missing_note
from ..text.names import Names, ordered_cells
from ..text.notes import without_unrated_measures
from .all_sections import SECTIONS, Section
from .analysis_plan import tables as analysis_plan
from .differences.figures import best_first
from .differences.significance import nothing_in_common, without_unreliable_bounds
from .differences.text import planned_family_note
from .names import ORDER_OF_CSV, WEIGHTED
from .proportions import tables as proportions
from .scores.tables import score_differences


def stored_tables(report: Report, record: Provenance | None = None) -> dict[str, Table]:
    """Return the tables of a report as it is stored, and of its record, by name: those of tidy CSV."""
    tables = [table for section in SECTIONS for table in section.tables(report, Names(None))]
    if record is not None and record.plan is not None:
        tables += analysis_plan.tables(record.plan, Names(None))
    return {table.key: table for table in tables}


def tidy_rows(report: Report) -> Iterator[TidyRow]:
    yield from proportions.rows_of_cells(report)
    tables = stored_tables(report)
    for key in ORDER_OF_CSV:
        if key in tables:  # the table of odds ratios has the rows of the models, too, which follow here
            yield from rows_of(replace(tables[key], rows_of_csv=None) if key == "odds_ratios" else tables[key])


def shown_tables(report: Report, names: Names, record: Provenance | None = None) -> Iterator[Table]:
    """Yield the tables for people, each with a note on the selection of ratings; the note on differences names the
    family of the analysis plan in `record`, whose tables are last.
    """
    return (table for _, table in tables_by_section(report, names, record))


def tables_by_section(
    report: Report, names: Names, record: Provenance | None = None
) -> Iterator[tuple[Section | None, Table]]:
    """Yield the same with the section of each, None of the analysis plan's."""
    choice, family = notes.filters_note(report, names), planned_family_note(record, report, names)
    prepared, unrated = for_people(report, names)
    no_column = listed([names.measure(key) for key in unrated], "and")
    for section in SECTIONS:
        # Fact-QA needs no ratings of people.
        for table in section.tables(prepared, names) if report.systems or section.anchor == "fact-qa" else ():
            if not table.is_for_people:
                continue
            more = [
                f"No column, because no rating is assessed: {no_column}."
                if no_column and table.key == "systems"
                else "",
                missing_note(table.key, prepared, names),
                notes.options_note(report, names) if table.key.startswith(WEIGHTED) else choice,
                family if table.key == "comparisons" else "",
            ]
            note = " ".join(filter(None, [table.note, *more]))
            compact = None if table.compact_note is None else " ".join(filter(None, [table.compact_note, *more]))
            yield section, replace(table, note=note, compact_note=compact)
    if record is not None and record.plan is not None:
        for table in analysis_plan.tables(record.plan, names):
            yield None, replace(table, on_request=True)


def for_people(report: Report, names: Names) -> tuple[Report, list[str]]:
    """Return the report as tables for people show it, and the measures that they leave out, as no rating is assessed.

    Values of breakdowns are in their order, differences without bounds that would mislead, scores per rating, ranks
    with 1 for the best.
    """
    by = {key: ordered_cells(cells) for key, cells in report.by.items()}
    report, unrated = without_unrated_measures(structs.replace(report, by=by))
    for_tables = structs.replace(
        report,
        comparisons=[] if nothing_in_common(report) else without_unreliable_bounds(report.comparisons),
        score_comparisons=score_differences(report) or None,
        ranks=best_first(report.ranks or (), names.better) or None,
    )
    return for_tables, unrated
