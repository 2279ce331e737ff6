"""The tasks that beat sends by the schedule in the settings, beside that of `tasks.jobs` for lost jobs."""

import logging
from smtplib import SMTPException

from celery import shared_task
from django.conf import settings

from annotation.backup import scheduled
from annotation.exporting import export_jobs
from annotation.importing import uploads
from annotation.notifications import mail
from annotation.privacy import retention
from annotation.queue import reoffers
from annotation.reporting import live, quality_events
from annotation.site.database_clock import database_now
from annotation.webhooks import delivery
from tasks.jobs import enqueue

log = logging.getLogger(__name__)


@shared_task
def start_backup_if_due() -> bool:
    """Start a backup if one is due. Return whether one was."""
    job = scheduled.start_if_due(database_now())
    if job is None:
        return False
    log.info("job %s: a backup is due", job.public_id)
    enqueue(job)
    return True


@shared_task
def tidy_uploads() -> int:
    """Delete uploaded files that no import needs. Return how many."""
    deleted = uploads.delete_old_uploads()
    log.info("%s uploaded files deleted", deleted)
    return deleted


@shared_task
def tidy_exports() -> int:
    """Delete expired export files. Return how many."""
    deleted = export_jobs.delete_old_exports()
    log.info("%s exported files deleted", deleted)
    return deleted


@shared_task
def delete_live_reports() -> int:
    """Delete old results of jobs that computed live reports. Return how many."""
    deleted = live.delete_old_results()
    log.info("%s live reports deleted", deleted)
    return deleted


@shared_task
def close_expired_reoffers() -> int:
    """Close reoffers that have expired. Return how many responses."""
    ended = reoffers.close_expired_reoffers()
    log.info("%s responses that were offered again are finished as before", ended)
    return ended


@shared_task
def apply_retention() -> None:
    log.info("old personal data deleted: %s", retention.apply_retention())


@shared_task
def mail_notifications() -> int:
    """Mail what is due. Return how many mails. Without a mail server, none."""
    if not settings.EMAIL_HOST:
        return 0
    try:
        sent = mail.send_due_mails()
    except (OSError, SMTPException):
        log.exception("notifications are not mailed: the mail server does not answer")
        return 0
    if sent:
        log.info("%s mails about notifications sent", sent)
    return sent


@shared_task
def notify_of_quality() -> int:
    """Notify leads of quality alerts and reached targets. Return how many."""
    events = quality_events.notify_leads()
    log.info("%s new quality alerts and reached targets", events)
    return events


@shared_task
def send_webhooks() -> int:
    """Send what is due. Return the number of attempts."""
    attempts = delivery.send_due()
    if attempts:
        log.info("%s webhooks sent", attempts)
    return attempts
