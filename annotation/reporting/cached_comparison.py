"""The comparison of a judge with people, computed once for the same data and choices."""

from ..models import Judge, Project
from .cache import cached
from .choices import DEFAULT, Choices
from .sections.judge.comparison import compare_judge
from .sections.judge.figures import JudgeComparison


def cached_comparison(project: Project, judge: Judge, choices: Choices = DEFAULT) -> JudgeComparison:
    """Return `compare_judge` for the current data. Raises TooManyComputationsError."""
    name = f"judge comparison {judge.pk} {choices.as_query()}"
    return cached(project, name, JudgeComparison, lambda: compare_judge(project, judge, choices))
