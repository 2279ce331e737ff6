"""Estimates of people alone that are weighted for the unequal probabilities of a sample."""

from ..models import Project
from .choices import DEFAULT
from .compute.cells import Cells
from .compute.hybrid import HybridData, weighted_cells
from .data.report_input import ReportInput
from .data.sample_frame import NoFrame
from .judge_input import JudgeInput
from .report import PeopleAlone, WeightedEstimates


def weighted_part(read: JudgeInput, cells: Cells) -> WeightedEstimates | None:
    """Return the estimates from the ratings that a report counts, or the reason why there are none; None where the
    probabilities are equal, so that the report needs no weights.
    """
    project = read.project
    if project.sampling_design != Project.SamplingDesign.UNCERTAIN:
        return None
    try:
        frame = read.frame
    except NoFrame as problem:
        return WeightedEstimates(reason=str(problem))
    sample = HybridData(frame, read.data.table.with_turned_answers(), cells, {}, project.overlap)
    overall, systems, comparisons = weighted_cells(sample)
    return WeightedEstimates(
        units=frame.responses.clusters,
        sha256=frame.sha256({}),
        overall=overall,
        systems=systems,
        comparisons=comparisons,
    )


def weighted_estimates(data: ReportInput, cells: Cells) -> dict[str, dict[str, PeopleAlone]]:
    """Return the estimates of all ratings by system and measure; {} without any, as in `weighted_part`."""
    part = weighted_part(JudgeInput(data, DEFAULT), cells)
    return {str(cell.system): dict(cell.measures) for cell in part.systems} if part else {}
