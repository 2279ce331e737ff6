"""What of a span leaves the site."""

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from annotation.site.tracing import Exporter


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


def test_only_listed_attributes_are_sent() -> None:
    span = exported(**{"http.url": "https://site/r/KEY/", "net.peer.ip": "10.0.0.1", "http.route": "r/<str:key>/"})
    assert span.attributes == {"http.route": "r/<str:key>/"}


def test_texts_in_statements_are_left_out() -> None:
    span = exported(**{"db.statement": "SELECT set_config('a', 'it''s Nora''s',\n true), \"b\" WHERE c = %s"})
    assert (span.attributes or {})["db.statement"] == "SELECT set_config('…', '…', true), \"b\" WHERE c = %s"


def test_an_error_is_sent_by_its_kind_alone() -> None:
    span = exported()
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, None)
    (event,) = span.events
    assert (event.name, dict(event.attributes or {})) == ("exception", {"exception.type": "ValueError"})
