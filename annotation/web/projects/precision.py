"""The precision of a running project: half-widths of the intervals against the target, and agreement of the raters.

The lead's first page fetches it, so it is cheap: widths are closed-form, from the tally. Agreement and plans read every
rating, so a large project shows them on their own pages only. All are cached while no rating changes.
"""

from typing import Any

from msgspec import structs

from ...models import Project
from ...reporting import live
from ...reporting.data.project_items import read_project_size
from ...reporting.planning.figures import summarize_ratings
from ...reporting.planning.plans import HalfWidth, Plans, Weighted, half_widths, largest_plan, plans_for_target
from ...reporting.planning.tables import sample_precision
from ...reporting.report import Report
from ...reporting.sections.agreement.figures import agreement_details
from ...reporting.sections.hybrid.figures import weighted_estimates
from ...reporting.text.names import Names


def precision_context(project: Project) -> dict[str, Any]:
    """Return the context of projects/_precision.html: `widths` by measure, `agreement` by question."""
    report = live.live_report(project, extent=live.Extent.CLOSED_FORM).report
    is_large = live.is_large(project)
    weighted = {} if is_large else live.live_figures(project, weighted_estimates)
    return {
        "widths": _widths(project, report, {} if is_large else _plans(project), weighted),
        "sample": sample_precision(project, report, is_weighted=bool(weighted)),
        "unit": report.method.cluster,
        "agreement": [] if is_large else _agreement(project),
        "is_large": is_large,
        "counted": report.data.ratings,
        "target": project.target_half_width and 100 * project.target_half_width,
    }


def _widths(project: Project, report: Report, plans: Plans, weighted: Weighted) -> list[dict[str, Any]]:
    """Return the widest interval of each measure, as when it is narrow enough, all are; and what brings all there."""
    names = Names(project.protocol.translated)
    widest: dict[str, tuple[float, HalfWidth]] = {}
    for width in half_widths(report, project.target_half_width, plans, weighted):
        half = width.half_width
        if half is not None and (width.measure not in widest or half > widest[width.measure][0]):
            widest[width.measure] = half, width
    return [
        {**vars(width), "name": names.measure(measure), "points": 100 * half, "plan": largest_plan(plans, measure)}
        for measure, (half, width) in widest.items()
    ]


def _plans(project: Project) -> Plans:
    """Return what the planner says for the target; nothing without a target."""
    if project.target_half_width is None:
        return {}
    rated = live.live_figures(project, summarize_ratings)
    return plans_for_target(read_project_size(project), rated, project.target_half_width)


def _agreement(project: Project) -> list[dict[str, Any]]:
    """Return the agreement on the first question and on accurate or not, on which the measures depend."""
    agreement = live.live_figures(project, agreement_details).agreement
    keys = [project.protocol.definition.questions[0].key, "accurate_or_not"]
    questions = {question.key: question.text for question in project.protocol.translated.questions}
    return [
        {**structs.asdict(agreement[key]), "text": questions.get(key, "Accurate or not")}
        for key in keys
        if key in agreement and agreement[key].percent is not None
    ]
