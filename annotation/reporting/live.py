"""The live report and figures that it lacks: each computed once for the same data.

For a large project the tally gives proportions, comparisons and ranks at once, whatever the number of ratings; the rest
(agreement, raters, other aggregations, filters by rater, time or gold) is computed by a job.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import TypeVar, TypeVarTuple, get_type_hints

from django.db.models import QuerySet, Sum

from ..jobs import Progress
from ..models import Job, Judge, Project
from ..rating.counting import counted_tallies
from ..site.database_clock import database_now
from .build import build, build_closed_form, build_from_tally
from .cache import cached, compact_changes, find_cached
from .choices import DEFAULT, Choices
from .data.responses import canonical_json
from .data.study import Study, read_study
from .report import Report
from .sections.judge.comparison import compare_judge
from .sections.judge.figures import JudgeComparison

REPORT_JOB = "work_out_report"
"""The kind of the job, a stored name."""

MANY_RATINGS = 100_000  # a first report of this size takes a quarter of a second, and a page with switches needs two
MAX_DRAWS = 5_000_000  # clusters × resamples: 500 prompts with 10,000 resamples take a tenth of a second
RESULT_LIFETIME = timedelta(hours=1)
JOB_LIFETIME = timedelta(days=1)

Figures = TypeVar("Figures")
Arguments = TypeVarTuple("Arguments")


class Extent(Enum):
    """How much of a report to compute: all, however long it takes; the tally's numbers, resampled unless there are very
    many prompts; or the proportions with closed-form intervals.
    """

    COMPLETE = "complete"
    FIRST_NUMBERS = "first numbers"
    CLOSED_FORM = "closed form"


@dataclass(frozen=True)
class LiveReport:
    """A report for a page. `computed_at`: when a job computed it, None if it is current.

    Unless `is_complete`, it has the tally's numbers, under `choices.from_the_tally()`, or the proportions alone.
    """

    report: Report
    is_complete: bool = True
    computed_at: datetime | None = None


def live_report(
    project: Project, choices: Choices = DEFAULT, extent: Extent | None = None, progress: Progress | None = None
) -> LiveReport:
    """Return the current report, without figures that only freezing computes.

    Without an `extent`, there is no long wait: for a large project it is the complete one if that is cached, else a
    job's result, else first numbers.
    """
    if extent is None and is_large(project):
        if report := cached_report(project, choices):
            return LiveReport(report)
        if (job := latest_result(project, choices)) and job.result:
            return LiveReport(Report.from_dict(job.result), computed_at=job.ended_at)
        extent = Extent.FIRST_NUMBERS
    extent = extent or Extent.COMPLETE

    builders = {
        Extent.COMPLETE: lambda: build(project, choices, progress=progress),
        Extent.FIRST_NUMBERS: lambda: build_from_tally(project, choices, max_draws=MAX_DRAWS),
        Extent.CLOSED_FORM: lambda: build_closed_form(project, choices),
    }
    report = cached(project, _report_name(choices, extent), Report, builders[extent])
    return LiveReport(report, extent is Extent.COMPLETE)


def cached_report(project: Project, choices: Choices) -> Report | None:
    return find_cached(project, _report_name(choices, Extent.COMPLETE), Report)


def live_figures(project: Project, compute: Callable[[Study, *Arguments], Figures], *arguments: *Arguments) -> Figures:
    """Return what `compute` gives for all current ratings: figures that the report lacks, intervals in closed form."""
    kind: type[Figures] = get_type_hints(compute)["return"]
    closed_form = replace(DEFAULT, resamples=0)
    name = f"{compute.__qualname__} {arguments}"
    return cached(project, name, kind, lambda: compute(read_study(project, closed_form), *arguments))


def is_large(project: Project) -> bool:
    """Return whether the complete report takes longer than a page may take to load."""
    return count_ratings(project) > MANY_RATINGS


def count_ratings(project: Project) -> int:
    """Return the number of ratings that count, from the tally."""
    return counted_tallies(project).aggregate(n=Sum("n"))["n"] or 0


def _report_name(choices: Choices, extent: Extent) -> str:
    return f"{extent.value} report {canonical_json(choices.as_params())}"


def open_job(project: Project, choices: Choices) -> Job | None:
    newest = _jobs(project, choices).first()
    return newest if newest and (newest.state in Job.OPEN or newest.state == Job.State.FAILED) else None


def latest_result(project: Project, choices: Choices) -> Job | None:
    """Return the newest job that computed this report, within an hour: its `result` is the report."""
    since = database_now() - RESULT_LIFETIME
    return _jobs(project, choices).filter(state=Job.State.DONE, ended_at__gte=since).first()


def delete_old_results() -> int:
    """Delete jobs that ended a day ago, each with an outdated report. Return how many.

    Old data changes are compacted, too.
    """
    compact_changes()
    old = Job.objects.filter(kind=REPORT_JOB, ended_at__lt=database_now() - JOB_LIFETIME)
    return old.delete()[1].get(Job._meta.label, 0)


def _jobs(project: Project, choices: Choices) -> QuerySet[Job]:
    return Job.objects.filter(project=project, kind=REPORT_JOB, params=choices.as_params())


def run_report_job(job: Job, progress: Progress) -> dict[str, object]:
    """Return the complete report under the job's parameters; the Celery task stores it as the job's result."""
    if job.project is None:
        raise ValueError(f"job {job.public_id} names no project to report on")
    return live_report(job.project, Choices.accepted(job.params), Extent.COMPLETE, progress).report.to_dict()


def cached_comparison(project: Project, judge: Judge, choices: Choices = DEFAULT) -> JudgeComparison:
    """Return `compare_judge`, computed once for the same data and choices. Raises TooManyComputationsError."""
    name = f"judge comparison {judge.pk} {choices.as_query()}"
    return cached(project, name, JudgeComparison, lambda: compare_judge(project, judge, choices))
