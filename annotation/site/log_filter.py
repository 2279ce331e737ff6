"""Drop log lines of the successful search for jobs of killed workers, every 20 s."""

import logging

SEARCH_TASK = "tasks.jobs.requeue_stale"
TASK_LOGGERS = {"celery.beat", "celery.worker.strategy", "celery.app.trace"}
"""Loggers of due, received and successful tasks."""


def is_relevant(record: logging.LogRecord) -> bool:
    """Return whether a record is logged: a check that fails is an error, one that acts logs it itself."""
    is_search = record.name in TASK_LOGGERS and record.levelno <= logging.INFO and SEARCH_TASK in record.getMessage()
    return not is_search
