"""doctor: a line per part, or JSON; exit code 1 if a part failed."""

import json

import pytest
from django.core.management import call_command

from annotation import doctor
from annotation.doctor.finding import failed, ok, warning
from annotation.management.commands import doctor as command


@pytest.fixture
def findings(monkeypatch) -> list[doctor.Finding]:
    found = [ok("database", "PostgreSQL 18"), warning("mail", "no mail server", "set EMAIL_HOST")]
    monkeypatch.setattr(command, "examine", lambda: found)
    return found


def test_a_line_per_part_with_what_to_do(capsys, findings):
    call_command("doctor")
    assert capsys.readouterr().out.splitlines() == [
        "ok       database    PostgreSQL 18",
        "warning  mail        no mail server: set EMAIL_HOST",
    ]


def test_a_failed_part_ends_with_1(capsys, findings):
    findings.append(failed("disk", "0 MB free", "free space"))
    with pytest.raises(SystemExit) as stop:
        call_command("doctor", json=True)
    assert stop.value.code == 1
    printed = json.loads(capsys.readouterr().out)
    assert printed["status"] == "failed"
    assert printed["checks"][-1] == {
        "part": "disk", "state": "failed", "message": "0 MB free", "remedy": "free space",
    }  # fmt: skip
