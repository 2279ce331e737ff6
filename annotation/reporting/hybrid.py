"""The part of a report that combines people's ratings with a judge's verdicts."""

from ..judging.errors import JudgeError
from ..judging.judges import find_judge
from ..models import Project
from .choices import ADJUDICATED, Choices
from .compute.cells import Cells
from .compute.hybrid import HybridData, hybrid_cells
from .data.comparable import comparable
from .data.report_input import ReportInput
from .data.sample_frame import ADJUDICATED_RATINGS, NO_JUDGE, NO_VERDICTS, NoFrame, read_sample_frame
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
        if choices.answers == ADJUDICATED:
            raise NoFrame(ADJUDICATED_RATINGS)
        frame = read_sample_frame(project, choices, data.table.responses.cluster, judge)
        answers = read_judge_answers(judge, project)
        by_item = {row.item_id: row for row in answers.rows}
        judged = [item for item in frame.items if not item.is_tuned]
        if not any(item.item_id in by_item for item in judged):
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
        verdicts=sum(item.item_id in by_item for item in judged),
        failed=sum(item.item_id in answers.failed for item in judged),
        saw_verdict=usable.saw_verdict or None,
        tuned=len(frame.items) - len(judged) or None,
        sha256=frame.sha256(by_item),
        overall=overall,
        systems=systems,
        comparisons=comparisons,
    )
