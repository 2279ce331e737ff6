"""Settings of the log: lines on standard error, of servers with the context of the request or task.

A server (web, worker, beat) logs JSON, or lines for people with LOG_FORMAT=line: the default of a site for this machine
only. Commands log plain lines, and do not load structlog, which would take a fifth of their start. No line has the
secrets of addresses, and tasks that beat sends every few seconds have none.
"""

import logging
import re
from typing import Any

FORMATS = ("json", "line")
_CLIENTS = ("openai", "httpx2", "httpcore2")
"""Of endpoints of judges: the headers that httpcore2 logs at DEBUG may repeat the key."""
PLAIN = {
    "()": "annotation.site.log_settings.MaskingFormatter",
    "format": "{asctime} {levelname} {name}: {message}",
    "style": "{",
}
SEARCH_TASK = "tasks.jobs.requeue_stale"
WEBHOOK_TASK = "tasks.schedule.send_webhooks"
TASK_LOGGERS = {"celery.beat", "celery.worker.strategy", "celery.app.trace"}
"""Loggers of due, received and successful tasks."""
SECRETS = re.compile(r"(/r/|/accounts/password/reset/key/|/accounts/confirm-email/)[^/\s?\"'\\]+")
"""Addresses that open something without signing in: shared reports, links to set a password or confirm an address."""

_attempts = logging.getLogger("annotation.security")


def logging_settings(*, is_server: bool, line_format: str, level: str) -> dict[str, Any]:
    """Return Django's setting LOGGING. `line_format` is one of FORMATS."""
    structured = {"()": "annotation.site.structured_log.formatter", "line_format": line_format}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": structured if is_server else PLAIN},
        "filters": {
            "relevant": {"()": "django.utils.log.CallbackFilter", "callback": is_relevant},
            "outages": {"()": "annotation.site.outage_filter.OutageFilter"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["relevant", "outages"] if is_server else ["relevant"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            name: {"handlers": [], "level": "INFO", "propagate": True}
            for name in ("django", "django.server", "gunicorn.error")
        }
        | {name: {"level": "WARNING"} for name in _CLIENTS},
    }


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
        return mask_secrets(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:
        return one_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        return indented(super().formatException(ei))


def log_attempt(attempt: str) -> None:
    """Log a refused attempt to get past a check of the site, with the context of the request.

    Django logs forged forms, hosts and the like under `django.security`; refused pages are lines of
    `annotation.requests`. `attempt` describes it without secrets and without text of the stranger.
    """
    _attempts.warning(attempt)
