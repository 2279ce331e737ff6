"""A judge against people: what its page and the report have of each comparison."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...report import Report
from ...tables import Column, Figure, Kind, Row, Table
from ...tables.kinds import COEFFICIENT, COUNT, LABEL, PERCENT, POINTS
from ...tables.tidy import figures_of
from ...text.figure_format import coefficient, count, percent_or_dash
from ...text.names import Names
from .figures import (
    Compared,
    DetectionFigures,
    ItemGroup,
    JudgeCalibration,
    LabelFigures,
    OrderBias,
    RateDifference,
)
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
    with_headings = (
        replace(part, tables=[replace(table, title=part.heading) for table in part.tables if table.is_for_people])
        for part in parts(comparison, names)
    )
    return [part for part in with_headings if part.tables]


def parts(comparison: Compared, names: Names) -> Iterator[Part]:
    """Yield all parts, in the order of pages and files. Those without a row are left out later."""
    judge = comparison.judge if isinstance(comparison.judge, str) else ""
    ceiling = comparison.human_ceiling
    people = [
        Row([label, *_figures(figures, LABEL_FIGURES, n), n], {"value": judge, "key": label})
        for label, figures, n in (
            ("Judge, against the majority of people", comparison.majority, comparison.items),
            ("People, against the majority of the other raters", ceiling.people, ceiling.ratings),
            ("Judge, against the same other raters", ceiling.judge, ceiling.ratings),
        )
    ]
    columns = [Column("", LABEL), *_columns(LABEL_FIGURES), Column("n", COUNT)]
    yield Part("people", "Against people", [Table("judge_against_people", "", columns, people)])
    yield _confusion(comparison, judge, names)
    detection = [
        Row(
            [names.measure(key), *_figures(row, DETECTION_FIGURES, row.tp + row.fp + row.fn + row.tn)],
            {"value": judge, "key": key},
        )
        for key, row in comparison.detection.items()
    ]
    columns = [Column("", LABEL), *_columns(DETECTION_FIGURES)]
    yield Part("detection", "Detection", [Table("judge_detection", "", columns, detection)])
    bias = _groups(comparison, judge, "system", "judge_bias", names.system_head, names)
    everything = Row(
        ["All", comparison.items, comparison.majority.accuracy, *map(_difference, comparison.measures.values())],
        {"value": judge},
    )
    bias = replace(bias, rows=[everything, *bias.rows], is_hidden=False)
    yield Part("bias", "Bias: the judge’s rate less people’s, in percentage points", [bias])
    words = _groups(comparison, judge, "length", "judge_bias_by_length", "Words", names)
    yield Part("length", "Bias by number of words", [words])
    positions = _groups(comparison, judge, "position", "judge_bias_by_position", "Position", names)
    yield Part("position", "Bias by position", [positions])
    if comparison.order is not None:
        yield _order(comparison.order, judge, names)
    if comparison.calibration is not None:
        yield _calibration(comparison.calibration, judge)
    consistency = comparison.consistency
    if consistency is not None:
        columns = [
            Column("Items with several samples", COUNT),
            Column("All samples agree", PERCENT, "all_agree"),
            Column("Mean share of the most frequent answer", PERCENT, "mean_agreement"),
        ]
        figures = [Figure(value, n=consistency.items) for value in (consistency.all_agree, consistency.mean_agreement)]
        rows = [Row([consistency.items, *figures], {"value": judge})] if consistency.items else []
        yield Part("consistency", "Consistency over samples", [Table("judge_consistency", "", columns, rows)])
    yield _drift(comparison, names)
    yield _runs(comparison, judge, names)


def _columns(figures: Mapping[str, tuple[str, Kind]]) -> list[Column]:
    return [Column(head, kind, figure=name) for name, (head, kind) in figures.items()]


def _figures(part: LabelFigures | DetectionFigures, names: Mapping[str, object], n: int) -> list[Figure]:
    return [Figure.between(getattr(part, name), part.intervals.get(name), n) for name in names]


def _difference(row: RateDifference) -> Figure:
    return Figure(row.difference, row.low, row.high, n=row.items)


def _confusion(comparison: Compared, judge: str, names: Names) -> Part:
    options = {label: names.checked_option(label) for label in comparison.labels}
    columns = [Column("", LABEL), *(Column(option, COUNT, key=label) for label, option in options.items())]
    shares = comparison.weights.confusion if comparison.weights else None
    rows = []
    for n, (label, option) in enumerate(options.items()):
        cells = [
            Figure(items, after=f"({percent_or_dash(shares[n][other])})" if shares and items else "")
            for other, items in enumerate(comparison.confusion[n])
        ]
        rows.append(Row([option, *cells], {"value": judge, "figure": label}))
    note = "Numbers of items, with their weighted share of all compared items." if shares else ""
    table = Table("judge_confusion", "", columns, rows)
    return Part("confusion", "People’s answers (rows) and the judge’s (columns)", [table], note)


def _groups(comparison: Compared, judge: str, by: str, key: str, head: str, names: Names) -> Table:
    """Return a row for each group: the judge's rate less people's; a single group says no more than all items do."""
    columns = [
        Column(head, LABEL),
        Column("Items", COUNT),
        Column("Accuracy", PERCENT),
        *(
            Column(names.measure(measure), POINTS, "difference", measure, shown="everywhere" if row.items else "csv")
            for measure, row in comparison.measures.items()
        ),
    ]
    groups: Sequence[ItemGroup] = comparison.by.get(by, ())
    rows = [
        Row(
            [
                group.value,
                group.items,
                group.accuracy,
                *(_difference(group.measures[key]) for key in comparison.measures),
            ],
            {"value": f"{judge}: {group.value}"},
        )
        for group in groups
    ]
    return Table(key, "", columns, rows, is_hidden=len(rows) < 2)


def _order(order: OrderBias, judge: str, names: Names) -> Part:
    columns = [
        Column("", LABEL),
        Column("Pairs", COUNT),
        Column("Judge for the first", PERCENT),
        Column("People for the first", PERCENT),
        Column("Difference", POINTS, "difference", order.question),
    ]
    shares = {"All": order.overall} | {f"{system} first": row for system, row in order.by_system.items()}
    rows = [
        Row([label, row.items, row.judge, row.people, _difference(row)], {"value": judge})
        for label, row in shares.items()
    ]
    note = (
        "Share of the answers for the response that the judge is shown first; a tie counts half. People are shown the "
        "two responses in random order, so a difference is the judge’s preference for the first place, or for a system "
        "that is often shown first: compare the rows."
    )
    heading = f"Order bias: {names.question_text(order.question)}"
    table = Table("judge_order", "", columns, rows, rows_of_csv=lambda: figures_of("judge_order", columns, rows[0]))
    return Part("order", heading, [table], note)


def _calibration(calibration: JudgeCalibration, judge: str) -> Part:
    columns = [
        Column("Confidence from", LABEL),
        Column("Mean confidence", PERCENT),
        Column("Accuracy", PERCENT, "accuracy"),
        Column("Items", COUNT),
    ]
    errors = {"ece": calibration.ece, "brier": calibration.brier} if calibration.n else {}
    rows = [
        Row(["", None, Figure(error, n=calibration.n), 0], {"value": judge, "figure": name}, is_hidden=True)
        for name, error in errors.items()
    ]
    for each in calibration.bins:
        if each.n:
            confidence = f"{percent_or_dash(each.low)} – {percent_or_dash(each.high)}"
            accuracy = Figure(each.accuracy, each.accuracy_low, each.accuracy_high, n=each.n)
            where = {"value": judge, "key": f"{each.low:g} to {each.high:g}"}
            rows.append(Row([confidence, each.confidence, accuracy, each.n], where))
    heading = (
        f"Calibration: expected calibration error {coefficient(calibration.ece, 3)}, "
        f"Brier score {coefficient(calibration.brier, 3)}"
    )
    note = (
        "On the dashed line the judge is right as often as it is confident; below it, it is overconfident. Without a "
        "confidence, from several samples or log-probabilities, a verdict is not here."
    )
    return Part("calibration", heading, [Table("judge_calibration", "", columns, rows)], note)


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
    heads = ("Other version", "Its answer", "Answer of this version")
    columns_of_changes = [*(Column(head, LABEL) for head in heads), Column("Items", COUNT)]
    changes = [
        Row([drift.judge, names.checked_option(change.before), names.checked_option(change.after), change.items])
        for drift in comparison.versions
        for change in drift.changes[:MAX_CHANGES]
    ]
    note = (
        "A version rates an item once. To see whether the same configuration answers differently when it is asked "
        "again, have an admin create a repetition of the judge on the page Judges, and run it."
    )
    tables = [Table("judge_drift", "", columns, rows), Table("judge_changes", "", columns_of_changes, changes)]
    return Part("drift", "Drift between versions on the same items", tables, note)


def _runs(comparison: Compared, judge: str, names: Names) -> Part:
    runs = {f"Run {count(run.run)}": run for run in comparison.runs} if len(comparison.runs) > 1 else {}
    fingerprints = {row.fingerprints: row for row in comparison.fingerprints}
    tables = []
    for key, head, accuracies in (
        ("judge_runs", "", runs),
        ("judge_fingerprints", "System fingerprint", fingerprints),
    ):
        columns = [Column(head, LABEL), Column("Items", COUNT), Column("Accuracy", PERCENT)]
        rows = [Row([label, row.items, Figure(row.accuracy, row.low, row.high)]) for label, row in accuracies.items()]
        tables.append(Table(key, "", columns, rows))
    tables.insert(1, _groups(comparison, judge, "time", "judge_times", "Verdict", names))
    note = (
        "Verdicts are numbered by their time. Other runs and times are about other items, so a difference may be one "
        "of the items."
    )
    return Part("runs", "Drift over runs and time", tables, note)
