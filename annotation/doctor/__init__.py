"""Check an installation, and say what to do about each problem: `manage.py doctor`."""

from collections.abc import Callable

from . import address, installation, services
from .finding import FAILED, OK, WARNING, Finding

__all__ = ["FAILED", "OK", "WARNING", "Finding", "examine"]

WITHOUT_DATABASE: tuple[Callable[[], Finding], ...] = (
    installation.settings_finding,
    installation.storage_finding,
    installation.disk_finding,
    services.broker_finding,
    services.queues_finding,
    services.worker_finding,
    services.beat_finding,
    services.mail_finding,
    address.address_finding,
    installation.backup_finding,
)
WITH_DATABASE: tuple[Callable[[], Finding], ...] = (
    installation.migrations_finding,
    services.rights_finding,
    installation.clock_finding,
    installation.jobs_finding,
    installation.names_finding,
)


def examine() -> list[Finding]:
    """Return a finding for each part of the installation. No part stops the others from being checked."""
    database = services.database_finding()
    checks = WITHOUT_DATABASE if database.state == FAILED else (*WITH_DATABASE, *WITHOUT_DATABASE)
    return [database, *(check() for check in checks)]
