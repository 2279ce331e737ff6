"""How a project's figures stand while it runs: how wide the intervals are, against the target, and how far raters
agree.

Meant for the lead's first page, so it costs little: widths are the closed form's, from the tally; agreement has to look
at every rating, so it is left to its own page where there are many; both come from the cache while nothing changes.
"""

from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _
from msgspec import structs

from ...models import Project
from ...reporting import live
from ...reporting.compute.planning import HalfWidth, half_widths
from ...reporting.report import Report
from ...reporting.text.naming import Names


def standing_of(project: Project) -> dict[str, Any]:
    """For templates/projects/_precision.html: `widths` by measure, `agreement` by question; neither without ratings."""
    report = live.closed_form_report(project)
    return {
        "widths": _widths(project, report),
        "agreement": [] if live.is_large(project) else _agreement(project),
        "is_large": live.is_large(project),
        "counted": report.data.ratings,
        "target": project.target_half_width and 100 * project.target_half_width,
    }


def _widths(project: Project, report: Report) -> list[dict[str, Any]]:
    """For each measure the system with the widest interval: when that one is narrow enough, all are."""
    names = Names(project.protocol.worded)
    widest: dict[str, tuple[float, HalfWidth]] = {}
    for width in half_widths(report, project.target_half_width):
        half = width.half_width
        if half is not None and (width.measure not in widest or half > widest[width.measure][0]):
            widest[width.measure] = half, width
    return [
        {**asdict(width), "name": names.measure(measure), "points": 100 * half}
        for measure, (half, width) in widest.items()
    ]


def _agreement(project: Project) -> list[dict[str, Any]]:
    """The first question, and whether the answer is the good one: what the measures stand on."""
    agreement = live.live_agreement(project).agreement
    keys = [project.protocol.definition.questions[0].key, "accurate_or_not"]
    questions = {question.key: question.text for question in project.protocol.worded.questions}
    return [
        {**structs.asdict(agreement[key]), "words": questions.get(key, _("Accurate or not"))}
        for key in keys
        if key in agreement and agreement[key].percent is not None
    ]
