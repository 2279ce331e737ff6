"""The page that compares a judge with people on the items of a project that both rated."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...access import project_for
from ...models import Judge, Project
from ...reporting.cache import cached
from ...reporting.data.verdicts import judges_of
from ...reporting.judge_report import compare_judge
from ...reporting.report_parts.judge_comparison import (
    DetectionFigures,
    Intervals,
    ItemGroup,
    JudgeComparison,
    LabelFigures,
    RateDifference,
)
from ...reporting.text.figure_format import (
    coefficient,
    count,
    interval,
    joined_bounds,
    percent_or_dash,
    points,
    points_between,
)
from ...reporting.text.names import Names
from ..authentication import Request
from .disagreements import linked_items

SHARES = ("accuracy", "precision", "recall", "f1", "balanced_accuracy")


@dataclass(frozen=True)
class PageTable:
    """A table of formatted cells; the first cell of a row is its head."""

    key: str
    heading: str
    head: list[str]
    rows: list[list[str]]


@require_safe
def judge_comparison(request: Request, slug: str, name: str, version: int) -> HttpResponse:
    """Show one version of a judge against the ratings of people that count."""
    project = project_for(request.user, slug, needs="lead")
    judge = judges_of(project).filter(name=name, version=version).first()
    if judge is None:
        raise Http404(_("No judge of this name has rated in this project."))
    comparison = _compare(project, judge)
    names = Names(project.protocol.translated)
    items = linked_items(project, comparison.differing_items)
    context = {
        "project": project,
        "comparison": comparison,
        "names": names,
        "tables": [table for table in _tables(comparison, names) if table.rows],
        "left_out": [(n, _reasons()[reason]) for reason, n in comparison.left_out.items()],
        "notes": [_(note) for note in comparison.notes],
        "differing": [(row, item) for row, item, _prompt in items],
    }
    return render(request, "reports/judge_comparison.html", context)


def _compare(project: Project, judge: Judge) -> JudgeComparison:
    """Return the comparison, computed once for the same data."""
    return cached(project, f"judge comparison {judge.pk}", JudgeComparison, lambda: compare_judge(project, judge))


def _reasons() -> dict[str, str]:
    return {
        "tuned": _("it tuned the judge’s prompt"),
        "failed": _("the verdict failed"),
        "not_rated": _("no rating of a person counts"),
        "judge_cannot_assess": _("the judge could not assess it"),
        "people_cannot_assess": _("people could not assess it"),
        "tied": _("people are tied, without an adjudication"),
    }


def _tables(comparison: JudgeComparison, names: Names) -> Iterator[PageTable]:
    yield _against_people(comparison)
    yield _confusion(comparison, names)
    yield _detection(comparison, names)
    yield from _bias(comparison, names)
    yield _reliability(comparison)
    yield _stability(comparison)


def _against_people(comparison: JudgeComparison) -> PageTable:
    ceiling = comparison.human_ceiling
    rows = [
        [_("Judge, against the majority of people"), *_label_cells(comparison), count(comparison.items)],
        [_("People, against the majority of the other raters"), *_label_cells(ceiling.people), count(ceiling.ratings)],
        [_("Judge, against the same other raters"), *_label_cells(ceiling.judge), count(ceiling.ratings)],
    ]
    head = ["", _("Accuracy"), _("Cohen’s kappa"), _("Quadratic kappa"), _("Macro F1"), "n"]
    return PageTable("people", _("Against people"), head, rows)


def _confusion(comparison: JudgeComparison, names: Names) -> PageTable:
    options = [names.option(label) for label in comparison.labels]
    rows = [[option, *map(count, row)] for option, row in zip(options, comparison.confusion, strict=True)]
    return PageTable("confusion", _("People’s answers (rows) and the judge’s (columns)"), ["", *options], rows)


def _detection(comparison: JudgeComparison, names: Names) -> PageTable:
    head = ["", _("Precision"), _("Recall"), "F1", "MCC", _("Balanced accuracy")]
    rows = [[names.measure(key), *_detection_cells(row)] for key, row in comparison.detection.items()]
    return PageTable("detection", _("Detection"), head, rows)


def _bias(comparison: JudgeComparison, names: Names) -> Iterator[PageTable]:
    """Yield a table for all items and each grouping."""
    head = [_("Items"), _("Accuracy"), *map(names.measure, comparison.measures)]
    everything = [_("All"), count(comparison.items), percent_or_dash(comparison.accuracy)]
    rows = [[*everything, *_differences(comparison.measures)], *map(_group, comparison.by.get("system", ()))]
    yield PageTable("bias", _("Bias: the judge’s rate less people’s"), [names.system_head, *head], rows)
    for key, heading in (("length", _("Bias by number of words")), ("position", _("Bias by position"))):
        yield PageTable(key, heading, ["", *head], list(map(_group, comparison.by.get(key, ()))))


def _group(group: ItemGroup) -> list[str]:
    return [group.value, count(group.items), percent_or_dash(group.accuracy), *_differences(group.measures)]


def _differences(measures: Mapping[str, RateDifference]) -> list[str]:
    return [
        points(row.difference) if row.low is None else f"{points(row.difference)} [{points_between(row.low, row.high)}]"
        for row in measures.values()
    ]


def _reliability(comparison: JudgeComparison) -> PageTable:
    calibration = comparison.calibration
    rows = [
        [f"{percent_or_dash(each.low)} – {percent_or_dash(each.high)}", percent_or_dash(each.confidence),
         percent_or_dash(each.accuracy), count(each.n)]
        for each in calibration.bins
        if each.n
    ]  # fmt: skip
    heading = _("Calibration: expected calibration error %(ece)s, Brier score %(brier)s")
    values = {"ece": coefficient(calibration.ece, 3), "brier": coefficient(calibration.brier, 3)}
    head = [_("Confidence from"), _("Mean confidence"), _("Accuracy"), _("Items")]
    return PageTable("calibration", heading % values, head, rows)


def _stability(comparison: JudgeComparison) -> PageTable:
    """Return the other versions and the runs, each with its accuracy."""
    versions = [
        [drift.judge, percent_or_dash(drift.other_accuracy), percent_or_dash(drift.same), count(drift.items)]
        for drift in comparison.versions
    ]
    runs = [
        [_("Run %(n)s") % {"n": run.run}, percent_or_dash(run.accuracy), "", count(run.items)]
        for run in comparison.runs
        if len(comparison.runs) > 1
    ]
    head = ["", _("Accuracy"), _("Same answer as this version"), _("Items")]
    return PageTable("drift", _("Other versions, and runs"), head, [*versions, *runs])


def _label_cells(figures: LabelFigures | JudgeComparison) -> list[str]:
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
    return f"{text} [{ends}]"
