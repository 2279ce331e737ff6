"""Live numbers of a project that is too large to be reported on while somebody waits.

The tally gives proportions, comparisons and ranks at once, whatever the number of ratings, and intervals resampled
unless there are very many prompts; the rest (agreement, raters, other aggregations, filters by rater, time or gold) is
worked out by a job whose result is kept with it for an hour.
"""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet, Sum
from django.utils import timezone

from ..jobs import Progress, Refused
from ..models import Job, Project
from ..rating.counting import counted_tallies
from .build import build, build_from_tally
from .choices import DEFAULT, Choices
from .data.table import canonical_json
from .live_cache import gather_changes, kept, known

WORK_OUT = "work_out_report"
"""The kind of the job."""

MANY_RATINGS = 100_000  # a first report of as many takes a quarter of a second, and a page with switches needs two
MOST_DRAWS = 5_000_000  # clusters × resamples: 500 prompts with 10,000 resamples take a tenth of a second
KEPT = timedelta(hours=1)
FORGOTTEN = timedelta(days=1)
OPEN = (Job.State.QUEUED, Job.State.RUNNING)


def takes_long(project: Project) -> bool:
    """Whether the whole report takes longer than a person waits for a page."""
    return (counted_tallies(project).aggregate(n=Sum("n"))["n"] or 0) > MANY_RATINGS


def first_numbers(project: Project, choices: Choices = DEFAULT) -> dict[str, Any]:
    """What a page shows meanwhile: all that the tally says, resampled where that takes no longer than drawing it."""
    return build_from_tally(project, choices, most_draws=MOST_DRAWS)


def now(project: Project, choices: Choices = DEFAULT) -> dict[str, Any]:
    """The report of this moment; of a large project what a job found, or first numbers where these heed the choices."""
    if found := at_once(project, choices):
        return found
    done = worked_out(project, choices)
    if done and done.result:
        return dict(done.result)
    return whole(project, choices) if choices.needs_ratings else first_numbers(project, choices)


def whole(project: Project, choices: Choices = DEFAULT, progress: Progress | None = None) -> dict[str, Any]:
    """The whole report of this moment, without what only freezing computes: computed once for the same data."""
    return kept(project, _what(choices), lambda: build(project, choices, progress=progress))


def at_once(project: Project, choices: Choices = DEFAULT) -> dict[str, Any] | None:
    """The same where nobody has to wait for it: of a large project None, unless it was computed of the same data."""
    return known(project, _what(choices)) if takes_long(project) else whole(project, choices)


def _what(choices: Choices) -> str:
    return f"report {canonical_json(choices.as_params())}"


def widths(project: Project) -> dict[str, Any]:
    """What the tally says with closed-form intervals: the least that has a half-width of every measure."""
    return build_from_tally(project, most_draws=0)


def open_work(project: Project, choices: Choices) -> Job | None:
    """The job that is working these numbers out, or failed at it last."""
    newest = _of(project, choices).first()
    return newest if newest and (newest.state in OPEN or newest.state == Job.State.FAILED) else None


def worked_out(project: Project, choices: Choices) -> Job | None:
    """The newest job that worked these numbers out, no more than an hour ago: its `result` is the report."""
    since = timezone.now() - KEPT
    return _of(project, choices).filter(state=Job.State.DONE, ended_at__gte=since).first()


def tidy() -> int:
    """Delete the jobs that ended a day ago: each holds a report that nobody is shown any more. Returns how many.

    Where many changes were noted, they are gathered into one.
    """
    gather_changes()
    old = Job.objects.filter(kind=WORK_OUT, ended_at__lt=timezone.now() - FORGOTTEN)
    return old.delete()[1].get(Job._meta.label, 0)


def _of(project: Project, choices: Choices) -> QuerySet[Job]:
    return Job.objects.filter(project=project, kind=WORK_OUT, params=choices.as_params())


def work_out_job(job: Job, progress: Progress) -> dict[str, Any]:
    """What the Celery task runs; the result of the job is the live report under the job's parameters."""
    if job.project is None:
        raise ValueError(f"job {job.public_id} names no project to report on")
    choices, problems = Choices.from_mapping(job.params)
    if problems:
        raise Refused(f"{field}: {' '.join(lines)}" for field, lines in problems.items())
    return whole(job.project, choices, progress)
