"""Estimates of people alone that are weighted for the unequal probabilities of a sample."""

from ..models import Project
from ..protocols import Measure
from ..stats.hybrid import people_alone
from .choices import DEFAULT
from .compute.cells import LEVEL, Cells
from .compute.hybrid import HybridData
from .data.arrays import Mask
from .data.report_input import ReportInput
from .data.sample_frame import NoFrame, read_sample_frame
from .report import PeopleAlone


def weighted_estimates(data: ReportInput, cells: Cells) -> dict[str, dict[str, PeopleAlone]]:
    """Return the estimates by system and measure, as a report with a judge has them of people alone.

    {} where the probabilities are equal, so that the report needs no weights, or not all stored.
    """
    project = data.project
    if project.sampling_design != Project.SamplingDesign.UNCERTAIN:
        return {}
    try:
        frame = read_sample_frame(project, DEFAULT, data.table.responses.cluster, None)
    except NoFrame:
        return {}
    sample = HybridData(frame, data.table.with_turned_answers(), cells, {}, project.overlap)
    return {
        name: {measure.key: _of_people(sample, measure, frame.system == number) for measure in cells.protocol.measures}
        for number, name in enumerate(frame.responses.systems)
    }


def _of_people(sample: HybridData, measure: Measure, items: Mask) -> PeopleAlone:
    people = people_alone(sample.sums(measure, items), LEVEL)
    return PeopleAlone(people.value, people.low, people.high, people.n, people.rated_units)
