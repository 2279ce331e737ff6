import os
import subprocess
import sys

import pytest

from annotation.site import telemetry

VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"
PACKAGES = ("opentelemetry.", "prometheus_client", "wrapt")
LISTED = f"; import redis, sys; print([name for name in sys.modules if name.startswith({PACKAGES})])"


def loaded(program: str, **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE} | variables
    command = [sys.executable, "-c", program + LISTED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return done.stdout.strip() or done.stderr


def test_without_a_collector_and_a_port_of_metrics_web_server_and_worker_load_nothing_for_them() -> None:
    assert loaded("import annotation.wsgi; from tasks.app import app; app.loader.init_worker()") == "[]"


def test_with_a_collector_beat_loads_nothing_of_it() -> None:
    """Web server and worker do: tests/system/test_traces.py reads what they send."""
    assert "opentelemetry.instrumentation" not in loaded("import tasks.beat", **{VARIABLE: "http://127.0.0.1:9"})


def test_missing_packages_are_named_with_the_remedy_unless_traces_are_disabled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telemetry, "find_spec", lambda _name: None)
    monkeypatch.delenv(VARIABLE, raising=False)
    assert telemetry.packages_problem() == ""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:4318/v1/traces")
    assert telemetry.is_traced()
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    monkeypatch.setenv(VARIABLE, "http://127.0.0.1:4318")
    assert "pip install -r requirements-all.lock" in telemetry.packages_problem()
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert not telemetry.is_traced() and telemetry.packages_problem() == ""
