"""Agreement between raters, that of every two, and the items with most disagreement."""

from collections.abc import Iterator, Mapping

from ....i18n.unit_names import counted, unit_words
from ...data.groups import ratings_asked
from ...report import Report
from ...tables import Column, Figure, Row, Table, TidyRow
from ...tables.kinds import COEFFICIENT_3, COUNT, LABEL, PERCENT, PLAIN, RUNNING_TEXT
from ...text import figure_format
from ...text.names import Names, agreement_of
from .figures import Agreement

DISAGREEMENT_NOTE = (
    "Disagreement: each pair of an item’s ratings weighs one for every question answered differently and for every "
    "measure that counts one of the two and not the other; their sum is divided by the number of pairs that would "
    "differ if the raters were split evenly. Items are counted from 1 within a response, rated or not."
)
MAX_TEXT_LENGTH = 120  # characters of an item; the JSON has the whole text


def tables(report: Report, names: Names) -> Iterator[Table]:
    yield coefficients_table(report.agreement, names, report.method.cluster)
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


def coefficients_table(agreements: Mapping[str, Agreement], names: Names, cluster: str) -> Table:
    """Return the coefficients question by question; `cluster` is the unit of their intervals."""
    coefficients = [
        Column(head, PERCENT if key == "percent" else COEFFICIENT_3, "agreement", key)
        for key, head in figure_format.COEFFICIENTS.items()
    ]
    rows = []
    for key, part in agreements.items():
        intervals = part.intervals or {}
        figures = [Figure.between(each, intervals.get(name), part.items) for name, each in part.coefficients.items()]
        rows.append(Row([agreement_of(key, names), part.items, part.raters, *figures], {"value": key}))
    columns = [Column("Question", LABEL), Column("Items", COUNT), Column("Raters", COUNT), *coefficients]
    note = (
        "Options excluded from every proportion are treated as missing labels; only items with two or more labels are "
        "used, so fewer than were rated. Intervals, where given, are 95 % percentile bootstrap intervals over "
        f"{unit_words(cluster, 2)}; for percent agreement, Korn-Graubard intervals where raters agree on all items or "
        "on none. On the severity scale, alpha is ordinal."
    )
    return Table("agreement", "Agreement between raters", columns, rows, note, is_shown_empty=True)


def _disagreements(report: Report, names: Names) -> Table:
    columns = [
        Column(names.unit.capitalize(), RUNNING_TEXT),
        Column("Where", LABEL),
        Column(names.system_head, LABEL),
        Column("Answers", RUNNING_TEXT),
        Column("Ratings", COUNT),
        Column("Disagreement", PLAIN),
    ]
    rows = []
    for item in report.disagreements or ():
        answers = [
            figure_format.times((names.option(key), n) for key, n in item.options.items()),
            figure_format.answers_to_others(item, names),
        ]
        is_long, where = len(item.text) > MAX_TEXT_LENGTH, figure_format.item_of(item, first=1)
        text = f"{item.text[: MAX_TEXT_LENGTH - 1].rstrip()}…" if is_long else item.text
        rows.append(Row([text, where, item.system, "; ".join(filter(None, answers)), item.ratings, item.disagreement]))

    def rows_of_csv() -> Iterator[TidyRow]:
        for item in report.disagreements or ():
            where: TidyRow = {"table": "disagreements", "system": item.system, "value": figure_format.item_of(item)}
            yield {**where, "figure": "disagreement", "n": item.ratings, "estimate": item.disagreement}
            ratings_of_option = ratings_asked(item.options, item.ratings, report.overall)
            for figure, counts in {"option": item.options, **item.questions}.items():
                n = ratings_of_option if figure == "option" else sum(counts.values())
                for key, k in counts.items():
                    yield {**where, "figure": figure, "key": key, "k": k, "n": n, "estimate": k / n if n else None}
        if tie := report.disagreement_tie:
            yield {"table": "disagreements", "figure": "tie", "k": tie.shown, "n": tie.items}

    note, tie = DISAGREEMENT_NOTE, report.disagreement_tie
    if tie is not None:
        note = (
            f"{counted(tie.items, names.unit)} with the lowest disagreement of this list are tied; "
            f"{figure_format.count(tie.shown)} of them are shown, in the order of their ids. {note}"
        )
    return Table("disagreements", "Largest disagreements", columns, rows, note, rows_of_csv=rows_of_csv)
