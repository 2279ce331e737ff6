"""The part of a report that combines people's ratings with a judge's verdicts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ..judging.errors import JudgeError
from ..judging.judges import find_judge
from ..models import Judge, Project
from .choices import ADJUDICATED, Choices
from .compute.cells import Cells
from .compute.hybrid import HybridData, hybrid_cells
from .data.comparable import comparable
from .data.report_input import ReportInput
from .data.sample_frame import ADJUDICATED_RATINGS, NO_JUDGE, NO_VERDICTS, NoFrame, read_sample_frame
from .data.verdicts import JudgeAnswer, JudgeAnswers, read_judge_answers
from .report import Hybrid


@dataclass(frozen=True)
class JudgedSample:
    """What estimates with a judge are computed from, with all of its answers, and how many ratings are not used because
    verdicts were shown before.
    """

    data: HybridData
    answers: JudgeAnswers
    verdict_shown: int


def judge_named(label: str) -> Judge:
    """Return the judge NAME or NAME@N. Raises NoFrame."""
    try:
        return find_judge(label)
    except JudgeError as error:
        raise NoFrame(NO_JUDGE) from error


def read_judged_sample(
    project: Project, choices: Choices, judge: Judge, data: ReportInput, cells: Cells
) -> JudgedSample:
    """Read the frame of the sample and the judge's answers about it. Raises NoFrame with the reason why there are no
    estimates.
    """
    if choices.answers == ADJUDICATED:
        raise NoFrame(ADJUDICATED_RATINGS)
    frame = read_sample_frame(project, choices, data.table.responses.cluster, judge)
    answers = read_judge_answers(judge, project)
    by_item = {row.item_id: row for row in answers.rows}
    if not any(item.item_id in by_item for item in frame.items if not item.is_tuned):
        raise NoFrame(NO_VERDICTS)
    usable = comparable(project, data.table, answers)
    ratings = usable.ratings.with_turned_answers()
    return JudgedSample(HybridData(frame, ratings, cells, by_item, project.overlap), answers, usable.verdict_shown)


def hybrid_part(project: Project, choices: Choices, data: ReportInput, cells: Cells) -> Hybrid | None:
    """Return the estimates with the chosen judge, or the reason why there are none; None without a judge."""
    if not choices.judge:
        return None
    judge = None
    try:
        judge = judge_named(choices.judge)
        sample = read_judged_sample(project, choices, judge, data, cells)
    except NoFrame as problem:
        label, version = (judge.label, judge.version) if judge else (choices.judge, 0)
        return Hybrid(judge=label, version=version, reason=str(problem))
    frame, by_item = sample.data.frame, sample.data.answers
    judged = [item for item in frame.items if not item.is_tuned]
    overall, systems, comparisons = hybrid_cells(sample.data)
    return Hybrid(
        judge=judge.label,
        version=judge.version,
        returned_model=judge.returned_model or None,
        fingerprints=_fingerprints(by_item[item.item_id] for item in judged if item.item_id in by_item),
        units=frame.responses.clusters,
        overlap=project.overlap,
        verdicts=sum(item.item_id in by_item for item in judged),
        failed=sum(item.item_id in sample.answers.failed for item in judged),
        verdict_shown=sample.verdict_shown or None,
        tuned=len(frame.items) - len(judged) or None,
        sha256=frame.sha256(by_item),
        overall=overall,
        systems=systems,
        comparisons=comparisons,
    )


def _fingerprints(answers: Iterable[JudgeAnswer]) -> dict[str, int] | None:
    """Return how many of these answers came with which system fingerprints, by name; None if none has one."""
    counts = Counter(answer.fingerprints for answer in answers if answer.fingerprints)
    return dict(sorted(counts.items())) or None
