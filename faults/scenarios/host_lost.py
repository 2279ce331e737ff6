"""Three hosts: two with a web server and a worker behind a proxy, one with the database; one of the two is lost.

Uploads and exports are in an S3-compatible store. An upload that the lost host has stored and an export that it has
written are used by the other one afterwards.
"""

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from annotation.exporting.export_jobs import EXPORT
from annotation.importing.uploads import start_load
from annotation.models import Export, Job, User
from tasks.jobs import enqueue

from .. import background, checks, study
from ..clients import Line
from ..hosts import BRIDGE_ADDRESS, Host, Proxy, hosts
from ..object_store import object_store
from ..site import ROOT, Site
from ..situation import Situation, scenario

WEB_PORT = 8000
CSRF_SECRET = "c" * 32
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
    store = situation.until_compared.enter_context(object_store(BRIDGE_ADDRESS))
    with hosts("first", "second") as (first, second):
        _listen(site, (*settings, *TCP_SETTINGS))
        proxy = Proxy(site.port, [(host.address, WEB_PORT) for host in (first, second)])
        try:
            _start(site, first, store)
            situation.wait_for_saves(10)
            files = _store_files(situation)
            _start(site, second, store)
            situation.wait_for_saves(60)
            situation.hold_jobs()
            first.disconnect()
            site.kill(*_parts(first))
            situation.wait_for_saves(100)
            situation.release_jobs()
            situation.wait_for_jobs()
            _use_files(situation, files)
        finally:
            proxy.end()
            for name in {*_parts(first), *_parts(second)} & site.children.running.keys():
                if site.children.is_running(name):
                    site.stop(name)
                site.children.forget(name)
            _listen(site, settings)


@dataclass(frozen=True)
class _Files:
    """What the lost host has stored: the upload of a dry run, and an export."""

    dry_run: Job
    export: Export


def _store_files(situation: Situation) -> _Files:
    """Upload a data set and write an export, at the only host that runs."""
    path = situation.site.folder / "upload.jsonl"
    study.write_rows(path, background.IMPORTED_PROMPTS)
    slug = f"uploaded-{situation.project.pk}"
    with path.open("rb") as file:
        fields = {"upload": file, "format": "jsonl", "slug": slug, "title": "", "subset": "all", "seed": "1"}
        body = encode_multipart(BOUNDARY, fields)
    answer = _lead(situation.site).ask("POST", "/datasets/import/", body, Content_Type=MULTIPART_CONTENT)
    if answer.status != "302":
        raise RuntimeError(f"the upload was answered {answer.status}: {answer.body[:300]!r}")
    [job] = situation.start_jobs(EXPORT)
    situation.wait_for_jobs()
    return _Files(Job.objects.get(params__slug=slug), Export.objects.get(job=job))


def _use_files(situation: Situation, files: _Files) -> None:
    """Load the upload and fetch the export, at the only host that runs now."""
    load, _is_new = start_load(files.dry_run, User.objects.get(username=study.LEAD))
    enqueue(load)
    situation.jobs.append(load)
    situation.wait_for_jobs()
    load.refresh_from_db()
    content = _lead(situation.site).ask("GET", f"/exports/{files.export.public_id}/").body
    is_served = hashlib.sha256(content).hexdigest() == files.export.sha256
    situation.notes |= {
        "uploads_of_lost_host_loaded": int(load.state == Job.State.DONE),
        "exports_of_lost_host_served": int(is_served),
    }
    situation.expect(load.state == Job.State.DONE, f"the upload of the lost host is not loaded: {load.problems}")
    situation.expect(is_served, "the export of the lost host is not served")


def _lead(site: Site) -> Line:
    """Return the connection of the lead, who is signed in."""
    checks.use_new_connection()
    cookie = f"{study.session_cookie()}; factuary_csrf={CSRF_SECRET}"
    return Line(site, {"Cookie": cookie, "X-CSRFToken": CSRF_SECRET})


def _parts(host: Host) -> tuple[str, str]:
    return f"web of {host.name}", f"worker of {host.name}"


def _start(site: Site, host: Host, store: Mapping[str, str]) -> None:
    """Start web server and worker on a host; they reach database, broker and object store by TCP."""
    variables = {**site.environment_at(BRIDGE_ADDRESS), **store}
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
