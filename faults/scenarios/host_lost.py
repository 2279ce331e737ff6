"""Three hosts: two with a web server and a worker behind a proxy, one with the database; one of the two is lost."""

import sys
from collections.abc import Sequence

from ..hosts import BRIDGE_ADDRESS, Host, Proxy, hosts
from ..site import ROOT, Site
from ..situation import Situation, scenario

WEB_PORT = 8000
# Connections of a host that is gone end after ten seconds, and with them their locks.
TCP_SETTINGS = (
    f"listen_addresses={BRIDGE_ADDRESS}",
    "tcp_keepalives_idle=5",
    "tcp_keepalives_interval=2",
    "tcp_keepalives_count=2",
    "tcp_user_timeout=10000",
)


@scenario("one of three hosts lost", longest_gap=60)
def lose_host(situation: Situation) -> None:
    """A host loses its network and its power in the middle of saves and jobs; the other one goes on with all of it."""
    site = situation.site
    site.stop("web", "worker")
    settings = site.server.settings
    with hosts("first", "second") as (first, second):
        _listen(site, (*settings, *TCP_SETTINGS))
        proxy = Proxy(site.port, [(host.address, WEB_PORT) for host in (first, second)])
        try:
            for host in (first, second):
                _start(site, host)
            situation.wait_for_saves(60)
            situation.hold_jobs()
            first.disconnect()
            site.kill(*_parts(first))
            situation.wait_for_saves(100)
            situation.release_jobs()
            situation.wait_for_jobs()
        finally:
            proxy.end()
            for name in [*_parts(first), *_parts(second)]:
                if site.children.is_running(name):
                    site.stop(name)
                site.children.forget(name)
            _listen(site, settings)


def _parts(host: Host) -> tuple[str, str]:
    return f"web of {host.name}", f"worker of {host.name}"


def _start(site: Site, host: Host) -> None:
    """Start web server and worker on a host; they reach database and broker by TCP, and share the folder of files."""
    variables = site.environment_at(BRIDGE_ADDRESS)
    web, worker = _parts(host)
    python = [sys.executable, "-m"]
    for name, command in (
        (web, [*python, "gunicorn", f"--bind=0.0.0.0:{WEB_PORT}"]),
        (
            worker,
            [*python, "tasks", "worker", "--concurrency", "4", "--hostname", f"worker@{host.name}"],
        ),
    ):
        site.children.start(name, host.command(command), environment=variables, folder=ROOT, patience=15)


def _listen(site: Site, settings: Sequence[str]) -> None:
    """Start database and broker again with other addresses."""
    site.stop("postgres", "valkey")
    site.server.settings = settings
    rules = site.server.data / "pg_hba.conf"
    network = BRIDGE_ADDRESS.rpartition(".")[0]
    line = f"host all all {network}.0/24 trust\n"
    if line not in rules.read_text():
        with rules.open("a") as file:
            file.write(line)
    configuration = site.broker.data / "valkey.conf"
    lines = [text for text in configuration.read_text().splitlines() if not text.startswith("bind ")]
    addresses = f"127.0.0.1 {BRIDGE_ADDRESS}" if settings[-1] in TCP_SETTINGS else "127.0.0.1"
    configuration.write_text("\n".join([f"bind {addresses}", *lines, ""]))
    site.start("postgres", "valkey")
