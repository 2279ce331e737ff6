# ruff: noqa: E402 - rich is hidden from structlog before it is imported
"""Structured lines of the log (structlog): JSON, or text for people, with the context of the request or task."""

import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

# structlog imports rich, if there is one, for colored tracebacks, which a log has no use for: 4 MB in each process.
has_rich = "rich" in sys.modules
if not has_rich:
    sys.modules["rich"] = None  # type: ignore[assignment]
import structlog

if not has_rich:
    del sys.modules["rich"]
from structlog.stdlib import ProcessorFormatter
from structlog.typing import Processor

from .log_settings import indented, mask_secrets, one_line
from .telemetry import add_trace_ids

_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    add_trace_ids,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


class MaskingFormatter(ProcessorFormatter):
    """Structured lines without secrets: the finished line is masked, with its fields and traceback."""

    def format(self, record: Any) -> str:
        return mask_secrets(super().format(record))


def formatter(line_format: str) -> MaskingFormatter:
    """Configure structlog and return the formatter for `json` or `line`."""
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *_SHARED, ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer: Processor = structlog.processors.JSONRenderer() if line_format == "json" else render_line
    return MaskingFormatter(processors=[ProcessorFormatter.remove_processors_meta, renderer], foreign_pre_chain=_SHARED)


def render_line(logger: object, method: str, event: MutableMapping[str, Any] | Mapping[str, Any]) -> str:
    """Return an event as a line for people: time, level, logger and message, then the context, then the traceback."""
    fields = {key: one_line(value) for key, value in event.items() if key != "exception"}
    time, level, name = fields.pop("timestamp"), fields.pop("level").upper(), fields.pop("logger")
    message, traceback = fields.pop("event"), indented(str(event.get("exception", "")))
    context = "".join(f" {key}={value}" for key, value in fields.items())
    return f"{time} {level} {name}: {message}{context}" + (f"\n{traceback}" if traceback else "")
