import json
import os
import signal
import socket
import stat
import subprocess
import sys
import urllib.error
import urllib.request

import psycopg
import pytest

from tests.conftest import CODE
from tests.quickstart.conftest import Started, lives

PARTS = {"postgres", "valkey", "worker", "beat", "web"}
READY = {"status": "ok", "database": "ok", "broker": "ok", "disk": "ok"}


def health(port: int, host: str = "localhost") -> dict[str, str]:
    try:
        with urllib.request.urlopen(f"http://{host}:{port}/health/ready/", timeout=10) as answer:
            return json.load(answer)
    except OSError:
        return {}


def command(*arguments: str, **variables: object) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], **{name: str(value) for name, value in variables.items()}}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=CODE, env=environment, capture_output=True, text=True
    )


def rows_of(site: Started, query: str) -> list[tuple]:
    with psycopg.connect(site.ready["database_url"]) as connection:
        return connection.execute(query).fetchall()


def test_a_site_answers_and_commands_find_it(sites, site):
    assert site.ready["url"] == f"http://localhost:{site.port}"
    assert health(site.port) == health(site.port, "127.0.0.1") == READY
    assert set(site.family) == PARTS
    assert stat.S_IMODE((site.folder / "secret_key").stat().st_mode) == 0o600

    # The ready file's role owns its database and nothing else.
    query = "SELECT rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user"
    assert rows_of(site, query) == [(False, False, False)]
    assert rows_of(site, "SELECT username FROM annotation_user WHERE is_superuser") == [("admin",)]

    # Another command finds the site and its files by the folder.
    statement = "from django.conf import settings as s; print(s.SITE_URL, s.MEDIA_ROOT)"
    printed = command("shell", "-v", "0", "-c", statement, DATA_DIR=site.folder)
    assert printed.stdout.strip() == f"{site.ready['url']} {site.folder / 'media'}", printed.stderr

    # By its database alone too: then the command knows the key that links are signed with.
    created = command("create_user", "rosa", DATABASE_URL=site.ready["database_url"])
    assert created.stdout.startswith(f"{site.ready['url']}/accounts/password/reset/key/"), created.stderr

    twice = sites.start()
    assert twice.process.wait() == 1
    assert f"a quickstart site is already running in {site.folder}" in twice.text


def test_a_second_site_starts_on_the_backup_of_a_running_one_and_overwrites_none(sites, site):
    backup = str(sites.home / "site.backup")
    for arguments in (["create_user", "restored"], ["backup", "--output", backup]):
        done = command(*arguments, DATA_DIR=site.folder)
        assert done.returncode == 0, done.stderr
    second = sites.start("--restore", backup, folder="second").until_ready()
    names = [rows_of(each, "SELECT username FROM annotation_user ORDER BY 1") for each in (site, second)]
    assert names[0] == names[1] and ("restored",) in names[1]
    assert health(second.port) == READY

    assert second.end(signal.SIGTERM) == 0
    assert second.running_processes() == []
    assert not second.ready_file.exists()
    assert "Stopped." in second.text
    refused = command("showmigrations", DATA_DIR=second.folder)
    assert refused.returncode == 1
    assert refused.stderr.startswith("Factuary cannot start: no database: set DATABASE_URL, or start the quickstart")
    assert len(refused.stderr.splitlines()) == 1

    again = sites.start("--restore", backup, folder="second")
    assert again.process.wait() == 1
    assert f"{second.folder} has a site, and nothing was changed: restore into a new folder with" in again.text
    assert "--replace" not in again.text


def test_the_next_start_stops_orphans_and_has_the_data_and_a_development_site_takes_up_changed_code(
    sites, site, wait_until
):
    rows_of(site, "UPDATE annotation_user SET first_name = 'Ines' WHERE is_superuser RETURNING id")
    secret, log = (site.folder / "secret_key").read_text(), site.folder / "logs" / "worker.log"
    guard = next(p for p in site.family["web"].parent().children() if "annotation.quickstart.processes" in p.cmdline())
    guard.kill()
    site.end(signal.SIGKILL)
    assert set(site.running_processes()) == PARTS

    earlier = len(log.read_text())
    again = sites.start("--dev").until_ready()
    assert site.running_processes() == []
    assert "stopped processes of an earlier run" in again.text
    assert (site.folder / "secret_key").read_text() == secret
    assert rows_of(again, "SELECT first_name FROM annotation_user WHERE is_superuser") == [("Ines",)]

    with pytest.raises(urllib.error.HTTPError) as missing:
        urllib.request.urlopen(f"http://localhost:{again.port}/no-such-page/", timeout=10)
    assert "DEBUG = True" in missing.value.read().decode()
    wait_until(lambda: "ready." in log.read_text()[earlier:])

    def reloads() -> bool:
        os.utime(CODE / "tasks" / "app.py")  # again: on a slow machine the worker is ready before it watches its files
        return "tasks/app.py changed, reloading" in log.read_text()[earlier:]

    wait_until(reloads)
    wait_until(lambda: log.read_text()[earlier:].count("ready.") == 2)

    # Killed, it cannot stop its parts itself; its guard does.
    children = again.family["worker"].children(recursive=True)
    again.end(signal.SIGKILL)
    wait_until(lambda: again.running_processes() == [] and not any(map(lives, children)))


def test_a_killed_part_is_started_again_at_most_five_times(site, wait_until):
    worker = site.family["worker"]
    wait_until(lambda: worker.children(recursive=True))
    children = worker.children(recursive=True)
    for names in (("worker",), ("valkey",), ("postgres", "web"), ("beat",)):
        killed = {site.family[name].pid for name in names}
        for name in names:
            site.family[name].kill()
        wait_until(lambda killed=killed: not killed & {part["pid"] for part in site.recorded()})
        wait_until(lambda: health(site.port) == READY)
        assert all(f"{name} ended unexpectedly (signal SIGKILL); starting it again" in site.text for name in names)
        assert list(site.with_present_family().family) == ["postgres", "valkey", "worker", "beat", "web"]
    wait_until(lambda: not any(map(lives, children)))  # the kernel takes its time
    assert set(site.running_processes()) == PARTS

    site.family["beat"].kill()
    assert site.process.wait() == 1
    assert "error: beat ended unexpectedly (signal SIGKILL); the last lines of" in site.text
    assert site.running_processes() == []


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_a_site_can_be_stopped_while_it_starts(sites, number):
    site = sites.start(folder="stopped at its start")
    site.until(site.folder / "processes.json")
    assert site.end(number) == 0
    assert site.running_processes() == []
    assert "Factuary is at" not in site.text
    assert not (site.folder / "ready.json").exists()


def test_what_prevents_a_start_is_named_with_the_remedy(sites):
    data = sites.home / "of another PostgreSQL" / "postgres"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("13\n")
    (sites.home / "file").write_text("")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = {
            f"port {port} is taken by another program: choose another with PORT=…": sites.start(
                folder="taken port", port=port
            ),
            f"error: {data} holds data of PostgreSQL 13, and this is PostgreSQL 18": sites.start(
                folder=data.parent.name
            ),
            f"error: {sites.home}/file/site cannot be used (Not a directory): choose a folder": sites.start(
                folder="file/site"
            ),
        }
        for reason, site in refused.items():
            assert site.process.wait() == 1
            assert reason in site.text and "Traceback" not in site.text
    assert [path.name for path in data.iterdir()] == ["PG_VERSION"]  # it is left alone
