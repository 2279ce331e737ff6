"""The section of a report about its judge: the judge against the ratings that the report counts."""

from ..judging.errors import JudgeError
from ..judging.judges import find_judge
from .choices import Choices
from .data.comparable import comparable
from .data.report_input import ReportInput
from .data.verdicts import read_judge_answers
from .judge_report import comparison_of
from .report import JudgeAgainstPeople
from .report_parts.judge_comparison import JudgeComparison, LabelFigures


def judge_summary(data: ReportInput, choices: Choices) -> JudgeAgainstPeople | None:
    """Compare the chosen judge with people; None without a judge, or with one that has rated nothing here."""
    if not choices.judge:
        return None
    try:
        judge = find_judge(choices.judge)
    except JudgeError:
        return None
    answers = read_judge_answers(judge, data.project)
    if not (answers.rows or answers.failed):
        return None
    compared = comparable(data.project, data.by_raters, answers)
    return summarize(comparison_of(data, compared, (), choices))


def summarize(comparison: JudgeComparison) -> JudgeAgainstPeople:
    """Return the figures of a whole comparison that are in a report."""
    return JudgeAgainstPeople(
        judge=comparison.judge.name,
        version=comparison.judge.version,
        items=comparison.items,
        verdicts=comparison.verdicts,
        left_out=comparison.left_out,
        excluded=comparison.excluded,
        notes=comparison.notes,
        majority=LabelFigures(
            accuracy=comparison.accuracy,
            kappa=comparison.kappa,
            kappa_quadratic=comparison.kappa_quadratic,
            macro_f1=comparison.macro_f1,
            intervals=comparison.intervals,
        ),
        detection=comparison.detection,
        human_ceiling=comparison.human_ceiling,
        alternative_annotator=comparison.alternative_annotator,
    )
