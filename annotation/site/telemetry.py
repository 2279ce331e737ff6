"""Traces for OpenTelemetry: whether this installation sends any. Otherwise nothing of OpenTelemetry is loaded.

What is sent, and how, is in annotation/site/tracing.py.
"""

import os
import sys
from importlib.util import find_spec
from typing import Any

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""The standard variables with the address of the collector."""


def is_traced() -> bool:
    """Return whether web server and worker send traces."""
    disabled = os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    return not disabled and any(os.environ.get(name) for name in ENDPOINTS)


if not is_traced():
    sys.modules.setdefault("opentelemetry", None)  # type: ignore[arg-type]
    # Hidden: redis-py loads 60 modules of it wherever it is installed, which takes a tenth of a second and 8 MB.


def packages_problem() -> str:
    """Return what is wrong if traces are wanted and the packages are missing, or ""."""
    if not is_traced() or (find_spec("opentelemetry") and find_spec("opentelemetry.instrumentation")):
        return ""
    return (
        f"{' or '.join(ENDPOINTS)} is set, but the packages of OpenTelemetry are missing: "
        "pip install -r requirements-all.lock (the Docker image has them)"
    )


def add_trace_ids(_logger: Any, _method: str, event: Any) -> Any:
    """Add the ids of the current trace and span to an event of the log, if there is one."""
    if is_traced() and "opentelemetry.trace" in sys.modules:
        from opentelemetry.trace import format_span_id, format_trace_id, get_current_span

        span = get_current_span().get_span_context()
        if span.is_valid:
            event |= {"trace_id": format_trace_id(span.trace_id), "span_id": format_span_id(span.span_id)}
    return event
