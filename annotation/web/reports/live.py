"""The live numbers as a page: of this moment, under the switches that are set, beside those without."""

from typing import Any

from ...models import Project
from ...reporting import Choices, live
from ...reporting.data.available_choices import unrated
from ...reporting.text import provenance
from ...reporting.text.naming import Names
from ..jobs import shown
from .disagreements import disputed
from .figures import live_drawings
from .measure_table import Report
from .options import query_of, set_switches, switches
from .sections import Asked, page_of


def live_page(project: Project, choices: Choices, asked: Asked) -> dict[str, Any]:
    """What the report page shows of a project now. Where a job has to work it out, what the tally says at once."""
    found = live.at_once(project, choices)
    if found is None:
        return _worked_out(project, choices, asked)
    plain = found if choices.is_default else live.now(project)
    return _page(project, choices, asked, found, plain)


def _worked_out(project: Project, choices: Choices, asked: Asked) -> dict[str, Any]:
    """The numbers that a job found, or the first ones while it is at work."""
    done = live.worked_out(project, choices)
    if done is None or done.result is None:
        work = live.open_work(project, choices)
        first = live.first_numbers(project, choices)
        heeded = choices.from_the_tally()
        before = first if heeded.is_default else live.first_numbers(project)
        names = Names(project.protocol.worded)
        return _page(project, choices, asked, first, before) | {
            "set_switches": set_switches(heeded, names),
            "first_numbers": True,
            "resampled": bool(first["method"]["resamples"]),
            "not_yet": _not_yet(choices, names),
            "work": shown(work) if work else None,
        }
    before = done.result if choices.is_default else live.now(project)
    return _page(project, choices, asked, done.result, before) | {"worked_out_at": done.ended_at}


def _not_yet(choices: Choices, names: Names) -> list[str]:
    """The filters that the first numbers could not heed, in words."""
    heeded = choices.from_the_tally().filters()
    left = {name: value for name, value in choices.filters().items() if name not in heeded}
    return provenance.filters_in_words(left, names.unit)


def _page(project: Project, choices: Choices, asked: Asked, found: Report, plain: Report) -> dict[str, Any]:
    names = Names(project.protocol.worded)
    switched = found is not plain
    page = page_of(found, names, asked, plain if switched else None)
    return {
        **page,
        **switches(project, choices, plain, names),
        "live": True,
        "unrated": unrated(project),
        "switched": switched,
        "by_query": query_of(choices) + "&",
        "drawings": live_drawings(project, found, choices, page["heat"]),
        "disputed": disputed(project, found, names),
    }
