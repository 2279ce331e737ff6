"""Filters of the log: no lines of tasks that beat sends every few seconds, no secrets of addresses."""

import logging
import re
from typing import Any

SEARCH_TASK = "tasks.jobs.requeue_stale"
WEBHOOK_TASK = "tasks.webhooks.send_webhooks"
TASK_LOGGERS = {"celery.beat", "celery.worker.strategy", "celery.app.trace"}
"""Loggers of due, received and successful tasks."""
SECRETS = re.compile(r"(/r/|/accounts/password/reset/key/|/accounts/confirm-email/)[^/\s?\"'\\]+")
"""Addresses that open something without signing in: shared reports, links to set a password or confirm an address."""


def is_relevant(record: logging.LogRecord) -> bool:
    """Return whether a record is logged: a check that fails is an error, one that acts logs it itself."""
    if record.name not in TASK_LOGGERS or record.levelno > logging.INFO:
        return True
    message = record.getMessage()
    return SEARCH_TASK not in message and WEBHOOK_TASK not in message


def mask_secrets(text: str) -> str:
    """Return a line of the log, or a traceback, without the secrets of addresses."""
    return SECRETS.sub(r"\1…", text)


def one_line(value: object) -> str:
    """Return the text of a value with escapes for line breaks and other control characters, which could forge a line
    of the log or change a terminal.
    """
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in str(value))


def indented(traceback: str) -> str:
    """Return a traceback whose lines, of which a message may have any, cannot be taken for lines of the log."""
    return "\n".join(f"  {one_line(line)}" for line in traceback.splitlines())


class MaskingFormatter(logging.Formatter):
    """Plain lines without secrets, for commands."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text, with its traceback."""
        return mask_secrets(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the record's own line."""
        return one_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        """Return the traceback."""
        return indented(super().formatException(ei))
