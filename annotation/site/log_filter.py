"""Drop log lines of the successful search for jobs of killed workers, every 20 s."""

import logging

LOOK = "tasks.jobs.take_up_stranded"
TELLERS = {"celery.beat", "celery.worker.strategy", "celery.app.trace"}
"""Loggers of due, received and successful tasks."""


def is_relevant(record: logging.LogRecord) -> bool:
    """Return whether a record is logged: a check that fails is an error, one that acts logs it itself."""
    is_routine = record.name in TELLERS and record.levelno <= logging.INFO and LOOK in record.getMessage()
    return not is_routine
