"""The section of a report about its judge: the judge against the ratings that the report counts."""

from .data.item_texts import ItemTexts
from .data.sample_frame import NoFrame
from .judge_input import JudgeInput
from .judge_report import comparison_of
from .report import JudgeAgainstPeople
from .report_parts.judge_comparison import JudgeComparison, LabelFigures


def judge_summary(read: JudgeInput, texts: ItemTexts) -> JudgeAgainstPeople | None:
    """Compare the chosen judge with people; None without a judge, or with one that has rated nothing here."""
    if not read.choices.judge:
        return None
    try:
        answers = read.answers
    except NoFrame:
        return None
    if not (answers.rows or answers.failed):
        return None
    compared = read.comparable(read.data.by_raters)
    return summarize(comparison_of(read.data, compared, (), read.choices, texts))


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
