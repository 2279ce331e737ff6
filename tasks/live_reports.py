"""Start the jobs that compute live reports: one for a person at a time, and few for the whole site."""

from django.db import transaction
from django.db.models import Q

from annotation.models import Job, Project, User
from annotation.reporting import Choices, live
from tasks.jobs import enqueue_once

MAX_OPEN = 8
"""Open jobs of the site: each takes seconds to a minute of a worker."""


class TooManyReportsError(Exception):
    """No job is started; the message gives the reason and what to do."""


@transaction.atomic
def start_live_report(project: Project, choices: Choices, *, actor: User) -> Job:
    """Return an open job that computes this report, a new one if there is none.

    Raises TooManyReportsError if the actor's last report is still being computed, or MAX_OPEN of the site are.
    """
    params = choices.as_params()
    User.objects.select_for_update(no_key=True).get(pk=actor.pk)  # two requests at once are counted one after the other
    open_jobs = Job.objects.filter(kind=live.REPORT_JOB, state__in=Job.OPEN)
    if not open_jobs.filter(project=project, params=params).exists():
        if open_jobs.filter(started_by=actor).exists():
            raise TooManyReportsError(
                "Your last live report is still being computed. Wait until it is done, or cancel it."
            )
        if open_jobs.count() >= MAX_OPEN:
            raise TooManyReportsError("Many live reports are being computed. Try again in a minute.")
    job, _is_new = enqueue_once(live.REPORT_JOB, project, params, actor=actor, same_as=Q(params=params))
    return job
