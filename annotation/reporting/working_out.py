"""Live numbers of a project that is too large to be reported on while somebody waits.

The tally gives every share with its closed-form interval at once, whatever the number of ratings; the rest (resampled
intervals, comparisons, agreement, raters) is worked out by a job whose result is kept with it for an hour.
"""

from datetime import timedelta
from typing import Any

import numpy as np
from django.db.models import QuerySet, Sum
from django.utils import timezone

from .. import __version__
from ..jobs import Progress, Refused
from ..models import Job, Project
from ..rating.counting import counted_tallies, left_out
from . import breakdowns
from .build import SCHEMA, build, one_snapshot
from .cells import LEVEL, Cells, all_together
from .choices import Choices
from .reading import read_tallies
from .tallies import Tallies

WORK_OUT = "work_out_report"
"""The kind of the job."""

MANY_RATINGS = 100_000  # a report of as many takes half a second, and a page with switches needs two
KEPT = timedelta(hours=1)
FORGOTTEN = timedelta(days=1)
OPEN = (Job.State.QUEUED, Job.State.RUNNING)


def takes_long(project: Project) -> bool:
    """Whether the whole report takes longer than a person waits for a page."""
    return (counted_tallies(project).aggregate(n=Sum("n"))["n"] or 0) > MANY_RATINGS


def first_numbers(project: Project) -> dict[str, Any]:
    """What the tally says, in the shape of a report: shares with closed-form intervals, without switches.

    Nothing that has to look at ratings is in it: agreement, raters, comparisons and the data's sha256 are empty.
    """
    with one_snapshot():
        tallies = read_tallies(project)
        missing = dict(sorted(left_out(project).items()))
    cells = Cells(project.protocol.definition, tallies.answers, len(tallies.prompts), None)
    proportions = _proportions(tallies, cells)
    pinned = project.protocol
    return {
        "schema": SCHEMA,
        "protocol": {"slug": pinned.slug, "version": pinned.version, "sha256": pinned.sha256},
        "software": {"factuary": __version__, "numpy": np.__version__},
        "data": _data(tallies, missing, proportions["overall"]["assessed"]),
        "method": {"level": LEVEL, "cluster": "prompt", "resamples": 0, "seed": 0},
        "filters": {},
        **proportions,
        "comparisons": [],
        "ranks": [],
        "aggregations": [],
        "agreement": {},
        "raters": [],
    }


def _data(tallies: Tallies, missing: dict[str, int], assessed: int) -> dict[str, Any]:
    return {
        "sha256": "",
        "ratings": int(tallies.entries.n.sum()),
        "assessed": assessed,
        "left_out": missing,
        "prompts": len(tallies.prompts),
        "responses": tallies.responses,
        "items": None,
        "raters": None,
    }


def _proportions(tallies: Tallies, cells: Cells) -> dict[str, Any]:
    keys, entries = breakdowns.metadata_keys(tallies), tallies.entries
    return {
        "overall": cells.of(entries, all_together(entries))[0],
        "systems": cells.of(entries, breakdowns.by_system(tallies)),
        "by": {name: cells.of(entries, breakdowns.by_metadata(tallies, key)) for name, key in keys.items()},
    }


def open_work(project: Project, choices: Choices) -> Job | None:
    """The job that is working these numbers out, or failed at it last."""
    newest = _of(project, choices).first()
    return newest if newest and (newest.state in OPEN or newest.state == Job.State.FAILED) else None


def worked_out(project: Project, choices: Choices) -> Job | None:
    """The newest job that worked these numbers out, no more than an hour ago: its `result` is the report."""
    since = timezone.now() - KEPT
    return _of(project, choices).filter(state=Job.State.DONE, ended_at__gte=since).first()


def tidy() -> int:
    """Delete the jobs that ended a day ago: each holds a report that nobody is shown any more. Returns how many."""
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
    return build(job.project, choices, progress=progress)
