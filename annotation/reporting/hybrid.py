"""The part of a report that combines people's ratings with a judge's verdicts."""

from ..judging.errors import JudgeError
from ..judging.judges import find_judge
from ..models import Project
from .choices import Choices
from .compute.cells import Cells
from .compute.hybrid import HybridData, hybrid_cells
from .data.comparable import comparable
from .data.report_input import ReportInput
from .data.sample_frame import NO_JUDGE, NO_VERDICTS, NoFrame, read_sample_frame
from .data.verdicts import read_judge_answers
from .report import Hybrid


def hybrid_part(project: Project, choices: Choices, data: ReportInput, cells: Cells) -> Hybrid | None:
    """Return the estimates with the chosen judge, or the reason why there are none; None without a judge."""
    if not choices.judge:
        return None
    try:
        judge = find_judge(choices.judge)
    except JudgeError:
        return Hybrid(judge=choices.judge, version=0, reason=NO_JUDGE)
    try:
        frame = read_sample_frame(project, choices, data.table.responses.cluster, judge)
        answers = read_judge_answers(judge, project)
        by_item = {row.item_id: row for row in answers.rows}
        if not any(item.item_id in by_item for item in frame.items):
            raise NoFrame(NO_VERDICTS)
    except NoFrame as problem:
        return Hybrid(judge=judge.label, version=judge.version, reason=str(problem))
    usable = comparable(project, data.table, answers)
    ratings = usable.ratings.with_turned_answers()
    overall, systems, comparisons = hybrid_cells(HybridData(frame, ratings, cells, by_item, project.overlap))
    return Hybrid(
        judge=judge.label,
        version=judge.version,
        units=frame.responses.clusters,
        overlap=project.overlap,
        verdicts=sum(item.item_id in by_item for item in frame.items),
        failed=sum(item.item_id in answers.failed for item in frame.items),
        saw_verdict=usable.saw_verdict or None,
        tuned=frame.tuned or None,
        sha256=frame.sha256(by_item),
        overall=overall,
        systems=systems,
        comparisons=comparisons,
    )
