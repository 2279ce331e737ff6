"""The section of a report about its judge: the judge against the ratings that the report counts."""

from .data.item_texts import ItemTexts
from .data.sample_frame import NoFrame
from .judge_input import JudgeInput
from .judge_report import comparison_of, other_versions
from .report import JudgeAgainstPeople
from .report_parts.judge_comparison import JudgeComparison


def judge_summary(read: JudgeInput, texts: ItemTexts, *, with_versions: bool) -> JudgeAgainstPeople | None:
    """Compare the chosen judge with people, and `with_versions` with its other versions; None without a judge, or with
    one that has rated nothing here.
    """
    if not read.choices.judge:
        return None
    try:
        answers = read.answers
    except NoFrame:
        return None
    if not (answers.rows or answers.failed):
        return None
    others = other_versions(read.project, read.judge) if with_versions else []
    compared = read.comparable(read.data.by_raters)
    return summarize(comparison_of(read.data, compared, others, read.choices, texts))


def summarize(comparison: JudgeComparison) -> JudgeAgainstPeople:
    """Return the figures of a whole comparison that are in a report."""
    same = {
        name: getattr(comparison, name)
        for name in JudgeAgainstPeople.__struct_fields__
        if name not in ("judge", "version")
    }
    return JudgeAgainstPeople(judge=comparison.judge.name, version=comparison.judge.version, **same)
