"""Adjudicated and raw proportions: counts and shares by system, without intervals.

`reporting.Choices` defines `adjudicated`; two reports are computed here and their counts are shown.
"""

from typing import Any

from ...models import Project, Rating
from ...reporting import Choices
from ...reporting.live import Extent, live_report
from ...reporting.parts import Cell, Share
from ...reporting.text.names import Names
from ...reviewing.lead_ratings import current_ratings

Comparison = tuple[Share, Share, float | None]
"""One measure of one system, raw and adjudicated, and the difference."""


def adjudicated_proportions(project: Project) -> dict[str, Any]:
    """Return `measures` by name, `rows` of (system, [Comparison]) all systems last, and `decision_count`."""
    decision_count = current_ratings(project, Rating.Role.ADJUDICATOR).filter(item__retired_at=None).count()
    if not decision_count:
        return {"decision_count": 0}
    raw, adjudicated = (_cells(project, answers) for answers in ("raw", "adjudicated"))
    names = Names(project.protocol.translated)
    rows = [
        (name, _compare(raw.get(name, adjudicated[name]), adjudicated[name]))
        for name in sorted(adjudicated, key=lambda name: (not name, name))
    ]
    return {
        "decision_count": decision_count,
        "names": names,
        "measures": [names.measure(key) for key in raw[""].measures],
        "rows": rows,
    }


def _compare(raw: Cell, adjudicated: Cell) -> list[Comparison]:
    pairs = [(measure, adjudicated.measures[key]) for key, measure in raw.measures.items()]
    return [(before, after, after.minus(before)) for before, after in pairs]


def _cells(project: Project, answers: str) -> dict[str, Cell]:
    """Return the cells by system; the key of all together is ""."""
    report = live_report(project, Choices(answers=answers), Extent.CLOSED_FORM).report
    return {str(cell.system): cell for cell in report.systems} | {"": report.overall}
