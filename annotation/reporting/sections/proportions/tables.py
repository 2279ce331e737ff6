"""The proportions of measures by system and breakdown, their design effects, and their intervals by prompt."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from msgspec import UNSET

from ....i18n.unit_names import unit_words
from ...data.groups import ratings_asked
from ...parts import Cell, ScoreEstimate
from ...report import Report
from ...tables import Column, Figure, Row, Table, TidyRow
from ...tables.kinds import COUNT, DESIGN_EFFECT, LABEL, MEASURE, PERCENT, SCORE, SCORE_ALONE
from ...text import figure_format, notes
from ...text.missing_figures import NO_ASSESSED_RATING
from ...text.names import Names, breakdown_label, label_columns, other_options
from ..names import table_name

BY_PROMPT = "Intervals with prompts as the sampling unit: they are about further prompts about these documents."
DESIGN_NOTE = (
    "Design effect: the variance, as a multiple of what independent ratings would have; ICC in brackets, where it is "
    "defined."
)
MAX_VALUES = 60
"""Rows of a breakdown in a document; a table of its own contains all."""
MEASURES = ("measure", "assessed option")
OF_SYSTEMS = ("overall", "systems")
MAX_ASYMMETRY = 1.5  # the longer arm of an interval over the shorter one
LEAST_ASYMMETRY = 0.002  # of the arms' difference: a smaller one is lost when rounded to 0.1 points


def tables(report: Report, names: Names) -> Iterator[Table]:
    cells, title = [*report.systems, report.overall], f"Proportions by {names.system_word}"
    note = [
        notes.interval_note([cell.measures for cell in cells], report.method.cluster),
        notes.documents_note(report),
        notes.raters_note(report),
        *notes.cautions(report, names),
        notes.pairs_note(report, names),
    ]
    options = list(other_options(report.overall, names))
    yield _proportions(
        "systems", title, [names.system_head], cells, options, " ".join(filter(None, note)), report, names
    )
    if any(measure.by_prompt for measure in report.overall.measures.values()):
        yield by_prompt("systems_by_prompt", title, "measures", report, names)


def breakdowns(report: Report, names: Names) -> Iterator[Table]:
    """Yield the proportions by each metadata key, rater and week, and those of systems by metadata."""
    for key, values in report.by.items():
        if values:
            title, head = f"Proportions by {breakdown_label(key, names)}", label_columns(key, values[0], names)
            note = notes.breakdown_note(report, key)
            yield _proportions(table_name(key), title, head, values, [], note, report, names)


def design_effects(report: Report, names: Names) -> Iterator[Table]:
    """Yield the design effects, which widen the intervals, with the intra-cluster correlation if it is known."""
    columns = [
        Column(names.system_head, LABEL),
        *(Column(names.measure(key), DESIGN_EFFECT) for key in report.overall.measures),
    ]
    rows = []
    for cell in (*report.systems, report.overall):
        figures = []
        for measure in cell.measures.values():
            icc = measure.icc if measure.deff is not None and isinstance(measure.icc, float) else None
            figures.append(Figure(measure.deff, after="" if icc is None else f"({figure_format.coefficient(icc)})"))
        rows.append(Row([cell.system or names.all_systems, *figures]))
    csv = partial(rows_of_cells, report, ("measure",), OF_SYSTEMS)
    yield Table("design_effects", "Design effects", columns, rows, DESIGN_NOTE, rows_of_csv=csv)


def _proportions(
    key: str,
    title: str,
    head: list[str],
    cells: Sequence[Cell],
    options: Sequence[str],
    note: str,
    report: Report,
    names: Names,
) -> Table:
    """Return a row for each cell: measures with interval and k of n, then `options` without a measure of their own."""
    scores = [names.measure(score) for score in cells[0].scores or {}]
    columns = [
        *(Column(word, LABEL) for word in head),
        *(Column(names.measure(measure), MEASURE, key=measure) for measure in cells[0].measures),
        *(Column(score, SCORE, shown="compact") for score in scores),
        *(Column(names.option(option), MEASURE, shown="full", is_secondary=True) for option in options),
        Column("Assessed", COUNT, shown="full"),
        Column("Excluded", COUNT, shown="full"),
    ]
    rows = []
    for cell in cells:
        shares = other_options(cell, names) if options else {}
        figures = map(Figure.of, [*cell.measures.values(), *(cell.scores or {}).values(), *shares.values()])
        values = [*(cell.labels or [names.all_systems]), *figures, cell.assessed, cell.left_out]
        rows.append(Row(values, {"system": cell.system or ""}, is_total=not cell.labels))
    compact = report.systems if key == "systems" else cells
    used = [cell.measures for cell in compact]
    has_intervals = any(p.low is not None for measures in used for p in measures.values())
    units = unit_words(report.method.cluster, 2)
    width = f" ± half the width of the 95 % interval, with {units} as sampling units" if has_intervals else ""
    asymmetric = [
        f"{', '.join(cell.labels)}, {names.measure(measure).lower()}: {figure_format.interval(p.low, p.high)}"
        for cell in compact
        for measure, p in cell.measures.items()
        if is_asymmetric(p.value, p.low, p.high)
    ]
    compact_note = [
        f"Percent of the assessed ratings{width}.",
        f"Per 100 ratings: {figure_format.listed(scores, 'and')}." if scores else "",
        notes.interval_note(used, report.method.cluster).replace("† ", ""),
        asymmetric_note(asymmetric),
        f"“–” where {NO_ASSESSED_RATING}." if any(p.value is None for each in used for p in each.values()) else "",
        *(notes.cautions(report, names) if key == "systems" else ()),
    ]
    return Table(
        key,
        title,
        columns,
        rows,
        note,
        rows_of_csv=partial(rows_of_cells, report, MEASURES, OF_SYSTEMS if key == "systems" else (key,)),
        compact_note=" ".join(filter(None, compact_note)),
        on_request=key != "systems" and len(cells) > MAX_VALUES,
    )


def by_prompt(key: str, title: str, part: str, report: Report, names: Names) -> Table:
    kind, figure = (PERCENT, "measure") if part == "measures" else (SCORE_ALONE, "score")
    cells = [*report.systems, report.overall]
    columns = [Column(names.measure(key), kind, figure, key) for key in getattr(report.overall, part)]
    rows = []
    for cell in cells:
        values: list[object] = []
        for estimate in (getattr(cell, part) or {}).values():
            if estimate.by_prompt is None:
                values.append(kind.undefined if estimate.value is None else estimate.value)
            else:
                k = estimate.points if isinstance(estimate, ScoreEstimate) else estimate.k
                values.append(Figure.of(estimate.by_prompt, estimate=estimate.value, k=k, n=estimate.n))
        rows.append(Row([cell.system or names.all_systems, *values], {"system": cell.system or "", "value": ""}))
    return Table(key, f"{title}, prompts as units", [Column(names.system_head, LABEL), *columns], rows, BY_PROMPT)


def is_asymmetric(value: float | None, low: float | None, high: float | None) -> bool:
    """Return whether an interval cannot be read from half of its width."""
    if value is None or low is None or high is None:
        return False
    shorter, longer = sorted((value - low, high - value))
    return longer - shorter >= LEAST_ASYMMETRY and longer > MAX_ASYMMETRY * shorter


def asymmetric_note(bounds: Sequence[str]) -> str:
    return f"Asymmetric intervals: {'; '.join(bounds)}." if bounds else ""


def rows_of_cells(
    report: Report, figures: Collection[str] | None = None, tables: Collection[str] | None = None
) -> Iterator[TidyRow]:
    """Yield all figures of the cells of a report, or these `figures` of the cells of some `tables`."""
    cells: dict[str, Sequence[Cell]] = {"overall": [report.overall], "systems": report.systems}
    cells |= {table_name(key): values for key, values in report.by.items()}
    for table, values in cells.items():
        for cell in values if tables is None or table in tables else ():
            for row in _rows_of(table, cell, report.overall):
                if figures is None or row["figure"] in figures:
                    yield row


def _rows_of(table: str, cell: Cell, overall: Cell) -> Iterator[TidyRow]:
    where: TidyRow = {"table": table, "system": cell.system or "", "value": cell.value or ""}

    def rows(figure: str, estimates: Mapping[str, Figure]) -> Iterator[TidyRow]:
        for key, estimate in estimates.items():
            yield {**where, "figure": figure, "key": key, **estimate.numbers}

    measures = {
        key: Figure.of(p, deff=p.deff, icc=None if p.icc is UNSET else p.icc) for key, p in cell.measures.items()
    }
    yield from rows("measure", measures)
    yield from rows("mean", {key: Figure.of(mean) for key, mean in (cell.means or {}).items()})
    yield from rows("score", {key: Figure.of(score, k=score.points) for key, score in (cell.scores or {}).items()})
    n, shares = ratings_asked(cell.options, cell.ratings, overall), cell.shares or {}
    options = {
        key: Figure.of(shares.get(key), estimate=k / n if n else None, k=k, n=n) for key, k in cell.options.items()
    }
    yield from rows("option", options)
    for question, counts in cell.questions.items():
        n = sum(counts.values())
        yield from rows(question, {key: Figure(k / n if n else None, k=k, n=n) for key, k in counts.items()})
    yield from rows("assessed option", {key: Figure.of(p) for key, p in (cell.shares_of_assessed or {}).items()})
