"""Mail to leads about a rater, sent by a worker; a mail that cannot be sent does not fail the rater's request."""

import logging
from smtplib import SMTPException

from celery import shared_task
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from annotation.qualification import notices

log = logging.getLogger(__name__)


def enqueue_mail_to_leads(project: int, rater: int, news: str) -> None:
    """Send the mail from a worker after the transaction has committed; without a mail server, send nothing."""
    if settings.EMAIL_HOST:
        transaction.on_commit(lambda: _send(project, rater, news))


def _send(project: int, rater: int, news: str) -> None:
    try:
        mail_leads.delay(project, rater, news)
    except OperationalError:
        log.exception("the leads of project %s could not be told that a rater is %s", project, news)


@shared_task
def mail_leads(project: int, rater: int, news: str) -> int:
    """Mail the leads. Return how many mails were sent."""
    try:
        sent = notices.mail_leads(project, rater, news)
    except (OSError, SMTPException):
        log.exception("the leads of project %s could not be told that a rater is %s", project, news)
        return 0
    log.info("%s leads of project %s told that a rater is %s", sent, project, news)
    return sent
