"""The tables of a judge against people, with formatted cells: for its page, the report and files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ..report_parts.judge_comparison import (
    DetectionFigures,
    Intervals,
    JudgeComparison,
    LabelFigures,
    RateDifference,
)
from ..report_parts.judge_summary import JudgeAgainstPeople
from .figure_format import (
    coefficient,
    count,
    interval,
    joined_bounds,
    percent_or_dash,
    points,
    points_between,
)
from .names import Names

Compared = JudgeComparison | JudgeAgainstPeople
SHARES = ("accuracy", "precision", "recall", "f1", "balanced_accuracy")
MAX_CHANGES = 12
"""Rows of changed answers; all are in the JSON."""


@dataclass(frozen=True)
class PageTable:
    """A table of formatted cells; the first cell of a row is its head. After `words` columns all cells are numbers.

    `key` names the table in files.
    """

    key: str
    head: list[str]
    rows: list[list[str]]
    words: int = 1


@dataclass(frozen=True)
class PageSection:
    """A section with its tables; `note` stands below them."""

    key: str
    heading: str
    tables: list[PageTable]
    note: str = ""


def sections(comparison: Compared, names: Names) -> list[PageSection]:
    """Return the sections with a row."""
    built = (
        PageSection(section.key, section.heading, [table for table in section.tables if table.rows], section.note)
        for section in _sections(comparison, names)
    )
    return [section for section in built if section.tables]


def _sections(comparison: Compared, names: Names) -> Iterator[PageSection]:
    yield PageSection("people", _("Against people"), [_against_people(comparison)])
    yield _confusion(comparison, names)
    yield PageSection("detection", _("Detection"), [_detection(comparison, names)])
    yield from _bias(comparison, names)
    yield _order(comparison, names)
    yield _calibration(comparison)
    yield _consistency(comparison)
    yield _drift(comparison, names)
    yield _runs(comparison, names)


def _against_people(comparison: Compared) -> PageTable:
    ceiling = comparison.human_ceiling
    rows = [
        [_("Judge, against the majority of people"), *_label_cells(comparison.majority), count(comparison.items)],
        [_("People, against the majority of the other raters"), *_label_cells(ceiling.people), count(ceiling.ratings)],
        [_("Judge, against the same other raters"), *_label_cells(ceiling.judge), count(ceiling.ratings)],
    ]
    return PageTable(
        "judge_against_people", ["", _("Accuracy"), _("Cohen’s kappa"), _("Quadratic kappa"), _("Macro F1"), "n"], rows
    )


def _confusion(comparison: Compared, names: Names) -> PageSection:
    options, weights = [names.checked_option(label) for label in comparison.labels], comparison.weights
    rows = [
        [option, *(_confusion_cell(comparison, row, column) for column in range(len(options)))]
        for row, option in enumerate(options)
    ]
    heading = _("People’s answers (rows) and the judge’s (columns)")
    note = "" if weights is None else _("Numbers of items, with their weighted share of all compared items.")
    return PageSection("confusion", heading, [PageTable("judge_confusion", ["", *options], rows)], note)


def _confusion_cell(comparison: Compared, row: int, column: int) -> str:
    text = count(comparison.confusion[row][column])
    if comparison.weights is None or not comparison.confusion[row][column]:
        return text
    return f"{text} ({percent_or_dash(comparison.weights.confusion[row][column])})"


def _detection(comparison: Compared, names: Names) -> PageTable:
    head = ["", _("Precision"), _("Recall"), "F1", "MCC", _("Balanced accuracy")]
    return PageTable(
        "judge_detection",
        head,
        [[names.measure(key), *_detection_cells(row)] for key, row in comparison.detection.items()],
    )


def _bias(comparison: Compared, names: Names) -> Iterator[PageSection]:
    """Yield a section for all items and each grouping; a single group says no more than all items do."""
    head = [_("Items"), _("Accuracy"), *map(names.measure, _compared_measures(comparison))]
    everything = [_("All"), count(comparison.items), percent_or_dash(comparison.majority.accuracy)]
    rows = [[*everything, *_differences(comparison, comparison.measures)], *_groups(comparison, "system")]
    heading = _("Bias: the judge’s rate less people’s, in percentage points")
    yield PageSection("bias", heading, [PageTable("judge_bias", [names.system_head, *head], rows)])
    yield _grouped(comparison, "length", _("Bias by number of words"), [_("Words"), *head])
    yield _grouped(comparison, "position", _("Bias by position"), [_("Position"), *head])


def _grouped(comparison: Compared, key: str, heading: str, head: list[str]) -> PageSection:
    rows = _groups(comparison, key)
    rows = rows if len(rows) > 1 else []
    return PageSection(key, heading, [PageTable(f"judge_bias_by_{key}", head, rows)])


def _groups(comparison: Compared, key: str) -> list[list[str]]:
    return [
        [group.value, count(group.items), percent_or_dash(group.accuracy), *_differences(comparison, group.measures)]
        for group in comparison.by.get(key, ())
    ]


def _compared_measures(comparison: Compared) -> list[str]:
    """Return the measures that both have assessed on an item."""
    return [key for key, row in comparison.measures.items() if row.items]


def _differences(comparison: Compared, measures: Mapping[str, RateDifference]) -> list[str]:
    rows = (measures[key] for key in _compared_measures(comparison))
    return [_points_cell(row.difference, row.low, row.high) for row in rows]


def _order(comparison: Compared, names: Names) -> PageSection:
    order, rows = comparison.order, []
    if order is not None:
        labels = {_("All"): order.overall} | {
            _("%(system)s first") % {"system": name}: row for name, row in order.by_system.items()
        }
        rows = [
            [label, count(row.items), percent_or_dash(row.judge), percent_or_dash(row.people),
             _points_cell(row.difference, row.low, row.high)]
            for label, row in labels.items()
        ]  # fmt: skip
    head = ["", _("Pairs"), _("Judge for the first"), _("People for the first"), _("Difference")]
    note = _(
        "Share of the answers for the response that the judge is shown first; a tie counts half. People are shown the "
        "two responses in random order, so a difference is the judge’s preference for the first place, or for a system "
        "that is often shown first: compare the rows."
    )
    heading = _("Order bias: %(question)s") % {"question": names.question_text(order.question)} if order else ""
    return PageSection("order", heading, [PageTable("judge_order", head, rows)], note)


def _calibration(comparison: Compared) -> PageSection:
    calibration = comparison.calibration
    if calibration is None:
        return PageSection("calibration", "", [])
    rows = [
        [f"{percent_or_dash(each.low)} – {percent_or_dash(each.high)}", percent_or_dash(each.confidence),
         _with_bounds(percent_or_dash(each.accuracy), interval(each.accuracy_low, each.accuracy_high)), count(each.n)]
        for each in calibration.bins
        if each.n
    ]  # fmt: skip
    heading = _("Calibration: expected calibration error %(ece)s, Brier score %(brier)s")
    values = {"ece": coefficient(calibration.ece, 3), "brier": coefficient(calibration.brier, 3)}
    head = [_("Confidence from"), _("Mean confidence"), _("Accuracy"), _("Items")]
    note = _(
        "On the dashed line the judge is right as often as it is confident; below it, it is overconfident. Without a "
        "confidence, from several samples or log-probabilities, a verdict is not here."
    )
    return PageSection("calibration", heading % values, [PageTable("judge_calibration", head, rows)], note)


def _consistency(comparison: Compared) -> PageSection:
    consistency = comparison.consistency
    if consistency is None:
        return PageSection("consistency", "", [])
    agreement = percent_or_dash(consistency.all_agree), percent_or_dash(consistency.mean_agreement)
    rows = [[count(consistency.items), *agreement]] if consistency.items else []
    head = [_("Items with several samples"), _("All samples agree"), _("Mean share of the most frequent answer")]
    return PageSection("consistency", _("Consistency over samples"), [PageTable("judge_consistency", head, rows)])


def _drift(comparison: Compared, names: Names) -> PageSection:
    rows = [
        [
            _("%(version)s (same configuration)") % {"version": drift.judge} if drift.is_repetition else drift.judge,
            count(drift.items),
            _with_bounds(percent_or_dash(drift.same), interval(drift.same_low, drift.same_high)),
            coefficient(drift.kappa),
            percent_or_dash(drift.accuracy),
            percent_or_dash(drift.other_accuracy),
            _points_cell(drift.difference, drift.low, drift.high),
            count(drift.compared_items),
        ]
        for drift in comparison.versions
    ]
    head = [
        _("Other version"),
        _("Items"),
        _("Same answer"),
        _("Cohen’s kappa"),
        _("Accuracy"),
        _("Accuracy of the other version"),
        _("Difference"),
        "n",
    ]
    changes = [
        [drift.judge, names.checked_option(change.before), names.checked_option(change.after), count(change.items)]
        for drift in comparison.versions
        for change in drift.changes[:MAX_CHANGES]
    ]
    change_head = [_("Other version"), _("Its answer"), _("Answer of this version"), _("Items")]
    note = _(
        "A version rates an item once. To see whether the same configuration answers differently when it is asked "
        "again, have an admin create a repetition of the judge on the page Judges, and run it."
    )
    tables = [PageTable("judge_drift", head, rows), PageTable("judge_changes", change_head, changes, words=3)]
    return PageSection("drift", _("Drift between versions on the same items"), tables, note)


def _runs(comparison: Compared, names: Names) -> PageSection:
    runs = [
        [_("Run %(n)s") % {"n": run.run}, count(run.items),
         _with_bounds(percent_or_dash(run.accuracy), interval(run.low, run.high))]
        for run in comparison.runs
        if len(comparison.runs) > 1
    ]  # fmt: skip
    head = ["", _("Items"), _("Accuracy"), *map(names.measure, _compared_measures(comparison))]
    times = _groups(comparison, "time")
    times = times if len(times) > 1 else []
    note = _(
        "Verdicts are numbered by their time. Other runs and times are about other items, so a difference may be one "
        "of the items."
    )
    fingerprints = [
        [row.fingerprints, count(row.items), _with_bounds(percent_or_dash(row.accuracy), interval(row.low, row.high))]
        for row in comparison.fingerprints
    ]
    tables = [
        PageTable("judge_runs", head[:3], runs),
        PageTable("judge_times", [_("Verdict"), *head[1:]], times),
        PageTable("judge_fingerprints", [_("System fingerprint"), *head[1:3]], fingerprints),
    ]
    return PageSection("runs", _("Drift over runs and time"), tables, note)


def _points_cell(value: float | None, low: float | None, high: float | None) -> str:
    return _with_bounds(points(value), "" if low is None else points_between(low, high))


def _label_cells(figures: LabelFigures) -> list[str]:
    values = {name: getattr(figures, name) for name in ("accuracy", "kappa", "kappa_quadratic", "macro_f1")}
    return _cells(values, figures.intervals)


def _detection_cells(row: DetectionFigures) -> list[str]:
    values = {name: getattr(row, name) for name in ("precision", "recall", "f1", "mcc", "balanced_accuracy")}
    return _cells(values, row.intervals)


def _cells(values: Mapping[str, float | None], intervals: Intervals) -> list[str]:
    """Format each figure with its bounds: shares in percent, coefficients with two digits."""
    return [_cell(name, value, intervals.get(name)) for name, value in values.items()]


def _cell(name: str, value: float | None, bounds: Sequence[float] | None) -> str:
    text = percent_or_dash(value) if name in SHARES else coefficient(value)
    if not bounds:
        return text
    ends = interval(*bounds) if name in SHARES else joined_bounds(map(coefficient, bounds))
    return _with_bounds(text, ends)


def _with_bounds(text: str, bounds: str) -> str:
    return f"{text} [{bounds}]" if bounds else text
