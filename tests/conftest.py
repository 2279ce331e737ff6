"""What every test stands on: real PostgreSQL and real Valkey of the suite's own, a Celery worker, a browser.

The run's first process (with pytest-xdist: its controller) starts one PostgreSQL and one Valkey in a new
folder and hands their addresses to the others through the environment, so this file sets the environment
before Django reads its settings. The same guard as the quickstart's stops both servers even when the run is
killed.
"""

import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

from annotation.quickstart import postgres, valkey
from annotation.quickstart.processes import Children, stop_recorded

FOLDER = "FACTUARY_TEST_FOLDER"
BROKER = "FACTUARY_TEST_BROKER"
SUPERUSER_ROLE, ROLE, DATABASE = "postgres", "factuary_test", "factuary"
SPEED = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200")

starts_the_servers = FOLDER not in os.environ
if starts_the_servers:
    os.environ[FOLDER] = tempfile.mkdtemp(prefix="factuary-test-", dir="/tmp")
folder = Path(os.environ[FOLDER])


def point_django_at(folder: Path) -> None:
    """Nothing of the caller's environment may lead a test to a database that is not the suite's."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    if starts_the_servers:
        os.environ[BROKER] = str(valkey.free_port())
    server = postgres.Postgres(folder / "postgres", folder / "postgres")
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "annotation.settings",
        "FACTUARY_RUN_AS": "server",
        "DATABASE_URL": server.url(ROLE, DATABASE),
        "BROKER_URL": f"redis://127.0.0.1:{os.environ[BROKER]}/{int(worker)}",
        "SECRET_KEY": "only-for-tests-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
        "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]",
        "SITE_URL": "http://localhost",
        "LOOPBACK_ONLY": "1",
        "MEDIA_ROOT": str(folder / "media"),
        "LOG_LEVEL": "WARNING",
        "DJANGO_ALLOW_ASYNC_UNSAFE": "1",  # the browser's driver keeps an event loop in the test's thread
    }


point_django_at(folder)

import django  # noqa: E402
from django.conf import settings  # noqa: E402

settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
django.setup()

servers = Children(folder / "processes.json", folder)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    if starts_the_servers and not session.config.option.collectonly:
        start_servers()


def start_servers() -> None:
    broker = valkey.Valkey(folder / "valkey", int(os.environ[BROKER]), password="")
    broker.write_configuration()
    servers.start("valkey", broker.command())
    server = postgres.prepare(folder / "postgres", SPEED, say=lambda line: None)
    servers.start("postgres", server.command(), folder=server.data, account=server.account, stop_signal=signal.SIGQUIT)
    server.wait_until_it_answers(lambda: servers.is_running("postgres"))
    server.create_database(ROLE, DATABASE, may_create_databases=True)
    broker.wait_until_it_answers(lambda: servers.is_running("valkey"))


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    if starts_the_servers:
        servers.stop_all()
        stop_recorded(servers.record)
        shutil.rmtree(folder, ignore_errors=True)
