"""Traces of a real web server and a real worker, at a small collector: a request that starts a job is one trace."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.db import connection
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from annotation.accounts.tokens import create_token
from annotation.models import Job, Report
from annotation.reporting.shared_links import make_link
from tests.cast import person
from tests.conftest import WorkerProcess, scratch
from tests.reporting.project_rows import project_of, worked_example
from tests.web_server import web_server

pytestmark = [pytest.mark.django_db(transaction=True)]
BROWSER = "Netscape/4.0 (a browser)"


SERVER, CLIENT, CONSUMER = 2, 3, 5


class Sent(NamedTuple):
    """A span that a process sent."""

    service: str
    name: str
    kind: int
    trace: str
    id: str
    parent: str
    attributes: dict[str, Any]


class Collector(ThreadingHTTPServer):
    """Takes spans by OTLP over HTTP."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.spans: list[Sent] = []
        self.text = ""

    def take(self, body: bytes) -> None:
        message = ExportTraceServiceRequest.FromString(body)
        self.text += str(message)
        for process in message.resource_spans:
            service = _attributes(process.resource)["service.name"]
            for span in (span for scope in process.scope_spans for span in scope.spans):
                ids = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
                self.spans.append(Sent(service, span.name, span.kind, *ids, _attributes(span)))

    def named(self, name: str) -> list[Sent]:
        return [span for span in self.spans if span.name == name]


def _attributes(part: Any) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in part.attributes}


class Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
        self.server.take(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """Return a collector, to which the processes that start from now on send."""
    running = Collector()
    threading.Thread(target=running.serve_forever, daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{running.server_port}")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")  # milliseconds
    monkeypatch.setenv("LOG_LEVEL", "INFO")
    monkeypatch.setenv("LOG_FORMAT", "json")
    yield running
    running.shutdown()
    running.server_close()


class Site(NamedTuple):
    """A running web server and its log."""

    url: str
    log: Path
    worker: WorkerProcess

    def ask(self, address: str, body: Any = None, **headers: str) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"User-Agent": BROWSER, "Content-Type": "application/json", **headers}
        try:
            return urllib.request.urlopen(urllib.request.Request(self.url + address, data, headers), timeout=60)
        except urllib.error.HTTPError as answer:
            return answer


@pytest.fixture
def site(collector: Collector, request: Any, tmp_path: Path) -> Iterator[Site]:
    worker, log = request.getfixturevalue("celery_worker"), tmp_path / "web.log"
    with web_server(log, DATABASE_URL=scratch.database_url(connection.settings_dict["NAME"])) as url:
        yield Site(url, log, worker)


def test_a_request_and_its_job_are_one_trace_in_which_a_failed_page_before_has_no_part(
    site: Site, collector: Collector, wait_until: Callable[..., None]
) -> None:
    # The pages of errors fail here for lack of collected static files.
    for _ in range(8):
        assert site.ask("/no-such-page/SECRETKEY/?q=SECRETKEY").status == 500
    assert site.ask("/api/v1/no-such-page/SECRETKEY/?q=SECRETKEY").status == 404
    site.ask("/static/css/base.css")
    assert site.ask("/search/?q=SECRETKEY").status == 500
    wait_until(lambda: collector.named("GET search/"), seconds=60)
    (search,) = collector.named("GET search/")
    assert (search.kind, search.parent, search.attributes["http.status_code"]) == (SERVER, "", 302)
    assert not any(span.kind == CLIENT and not span.parent for span in collector.spans)
    answered = [span for span in collector.spans if span.attributes.get("http.status_code")]
    assert [span.attributes["http.status_code"] for span in answered] == [404, 302]  # no health check, no static file

    project = project_of(worked_example())
    token, _ = create_token(person("lena"))
    address = f"/api/v1/projects/{project.slug}/reports/"
    answer = site.ask(address, {"seed": 7, "resamples": 200}, Authorization=f"Token {token}")
    assert answer.status == 202
    wait_until(lambda: Job.objects.get().state == "done")
    wait_until(lambda: collector.named("run/tasks.reports.freeze_report"))
    _, key = make_link(Report.objects.get())
    assert site.ask(f"/r/{key}/report.json?note=a-private-note").status == 200
    wait_until(lambda: collector.named("GET r/<str:key>/<str:name>"))

    (request,) = collector.named("POST api/v1/projects/<slug:slug>/reports/")
    assert (request.service, request.kind, request.parent) == ("factuary-web", SERVER, "")
    assert request.attributes == {
        "http.method": "POST",
        "http.route": "api/v1/projects/<slug:slug>/reports/",
        "http.status_code": 202,
        "factuary.request_id": answer.headers["X-Request-ID"],
    }
    (job,) = collector.named("run/tasks.reports.freeze_report")
    assert (job.service, job.kind) == ("factuary-worker", CONSUMER)
    assert (job.trace, job.parent) == (request.trace, request.id)
    assert job.attributes["factuary.request_id"] == answer.headers["X-Request-ID"]
    for parent in (request, job):
        statements = [span for span in collector.spans if span.parent == parent.id and span.kind == CLIENT]
        assert statements and {span.service for span in statements} == {parent.service}
        assert all(span.attributes["db.system"] == "postgresql" for span in statements)
    statements = [span.attributes["db.statement"] for span in collector.spans if span.kind == CLIENT]
    assert any("annotation_apitoken" in statement for statement in statements)

    lines = [json.loads(line) for line in site.log.read_text().splitlines() if line.startswith("{")]
    (line,) = [line for line in lines if line.get("event") == f"POST {address}"]
    assert (line["trace_id"], line["span_id"]) == (request.trace, request.id)
    assert job.trace in site.worker.log.read_text()
    for secret in ("SECRETKEY", "a-private-note", token, key, "lena", "127.0.0.1", "Netscape"):
        assert secret not in collector.text
