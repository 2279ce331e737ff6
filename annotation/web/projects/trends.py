"""Trends by week as figures with their tables: throughput and agreement of a project, and the drift of a rater."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial

from django.utils.formats import date_format
from django.utils.safestring import SafeString

from ...models import Project
from ...projects.hours import annotations_by_week
from ...reporting import live
from ...reporting.drawings.drawing import NARROW, WIDE
from ...reporting.drawings.trends import WEEKS, Panel, WeekPoint, trend_figure
from ...reporting.sections.raters.figures import ALL_RATERS, MIN_RATINGS, WeekCount, trends_of
from ...reporting.text.figure_format import count
from ..page_figures import drawn_once


@dataclass(frozen=True)
class TrendRow:
    """A week of the table: finished annotations, and counts, None if there are none."""

    monday: date
    annotations: int
    same: WeekCount | None
    gold: WeekCount | None


@dataclass(frozen=True)
class Trend:
    """A figure in both layouts, None with fewer than two weeks to compare; `rows` is its table, newest week first."""

    name: str
    wide: SafeString | None
    narrow: SafeString | None
    rows: list[TrendRow]
    fewest: int = MIN_RATINGS


def project_trend(project: Project) -> Trend:
    """Return finished annotations by week, and the raters' agreement unless the project is large."""
    same: Sequence[WeekCount] = []
    if not live.is_large(project):
        same = live.live_figures(project, trends_of).same[ALL_RATERS]
    return _trend("trend", "Trends by week", annotations_by_week(project), same, [])


def rater_trend(project: Project, username: str) -> Trend:
    """Return a rater's agreement with the others and accuracy on gold by week."""
    trends = live.live_figures(project, trends_of)
    return _trend("drift", "Drift by week", {}, trends.same.get(username, []), trends.gold.get(username, []))


def _trend(
    name: str, title: str, annotations: Mapping[date, int], same: Sequence[WeekCount], gold: Sequence[WeekCount]
) -> Trend:
    by_same, by_gold = ({monday_of(row.week): row for row in rows} for rows in (same, gold))
    mondays = sorted({*annotations, *by_same, *by_gold})
    weeks: list[date] = []
    if mondays:  # successive ones up to the newest with work, from the first that has any
        first = max(mondays[0], mondays[-1] - timedelta(weeks=WEEKS - 1))
        weeks = [first + timedelta(weeks=number) for number in range((mondays[-1] - first).days // 7 + 1)]
    counts = [(day, annotations.get(day, 0)) for day in weeks]
    panels = [
        *(
            [Panel("Finished annotations", False, [WeekPoint(_label(day), n, label=count(n)) for day, n in counts])]
            if annotations
            else []
        ),
        *([_share_panel("Agreement with other raters", by_same, weeks)] if _has_shares(same) else []),
        *([_share_panel("Accuracy on gold", by_gold, weeks)] if _has_shares(gold) else []),
    ]
    is_drawn = len(mondays) > 1 and bool(panels)
    wide, narrow = (
        drawn_once(f"{name}{title}{panels}{layout}", partial(trend_figure, name, title, panels, layout))
        if is_drawn
        else None
        for layout in (WIDE, NARROW)
    )
    rows = [TrendRow(day, annotations.get(day, 0), by_same.get(day), by_gold.get(day)) for day in reversed(mondays)]
    return Trend(name, wide, narrow, rows)


def monday_of(week: str) -> date:
    """Return the Monday of an ISO week such as 2026-W47."""
    year, number = week.split("-W")
    return date.fromisocalendar(int(year), int(number), 1)


def _has_shares(rows: Sequence[WeekCount]) -> bool:
    return any(row.share for row in rows)


def _label(monday: date) -> str:
    return date_format(monday, "j M")


def _share_panel(title: str, counts: Mapping[date, WeekCount], mondays: Sequence[date]) -> Panel:
    """Return the panel; a week without enough ratings interrupts its line."""
    points: list[WeekPoint] = []
    run = 0
    for day in mondays:
        row = counts.get(day)
        share = row.share if row else None
        if share is None:
            run += 1
            points.append(WeekPoint(_label(day), None))
        else:
            label = f"n {count(share.n)}"
            points.append(WeekPoint(_label(day), share.value, share.low, share.high, share.n, run, label))
    return Panel(title, True, points)
