"""Tasks about finished responses that are offered to their raters again."""

import logging

from celery import shared_task

from annotation.queue import reoffers

log = logging.getLogger(__name__)


@shared_task
def close_expired_reoffers() -> int:
    """Close reoffers that have expired; Celery's beat calls this every hour. Return how many responses."""
    ended = reoffers.close_expired_reoffers()
    log.info("%s responses that were offered again are finished as before", ended)
    return ended
