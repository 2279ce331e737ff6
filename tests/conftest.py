"""What every test uses: a real PostgreSQL and real Valkey of the suite's own, Celery workers, a browser.

The run's first process (with pytest-xdist: its controller) starts one PostgreSQL and one Valkey in a new folder and
hands their addresses to the others through the environment; so this file sets the environment before Django reads
its settings. A guard process stops both servers even when the run is killed.
"""

import gc
import os
import shutil
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import hypothesis
import psycopg
import pytest
from pytest_django.plugin import DjangoDbBlocker

from annotation.quickstart.processes import Children
from annotation.quickstart.temporary_services import ROLE, TemporaryServices

gc.disable()  # until all tests are collected
TEMPLATE, SEEDS = "migrated", "seeded"  # the migrated database, and its copy with the projects of tests.seeds
SITE_ROLE = "factuary_site"
FOLDER, BROKER_PORT = "FACTUARY_TEST_FOLDER", "FACTUARY_TEST_BROKER_PORT"
CODE = Path(__file__).resolve().parents[1]
SLOW_MODULES = CODE / "tests" / "slow_modules.txt"  # `make test ARGS=--write-slow-modules` writes it anew
SLOW = 0.15  # seconds of a test, on average over its module, from which make test-quick leaves the module out
# Chromium reads the last --disable-features alone, so this repeats those of Playwright. The two WebUIOmnibox popups are
# pages of the address bar, which Chromium otherwise loads for each context in a process of its own: a second of CPU.
DISABLED_FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup"
)

starts_the_servers = FOLDER not in os.environ
if starts_the_servers:
    scratch = TemporaryServices.new()
    os.environ |= {FOLDER: str(scratch.folder), BROKER_PORT: str(scratch.broker.port)}
else:
    scratch = TemporaryServices(Path(os.environ[FOLDER]), int(os.environ[BROKER_PORT]))

worker_number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
os.environ |= scratch.environment(broker_database=worker_number)
os.environ["LOG_LEVEL"] = "WARNING"
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # its threads would wait busily for cores that other tests use
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # the browser's driver keeps an event loop in the test's thread

import django
from django.conf import settings
from django.test import Client, TransactionTestCase
from playwright.sync_api import expect

# With pytest-xdist, pytest-django has read the settings already, with the broker database of the run's first process.
settings.SITE_DATABASE_ROLE = SITE_ROLE
settings.CELERY_BROKER_URL = os.environ["BROKER_URL"]
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
settings.CACHES = {"default": {"BACKEND": "tests.local_cache.LocalCache"}}
django.setup()

from allauth.socialaccount.providers import registry
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider

from annotation.web.accounts.saml.provider import SignInProvider

if sys.modules.get("opentelemetry", ...) is None:
    del sys.modules["opentelemetry"]  # annotation.site.telemetry hides it where no traces are sent

from tests.browser.fonts import OWN_FONTS, with_fonts
from tests.cast import Study, signed_in, study
from tests.database_reset import truncate_tables

for provider_class in (OpenIDConnectProvider, SignInProvider):  # as on a site with SIGN_IN_PROVIDERS
    registry.register(provider_class)
TransactionTestCase._fixture_teardown = lambda self: reset_database()
hypothesis.settings.register_profile("busy", suppress_health_check=[hypothesis.HealthCheck.too_slow], deadline=None)
hypothesis.settings.load_profile("busy")  # how fast examples come depends on what else the machine does
expect.set_options(timeout=30_000)  # milliseconds until a page that does not come to it fails: machines are busy


