import json
import os
import signal
import socket
import stat
import subprocess
import sys
import urllib.error
import urllib.request

import psutil
import psycopg
import pytest

from tests.quickstart.conftest import CODE, lives

pytestmark = pytest.mark.slow
PARTS = {"postgres", "valkey", "worker", "beat", "web"}


def get(url: str) -> tuple[int, dict]:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.status, json.load(answer)


def is_ready(port: int) -> bool:
    try:
        return get(f"http://localhost:{port}/health/ready/")[1]["status"] == "ok"
    except OSError:
        return False


def command(*arguments: str, **variables: object) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], **{name: str(value) for name, value in variables.items()}}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=CODE, env=environment, capture_output=True, text=True
    )


def test_a_site_serves_keeps_its_data_and_leaves_no_process(quickstart, site_home, wait_until):
    folder = site_home / "a site"
    site = quickstart().until_ready()
    assert site.ready["url"] == f"http://localhost:{site.port}"
    for host in ("localhost", "127.0.0.1"):
        assert get(f"http://{host}:{site.port}/health/ready/") == (
            200,
            {"status": "ok", "database": "ok", "broker": "ok", "disk": "ok"},
        )
    assert set(site.family) == PARTS

    # The ready file's role owns its database and nothing else.
    with psycopg.connect(site.ready["database_url"]) as connection:
        query = "SELECT rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user"
        assert connection.execute(query).fetchone() == (False, False, False)
        assert connection.execute("SELECT username, is_superuser FROM annotation_user").fetchall() == [("admin", True)]
        connection.execute("UPDATE annotation_user SET first_name = 'Ines'")
    secret = (folder / "secret_key").read_text()
    assert stat.S_IMODE((folder / "secret_key").stat().st_mode) == 0o600

    # Another command finds the site and its files by the folder, and only a running one.
    statement = "from django.conf import settings as s; print(s.SITE_URL, s.MEDIA_ROOT)"
    printed = command("shell", "-v", "0", "-c", statement, DATA_DIR=folder)
    assert printed.stdout.strip() == f"{site.ready['url']} {folder / 'media'}", printed.stderr

    # By its database alone too: then the command knows the key that links are signed with.
    created = command("create_user", "rosa", DATABASE_URL=site.ready["database_url"])
    assert created.stdout.startswith(f"{site.ready['url']}/accounts/password/reset/key/"), created.stderr

    # Neither a second one in the same folder nor one on the same port starts, and each says why.
    twice = quickstart(port=site.port + 1)
    assert twice.process.wait() == 1
    assert f"a quickstart site is already running in {folder}" in twice.text

    assert site.end(signal.SIGTERM) == 0
    assert site.running_processes() == []
    assert not site.ready_file.exists()
    assert "Stopped." in site.text
    refused = command("showmigrations", DATA_DIR=folder)
    assert refused.returncode == 1
    assert refused.stderr.startswith("Factuary cannot start: no database: set DATABASE_URL, or start the quickstart")
    assert len(refused.stderr.splitlines()) == 1

    again = quickstart().until_ready()
    assert (folder / "secret_key").read_text() == secret
    with psycopg.connect(again.ready["database_url"]) as connection:
        assert connection.execute("SELECT first_name FROM annotation_user WHERE is_superuser").fetchall() == [("Ines",)]

    # Killed, it cannot stop its parts itself; its guard does.
    again.end(signal.SIGKILL)
    wait_until(lambda: again.running_processes() == [])


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_a_site_can_be_stopped_while_it_starts(quickstart, site_home, number):
    site = quickstart(folder=site_home / f"stopped by {number.name}")
    site.until_it_exists(site.folder / "processes.json")
    site.family = {part["name"]: psutil.Process(part["pid"]) for part in site.recorded()}
    assert site.end(number) == 0
    assert site.running_processes() == []
    assert "Factuary is at" not in site.text
    assert not (site.folder / "ready.json").exists()


