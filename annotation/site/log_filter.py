"""Filters of log records: no lines of successful searches for jobs of killed workers, no secrets of addresses."""

import logging
import re

SEARCH_TASK = "tasks.jobs.requeue_stale"
TASK_LOGGERS = {"celery.beat", "celery.worker.strategy", "celery.app.trace"}
"""Loggers of due, received and successful tasks."""
SECRETS = re.compile(r"(/r/|/accounts/password/reset/key/)[^/\s?\"']+")
"""Addresses that open something without signing in: shared reports, and links to set a password."""


def is_relevant(record: logging.LogRecord) -> bool:
    """Return whether a record is logged: a check that fails is an error, one that acts logs it itself."""
    is_search = record.name in TASK_LOGGERS and record.levelno <= logging.INFO and SEARCH_TASK in record.getMessage()
    return not is_search


def mask_secrets(record: logging.LogRecord) -> bool:
    """Replace the secrets of addresses in the message, for django.request logs the path of each refused request."""
    message = record.getMessage()
    masked = SECRETS.sub(r"\1…", message)
    if masked != message:
        record.msg, record.args = masked, ()
    return True
