"""The section of a judge against people on the report page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from ...reporting.figures.layout import NARROW, WIDE
from ...reporting.figures.reliability import reliability_figure
from ...reporting.report import JudgeAgainstPeople, Report
from ...reporting.report_parts.judge_comparison import JudgeCalibration
from ...reporting.sections.judge.tables import Part, shown_parts
from ...reporting.text.judge_summary import judge_notes
from ...reporting.text.judge_use import judge_use
from ...reporting.text.names import Names
from ..page_figures import drawn_once


@dataclass(frozen=True)
class JudgeSection:
    """The tables of the comparison by section, the reliability curve in both layouts, what the judge is good for, and
    notes.
    """

    part: JudgeAgainstPeople
    sections: Sequence[Part]
    reliability: Mapping[str, SafeString]
    use: Sequence[str]
    notes: Sequence[str]


def judge_section(report: Report, names: Names) -> JudgeSection | None:
    """Return the section of a report, None where no judge was chosen that has rated."""
    part = report.judge_against_people
    if part is None:
        return None
    notes = list(judge_notes(report, names))
    use = judge_use(part, names)
    return JudgeSection(part, shown_parts(part, names), reliability(part.calibration), use, notes)


def reliability(calibration: JudgeCalibration | None) -> dict[str, SafeString]:
    """Return the reliability curve in both layouts; {} without a confidence."""
    if calibration is None or not calibration.n:
        return {}
    return {
        "wide": drawn_once((calibration, WIDE), lambda: reliability_figure(calibration, WIDE)),
        "narrow": drawn_once((calibration, NARROW), lambda: reliability_figure(calibration, NARROW)),
    }
