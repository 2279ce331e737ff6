"""The part of a report that combines people's ratings with a judge's verdicts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ..models import Judge
from .choices import ADJUDICATED
from .compute.cells import Cells
from .compute.hybrid import HybridData, hybrid_cells
from .data.sample_frame import ADJUDICATED_RATINGS, NO_VERDICTS, NoFrame
from .data.verdicts import JudgeAnswer, JudgeAnswers
from .judge_input import JudgeInput
from .report import Hybrid


@dataclass(frozen=True)
class JudgedSample:
    """What estimates with a judge are computed from, with all of its answers, and how many ratings are not used because
    verdicts were shown before.
    """

    judge: Judge
    data: HybridData
    answers: JudgeAnswers
    verdict_shown: int


def judged_sample(read: JudgeInput, cells: Cells) -> JudgedSample:
    """Return the frame of the sample with the judge's answers about it. Raises NoFrame with the reason why there are no
    estimates.
    """
    judge = read.judge
    if read.choices.answers == ADJUDICATED:
        raise NoFrame(ADJUDICATED_RATINGS)
    frame, answers = read.frame.with_tuned(read.tuned), read.answers
    by_item = {row.item_id: row for row in answers.rows}
    if not any(item.item_id in by_item for item in frame.items if not item.is_tuned):
        raise NoFrame(NO_VERDICTS)
    usable = read.comparable(read.data.table)
    ratings = usable.ratings.with_turned_answers()
    data = HybridData(frame, ratings, cells, by_item, read.project.overlap)
    return JudgedSample(judge, data, answers, usable.verdict_shown)


def hybrid_part(read: JudgeInput, cells: Cells) -> Hybrid | None:
    """Return the estimates with the chosen judge, or the reason why there are none; None without a judge."""
    if not read.choices.judge:
        return None
    judge: Judge | None = None
    try:
        judge = read.judge
        sample = judged_sample(read, cells)
    except NoFrame as problem:
        label, version = (judge.label, judge.version) if judge else (read.choices.judge, 0)
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
        overlap=read.project.overlap,
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
