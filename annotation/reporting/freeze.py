"""Freezing: the current report is stored byte for byte with its figures, and never changes."""

import msgspec
from django.db import transaction

from ..audit import record
from ..i18n.english import in_english
from ..jobs import Progress
from ..models import Job, Project, Report, User, Webhook
from ..webhooks import queue_event
from .build import STEPS, build
from .choices import DEFAULT, Choices
from .drawings import figures
from .provenance import provenance_of

FREEZE = "freeze_report"
"""The kind of the job."""


@in_english
def freeze(
    project: Project,
    choices: Choices = DEFAULT,
    *,
    actor: User | None = None,
    progress: Progress | None = None,
    job: Job | None = None,
) -> Report:
    """Build the report with all its intervals and store it. A `job` gets its report in the same transaction; a job that
    was canceled or superseded stores none.
    """
    progress = progress or Progress()
    content = build(project, choices, agreement_intervals=True, progress=progress)
    progress(STEPS - 1, STEPS, "Drawing figures")
    drawings = figures(content, project.protocol.definition)
    progress(STEPS, STEPS, "Storing report")
    provenance = provenance_of(project, content)
    with transaction.atomic():
        report = Report.objects.create(
            project=project,
            document=content.to_json().decode(),
            data_sha256=content.data.sha256,
            figures=drawings,
            provenance=provenance.to_dict(),
            frozen_by=actor,
        )
        if job:
            Job.objects.filter(pk=job.pk).update(report=report)
        record(
            actor,
            "freeze report",
            f"report:{report.public_id}",
            project=project,
            after={
                "data": report.data_sha256,
                "ratings": content.data.ratings,
                **msgspec.to_builtins(content.method),
                **msgspec.to_builtins(content.filters),
            },
        )
        queue_event(project, Webhook.Event.REPORT_FROZEN, {"report": str(report.public_id)})
        progress.lock_job()
    return report


def freeze_job(job: Job, progress: Progress) -> Report:
    """Freeze a report; run by the Celery task. A resumed job that has stored its report returns that one."""
    if job.report:
        return job.report
    if job.project is None:
        raise ValueError(f"job {job.public_id} names no project to report on")
    return freeze(job.project, Choices.accepted(job.params), actor=job.started_by, progress=progress, job=job)
