"""The precision of a running project: half-widths of the intervals against the target, and agreement of the raters.

The lead's first page fetches it, so it is cheap: widths are closed-form, from the tally. Agreement reads every rating,
so a large project shows it on its own page only. Both are cached while no rating changes.
"""

from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _
from msgspec import structs

from ...models import Project
from ...reporting import live
from ...reporting.compute.planning import HalfWidth, half_widths
from ...reporting.compute.rater_pairs import agreement_details
from ...reporting.report import Report
from ...reporting.text.names import Names


def precision_context(project: Project) -> dict[str, Any]:
    """Return the context of projects/_precision.html: `widths` by measure, `agreement` by question."""
    report = live.live_report(project, extent=live.Extent.CLOSED_FORM).report
    return {
        "widths": _widths(project, report),
        "agreement": [] if live.is_large(project) else _agreement(project),
        "is_large": live.is_large(project),
        "counted": report.data.ratings,
        "target": project.target_half_width and 100 * project.target_half_width,
    }


def _widths(project: Project, report: Report) -> list[dict[str, Any]]:
    """Return the widest interval of each measure: when it is narrow enough, all are."""
    names = Names(project.protocol.translated)
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
    """Return the agreement on the first question and on accurate or not, on which the measures depend."""
    agreement = live.live_figures(project, agreement_details).agreement
    keys = [project.protocol.definition.questions[0].key, "accurate_or_not"]
    questions = {question.key: question.text for question in project.protocol.translated.questions}
    return [
        {**structs.asdict(agreement[key]), "text": questions.get(key, _("Accurate or not"))}
        for key in keys
        if key in agreement and agreement[key].percent is not None
    ]
