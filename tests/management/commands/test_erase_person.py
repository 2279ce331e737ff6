"""The command that erases a person."""

import json

import pytest
from django.core.management import call_command

from annotation.models import User
from annotation.privacy.receipts import hash_of
from tests.cast import person

pytestmark = pytest.mark.django_db


def test_it_erases_and_prints_the_receipt_and_a_dry_run_changes_nothing(capfdbinary):
    person("ravi")
    call_command("erase_person", "ravi", "--dry-run")
    assert json.loads(capfdbinary.readouterr().out)["schema"] == "factuary-erasure/1"
    assert User.objects.filter(username="ravi", erased_at=None).exists()
    call_command("erase_person", "ravi", "--yes")
    receipt = json.loads(capfdbinary.readouterr().out)
    assert receipt["sha256"] == hash_of(receipt)
    assert User.objects.get().username == receipt["pseudonym"]


def test_on_a_terminal_another_name_erases_nothing(monkeypatch, capsys):
    person("ravi")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _question: "rosa")
    with pytest.raises(SystemExit) as stop:
        call_command("erase_person", "ravi")
    assert stop.value.code == 1
    assert "nothing was erased" in capsys.readouterr().err
    assert User.objects.filter(username="ravi").exists()


def test_the_last_admin_is_refused(capsys):
    person("ada", admin=True)
    with pytest.raises(SystemExit) as stop:
        call_command("erase_person", "ada", "--yes")
    assert stop.value.code == 1
    assert "only admin" in capsys.readouterr().err
