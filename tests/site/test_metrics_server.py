import urllib.error
import urllib.request

from django.db import connection

from annotation.quickstart.valkey import free_port
from annotation.site.metrics_server import unused_name
from tests.conftest import scratch
from tests.web_server import web_server


def page(port: int, path: str, **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.read().decode()


def test_a_port_of_its_own_has_the_counts_of_all_processes(transactional_db, tmp_path):
    port, metrics = free_port(), free_port()
    environment = {
        "DATABASE_URL": scratch.database_url(connection.settings_dict["NAME"]),
        "PORT": str(port),
        "WEB_HOST": "127.0.0.1, [::1]",
        "METRICS_PORT": str(metrics),
        "WEB_CONCURRENCY": "2",
        "TMPDIR": str(tmp_path),
    }
    with web_server(tmp_path / "web.log", **environment):
        check_metrics(port, metrics)
    assert list(tmp_path.glob("factuary-metrics-*")) == []


def check_metrics(port: int, metrics: int) -> None:
    for _ in range(20):
        page(port, "/api/v1/tokens/")
    status, text = page(metrics, "/metrics")
    assert status == 200
    line = 'django_http_responses_total_by_status_view_method_total{method="GET",status="401",view="api_tokens"} 20.0'
    assert line in text
    assert 'factuary_leases{state="open"} 0.0' in text
    assert 'factuary_part_readable{part="tally"} 1.0' in text
    assert "factuary_query_seconds_count" in text
    status, text = page(port, "/api/v1/metrics", Host=f"127.0.0.1:{metrics}")
    assert status != 200 and "factuary_leases" not in text
    status, text = page(metrics, "/accounts/login/")
    assert (status, text) == (404, "The metrics are at /metrics.\n")


def test_a_new_process_takes_the_place_of_the_one_that_ended():
    names = [unused_name(used, "web") for used in ([], ["web1", "web2"], ["web3", "web1"])]
    assert names == ["web1", "web3", "web2"]
