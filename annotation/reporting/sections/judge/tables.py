"""A judge against people: what its page and the report have of each comparison."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...report import Report
from ...tables import Column, Figure, Kind, Row, Table
from ...tables.kinds import COEFFICIENT, COUNT, LABEL, PERCENT, POINTS
from ...tables.tidy import figures_of
from ...text.figure_format import coefficient, count, percent_or_dash
from ...text.names import Names
from .figures import Compared, DetectionFigures, ItemGroup, LabelFigures, RateDifference
from .text import judge_notes, judge_use

MAX_CHANGES = 12
"""Rows of changed answers; all are in the JSON."""
LABEL_FIGURES = {
    "accuracy": ("Accuracy", PERCENT),
    "kappa": ("Cohen’s kappa", COEFFICIENT),
    "kappa_quadratic": ("Quadratic kappa", COEFFICIENT),
    "macro_f1": ("Macro F1", COEFFICIENT),
}
DETECTION_FIGURES = {
    "precision": ("Precision", PERCENT),
    "recall": ("Recall", PERCENT),
    "f1": ("F1", PERCENT),
    "mcc": ("MCC", COEFFICIENT),
    "balanced_accuracy": ("Balanced accuracy", PERCENT),
}


@dataclass(frozen=True)
class Part:
    """The tables of one comparison, with their heading; `note` is below them."""

    key: str
    heading: str
    tables: Sequence[Table]
    note: str = ""


def tables(report: Report, names: Names) -> Iterator[Table]:
    """Yield the tables of the comparison, below the first what the judge is good for; nothing without a judge."""
    judge = report.judge_against_people
    if judge is None:
        return
    for part in parts(judge, names):
        for table in part.tables:
            title, note = f"Judge {judge.judge}: {part.heading}", part.note
            if table.key == "judge_against_people":
                title = f"Judge against people: {judge.judge}"
                note = " ".join(["Use of this judge:", *judge_use(judge, names), *judge_notes(report, names)])
            yield replace(table, title=title, note=note)


def shown_parts(comparison: Compared, names: Names) -> list[Part]:
    """Return the parts with a row, each with its tables that have one."""
    shown = (
        replace(part, tables=[replace(table, title=part.heading) for table in part.tables if table.is_for_people])
        for part in parts(comparison, names)
    )
    return [part for part in shown if part.tables]


def parts(comparison: Compared, names: Names) -> Iterator[Part]:
    """Yield all parts, in the order of pages and files."""
    judge = comparison.judge if isinstance(comparison.judge, str) else ""
    ceiling, majority = comparison.human_ceiling, "Judge, against the majority of people"
    compared = [
        (majority, comparison.majority, comparison.items),
        ("People, against the majority of the other raters", ceiling.people, ceiling.ratings),
        ("Judge, against the same other raters", ceiling.judge, ceiling.ratings),
    ]
    rows = [
        Row([label, *_figures(figures, LABEL_FIGURES, n), n], {"value": judge, "key": label})
        for label, figures, n in compared
    ]
    columns = [Column("", LABEL), *_columns(LABEL_FIGURES), Column("n", COUNT)]
    yield Part("people", "Against people", [Table("judge_against_people", "", columns, rows)])

    options = [names.checked_option(label) for label in comparison.labels]
    columns = [
        Column("", LABEL),
        *(Column(option, COUNT, key=key) for option, key in zip(options, comparison.labels, strict=True)),
    ]
    shares = comparison.weights.confusion if comparison.weights else None
    rows = [
        Row(
            [
                options[n],
                *(
                    Figure(judged, after=f"({percent_or_dash(shares[n][other])})" if shares and judged else "")
                    for other, judged in enumerate(row)
                ),
            ],
            {"value": judge, "figure": comparison.labels[n]},
        )
        for n, row in enumerate(comparison.confusion)
    ]
    note = "Numbers of items, with their weighted share of all compared items." if shares else ""
    heading = "People’s answers (rows) and the judge’s (columns)"
    yield Part("confusion", heading, [Table("judge_confusion", "", columns, rows)], note)

    rows = [
        Row(
            [names.measure(key), *_figures(row, DETECTION_FIGURES, row.tp + row.fp + row.fn + row.tn)],
            {"value": judge, "key": key},
        )
        for key, row in comparison.detection.items()
    ]
    columns = [Column("", LABEL), *_columns(DETECTION_FIGURES)]
    yield Part("detection", "Detection", [Table("judge_detection", "", columns, rows)])
    yield from _bias(comparison, judge, names)
    yield _order(comparison, judge, names)
    yield from _confidence(comparison, judge)
    yield _drift(comparison, names)
    yield _runs(comparison, judge, names)


def _columns(figures: Mapping[str, tuple[str, Kind]]) -> list[Column]:
    return [Column(head, kind, figure=name) for name, (head, kind) in figures.items()]


def _figures(part: LabelFigures | DetectionFigures, names: Mapping[str, object], n: int) -> list[Figure]:
    return [Figure.between(getattr(part, name), part.intervals.get(name), n) for name in names]


def _groups(
    comparison: Compared, judge: str, by: str, key: str, head: str, names: Names, *, with_all: bool = False
) -> Table:
    """Return a row for each group: the judge's rate less people's; a single group says no more than all items do."""
    measures = list(comparison.measures)
    columns = [
        Column(head, LABEL),
        Column("Items", COUNT),
        Column("Accuracy", PERCENT),
        *(
            Column(names.measure(measure), POINTS, "difference", measure, shown="everywhere" if row.items else "csv")
            for measure, row in comparison.measures.items()
        ),
    ]

    def row(
        label: str, items: int, accuracy: float | None, differences: Mapping[str, RateDifference], value: str
    ) -> Row:
        return Row(
            [label, items, accuracy, *(difference(differences[measure]) for measure in measures)], {"value": value}
        )

    groups: Sequence[ItemGroup] = comparison.by.get(by, ())
    rows = [
        row(group.value, group.items, group.accuracy, group.measures, f"{judge}: {group.value}") for group in groups
    ]
    if with_all:
        rows.insert(0, row("All", comparison.items, comparison.majority.accuracy, comparison.measures, judge))
    return Table(key, "", columns, rows, is_hidden=not with_all and len(rows) < 2)


def difference(row: RateDifference) -> Figure:
    return Figure(row.difference, row.low, row.high, n=row.items)


def _bias(comparison: Compared, judge: str, names: Names) -> Iterator[Part]:
    table = _groups(comparison, judge, "system", "judge_bias", names.system_head, names, with_all=True)
    yield Part("bias", "Bias: the judge’s rate less people’s, in percentage points", [table])
    for key, heading, head in (
        ("length", "Bias by number of words", "Words"),
        ("position", "Bias by position", "Position"),
    ):
        yield Part(key, heading, [_groups(comparison, judge, key, f"judge_bias_by_{key}", head, names)])


def _order(comparison: Compared, judge: str, names: Names) -> Part:
    order = comparison.order
    if order is None:
        return Part("order", "", [])
    columns = [
        Column("", LABEL),
        Column("Pairs", COUNT),
        Column("Judge for the first", PERCENT),
        Column("People for the first", PERCENT),
        Column("Difference", POINTS, "difference", order.question),
    ]
    rows = [
        Row([label, row.items, row.judge, row.people, difference(row)], {"value": judge})
        for label, row in {
            "All": order.overall,
            **{f"{name} first": row for name, row in order.by_system.items()},
        }.items()
    ]
    note = (
        "Share of the answers for the response that the judge is shown first; a tie counts half. People are shown the "
        "two responses in random order, so a difference is the judge’s preference for the first place, or for a system "
        "that is often shown first: compare the rows."
    )
    heading = f"Order bias: {names.question_text(order.question)}"
    table = Table("judge_order", "", columns, rows, rows_of_csv=lambda: figures_of("judge_order", columns, rows[0]))
    return Part("order", heading, [table], note)


def _confidence(comparison: Compared, judge: str) -> Iterator[Part]:
    """Yield calibration and consistency, where verdicts have a confidence or several samples."""
    calibration, consistency = comparison.calibration, comparison.consistency
    if calibration is not None:
        columns = [
            Column("Confidence from", LABEL),
            Column("Mean confidence", PERCENT),
            Column("Accuracy", PERCENT, "accuracy"),
            Column("Items", COUNT),
        ]
        rows = [
            Row(["", None, Figure(value, n=calibration.n), 0], {"value": judge, "figure": name}, is_hidden=True)
            for name, value in (("ece", calibration.ece), ("brier", calibration.brier))
            if calibration.n
        ] + [
            Row(
                [
                    f"{percent_or_dash(each.low)} – {percent_or_dash(each.high)}",
                    each.confidence,
                    Figure(each.accuracy, each.accuracy_low, each.accuracy_high, n=each.n),
                    each.n,
                ],
                {"value": judge, "key": f"{each.low:g} to {each.high:g}"},
            )
            for each in calibration.bins
            if each.n
        ]
        errors = [coefficient(value, 3) for value in (calibration.ece, calibration.brier)]
        heading = f"Calibration: expected calibration error {errors[0]}, Brier score {errors[1]}"
        note = (
            "On the dashed line the judge is right as often as it is confident; below it, it is overconfident. Without "
            "a confidence, from several samples or log-probabilities, a verdict is not here."
        )
        yield Part("calibration", heading, [Table("judge_calibration", "", columns, rows)], note)
    if consistency is not None:
        columns = [
            Column("Items with several samples", COUNT),
            Column("All samples agree", PERCENT, "all_agree"),
            Column("Mean share of the most frequent answer", PERCENT, "mean_agreement"),
        ]
        figures = [Figure(value, n=consistency.items) for value in (consistency.all_agree, consistency.mean_agreement)]
        rows = [Row([consistency.items, *figures], {"value": judge})] if consistency.items else []
        yield Part("consistency", "Consistency over samples", [Table("judge_consistency", "", columns, rows)])


def _drift(comparison: Compared, names: Names) -> Part:
    columns = [
        Column("Other version", LABEL),
        Column("Items", COUNT),
        Column("Same answer", PERCENT, "same"),
        Column("Cohen’s kappa", COEFFICIENT),
        Column("Accuracy", PERCENT),
        Column("Accuracy of the other version", PERCENT),
        Column("Difference", POINTS, "difference", "accuracy"),
        Column("n", COUNT),
    ]
    rows = [
        Row(
            [
                f"{drift.judge} (same configuration)" if drift.is_repetition else drift.judge,
                drift.items,
                Figure(drift.same, drift.same_low, drift.same_high, n=drift.items),
                drift.kappa,
                drift.accuracy,
                drift.other_accuracy,
                Figure(drift.difference, drift.low, drift.high, n=drift.compared_items),
                drift.compared_items,
            ],
            {"value": drift.judge},
        )
        for drift in comparison.versions
    ]
    changes = [
        Row([drift.judge, names.checked_option(change.before), names.checked_option(change.after), change.items])
        for drift in comparison.versions
        for change in drift.changes[:MAX_CHANGES]
    ]
    heads = ("Other version", "Its answer", "Answer of this version")
    change_columns = [*(Column(head, LABEL) for head in heads), Column("Items", COUNT)]
    note = (
        "A version rates an item once. To see whether the same configuration answers differently when it is asked "
        "again, have an admin create a repetition of the judge on the page Judges, and run it."
    )
    both = [Table("judge_drift", "", columns, rows), Table("judge_changes", "", change_columns, changes)]
    return Part("drift", "Drift between versions on the same items", both, note)


def _runs(comparison: Compared, judge: str, names: Names) -> Part:
    def accuracies(key: str, head: str, rows: Sequence[tuple[str, int, Figure]]) -> Table:
        columns = [Column(head, LABEL), Column("Items", COUNT), Column("Accuracy", PERCENT)]
        return Table(key, "", columns, [Row(list(row)) for row in rows])

    several = len(comparison.runs) > 1
    runs = [
        (f"Run {count(run.run)}", run.items, Figure(run.accuracy, run.low, run.high))
        for run in comparison.runs
        if several
    ]
    fingerprints = [
        (row.fingerprints, row.items, Figure(row.accuracy, row.low, row.high)) for row in comparison.fingerprints
    ]
    all_tables = [
        accuracies("judge_runs", "", runs),
        _groups(comparison, judge, "time", "judge_times", "Verdict", names),
        accuracies("judge_fingerprints", "System fingerprint", fingerprints),
    ]
    note = (
        "Verdicts are numbered by their time. Other runs and times are about other items, so a difference may be one "
        "of the items."
    )
    return Part("runs", "Drift over runs and time", all_tables, note)
