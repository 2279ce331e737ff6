"""Forecast when a project will be finished, from the pace of the last days.

Days are windows of 24 hours that end now, so that an incomplete day does not count: the last seven, which include one
weekend, or the complete ones since the first finished assignment. The pace is their mean, its range an 80 % interval of
the mean (Student's t over the days). There is no forecast for fewer than two days or ten finished assignments.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from ..stats.quantiles import t_quantile

DAYS, MIN_DAYS, MIN_FINISHED = 7, 2, 10
DAY = timedelta(days=1)
MAX_DAYS = 3650  # no date for an end after more than ten years
UPPER = 0.9  # of an 80 % interval


@dataclass(frozen=True)
class Forecast:
    """The forecast end of a project, from `earliest` to `latest`, most likely `likely`.

    `a_day`: finished assignments per day; `latest` is None if the slow end of the range does not reach the end.
    """

    status: Literal["done", "too early", "no progress", "forecast"]
    a_day: float | None = None
    days: int = 0
    likely: datetime | None = None
    earliest: datetime | None = None
    latest: datetime | None = None


def forecast(by_day: Sequence[int], finished: int, remaining: int, now: datetime) -> Forecast:
    """Forecast the end of a project with `finished` assignments and `remaining` unfinished ones.

    `by_day`: assignments finished in each complete window of 24 hours, newest first, back to the first of all.
    """
    if remaining <= 0:
        return Forecast("done")
    days = by_day[:DAYS]
    if len(days) < MIN_DAYS or finished < MIN_FINISHED:
        return Forecast("too early", days=len(days))
    pace = sum(days) / len(days)
    if pace == 0:
        return Forecast("no progress", days=len(days))
    spread = t_quantile(UPPER, len(days) - 1) * _standard_error(days, pace)
    return Forecast(
        "forecast",
        a_day=pace,
        days=len(days),
        likely=_end_date(remaining, pace, now),
        earliest=_end_date(remaining, pace + spread, now),
        latest=_end_date(remaining, pace - spread, now),
    )


def _standard_error(days: Sequence[int], mean: float) -> float:
    return math.sqrt(sum((day - mean) ** 2 for day in days) / (len(days) - 1) / len(days))


def _end_date(remaining: int, a_day: float, now: datetime) -> datetime | None:
    days = remaining / a_day if a_day > 0 else math.inf
    return now + days * DAY if days <= MAX_DAYS else None
