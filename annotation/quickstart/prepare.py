"""Update a site's database, static files and accounts: `python -m annotation.quickstart.prepare`.

It is a separate process, because Django is set up once in a process and the database's address is known only after
PostgreSQL was started. Each step is a line that begins with `STEP`; the parent shows it.
"""

import hashlib
import os
import sys
from pathlib import Path

from annotation.quickstart.accounts import ADMIN_ONLY, SAMPLE_ACCOUNTS, make_accounts

STEP = "step: "
ACCOUNT = "account: "
"""Begins a line with the user name of a sample account that can sign in."""


def report_progress(text: str) -> None:
    print(f"{STEP}{text}", flush=True)


def prepare(with_demo: bool) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    report_progress("tables")
    call_command("migrate", interactive=False, verbosity=0)
    collect_static_files()
    report_progress("accounts and sample project")
    fill(with_demo)
    for username in open_accounts():
        print(f"{ACCOUNT}{username}", flush=True)


def open_accounts() -> list[str]:
    """Return the user names of the sample accounts that exist and are not closed: a restored site may have others."""
    from annotation.models import User  # needs Django set up

    names = [account.username for account in SAMPLE_ACCOUNTS]
    return list(User.objects.filter(username__in=names, is_active=True).values_list("username", flat=True))


def fill(with_demo: bool) -> None:
    """Create the missing accounts, and the sample project in a site without data.

    Once a person was erased, a missing account may be theirs: then none is created, unless a new sample needs them.
    """
    from annotation.models import User  # needs Django set up
    from annotation.quickstart import demo

    loads_sample = with_demo and demo.is_empty()
    if loads_sample or not User.objects.filter(erased_at__isnull=False).exists():
        make_accounts(SAMPLE_ACCOUNTS if with_demo else ADMIN_ONLY)
    if loads_sample:
        demo.load(report_progress)


def collect_static_files() -> None:
    """Collect static files only when one changed: hashing and compressing takes two seconds."""
    from django.conf import settings
    from django.core.management import call_command

    stamp = Path(settings.STATIC_ROOT) / ".collected"
    fingerprint = fingerprint_of_static_files()
    if stamp.exists() and stamp.read_text(encoding="ascii") == fingerprint:
        return
    report_progress("static files")
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(fingerprint, encoding="ascii")


def fingerprint_of_static_files() -> str:
    from django.contrib.staticfiles.finders import get_finders

    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            status = os.stat(storage.path(path))
            digest.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    prepare(with_demo="--demo" in sys.argv[1:])
