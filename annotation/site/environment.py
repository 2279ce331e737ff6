"""The installation's environment variables, read once and checked before anything starts.

There are three kinds of process. A *server* (gunicorn, Celery) needs every setting and refuses to start when something
is missing or weak. A *command* of manage.py needs a database only, and finds the quickstart site of this folder. Some
commands need *nothing* (help, schema, splitting text) and run without any settings. Every problem is one line that
names the variable and the remedy, not a traceback.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.site.log_settings import FORMATS
from annotation.site.quickstart_site import RunningSite, folders_of_socket, running_site

RUN_AS = "FACTUARY_RUN_AS"
"""`server` (the default), `command` or `nothing`."""

COMMANDS_WITHOUT_SETTINGS = {
    "help", "version", "quickstart", "split_sentences", "makemigrations", "spectacular", "collectstatic",
    "messages", "startapp",
}  # fmt: skip
LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}
MIN_SECRET_SIZE = 50
HOW_TO_MAKE_ONE = "python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"
NO_BROKER = "redis://broker-url-is-not-set:6379/0"
NO_SITE = (
    "no database: set DATABASE_URL, or start the quickstart site with `make demo` "
    "(looked for a running site in {folder}; set DATA_DIR if it is elsewhere)"
)


class SettingsProblem(Exception):
    """A setting is missing or weak. The message names it and the remedy in one line."""


@dataclass(frozen=True)
class Environment:
    """Checked values, ready for settings.py."""

    database: dict[str, Any]
    broker_url: str
    secret_key: str
    allowed_hosts: list[str]
    site_url: str
    loopback_only: bool
    """Plain http is allowed: the site answers this machine only (quickstart, tests)."""
    debug: bool = False
    csrf_trusted_origins: list[str] = field(default_factory=list)
    media_root: str = ""
    """The folder of uploads and exports; "" if not set."""
    backup_dir: str = ""
    """The folder of scheduled backups; "" if there are none."""
    is_server: bool = False
    log_format: str = "line"
    """`json` or `line` (annotation/site/log_settings.py)."""


def process_kind(arguments: list[str]) -> str:
    """Return the kind of process of `manage.py ARGUMENTS`."""
    if not arguments or {"--help", "-h", "--version"} & set(arguments):
        return "nothing"
    if arguments[0] == "makemigrations" and not {"--check", "--dry-run"} & set(arguments):
        return "command" if os.environ.get("DATABASE_URL") else "nothing"
    return "nothing" if arguments[0] in COMMANDS_WITHOUT_SETTINGS else "command"


def read_environment(variables: Mapping[str, str]) -> Environment:
    """Return the environment. Raise SettingsProblem with all invalid variables in one line."""
    kind = variables.get(RUN_AS, "server")
    if kind == "nothing":
        # The minimum for Django to start and to know that the database is PostgreSQL; connecting fails at once.
        database = database_of("postgresql:///none?host=/no-database-is-set")
        return Environment(database, NO_BROKER, "", ["localhost"], "", loopback_only=True)
    if kind == "command":
        variables = _with_running_site(variables)
    if problems := _problems(variables, server=kind == "server"):
        raise SettingsProblem("; ".join(problems))
    hosts = parse_list(variables.get("ALLOWED_HOSTS", "")) or ["localhost"]
    loopback = parse_switch(variables, "LOOPBACK_ONLY")
    log_format = variables.get("LOG_FORMAT") or ("line" if loopback else "json")
    if log_format not in FORMATS:
        raise SettingsProblem(f"LOG_FORMAT is {log_format!r}: use {' or '.join(FORMATS)}")
    return Environment(
        database=database_of(variables["DATABASE_URL"]),
        broker_url=variables.get("BROKER_URL", "") or NO_BROKER,
        secret_key=variables.get("SECRET_KEY", ""),
        allowed_hosts=hosts,
        site_url=(variables.get("SITE_URL") or f"https://{hosts[0].lstrip('.')}").rstrip("/"),
        loopback_only=loopback,
        debug=parse_switch(variables, "DEBUG"),
        csrf_trusted_origins=parse_list(variables.get("CSRF_TRUSTED_ORIGINS", "")),
        media_root=variables.get("MEDIA_ROOT", ""),
        backup_dir=variables.get("BACKUP_DIR", ""),
        is_server=kind == "server",
        log_format=log_format,
    )


def server_problems(variables: Mapping[str, str]) -> list[str]:
    """Return why a server would refuse to start with these variables; for a running quickstart site, with its own."""
    return _problems(_with_running_site(variables), server=True)


def database_of(url: str) -> dict[str, Any]:
    """Return Django's description of the PostgreSQL database at a libpq URL; a socket folder may be `?host=/folder`."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    if not url.startswith(("postgresql://", "postgres://")):
        raise SettingsProblem("DATABASE_URL must start with postgresql:// (Factuary runs on PostgreSQL only)")
    try:
        parts = conninfo_to_dict(url)
    except ProgrammingError as problem:
        raise SettingsProblem(f"DATABASE_URL cannot be read: {str(problem).strip()}") from None
    if not parts.get("dbname"):
        raise SettingsProblem("DATABASE_URL names no database: postgresql://USER:PASSWORD@HOST:5432/DATABASE")
    return {
        "ENGINE": "annotation.site.postgresql",
        "NAME": parts.pop("dbname"),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": str(parts.pop("port", "")),
        "OPTIONS": parts,
    }


