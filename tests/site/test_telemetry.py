"""OpenTelemetry is loaded only where traces are sent, and its missing packages are named."""

import os
import subprocess
import sys

import pytest

from annotation.site import telemetry

VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"
FOR_TRACES = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
LOADED = (
    "; import redis, sys; print([name for name in sys.modules if name.startswith('opentelemetry.') or name == 'wrapt'])"
)


def loaded(program: str, **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE} | variables
    done = subprocess.run([sys.executable, "-c", program + LOADED], env=environment, capture_output=True, text=True)
    return done.stdout.strip() or done.stderr


@pytest.mark.parametrize("program", ["import annotation.wsgi", "from tasks.app import app; app.loader.init_worker()"])
def test_without_a_collector_nothing_of_opentelemetry_is_loaded(program: str) -> None:
    assert loaded(program) == "[]"


def test_with_a_collector_the_web_server_and_the_worker_load_it_and_beat_does_not() -> None:
    collector = {VARIABLE: "http://127.0.0.1:9"}
    worker = "import tasks.app; from celery.signals import celeryd_init; celeryd_init.send(None)"
    for program in ("import annotation.wsgi", worker):
        assert "opentelemetry.instrumentation.psycopg" in loaded(program, **collector)
    assert "opentelemetry.instrumentation" not in loaded("import tasks.beat", **collector)


def test_missing_packages_are_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telemetry, "find_spec", lambda _name: None)
    monkeypatch.delenv(VARIABLE, raising=False)
    assert telemetry.packages_problem() == ""
    monkeypatch.setenv(VARIABLE, "http://127.0.0.1:4318")
    assert "pip install -r requirements-all.lock" in telemetry.packages_problem()


def test_the_address_for_traces_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv(FOR_TRACES, "http://127.0.0.1:4318/v1/traces")
    assert telemetry.is_traced()


def test_a_disabled_site_needs_no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telemetry, "find_spec", lambda _name: None)
    monkeypatch.setenv(VARIABLE, "http://127.0.0.1:4318")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert not telemetry.is_traced() and telemetry.packages_problem() == ""
