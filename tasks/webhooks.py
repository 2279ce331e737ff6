"""Tasks that send webhooks."""

import logging

from celery import shared_task

from annotation.webhooks import delivery

log = logging.getLogger(__name__)


@shared_task
def send_webhooks() -> int:
    """Send what is due; Celery's beat calls this every ten seconds. Return the number of attempts."""
    attempts = delivery.send_due()
    if attempts:
        log.info("%s webhooks sent", attempts)
    return attempts
