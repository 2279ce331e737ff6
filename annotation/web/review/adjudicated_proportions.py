"""Adjudicated and raw proportions: counts and shares by system, without intervals.

`reporting.Choices` defines `adjudicated`; two reports are computed here and their counts are shown.
"""

from dataclasses import dataclass
from typing import Any

from ...models import Project, Rating
from ...reporting import Choices
from ...reporting.live import live_proportions
from ...reporting.report import Cell, Share
from ...reporting.text.names import Names
from ...reviewing.lead_ratings import current_ratings


@dataclass(frozen=True)
class RawAndAdjudicated:
    """One measure of one system, raw and adjudicated, and the difference."""

    raw: Share
    adjudicated: Share

    @property
    def change(self) -> float | None:
        """Adjudicated minus raw, as a share; None where one of them is undefined."""
        before, after = self.raw.value, self.adjudicated.value
        return None if before is None or after is None else after - before


def adjudicated_proportions(project: Project) -> dict[str, Any]:
    """Return `measures` by name, `rows` of (system, [RawAndAdjudicated]) all systems last, and `decision_count`."""
    decision_count = current_ratings(project, Rating.Role.ADJUDICATOR).filter(item__retired_at=None).count()
    if not decision_count:
        return {"decision_count": 0}
    raw, adjudicated = (_cells(project, answers) for answers in ("raw", "adjudicated"))
    names = Names(project.protocol.worded)
    keys = list(raw[""].measures)
    rows = [
        (
            name,
            [
                RawAndAdjudicated(raw.get(name, adjudicated[name]).measures[key], adjudicated[name].measures[key])
                for key in keys
            ],
        )
        for name in sorted(adjudicated, key=lambda name: (not name, name))
    ]
    return {
        "decision_count": decision_count,
        "system_head": names.system_head,
        "all_systems": names.all_systems,
        "measures": [names.measure(key) for key in keys],
        "rows": rows,
    }


def _cells(project: Project, answers: str) -> dict[str, Cell]:
    """Return the cells by system; the key of all together is ""."""
    systems, overall = live_proportions(project, Choices(answers=answers), resampled=False)
    return {str(cell.system): cell for cell in systems} | {"": overall}
