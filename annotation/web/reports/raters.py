"""The raters by name, for leads: no ranking, and not visible to raters."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from ...access import project_for
from ...accounts.display_names import DisplayNames
from ...exporting.shown_reports import shown_rater_rows
from ...i18n.english import in_english
from ...models import Project
from ...pseudonyms import data_name_of, in_shown_order, shown_rater
from ...qualification.rules import hidden_gold_by_name, stopped_raters
from ...reporting import live
from ...reporting.choices import Choices
from ...reporting.parts import MeasureProportion, Share
from ...reporting.sections.agreement.figures import ACCURATE
from ...reporting.sections.raters.figures import (
    APART,
    BELOW_GOLD,
    BEYOND,
    DISAGREES,
    FASTER,
    LENIENT,
    MIN_GOLD_SHARE,
    MIN_SECONDS,
    MIN_TIMED_RATINGS,
    MUCH_FASTER,
    QUICK,
    STRICT,
    TOO_FAST,
    RaterDetails,
    RaterQuality,
    RaterWeek,
    rater_details,
    raters_of,
)
from ...reporting.sections.sensitivity.figures import alerted_raters
from ...reporting.text.figure_format import count, duration, listed
from ...reporting.text.names import Names
from ..authentication import Request
from ..projects.attention import stopped_notices
from ..projects.trends import monday_of, rater_trend
from .agreement import PairCount, pair_count

WIDTH, HEIGHT, EDGE = 96, 22, 2  # of a line of weeks
MAX_RESAMPLED = 3  # exclusions whose intervals are resampled; with more, a page has closed-form intervals


def alert_rules() -> dict[str, str]:
    """Return the rule of each quality alert, with its thresholds."""
    return {
        BELOW_GOLD: f"The upper bound of the accuracy on gold answers is below {f'{100 * MIN_GOLD_SHARE:.0f} %'}.",
        LENIENT: (
            "Chose the counted answer more often than the others on the same sentences: the whole "
            f"interval lies beyond +{f'{100 * BEYOND:g}'} points. Raters are checked one at a time, the most extreme "
            "first, so that one outlier does not affect the others."
        ),
        STRICT: (
            "Chose the counted answer less often than the others on the same sentences: the whole "
            f"interval lies beyond −{f'{100 * BEYOND:g}'} points."
        ),
        DISAGREES: (
            f"The upper bound of the agreement with the majority of the others lies more than {f'{100 * APART:g}'} points below "
            "the other raters’ share."
        ),
        MUCH_FASTER: (
            f"The median time is below {_part(FASTER)} of the other raters’ median, over at least {MIN_TIMED_RATINGS} timed "
            "ratings, and the accuracy on gold or the agreement with other raters is also below theirs: "
            "being faster than others is not enough for an alert."
        ),
        TOO_FAST: f"The median time is below {duration(MIN_SECONDS)}, too short to read, over at least {MIN_TIMED_RATINGS} timed ratings.",
    }


def _part(share: float) -> str:
    """Return one half, one third; a share without a word as a percentage."""
    words = {2: "one half", 3: "one third", 4: "one quarter"}
    return words.get(round(1 / share), f"{100 * share:g} %")


@dataclass(frozen=True)
class WeekLine:
    """A share by week as a line: pieces of `points` for <polyline>, dots for single weeks."""

    words: str
    pieces: list[str]
    dots: list[tuple[str, str]]


MeasureWithoutRaters = tuple[str, str, MeasureProportion, MeasureProportion | None, float | None]
"""One measure of one system with all raters and without some, and the change; None without a rating."""


@dataclass(frozen=True)
class Exclusion:
    """The measures with all raters and without some, by display name, and the address of the report without them."""

    raters: list[str]
    report: str
    changes: list[MeasureWithoutRaters]


ConfusionTable = tuple[str, str, list[tuple[str, list[PairCount]]]]
"""A rater's answers by those of others: title, label of the others, rows of (label, cells)."""


@require_safe
@in_english
def raters(request: Request, slug: str) -> HttpResponse:
    """List every rater, the meaning of the quality alerts, and the measures without some raters (`?without=`); at first
    without each rater with an alert, then without all of them.
    """
    project = project_for(request.user, slug, needs="lead")
    rows = shown_rater_rows(live.live_figures(project, raters_of))
    alerted = alerted_raters(rows)
    rater_names = {row.rater for row in rows}
    requested = [name for name in request.GET.getlist("without") if name in rater_names]
    is_choice = "without" in request.GET or "compare" in request.GET
    exclusions = [requested] * bool(requested) if is_choice else _alone_and_together(alerted)
    names, display_name = Names(project.protocol.definition), DisplayNames()
    context = {
        "project": project,
        "rows": [(row, display_name(row.rater), line_of(row.weeks, "accurate"), _left_out(row)) for row in rows],
        "in_weeks": any(len(row.weeks) > 1 for row in rows),
        "adjudicated": any(row.adjudicated for row in rows),
        "timed": any(row.quick for row in rows),
        "left_out_label": listed(names.left_out(), "or"),
        "counted": counted_label(project),
        "rules": alert_rules(),
        "quick": QUICK,
        "alerted": alerted,
        "ticked": requested,
        "names": names,
        "exclusions": _exclusions(project, exclusions, names, display_name),
        "notices": stopped_notices(stopped_raters([project]).get(project.pk, [])),
        "hidden": in_shown_order(
            ((display_name(username), score) for username, score in hidden_gold_by_name(project)), itemgetter(0)
        ),
    }
    return render(request, "reports/raters.html", context)


