"""The proportions of measures by system and breakdown, their design effects, and their intervals by prompt."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET

from ....i18n.unit_names import unit_words
from ...data.groups import ratings_asked
from ...parts import Cell, MeasureProportion, Proportion, ScoreEstimate
from ...report import Report
from ...tables import Column, Figure, Row, Table, TidyRow
from ...tables.kinds import COUNT, DESIGN_EFFECT, LABEL, MEASURE, PERCENT, SCORE, SCORE_ALONE
from ...text import figure_format, notes
from ...text.missing_figures import undefined_note
from ...text.names import Names, breakdown_label, label_columns, other_options
from ...text.notes import cautions
from ..names import table_name

BY_PROMPT = "Intervals with prompts as the sampling unit: they are about further prompts about these documents."
DESIGN_NOTE = (
    "Design effect: the variance, as a multiple of what independent ratings would have; ICC in brackets, where it is "
    "defined."
)
MAX_VALUES = 60
"""Rows of a breakdown in a document; a table of its own contains all."""
MEASURES = ("measure", "assessed option")
MAX_ASYMMETRY = 1.5  # the longer arm of an interval over the shorter one
LEAST_ASYMMETRY = 0.002  # of the arms' difference: a smaller one is lost when rounded to 0.1 points


def tables(report: Report, names: Names) -> Iterator[Table]:
    """Yield the table of systems, and that of their intervals by prompt."""
    cells = [*report.systems, report.overall]
    note = " ".join(
        filter(
            None,
            [
                notes.interval_note([cell.measures for cell in cells], report.method.cluster),
                notes.documents_note(report),
                notes.raters_note(report),
                *cautions(report, names),
                notes.pairs_note(report, names),
            ],
        )
    )
    title, head = f"Proportions by {names.system_word}", [names.system_head]
    options = list(other_options(report.overall, names))
    yield _proportions("systems", title, head, cells, options, note, report, names)
    if any(measure.by_prompt for measure in report.overall.measures.values()):
        yield by_prompt("systems_by_prompt", f"Proportions by {names.system_word}", "measures", report, names)


def breakdowns(report: Report, names: Names) -> Iterator[Table]:
    """Yield the proportions by each metadata key, rater and week, and those of systems by metadata."""
    for key, values in report.by.items():
        if values:
            title, head = f"Proportions by {breakdown_label(key, names)}", label_columns(key, values[0], names)
            note = notes.breakdown_note(report, key)
            yield _proportions(table_name(key), title, head, values, [], note, report, names)


def design_effects(report: Report, names: Names) -> Iterator[Table]:
    """Yield the design effects, which widen the intervals, with the intra-cluster correlation if it is known."""
    cells = [*report.systems, report.overall]
    yield Table(
        "design_effects",
        "Design effects",
        [
            Column(names.system_head, LABEL),
            *(Column(names.measure(key), DESIGN_EFFECT) for key in report.overall.measures),
        ],
        [
            Row([cell.system or names.all_systems, *map(_design_effect, cell.measures.values())])
            for cell in cells
        ],
        DESIGN_NOTE,
        rows_of_csv=lambda: rows_of_cells(report, ("measure",), by=()),
    )  # fmt: skip


def _proportions(
    key: str, title: str, head: list[str], cells: Sequence[Cell], options: Sequence[str], note: str, report: Report,
    names: Names,
) -> Table:  # fmt: skip
    """Return a row for each cell: measures with interval and k of n, then `options` without a measure of their own."""
    scores = [names.measure(score) for score in cells[0].scores or {}]
    compact = cells if key != "systems" else report.systems
    columns = [
        *(Column(word, LABEL) for word in head),
        *(Column(names.measure(measure), MEASURE, key=measure) for measure in cells[0].measures),
        *(Column(score, SCORE, shown="compact") for score in scores),
        *(Column(names.option(option), MEASURE, shown="full", is_secondary=True) for option in options),
        Column("Assessed", COUNT, shown="full"),
        Column("Excluded", COUNT, shown="full"),
    ]
    rows = [
        Row(
            [
                *(cell.labels or [names.all_systems]),
                *map(Figure.of, cell.measures.values()),
                *map(Figure.of, (cell.scores or {}).values()),
                *map(Figure.of, (other_options(cell, names) if options else {}).values()),
                cell.assessed,
                cell.left_out,
            ],
            {"system": cell.system or ""},
            is_total=not cell.labels,
        )
        for cell in cells
    ]
    used, units = [cell.measures for cell in compact], unit_words(report.method.cluster, 2)
    has_intervals = any(p.low is not None for measures in used for p in measures.values())
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
        undefined_note(used),
        *(cautions(report, names) if key == "systems" else ()),
    ]
    parts = ("overall", "systems") if key == "systems" else ()
    by = () if key == "systems" else (key,)
    return Table(
        key, title, columns, rows, note,
        rows_of_csv=lambda: rows_of_cells(report, MEASURES, parts=parts, by=by),
        compact_note=" ".join(filter(None, compact_note)),
        on_request=key != "systems" and len(cells) > MAX_VALUES,
    )  # fmt: skip


def by_prompt(key: str, title: str, part: str, report: Report, names: Names) -> Table:
    """Return the `measures` or `scores` of systems with their intervals by prompt."""
    kind, figure = (PERCENT, "measure") if part == "measures" else (SCORE_ALONE, "score")

    def value(estimate: MeasureProportion | ScoreEstimate) -> object:
        if estimate.by_prompt is None:
            return estimate.value if estimate.value is not None else kind.undefined
        k = estimate.points if isinstance(estimate, ScoreEstimate) else estimate.k
        return Figure.of(estimate.by_prompt, estimate=estimate.value, k=k, n=estimate.n)

    figures = {cell.system: getattr(cell, part) or {} for cell in (*report.systems, report.overall)}
    columns = [Column(names.measure(key), kind, figure, key) for key in figures[None]]
    rows = [
        Row([system or names.all_systems, *map(value, each.values())], {"system": system or "", "value": ""})
        for system, each in figures.items()
    ]
    return Table(key, f"{title}, prompts as units", [Column(names.system_head, LABEL), *columns], rows, BY_PROMPT)


def is_asymmetric(value: float | None, low: float | None, high: float | None) -> bool:
    """Return whether an interval cannot be read from half of its width."""
    if value is None or low is None or high is None:
        return False
    shorter, longer = sorted((value - low, high - value))
    return longer - shorter >= LEAST_ASYMMETRY and longer > MAX_ASYMMETRY * shorter


def asymmetric_note(bounds: Sequence[str]) -> str:
    return f"Asymmetric intervals: {'; '.join(bounds)}." if bounds else ""


def _design_effect(measure: MeasureProportion) -> Figure:
    if measure.deff is None or not isinstance(measure.icc, float):
        return Figure(measure.deff)
    return Figure(measure.deff, after=f"({figure_format.coefficient(measure.icc)})")


def rows_of_cells(
    report: Report,
    figures: Sequence[str] | None = None,
    parts: Sequence[str] = ("overall", "systems"),
    by: Sequence[str] | None = None,
) -> Iterator[TidyRow]:
    """Yield all figures of the cells of a report, or of some `parts`, breakdowns (`by`, their tables) and `figures`."""
    tables: list[tuple[str, Sequence[Cell]]] = [("overall", [report.overall]), ("systems", report.systems)]
    breakdowns = [(table_name(key), cells) for key, cells in report.by.items()]
    chosen = [each for each in tables if each[0] in parts] + [
        each for each in breakdowns if by is None or each[0] in by
    ]
    for table, cells in chosen:
        for cell in cells:
            for row in _rows_of(table, cell, report.overall):
                if figures is None or row["figure"] in figures:
                    yield row


def _rows_of(table: str, cell: Cell, overall: Cell) -> Iterator[TidyRow]:
    where: TidyRow = {"table": table, "system": cell.system or "", "value": cell.value or ""}

    def estimates(figure: str, parts: Mapping[str, object]) -> Iterator[TidyRow]:
        for key, part in parts.items():
            yield {**where, "figure": figure, "key": key, **Figure.of(part).numbers}

    def options(figure: str, counts: Mapping[str, int], n: int, shares: Mapping[str, Proportion]) -> Iterator[TidyRow]:
        for key, k in counts.items():
            bounds = Figure.of(shares[key]).numbers if key in shares else {}
            yield {**where, **bounds, "figure": figure, "key": key, "k": k, "n": n, "estimate": k / n if n else None}

    for key, p in cell.measures.items():
        icc = None if p.icc is UNSET else p.icc
        yield {**where, "figure": "measure", "key": key, **Figure.of(p, deff=p.deff, icc=icc).numbers}
    yield from estimates("mean", cell.means or {})
    for key, score in (cell.scores or {}).items():
        yield {**where, "figure": "score", "key": key, **Figure.of(score, k=score.points).numbers}
    yield from options("option", cell.options, ratings_asked(cell.options, cell.ratings, overall), cell.shares or {})
    for question, counts in cell.questions.items():
        yield from options(question, counts, sum(counts.values()), {})
    yield from estimates("assessed option", cell.shares_of_assessed or {})