def test_orphans_are_stopped_by_the_next_start_and_a_killed_part_is_started_again_at_most_five_times(
    quickstart, wait_until
):
    site = quickstart().until_ready()
    guard = next(p for p in site.family["web"].parent().children() if "guard.py" in " ".join(p.cmdline()))
    guard.kill()
    site.end(signal.SIGKILL)
    assert set(site.running_processes()) == PARTS

    again = quickstart().until_ready()
    assert site.running_processes() == []
    assert "stopped processes of an earlier run" in again.text

    wait_until(lambda: again.family["worker"].children(recursive=True))
    children = again.family["worker"].children(recursive=True)
    again.family["worker"].kill()
    wait_until(lambda: again.recorded()[2]["pid"] != again.family["worker"].pid)
    assert "worker ended unexpectedly (signal SIGKILL); starting it again" in again.text
    assert [part["name"] for part in again.recorded()] == ["postgres", "valkey", "worker", "beat", "web"]
    assert children
    wait_until(lambda: not [child for child in children if lives(child)])  # the kernel takes its time
    again.family = {part["name"]: psutil.Process(part["pid"]) for part in again.recorded()}
    assert set(again.running_processes()) == PARTS

    for names in (("valkey",), ("postgres", "web"), ("beat",)):
        killed = {again.family[name].pid for name in names}
        for name in names:
            again.family[name].kill()
        wait_until(lambda killed=killed: not killed & {part["pid"] for part in again.recorded()})
        wait_until(lambda: is_ready(again.port))
        assert all(f"{name} ended unexpectedly (signal SIGKILL); starting it again" in again.text for name in names)
        again.family = {part["name"]: psutil.Process(part["pid"]) for part in again.recorded()}
    assert set(again.running_processes()) == PARTS

    again.family["beat"].kill()
    assert again.process.wait() == 1
    assert "error: beat ended unexpectedly (signal SIGKILL); the last lines of" in again.text
    assert again.running_processes() == []


def test_a_development_site_has_debug_on_and_restarts_its_worker_when_code_changes(quickstart, site_home, wait_until):
    log = site_home / "a site" / "logs" / "worker.log"
    earlier = len(log.read_text()) if log.exists() else 0
    site = quickstart("--dev").until_ready()
    with pytest.raises(urllib.error.HTTPError) as missing:
        get(f"http://localhost:{site.port}/no-such-page/")
    assert "DEBUG = True" in missing.value.read().decode()
    wait_until(lambda: "ready." in log.read_text()[earlier:])
    os.utime(CODE / "tasks" / "app.py")
    wait_until(lambda: log.read_text()[earlier:].count("ready.") == 2)
    assert "tasks/app.py changed, reloading" in log.read_text()[earlier:]
    children = site.family["worker"].children(recursive=True)
    assert site.end(signal.SIGTERM) == 0
    assert site.running_processes() == []
    wait_until(lambda: not [child for child in children if lives(child)])


def test_a_taken_port_is_named_with_the_remedy(quickstart, site_home, port):
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        site = quickstart(folder=site_home / "taken port")
        assert site.process.wait() == 1
    assert f"port {port} is taken by another program: choose another with PORT=…" in site.text
    assert "Traceback" not in site.text


def test_data_of_another_postgresql_is_refused_and_left_alone(quickstart, site_home):
    data = site_home / "of another PostgreSQL" / "postgres"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("13\n")
    site = quickstart(folder=data.parent)
    assert site.process.wait() == 1
    assert f"error: {data} holds data of PostgreSQL 13, and this is PostgreSQL 18" in site.text
    assert "Traceback" not in site.text
    assert [path.name for path in data.iterdir()] == ["PG_VERSION"]


def test_a_folder_that_cannot_be_made_is_named(quickstart, site_home):
    (site_home / "file").write_text("")
    site = quickstart(folder=site_home / "file" / "site")
    assert site.process.wait() == 1
    assert f"error: {site_home}/file/site cannot be used (Not a directory): choose a folder" in site.text


def test_a_second_site_starts_on_the_backup_of_a_running_one_and_overwrites_none(quickstart, site_home):
    site = quickstart().until_ready()
    backup = site_home / "site.backup"
    created = command("create_user", "restored", DATA_DIR=site.folder)
    assert created.returncode == 0, created.stderr
    written = command("backup", "--output", str(backup), DATA_DIR=site.folder)
    assert written.returncode == 0, written.stderr
    second = quickstart("--restore", str(backup), folder=site_home / "second", port=site.port + 1).until_ready()
    names = []
    for running in (site, second):
        with psycopg.connect(running.ready["database_url"]) as connection:
            names.append(connection.execute("SELECT username FROM annotation_user ORDER BY 1").fetchall())
    assert names[0] == names[1] and ("restored",) in names[1]
    assert is_ready(second.port)
    second.end()
    again = quickstart("--restore", str(backup), folder=site_home / "second", port=site.port + 1)
    assert again.process.wait() == 1
    assert f"{site_home / 'second'} has a site, and nothing was changed: restore into a new folder with" in again.text
    assert "--replace" not in again.text
