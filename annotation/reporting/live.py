"""The live report and its parts that pages show: each computed once for the same data.

For a large project the tally gives proportions, comparisons and ranks at once, whatever the number of ratings; the rest
(agreement, raters, other aggregations, filters by rater, time or gold) is computed by a job.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet, Sum
from django.utils import timezone

from ..jobs import Progress, Refused
from ..models import Job, Project
from ..rating.counting import counted_tallies
from .build import build, build_from_tally
from .cache import cached, compact_changes, find_cached
from .choices import DEFAULT, Choices
from .compute.cells import Cells, cells_of
from .compute.planning import Figure, planning_figures, summarize_ratings
from .compute.proportions import proportions
from .compute.rater_pairs import LiveAgreement, live_agreement_of
from .compute.raters import RaterDetails, rater_details, raters_of
from .data.project_size import read_project_size
from .data.report_input import ReportInput, read_counts, read_report_input
from .data.responses import canonical_json
from .report import Cell, RaterQuality, Report

REPORT_JOB = "work_out_report"
"""The kind of the job, a stored name."""

MANY_RATINGS = 100_000  # a first report of this size takes a quarter of a second, and a page with switches needs two
MAX_DRAWS = 5_000_000  # clusters × resamples: 500 prompts with 10,000 resamples take a tenth of a second
RESULT_LIFETIME = timedelta(hours=1)
JOB_LIFETIME = timedelta(days=1)
OPEN = (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True)
class LiveReport:
    """A report for a page. `computed_at`: when a job computed it, None if it is current.

    Unless `is_complete`, it has the tally's numbers, under `choices.from_the_tally()`.
    """

    report: Report
    is_complete: bool = True
    computed_at: datetime | None = None


def live_report(project: Project, choices: Choices = DEFAULT) -> LiveReport:
    """Return the report without a long wait: for a large project the cached one, a job's result, or the tally's."""
    if not is_large(project):
        return LiveReport(complete_report(project, choices))
    if isinstance(report := find_cached(project, _report_name(choices)), Report):
        return LiveReport(report)
    job = latest_result(project, choices)
    if job and job.result:
        return LiveReport(Report.from_dict(job.result), computed_at=job.ended_at)
    return LiveReport(first_numbers(project, choices), is_complete=False)


def complete_report(project: Project, choices: Choices = DEFAULT, progress: Progress | None = None) -> Report:
    """Return the current report, without figures that only freezing computes, however long it takes."""
    return cached(project, _report_name(choices), lambda: build(project, choices, progress=progress))


def first_numbers(project: Project, choices: Choices = DEFAULT) -> Report:
    """Return the tally's report, resampled unless there are very many prompts."""
    return build_from_tally(project, choices, most_draws=MAX_DRAWS)


def closed_form_report(project: Project) -> Report:
    """Return the tally's report with closed-form intervals: the minimum with a half-width of every measure."""
    return cached(project, "closed-form report", lambda: build_from_tally(project, most_draws=0))


def is_large(project: Project) -> bool:
    """Return whether the complete report takes longer than a page may take to load."""
    return (counted_tallies(project).aggregate(n=Sum("n"))["n"] or 0) > MANY_RATINGS


def live_raters(project: Project) -> list[RaterQuality]:
    """Return the `raters` of the current report."""
    return cached(project, "raters", lambda: raters_of(*_read(project)))


def live_rater(project: Project, name: str) -> RaterDetails | None:
    """Return one rater by user name, None without ratings."""
    return cached(project, f"rater {name}", lambda: rater_details(*_read(project), name))


def live_agreement(project: Project) -> LiveAgreement:
    """Return agreement among all ratings that count, without intervals."""
    return cached(project, "agreement", lambda: live_agreement_of(*_read(project)))


def live_proportions(project: Project, choices: Choices, *, resampled: bool = True) -> tuple[list[Cell], Cell]:
    """Return the cells of the systems, and of all together; in closed form unless `resampled`."""

    def compute() -> tuple[list[Cell], Cell]:
        if choices.needs_ratings:
            ratings = read_report_input(project, choices).table
        else:
            ratings, _ = read_counts(project, choices)
        return proportions(ratings, cells_of(project.protocol.definition, ratings, choices if resampled else None))

    return cached(project, f"proportions {canonical_json(choices.as_params())} {resampled}", compute)


def live_planning_figures(project: Project, measure: str, report: Report) -> dict[str, Figure]:
    """Return the planning figures for one measure; `report` is the live report."""
    rated = cached(project, f"planner {measure}", lambda: summarize_ratings(*_read(project), measure))
    return planning_figures(read_project_size(project), measure, report, rated)


def _read(project: Project) -> tuple[ReportInput, Cells]:
    report_input = read_report_input(project)
    return report_input, cells_of(project.protocol.definition, report_input.table)


def _report_name(choices: Choices) -> str:
    return f"report {canonical_json(choices.as_params())}"


def open_job(project: Project, choices: Choices) -> Job | None:
    """Return the newest job for this report if it is open or has failed."""
    newest = _jobs(project, choices).first()
    return newest if newest and (newest.state in OPEN or newest.state == Job.State.FAILED) else None


def latest_result(project: Project, choices: Choices) -> Job | None:
    """Return the newest job that computed this report, within an hour: its `result` is the report."""
    since = timezone.now() - RESULT_LIFETIME
    return _jobs(project, choices).filter(state=Job.State.DONE, ended_at__gte=since).first()


def delete_old_results() -> int:
    """Delete jobs that ended a day ago, each with an outdated report. Return how many.

    Old data changes are compacted, too.
    """
    compact_changes()
    old = Job.objects.filter(kind=REPORT_JOB, ended_at__lt=timezone.now() - JOB_LIFETIME)
    return old.delete()[1].get(Job._meta.label, 0)


def _jobs(project: Project, choices: Choices) -> QuerySet[Job]:
    return Job.objects.filter(project=project, kind=REPORT_JOB, params=choices.as_params())


def run_report_job(job: Job, progress: Progress) -> dict[str, object]:
    """Return the complete report under the job's parameters; the Celery task stores it as the job's result."""
    if job.project is None:
        raise ValueError(f"job {job.public_id} names no project to report on")
    choices, problems = Choices.from_mapping(job.params)
    if problems:
        raise Refused(f"{field}: {' '.join(lines)}" for field, lines in problems.items())
    return complete_report(job.project, choices, progress).to_dict()
