"""When a project will be finished, from the pace of the last days.

The days are windows of 24 hours that end now, so that the day that has just begun does not look like a bad one: the
last seven (with one weekend in them), or as many whole ones as there have been since the first reading was finished.
The pace is their mean; the range is that of an 80 % interval of the mean (Student's t over the days), so it is wide
when the days differ. Fewer than two days or ten readings in all are too little to say anything.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from ..stats.quantiles import t_quantile

DAYS, FEWEST_DAYS, FEWEST_READINGS = 7, 2, 10
DAY = timedelta(days=1)
LONGEST = 3650  # days: what takes longer than ten years has no date
UPPER = 0.9  # of an 80 % interval


@dataclass(frozen=True)
class Forecast:
    """`a_day`: readings finished a day. The project ends between `earliest` and `latest`, most likely on `likely`;
    `latest` is None where the slow end of the range never gets there."""

    says: Literal["done", "too early", "standing still", "forecast"]
    a_day: float | None = None
    days: int = 0
    likely: datetime | None = None
    earliest: datetime | None = None
    latest: datetime | None = None


def forecast(by_day: Sequence[int], finished: int, left: int, now: datetime) -> Forecast:
    """`by_day`: readings finished in each whole window of 24 hours, the newest first, back to the first reading of all.
    `finished`: readings so far; `left`: those that are not finished yet."""
    if left <= 0:
        return Forecast("done")
    days = by_day[:DAYS]
    if len(days) < FEWEST_DAYS or finished < FEWEST_READINGS:
        return Forecast("too early", days=len(days))
    pace = sum(days) / len(days)
    if pace == 0:
        return Forecast("standing still", days=len(days))
    spread = t_quantile(UPPER, len(days) - 1) * _standard_error(days, pace)
    return Forecast(
        "forecast",
        a_day=pace,
        days=len(days),
        likely=_when(left, pace, now),
        earliest=_when(left, pace + spread, now),
        latest=_when(left, pace - spread, now),
    )


def _standard_error(days: Sequence[int], mean: float) -> float:
    return math.sqrt(sum((day - mean) ** 2 for day in days) / (len(days) - 1) / len(days))


def _when(left: int, a_day: float, now: datetime) -> datetime | None:
    days = left / a_day if a_day > 0 else math.inf
    return now + days * DAY if days <= LONGEST else None
