"""Checks of the services: database, broker, worker, beat and mail server."""

from contextlib import suppress
from smtplib import SMTPException

import redis
from django.conf import settings
from django.core.cache import cache
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from kombu.exceptions import OperationalError

from tasks.app import app

from ..jobs import BEAT_LAST_SEEN
from ..site.database_clock import database_now
from ..site.database_rights import owns_tables
from .finding import Finding, failed, ok, warning

WORKER_SECONDS, NEXT_WORKER_SECONDS = 3.0, 0.1
BEAT_SECONDS = 120.0
RECENT_SECONDS = 30.0
"""Beat sends its task every 20 s."""
MANY_TASKS = 100
OLDEST_POSTGRESQL = 14


def database_finding() -> Finding:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('server_version'), pg_database_size(current_database()) / 1048576")
            version, size = cursor.fetchone()
    except DatabaseError as error:
        reason = " ".join(str(error).split())
        return failed("database", f"no answer ({reason})", "start PostgreSQL, and check DATABASE_URL")
    message = f"PostgreSQL {version}, {size:,} MB"
    if int(version.split(".")[0]) < OLDEST_POSTGRESQL:
        return failed("database", message, f"PostgreSQL {OLDEST_POSTGRESQL} or newer is needed")
    return ok("database", message)


def rights_finding() -> Finding:
    """Check that the site's role does not own the tables."""
    if settings.LOOPBACK_ONLY:
        return ok("rights", "one role, for this machine only")
    if owns_tables():
        message = "the role of DATABASE_URL owns the tables: it can empty them and turn off the audit's triggers"
        return warning("rights", message, "use a second role (docs/deploy.md, Roles of the database)")
    return ok("rights", "the role of DATABASE_URL reads and writes rows only")


def broker_finding() -> Finding:
    if broker_answers():
        return ok("broker", "answers")
    return failed("broker", "no answer", "start Valkey, and check BROKER_URL")


def queues_finding() -> Finding:
    try:
        depths = queue_depths()
    except (redis.RedisError, OSError, ValueError):
        return failed("queues", "not read, because the broker does not answer", "start the broker first")
    message = ", ".join(f"{length:,} wait in {name}" for name, length in depths.items())
    if max(depths.values()) > MANY_TASKS:
        return warning("queues", message, "look whether the workers run, or start more")
    return ok("queues", message)


def queue_depths() -> dict[str, int]:
    """Return how many tasks wait in each queue. Raises redis.RedisError."""
    with redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2, socket_connect_timeout=2) as broker:
        return {name: broker.llen(name) for name in settings.CELERY_TASK_QUEUES}


def broker_answers() -> bool:
    """Return whether the broker answers within two seconds."""
    try:
        with redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2, socket_connect_timeout=2) as broker:
            return bool(broker.ping())
    except (redis.RedisError, OSError, ValueError):
        return False


def worker_finding() -> Finding:
    """Ask the Celery workers for an answer, for which one may take a second: not awaited if one has just run a task."""
    if not broker_answers():
        return failed("worker", "unknown, because the broker does not answer", "start the broker first")
    try:
        # The time limit is for each answer: a list of all ends so long after the last one.
        workers = app.control.ping(timeout=NEXT_WORKER_SECONDS)
        if not workers:
            with suppress(DatabaseError):
                if (seconds := seconds_since_beat()) is not None and seconds < RECENT_SECONDS:
                    return ok("worker", f"it ran a task {seconds:.0f} s ago")
            workers = app.control.ping(timeout=WORKER_SECONDS, limit=1)
    except (OperationalError, OSError) as error:
        return failed("worker", f"does not answer ({error})", "check BROKER_URL")
    if not workers:
        message = f"no answer in {WORKER_SECONDS:.0f} s"
        return failed("worker", message, "start one (python -m tasks worker), or look whether it hangs")
    return ok("worker", ", ".join(sorted(name for answer in workers for name in answer)))


def beat_finding() -> Finding:
    """Look when a worker last ran the task that beat sends every 20 s."""
    try:
        seconds = seconds_since_beat()
    except DatabaseError:
        return failed("beat", "unknown, because the database does not answer", "start the database first")
    if seconds is None or seconds > BEAT_SECONDS:
        message = "it never ran" if seconds is None else f"it last ran {seconds:,.0f} s ago"
        return failed(
            "beat", message, "start exactly one (python -m tasks beat), and a worker; wait half a minute after a start"
        )
    return ok("beat", f"it ran {seconds:.0f} s ago")


def seconds_since_beat() -> float | None:
    """Return when a worker last ran the task that beat sends; None if it never did. Raises DatabaseError."""
    seen_at = cache.get(BEAT_LAST_SEEN)
    return None if seen_at is None else max(database_now().timestamp() - seen_at, 0)


def mail_finding() -> Finding:
    """Connect and sign in to the mail server; nothing is sent."""
    if not settings.EMAIL_HOST:
        return warning("mail", "no email server: messages are printed to the log", "set EMAIL_HOST (docs/deploy.md)")
    server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        with get_connection("django.core.mail.backends.smtp.EmailBackend", timeout=10):
            pass
    except (OSError, SMTPException) as error:
        reason = " ".join(str(error).split())
        return failed("mail", f"{server} cannot be used ({reason})", "check EMAIL_HOST and the other EMAIL_ settings")
    if settings.DEFAULT_FROM_EMAIL.endswith("@localhost"):
        return warning(
            "mail", f"{server} answers; the sender is {settings.DEFAULT_FROM_EMAIL}", "set DEFAULT_FROM_EMAIL"
        )
    return ok("mail", f"{server} answers")