@require_safe
@in_english
def rater(request: Request, slug: str, username: str) -> HttpResponse:
    """Show one rater: figures, quality alerts, weeks, and confused answers."""
    project = project_for(request.user, slug, needs="lead")
    name = data_name_of(username)
    rated = live.live_figures(project, rater_details, name)
    if rated is None:
        raise Http404(f"{username} has no rating that counts in this project.")
    names, trend = Names(project.protocol.definition), rater_trend(project, name)
    by_week = {row.monday: row for row in trend.rows}
    weeks = [(monday_of(week.week), week) for week in rated.row.weeks]
    context = {
        "project": project,
        "row": rated.row,
        "rater": DisplayNames()(name),
        "left_out": _left_out(rated.row),
        "left_out_label": listed(names.left_out(), "or"),
        "counted": counted_label(project),
        "alerts": [(alert, alert_rules()[alert]) for alert in rated.row.flags],
        "trend": trend,
        "weeks": [(monday, week, by_week.get(monday)) for monday, week in weeks],
        "confusion_tables": [table for table in _confusion_tables(rated, names) if table],
        "quick": QUICK,
        "without_report": _report_without(project, [shown_rater(name)]),
    }
    return render(request, "reports/rater.html", context)


def counted_label(project: Project) -> str:
    """Return the label of the measure of leniency: `accurate`, or the protocol's first."""
    measures = project.protocol.definition.measures
    return next((measure for measure in measures if measure.key == ACCURATE), measures[0]).label


def line_of(weeks: Sequence[RaterWeek], key: str) -> WeekLine | None:
    """Return a share by week, 0 to 1 from bottom to top; None with fewer than two weeks that have it."""
    values = [(week.accurate if key == "accurate" else week.leave_one_out) for week in weeks]
    defined = {number: value for number, value in enumerate(values) if value is not None}
    if len(defined) < 2:
        return None
    step = (WIDTH - 2 * EDGE) / (len(weeks) - 1)
    points = {
        number: (f"{EDGE + number * step:.1f}", f"{HEIGHT - EDGE - value * (HEIGHT - 2 * EDGE):.1f}")
        for number, value in defined.items()
    }
    runs: list[list[int]] = []
    for number in points:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = ", ".join(_week_in_words(weeks[number], value) for number, value in defined.items())
    pieces = [" ".join(",".join(points[number]) for number in run) for run in runs if len(run) > 1]
    return WeekLine(words, pieces, [points[run[0]] for run in runs if len(run) == 1])


def _week_in_words(week: RaterWeek, value: float) -> str:
    """Return 2026-W46: 81 % (n = 37)."""
    return f"{week.week}: {100 * value:.0f} % (n = {count(week.ratings)})"


def _left_out(row: RaterQuality) -> Share:
    """Return the share of ratings that could not be assessed."""
    k, n = row.ratings - row.assessed, row.ratings
    return Share(value=k / n if n else None, k=k, n=n)


def _report_without(project: Project, names: list[str]) -> str:
    query = urlencode([("live", 1), *(("without_raters", name) for name in names)])
    return f"{reverse('report', args=[project.slug])}?{query}"


def _alone_and_together(names: list[str]) -> list[list[str]]:
    """Return each name alone, then all together: errors in opposite directions cancel in one figure without all."""
    return [[name] for name in names] + [names] * (len(names) > 1)


def _exclusions(
    project: Project, excluded: list[list[str]], names: Names, display_name: DisplayNames
) -> list[Exclusion]:
    """Return the systems' measures without each of these groups of raters."""
    is_slow = live.is_large(project) or len(excluded) > MAX_RESAMPLED
    extent = live.Extent.CLOSED_FORM if is_slow else live.Extent.COMPLETE
    return [
        Exclusion(
            list(map(display_name, group)),
            _report_without(project, group),
            _measure_changes(project, group, names, extent),
        )
        for group in excluded
    ]


def _measure_changes(
    project: Project, excluded: list[str], names: Names, extent: live.Extent
) -> list[MeasureWithoutRaters]:
    """Return the systems' measures with all raters, and without the excluded ones."""
    choices = Choices(), Choices(without_raters=tuple(sorted(map(data_name_of, excluded))))
    report, remaining = (live.live_report(project, each, extent).report for each in choices)
    measures_without = {cell.system: cell.measures for cell in remaining.systems}
    rows: list[MeasureWithoutRaters] = []
    for cell in report.systems:
        for key, with_all in cell.measures.items():
            without = measures_without.get(cell.system, {}).get(key)
            change = without.minus(with_all) if without else None
            rows.append((str(cell.system), names.measure(key), with_all, without, change))
    return rows


def _confusion_tables(rated: RaterDetails, names: Names) -> list[ConfusionTable | None]:
    """Return the confusion tables: against gold, against adjudications, against other raters."""
    options = [names.option(key) for key in rated.options]
    checked = [names.checked_option(key) for key in rated.checked_options]
    return [
        _table("Against gold answers", "Gold", checked, rated.gold),
        _table("Against adjudications", "Adjudicated", checked, rated.adjudicated),
        _table("Compared with the other raters of the same sentence", "Another rater", options, rated.others),
    ]


def _table(title: str, source: str, options: list[str], counts: list[list[int]] | None) -> ConfusionTable | None:
    """Return counts by option, without options that neither side used; `level` 0 to 5 shades the off-diagonal."""
    if counts is None:
        return None
    used = [number for number in range(len(options)) if any(counts[number]) or any(row[number] for row in counts)]
    most = max((counts[a][b] for a in used for b in used if a != b), default=0)
    labels = [options[number] for number in used]
    cells = [[pair_count(counts[a][b], most, same=a == b) for b in used] for a in used]
    return title, source, list(zip(labels, cells, strict=True))
