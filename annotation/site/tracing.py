"""Traces for OpenTelemetry: requests, jobs and their statements, sent by OTLP over HTTP.

OpenTelemetry's own packages make the spans. They would also record addresses with their secrets and searches, network
addresses, browsers, messages of errors and values in statements: of all that, `Exporter` lets only listed attributes
pass. The process that forks makes no spans: each process sends its own, from a thread that starts after the fork.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import structlog
from celery.signals import before_task_publish, task_prerun
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from opentelemetry import trace
from opentelemetry.context import Context, attach
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.celery import CeleryInstrumentor
from opentelemetry.instrumentation.django import DjangoInstrumentor
from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
from opentelemetry.propagate import inject
from opentelemetry.sdk.trace import Event, ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Span, SpanKind, Status

from .metrics_server import Application
from .slow_queries import without_values

REQUEST_ID = "factuary.request_id"
STATEMENTS = {"db.statement", "db.query.text"}
SENT = {
    REQUEST_ID, *STATEMENTS,
    "http.method", "http.route", "http.status_code", "http.request.method", "http.response.status_code",
    "db.system", "db.name", "db.system.name", "db.namespace", "error.type", "exception.type",
    "celery.action", "celery.task_name", "celery.state", "celery.retries", "messaging.destination",
}  # fmt: skip
"""Attributes that hold nothing about a person."""
UNTRACED = f"/health/,{settings.STATIC_URL}"


class Exporter(SpanExporter):
    """Sends spans without personal data and secrets; statements outside of a request or job are left out."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send what of the spans may leave the site."""
        return self._exporter.export([reduced(span) for span in spans if span.parent or span.kind != SpanKind.CLIENT])

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._exporter.force_flush(timeout_millis)


def reduced(span: ReadableSpan) -> ReadableSpan:
    """Return the span with the attributes of SENT, without messages of errors, and statements without values."""
    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=_reduced(span.attributes),
        events=[Event(event.name, _reduced(event.attributes), event.timestamp) for event in span.events],
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _reduced(attributes: Mapping[str, Any] | None) -> dict[str, Any]:
    sent = {name: value for name, value in (attributes or {}).items() if name in SENT}
    for name in STATEMENTS & set(sent):
        sent[name] = without_values(str(sent[name]))
    return sent


def trace_web() -> None:
    """Trace the requests of this process and those that it forks; Django loads its middleware afterwards."""
    PsycopgInstrumentor().instrument()
    DjangoInstrumentor().instrument(excluded_urls=UNTRACED, response_hook=_name_request)
    # Celery's instrumentation ends the span of a sent task only if the task is loaded, which the web server's are not.
    before_task_publish.connect(_propagate_context)


def without_earlier_spans(site: Application) -> Application:
    """Return an application that answers each request outside of the spans of the thread's earlier requests.

    If even the page of an error fails, the instrumentation does not end the span: the next requests of the thread would
    belong to it. The thread's other context variables stay: Django stores the connections of its cache in them.
    """

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        attach(Context())
        return site(environ, start_response)

    return application


def trace_worker() -> None:
    """Trace the tasks of this process and those that it forks."""
    PsycopgInstrumentor().instrument()
    CeleryInstrumentor().instrument()
    task_prerun.connect(_name_task)


def start_sending(service: str) -> None:
    """Send the spans of this process, which a server forked. The variables OTEL_… set the rest."""
    os.environ.setdefault("OTEL_SERVICE_NAME", service)
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(Exporter(OTLPSpanExporter())))
    trace.set_tracer_provider(provider)


def stop_sending() -> None:
    """Send what is left, at the end of the process."""
    provider = trace.get_tracer_provider()
    if isinstance(provider, TracerProvider):
        provider.shutdown()


def _name_request(span: Span, _request: HttpRequest, response: HttpResponse) -> None:
    span.set_attribute(REQUEST_ID, response.get("X-Request-ID", ""))


def _propagate_context(headers: dict[str, Any], **_options: Any) -> None:
    inject(headers)


def _name_task(**_options: Any) -> None:
    if request_id := structlog.contextvars.get_contextvars().get("request_id"):
        trace.get_current_span().set_attribute(REQUEST_ID, request_id)