def pytest_xdist_auto_num_workers() -> int:
    """Return two processes for each core: browser tests wait as much as they compute."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 2 * cores


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help=f"without the modules in {SLOW_MODULES.name} and the browser")
    parser.addoption("--write-slow-modules", action="store_true", help=f"write {SLOW_MODULES.name} anew")


slow_modules = frozenset(SLOW_MODULES.read_text().split())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out slow modules and browser tests of a quick run; the time to import them, too."""
    path = collection_path.relative_to(CODE).as_posix() if collection_path.is_relative_to(CODE) else ""
    is_slow = path in slow_modules or path == "tests/browser"
    return True if config.option.quick and is_slow else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow modules, and give each process of pytest-xdist its share of them.

    `--dist worksteal` deals the list in as many equal parts as there are processes.
    """
    modules: dict[str, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.nodeid.split("::")[0], []).append(item)

    def is_fast(name: str) -> bool:
        return name not in slow_modules and not modules[name][0].get_closest_marker("browser")

    ordered = sorted(modules, key=is_fast)
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = [item for first in range(processes) for name in ordered[first::processes] for item in modules[name]]


def pytest_collection_finish() -> None:
    """Leave modules and items to no collection of garbage: each would visit hundreds of megabytes."""
    gc.enable()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how long the run took, and which modules took the most time of its processes."""
    seconds: Counter[str] = Counter()
    tests: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.split("::")[0]] += report.duration
                tests[report.nodeid.split("::")[0]] += report.when == "call"
    if seconds:
        terminalreporter.section("slowest modules, in seconds of a process")
    for name, taken in seconds.most_common(10):
        terminalreporter.write_line(f"{taken:7.1f} {name}")
    if terminalreporter.config.option.write_slow_modules:
        slow = (name for name, taken in sorted(seconds.items()) if taken > SLOW * tests[name])
        SLOW_MODULES.write_text("".join(f"{name}\n" for name in slow if not name.startswith("tests/browser/")))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    if starts_the_servers and not session.config.option.collectonly:
        scratch.start()
        with scratch.server.connect() as server:
            server.execute(f"CREATE ROLE {SITE_ROLE}; GRANT {SITE_ROLE} TO {ROLE}")


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    if starts_the_servers:
        scratch.remove()
        del os.environ[FOLDER]


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """Use the database called `name` instead of the test database."""
    from django.db import connection

    connection.close()
    before, connection.settings_dict["NAME"] = connection.settings_dict["NAME"], name
    yield
    connection.close()
    connection.settings_dict["NAME"] = before