def parse_switch(variables: Mapping[str, str], name: str, default: bool = False) -> bool:
    """Return whether a switch is on; only a clear yes or no is valid, so that nothing is on by accident."""
    value = variables.get(name, "").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    if value == "":
        return default
    raise SettingsProblem(f"{name} is {value!r}: use 1 or 0")


def parse_number(variables: Mapping[str, str], name: str, default: int, lowest: int = 0) -> int:
    value = variables.get(name, "").strip() or str(default)
    if not value.isdecimal() or int(value) < lowest:
        raise SettingsProblem(f"{name} is {value!r}: a whole number from {lowest} is needed")
    return int(value)


def parse_list(value: str) -> list[str]:
    return [word.strip() for word in value.split(",") if word.strip()]


def _with_running_site(variables: Mapping[str, str]) -> Mapping[str, str]:
    """Add unset variables from the quickstart site that DATABASE_URL, or else DATA_DIR, points to."""
    if url := variables.get("DATABASE_URL"):
        sites = (running_site(folder) for folder in folders_of_socket(Path(database_of(url)["HOST"])))
        site = next((site for site in sites if site is not None and site.database_url == url), None)
        return {**_variables_of(site), **variables} if site else variables
    folder = Path(variables.get("DATA_DIR") or ".factuary")
    site = running_site(folder)
    if site is None:
        raise SettingsProblem(NO_SITE.format(folder=folder))
    return {**variables, **_variables_of(site)}


def _variables_of(site: RunningSite) -> dict[str, str]:
    return {
        "DATABASE_URL": site.database_url,
        "BROKER_URL": site.broker_url,
        "SECRET_KEY": site.secret_key,
        "SITE_URL": site.url,
        "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]",
        "LOOPBACK_ONLY": "1",
        "MEDIA_ROOT": str(site.media),
        "BACKUP_DIR": str(site.backups),
    }


def _problems(variables: Mapping[str, str], server: bool) -> list[str]:
    needed = ("DATABASE_URL", "BROKER_URL", "SECRET_KEY", "ALLOWED_HOSTS") if server else ("DATABASE_URL",)
    problems = [f"{name} is not set" for name in needed if not variables.get(name)]
    secret, broker = variables.get("SECRET_KEY", ""), variables.get("BROKER_URL", "")
    if secret and (len(secret) < MIN_SECRET_SIZE or len(set(secret)) < 10 or "insecure" in secret):
        problems.append(
            f"SECRET_KEY is weak: {MIN_SECRET_SIZE} random characters or more are needed (make one: {HOW_TO_MAKE_ONE})"
        )
    if broker and not broker.startswith(("redis://", "rediss://")):
        problems.append("BROKER_URL must start with redis:// or rediss://")
    hosts = parse_list(variables.get("ALLOWED_HOSTS", ""))
    if any("*" in host for host in hosts):
        problems.append("ALLOWED_HOSTS must name the hosts that the site is reached by; * would allow any")
    for name in ("DEBUG", "LOOPBACK_ONLY"):
        if parse_switch(variables, name) and not set(hosts) <= LOOPBACK:
            problems.append(f"{name} is for a site on this machine only, but ALLOWED_HOSTS names others")
    for origin in parse_list(variables.get("CSRF_TRUSTED_ORIGINS", "")):
        if "://" not in origin:
            problems.append(f"CSRF_TRUSTED_ORIGINS: {origin!r} needs a scheme, such as https://{origin}")
    return problems
