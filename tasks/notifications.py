"""Tasks about notifications."""

import logging
from smtplib import SMTPException

from celery import shared_task
from django.conf import settings

from annotation.notifications import mail
from annotation.reporting import quality_events

log = logging.getLogger(__name__)


@shared_task
def mail_notifications() -> int:
    """Mail what is due; Celery's beat calls this every minute. Return how many mails. Without a mail server, none."""
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
    """Notify leads of quality alerts and reached targets; Celery's beat calls this every hour. Return how many."""
    events = quality_events.notify_leads()
    log.info("%s new quality alerts and reached targets", events)
    return events