def make_once(name: str, fill: Callable[[], object], *, source: str = "template1") -> None:
    """Create a database as a copy of `source` and fill it, unless another process of the run has done so."""
    with psycopg.connect(scratch.database_url(), autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(1)")
        if not server.execute("SELECT FROM pg_database WHERE datname = %s", [name]).rowcount:
            server.execute(f"CREATE DATABASE {name} TEMPLATE {source}")
            with connected_to(name):
                fill()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Make the test database a copy of one that the first process migrates: that takes 6 seconds."""
    from django.core.management import call_command
    from django.db import connection

    with django_db_blocker.unblock():
        make_once(TEMPLATE, lambda: call_command("migrate", verbosity=0))
    connection.settings_dict["TEST"]["TEMPLATE"] = TEMPLATE


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Connect as a role that has the site's rights alone."""
    from django.db import connection

    options = connection.settings_dict["OPTIONS"]
    with django_db_blocker.unblock():
        connection.close()
        options["assume_role"] = SITE_ROLE
        yield
        del options["assume_role"]
        connection.close()


@pytest.fixture
def as_owner(_django_db_helper: None) -> Iterator[None]:
    """Connect as the owner of the tables, as migrations and restores do."""
    from django.db import connection

    role = connection.settings_dict["OPTIONS"].pop("assume_role")
    if connection.in_atomic_block:
        connection.cursor().execute("RESET ROLE")
    else:
        connection.close()
    yield
    connection.settings_dict["OPTIONS"]["assume_role"] = role
    if connection.in_atomic_block:
        connection.cursor().execute(f"SET ROLE {role}")
    else:
        connection.close()


@pytest.fixture
def collected_garbage() -> None:
    """Collect cyclic garbage before a test that reaches the recursion limit, where finalizers would fail."""
    gc.collect()


@pytest.fixture(autouse=True, scope="module")
def _seeds(request: pytest.FixtureRequest) -> Iterator[None]:
    """Connect the tests of a module with the mark `seeded` to this process's copy of the projects of tests.seeds."""
    if not request.node.get_closest_marker("seeded"):
        yield
        return
    request.getfixturevalue("django_db_setup")
    from tests.seeds import create_seeds

    with request.getfixturevalue("django_db_blocker").unblock():
        make_once(SEEDS, create_seeds, source=TEMPLATE)
        make_once(f"{SEEDS}_{worker_number}", lambda: None, source=SEEDS)
        with connected_to(f"{SEEDS}_{worker_number}"):
            yield


def reset_database() -> None:
    """Remove what a test has committed: copy the seeds again, or truncate the tables."""
    from django.db import connection

    name = connection.settings_dict["NAME"]
    if not name.startswith(SEEDS):
        truncate_tables()
        return
    connection.close()
    with psycopg.connect(scratch.database_url(), autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {name} TEMPLATE {SEEDS}")


@pytest.fixture(scope="module")
def module_rows(_seeds: None, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Keep the rows of a module's fixtures until its last test; changes by a test are rolled back after it."""
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def june(request: pytest.FixtureRequest, _django_db_helper: None) -> Study:
    """Return the study `june` of tests.cast, with the parameters of the mark `study`."""
    marker = request.node.get_closest_marker("study")
    return study(**marker.kwargs if marker else {})


@pytest.fixture
def lena(june: object) -> Client:
    """Return a client in which Lena, the lead, is signed in."""
    return signed_in("lena")


@pytest.fixture
def ravi(june: object) -> Client:
    """Return a client in which Ravi, a rater, is signed in."""
    return signed_in("ravi")


@pytest.fixture
def ada(_django_db_helper: None) -> Client:
    """Return a client in which Ada, the admin, is signed in."""
    return signed_in("ada", admin=True)


@pytest.fixture(autouse=True)
def _no_cache_is_carried_over() -> None:
    """Clear the cache: counters of failed logins and the like begin at 0 in each test."""
    from django.core.cache import cache

    cache.clear()


@pytest.fixture(autouse=True)
def _no_language_is_carried_over() -> Iterator[None]:
    """Reset the language: a request sets the language of its thread, which here is the test's."""
    from django.utils import translation

    with translation.override(settings.LANGUAGE_CODE):
        yield


@pytest.fixture(autouse=True)
def _no_heartbeat_of_uncommitted_jobs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no heartbeat stop a job of a test without commits: its connection would not find the job's row."""
    marker = request.node.get_closest_marker("django_db")
    if marker and not marker.kwargs.get("transaction"):
        monkeypatch.setattr("annotation.jobs.HEARTBEAT", 600.0)


class Requests:
    """How many requests the live server is answering at this moment."""

    def __init__(self) -> None:
        self.open, self._lock = 0, threading.Lock()

    def began(self, **_: object) -> None:
        with self._lock:
            self.open += 1

    def ended(self, **_: object) -> None:
        with self._lock:
            self.open -= 1


@pytest.fixture(scope="session")
def requests_open() -> Requests:
    """Return the counter of open requests, which counts from the first browser test on."""
    from django.core.signals import request_finished, request_started

    requests = Requests()
    request_started.connect(requests.began, weak=False)
    request_finished.connect(requests.ended, weak=False)
    return requests


@pytest.fixture(autouse=True)
def _wait_for_open_requests(request: pytest.FixtureRequest) -> Iterator[None]:
    """Wait for the last requests of a page that closes: truncating tables during one would be a deadlock."""
    if "live_server" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("transactional_db")  # first, so that it goes last
    requests = request.getfixturevalue("requests_open")
    requests.open = 0  # Django's test client does not end the requests whose answer a test before did not read
    yield
    quiet, deadline = 0, time.monotonic() + 5
    while quiet < 3 and time.monotonic() < deadline:
        quiet = quiet + 1 if requests.open <= 0 else 0
        time.sleep(0.02)


@pytest.fixture
def wait_until() -> Callable[..., None]:
    """Return `wait(condition)`, which polls, and fails with the condition's name after a time that no machine takes."""

    def wait(condition: Callable[[], object], seconds: float = 300) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"{condition} was not true within {seconds} s"
            time.sleep(0.05)

    return wait


@pytest.fixture
def valkey() -> Iterator[str]:
    """Return the URL of a real, empty broker, which settings.CELERY_BROKER_URL names."""
    import redis

    with redis.Redis.from_url(settings.CELERY_BROKER_URL) as client:
        client.flushdb()
        yield settings.CELERY_BROKER_URL
        client.flushdb()


@pytest.fixture
def start_celery_worker(
    transactional_db: None, valkey: str, tmp_path: Path, wait_until: Callable[..., None]
) -> Iterator[Callable[[], "WorkerProcess"]]:
    """Return a function that starts one more real worker process on this test's database; all end with the test."""
    from django.db import connection

    workers = Children(tmp_path / "processes.json", tmp_path)
    environment = os.environ | {
        "DATABASE_URL": scratch.database_url(connection.settings_dict["NAME"]),
        "LOG_LEVEL": "INFO",  # of the line that says that the worker is ready
    }

    def start() -> WorkerProcess:
        name = f"worker{len(workers.running)}"
        command = [sys.executable, "-m", "tasks", "worker", "--concurrency", "1", "--hostname", f"{name}@test"]
        # SIGQUIT: the test is over, so whatever the worker still does need not be waited for.
        child = workers.start(
            name, command, environment=environment, folder=CODE, stop_signal=signal.SIGQUIT, patience=3
        )
        worker = WorkerProcess(child.pid, tmp_path / f"{name}.log")
        wait_until(lambda: " ready." in worker.log.read_text())
        return worker

    yield start
    workers.stop_all()
    for log in sorted(tmp_path.glob("worker*.log")):
        print(f"--- {log.name}\n{log.read_text()}")  # pytest shows it when the test has failed


@pytest.fixture
def celery_worker(start_celery_worker: Callable[[], "WorkerProcess"]) -> "WorkerProcess":
    """Start a real Celery worker process for jobs on this (transactional) test's database and broker."""
    return start_celery_worker()


class WorkerProcess:
    """A worker of one test: its process id (to kill it, where that is the test) and its log."""

    def __init__(self, pid: int, log: Path) -> None:
        self.pid, self.log = pid, log


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """Name the machine's Chromium (as scripts/find_chromium.py prints it), else Playwright's, with the tests' fonts."""
    found = filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome")))
    path = os.environ.get("CHROMIUM") or next(found, None)
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    flags += ["--disable-component-update", "--disable-sync", f"--disable-features={DISABLED_FEATURES}"]
    environment = with_fonts(OWN_FONTS, scratch.folder)
    executable = {"executable_path": path} if path else {}
    return {**browser_type_launch_args, **executable, "args": flags, "env": environment}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, object]) -> dict[str, object]:
    return {**browser_context_args, "viewport": {"width": 1440, "height": 900}, "locale": "en-GB"}


HINTS_SEEN = """
    try { localStorage.setItem("factuary:hints:%s", '["marks", "signs", "evidence"]'); } catch { /* about:blank */ }
"""


@pytest.fixture
def log_in(live_server) -> Callable[..., None]:
    """Return `give_session(page_or_context, user, hints=False)`, which gives a browser the user's session without the
    login page. Without `hints` the workspace has shown its hints at first use before.
    """
    from django.test import Client

    def give_session(page, user, hints: bool = False) -> None:
        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        context = getattr(page, "context", page)
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
        if not hints:
            context.add_init_script(HINTS_SEEN % user.pk)

    return give_session
