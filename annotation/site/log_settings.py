"""Settings of the log: lines on standard error, of servers with the context of the request or task.

A server (web, worker, beat) logs JSON, or lines for people with LOG_FORMAT=line: the default of a site for this machine
only. Commands log plain lines, and do not load structlog, which would take a fifth of their start.
"""

from typing import Any

from .log_filter import is_relevant

FORMATS = ("json", "line")
_CLIENTS = ("openai", "httpx2", "httpcore2")
"""Of endpoints of judges: the headers that httpcore2 logs at DEBUG may repeat the key."""
PLAIN = {
    "()": "annotation.site.log_filter.MaskingFormatter",
    "format": "{asctime} {levelname} {name}: {message}",
    "style": "{",
}


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
