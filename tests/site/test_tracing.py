from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import caches
from opentelemetry import trace
from opentelemetry.context import attach
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from annotation.site.tracing import Exporter, without_earlier_spans


def exported(**attributes: str) -> ReadableSpan:
    """Return the only span that is sent of a job's, which fails, and of a statement outside of it."""
    memory = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(Exporter(memory)))
    tracer = provider.get_tracer("test")
    tracer.start_span("SELECT", kind=SpanKind.CLIENT).end()
    try:
        with tracer.start_as_current_span("job", attributes=attributes):
            raise ValueError("Key (username)=(nora) already exists")
    except ValueError:
        (span,) = memory.get_finished_spans()
        return span
    raise AssertionError


@pytest.mark.parametrize(
    ("attributes", "sent"),
    [
        (
            {"http.url": "https://site/r/KEY/", "net.peer.ip": "10.0.0.1", "http.route": "r/<str:key>/"},
            {"http.route": "r/<str:key>/"},
        ),
        (
            {"db.statement": "SELECT a FROM t1 WHERE id IN (4711, 12)"},
            {"db.statement": "SELECT a FROM t1 WHERE id IN (…, …)"},
        ),
        (
            {"db.statement": "SELECT set_config('a', 'it''s Nora''s',\n true), \"b\" WHERE c = %s"},
            {"db.statement": "SELECT set_config('…', '…', true), \"b\" WHERE c = %s"},
        ),
    ],
)
def test_listed_attributes_alone_are_sent_and_statements_without_values(attributes: dict, sent: dict) -> None:
    assert exported(**attributes).attributes == sent


def test_an_error_is_sent_by_its_kind_alone() -> None:
    span = exported()
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, None)
    (event,) = span.events
    assert (event.name, dict(event.attributes or {})) == ("exception", {"exception.type": "ValueError"})


def test_requests_of_a_thread_share_the_cache_and_not_a_span(settings: Any) -> None:
    """A cache of its own for each request would open a connection for each."""
    backend = "annotation.site.tolerant_cache.TolerantRedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": "redis://127.0.0.1:1/0"}}
    tracer, used = TracerProvider(shutdown_on_exit=False).get_tracer("test"), []

    def site(_environ: dict[str, Any], _start_response: Any) -> list[bytes]:
        used.append((caches["default"], trace.get_current_span().get_span_context().is_valid))
        attach(trace.set_span_in_context(tracer.start_span("request")))  # and the page of an error fails
        return []

    application = without_earlier_spans(site)
    with ThreadPoolExecutor(max_workers=1) as thread:
        for _ in range(3):
            thread.submit(application, {}, None).result()
    assert len({id(cache) for cache, _ in used}) == 1
    assert [in_span for _, in_span in used] == [False, False, False]
