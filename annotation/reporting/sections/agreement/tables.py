"""Agreement between raters, that of every two, and the items with most disagreement."""

from collections.abc import Iterator

from ...data.groups import ratings_asked
from ...parts import Cell
from ...report import Report
from ...tables import Column, Figure, Row, Table, TidyRow
from ...tables.kinds import COEFFICIENT_3, COUNT, LABEL, PERCENT, PLAIN, RUNNING_TEXT
from ...text import figure_format, notes
from ...text.names import Names, agreement_of
from .figures import Disagreement

DISAGREEMENT_NOTE = (
    "Disagreement: each pair of an item’s ratings weighs one for every question answered differently and for every "
    "measure that counts one of the two and not the other; their sum is divided by the number of pairs that would "
    "differ if the raters were split evenly. Items are counted from 1 within a response, rated or not."
)
MAX_TEXT_LENGTH = 120  # characters of an item; the JSON has the whole text


def tables(report: Report, names: Names) -> Iterator[Table]:
    """Yield the coefficients, the items with most disagreement, and the pairs of raters."""
    coefficients = [
        Column(head, PERCENT if key == "percent" else COEFFICIENT_3, "agreement", key)
        for key, head in figure_format.COEFFICIENTS.items()
    ]
    rows = [
        Row(
            [
                agreement_of(key, names),
                part.items,
                part.raters,
                *(
                    Figure.between(value, (part.intervals or {}).get(name), part.items)
                    for name, value in part.coefficients.items()
                ),
            ],
            {"value": key},
        )
        for key, part in report.agreement.items()
    ]
    columns = [Column("Question", LABEL), Column("Items", COUNT), Column("Raters", COUNT), *coefficients]
    note = notes.agreement_note(report.method.cluster)
    yield Table("agreement", "Agreement between raters", columns, rows, note, is_shown_empty=True)
    if report.disagreements:
        yield _disagreements(report, names)
    pairs = [
        Row(
            [
                agreement_of(key, names),
                f"{pair.a} and {pair.b}",
                pair.items,
                Figure(pair.percent, n=pair.items),
                Figure(pair.ac1, n=pair.items),
            ],
            {"system": pair.a, "value": pair.b, "figure": key},
        )
        for key, part in report.agreement.items()
        for pair in part.rater_pairs or ()
    ]
    if pairs:
        columns = [
            Column("Question", LABEL),
            Column("Raters", LABEL),
            Column("Items", COUNT),
            Column("Agreement", PERCENT, key="percent"),
            Column("Gwet’s AC1", COEFFICIENT_3, key="ac1"),
        ]
        yield Table("rater_pairs", "Pairwise agreement", columns, pairs)


def _disagreements(report: Report, names: Names) -> Table:
    """Return the items with the counts of each answer; below them how many tie with the last."""
    columns = [
        Column(names.unit.capitalize(), RUNNING_TEXT),
        Column("Where", LABEL),
        Column(names.system_head, LABEL),
        Column("Answers", RUNNING_TEXT),
        Column("Ratings", COUNT),
        Column("Disagreement", PLAIN),
    ]
    rows = [
        Row(
            [
                _shortened(row.text),
                figure_format.item_of(row, first=1),
                row.system,
                _answers(row, names),
                row.ratings,
                row.disagreement,
            ]
        )
        for row in report.disagreements or ()
    ]

    def rows_of_csv() -> Iterator[TidyRow]:
        for row in report.disagreements or ():
            yield from _rows_of(row, report.overall)
        if tie := report.disagreement_tie:
            yield {"table": "disagreements", "figure": "tie", "k": tie.shown, "n": tie.items}

    note = f"{notes.tie_note(report, names.unit)} {DISAGREEMENT_NOTE}".strip()
    return Table("disagreements", "Largest disagreements", columns, rows, note, rows_of_csv=rows_of_csv)


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_TEXT_LENGTH else f"{text[: MAX_TEXT_LENGTH - 1].rstrip()}…"


def _answers(row: Disagreement, names: Names) -> str:
    first = figure_format.times((names.option(key), n) for key, n in row.options.items())
    return "; ".join(filter(None, [first, figure_format.answers_to_others(row, names)]))


def _rows_of(item: Disagreement, overall: Cell) -> Iterator[TidyRow]:
    """Yield the score and the counts of one item; `value` is the item. Its text is in the JSON."""
    where: TidyRow = {"table": "disagreements", "system": item.system, "value": figure_format.item_of(item)}
    yield {**where, "figure": "disagreement", "n": item.ratings, "estimate": item.disagreement}
    for figure, counts in {"option": item.options, **item.questions}.items():
        n = ratings_asked(item.options, item.ratings, overall) if figure == "option" else sum(counts.values())
        for key, k in counts.items():
            yield {**where, "figure": figure, "key": key, "k": k, "n": n, "estimate": k / n if n else None}
