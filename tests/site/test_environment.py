import os
import runpy
import subprocess
import sys
from typing import Any
from unittest import mock

import pytest

from annotation.site.environment import SettingsProblem, database_of, process_kind, read_environment
from tests.conftest import CODE

GOOD = {
    "DATABASE_URL": "postgresql://lena:s%40fe@db.example.org:5433/factuary?sslmode=require",
    "BROKER_URL": "redis://broker.example.org:6379/0",
    "SECRET_KEY": "hT3-" + "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789" * 2,
    "ALLOWED_HOSTS": "factuary.example.org, www.factuary.example.org",
}
WEAK = ["secret", "x" * 80, "django-insecure-" + GOOD["SECRET_KEY"]]


def problem_of(**changes: str | None) -> str:
    variables = {name: value for name, value in (GOOD | changes).items() if value is not None}
    with pytest.raises(SettingsProblem) as refused:
        read_environment(variables)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def started(program: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these variables alone."""
    environment = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "annotation.settings", **variables}
    return subprocess.run([sys.executable, *program], cwd=CODE, env=environment, capture_output=True, text=True)


def settings_with(**variables: str) -> dict[str, Any]:
    """Return what the module of the settings defines with these variables alone."""
    with mock.patch.dict(os.environ, GOOD | variables, clear=True):
        return runpy.run_path(str(CODE / "annotation" / "settings.py"))


def test_a_complete_environment_is_taken_as_it_is():
    read = read_environment(GOOD)
    assert read.allowed_hosts == ["factuary.example.org", "www.factuary.example.org"]
    assert read.site_url == "https://factuary.example.org"
    assert (read.debug, read.loopback_only) == (False, False)


def test_slow_queries_of_commands_are_expected_and_not_logged():
    milliseconds = [settings_with(FACTUARY_RUN_AS=kind)["SLOW_QUERY_MS"] for kind in ("server", "command")]
    assert milliseconds == [500, 0]


def test_a_database_url_is_read_with_port_password_and_options():
    database = database_of(GOOD["DATABASE_URL"])
    assert database["PASSWORD"] == "s@fe"
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example.org", "5433", "factuary")
    assert database["OPTIONS"] == {"sslmode": "require"}
    assert database_of("postgresql://f@/f?host=%2Frun%2Fpg")["HOST"] == "/run/pg"


def test_a_server_names_what_is_missing_and_all_that_is_wrong_at_once():
    for name in GOOD:
        assert problem_of(**{name: None}) == f"{name} is not set"
    problem = problem_of(DATABASE_URL=None, SECRET_KEY="short", BROKER_URL="amqp://broker")
    assert "DATABASE_URL is not set" in problem
    assert "SECRET_KEY is weak" in problem
    assert "BROKER_URL must start with redis://" in problem


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        *(({"SECRET_KEY": weak}, "secrets.token_urlsafe(50)") for weak in WEAK),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS must name the hosts"),
        ({"DEBUG": "1"}, "DEBUG is for a site on this machine only"),
        ({"LOOPBACK_ONLY": "yes"}, "LOOPBACK_ONLY is for a site on this machine only"),
        ({"DEBUG": "perhaps"}, "DEBUG is 'perhaps': use 1 or 0"),
        ({"CSRF_TRUSTED_ORIGINS": "factuary.example.org"}, "needs a scheme, such as https://factuary.example.org"),
        ({"DATABASE_URL": "sqlite:///db"}, "DATABASE_URL must start with postgresql://"),
        ({"DATABASE_URL": "postgresql://lena@db/"}, "DATABASE_URL names no database"),
        ({"DATABASE_URL": "postgresql://lena@db/f?nonsense=1"}, "DATABASE_URL cannot be read"),
    ],
)
def test_what_would_be_unsafe_or_unreadable_is_refused(change, expected):
    assert expected in problem_of(**change)


def test_a_command_needs_a_database_only(tmp_path):
    variables = {"FACTUARY_RUN_AS": "command", "DATA_DIR": str(tmp_path)}
    assert read_environment(variables | {"DATABASE_URL": GOOD["DATABASE_URL"]}).database["NAME"] == "factuary"
    assert "start the quickstart site with `make demo`" in problem_of(DATABASE_URL=None, **variables)


def test_some_commands_need_no_settings_at_all():
    for command in (
        "quickstart --port 8000",
        "split_sentences -",
        "import_dataset --help",
        "makemigrations --check",
        "spectacular",
    ):
        assert process_kind(command.split()) == "nothing", command
    assert process_kind(["migrate"]) == process_kind(["check", "--deploy"]) == "command"


@pytest.mark.parametrize("start", ["import annotation.wsgi", "from tasks.app import app; app.conf.broker_url"])
def test_a_server_without_settings_ends_with_one_line(start):
    ended = started(["-c", start])
    assert ended.returncode == 1
    assert ended.stderr.startswith("Factuary cannot start: DATABASE_URL is not set; BROKER_URL is not set;")
    assert len(ended.stderr.splitlines()) == 1


def test_a_command_whose_database_does_not_answer_ends_with_one_line(tmp_path):
    ended = started(["manage.py", "migrate"], DATABASE_URL=f"postgresql://nobody@/none?host={tmp_path}")
    assert ended.returncode == 1
    assert ended.stderr.startswith("error: connection ")
    assert len(ended.stderr.splitlines()) == 1


def test_a_real_installation_is_strict_and_loopback_relaxes_only_https():
    real, demo = settings_with(), settings_with(ALLOWED_HOSTS="localhost", LOOPBACK_ONLY="1")
    https = ["SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS"]
    assert all(real[name] for name in https)
    assert not any(demo[name] for name in https)
    assert real["CSRF_COOKIE_NAME"] == demo["CSRF_COOKIE_NAME"] == "factuary_csrf"  # pages of 0.7 read it
    for name in ("SESSION_COOKIE_NAME", "LANGUAGE_COOKIE_NAME"):
        assert real[name] == f"__Host-{demo[name]}"
    for name in ("DEBUG", "X_FRAME_OPTIONS", "SESSION_COOKIE_SAMESITE", "CONTENT_SECURITY_POLICY"):
        assert real[name] == demo[name]
    assert real["DEBUG"] is False
    for directive in real["CONTENT_SECURITY_POLICY"]["DIRECTIVES"].values():
        assert set(directive) <= {"'none'", "'self'", "data:"}


def test_an_installation_logs_json_and_a_site_for_this_machine_lines_for_people():
    local = {"ALLOWED_HOSTS": "localhost", "LOOPBACK_ONLY": "1"}
    assert read_environment(GOOD).log_format == "json"
    assert read_environment(GOOD | local).log_format == "line"
    assert read_environment(GOOD | {"LOG_FORMAT": "line"}).log_format == "line"
    assert problem_of(LOG_FORMAT="xml") == "LOG_FORMAT is 'xml': use json or line"
