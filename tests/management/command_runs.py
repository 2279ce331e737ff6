"""Commands that run in the process of a test."""

from unittest.mock import patch

from django.core.management import ManagementUtility


def run(capsys, *arguments: object) -> tuple[int, str, str]:
    """Return exit code, standard output and standard error of `manage.py ARGUMENTS`, run on the test's connection."""
    capsys.readouterr()
    code = 0
    with patch("django.core.management.base.connections"):  # which a command closes at its end
        try:
            ManagementUtility(["manage.py", *map(str, arguments)]).execute()
        except SystemExit as stop:
            code = stop.code or 0
    printed = capsys.readouterr()
    return code, printed.out, printed.err
