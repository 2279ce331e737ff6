"""The guide for those who move from Label Studio, run as it is written."""

import json
import re
import shlex

import pytest
from django.core.management import call_command

from annotation.models import Membership, Project, Rating, User
from tests.documented_commands import CODE, code_blocks

PAGE = "moving.md"
pytestmark = pytest.mark.django_db


def run(block: str) -> None:
    for line in block.replace("\\\n", " ").splitlines():
        call_command(*shlex.split(line)[2:])


def test_the_guide_moves_a_project_and_brings_it_back(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(CODE)
    check, load_and_report = code_blocks(PAGE, "The same by command")
    load, report = load_and_report.strip().splitlines()
    run(check)
    checked = capsys.readouterr().out
    assert "prompt: question" in checked and "response: answer" in checked
    assert "verdict.supported: verdict:Supported" in checked and "dry run: nothing was stored" in checked
    assert not Project.objects.exists()
    run(load)
    assert Rating.objects.filter(role="rater").count() == 7 and Rating.objects.filter(role="judge").count() == 4
    run(load)
    assert "; 0 new" in capsys.readouterr().out
    run(report)
    assert "wren-1" in capsys.readouterr().out

    [members] = code_blocks(PAGE, "Continue the work")
    run(members)
    assert User.objects.get(username="maria@example.org").is_active
    assert Membership.objects.get().user.username == "maria@example.org"

    [own_protocol] = code_blocks(PAGE, "Use a protocol of your own")
    run(own_protocol)
    assert Project.objects.get(slug="spans").protocol.slug == "article-accuracy"
    assert Rating.objects.filter(project__slug="spans", answers__accuracy="inaccurate", role="rater").count() == 2

    [other] = code_blocks(PAGE, "Other tools")
    run(other)
    assert Rating.objects.filter(project__slug="herons").count() == 3

    [back] = code_blocks(PAGE, "Go back")
    run(back.replace("terns.json", str(tmp_path / "terns.json")))
    tasks = json.loads((tmp_path / "terns.json").read_text(encoding="utf-8"))
    assert len(tasks) == 4 and sum(len(task["annotations"]) for task in tasks) == 7


def test_the_mapping_in_the_guide_is_that_of_the_file():
    text = (CODE / "docs" / PAGE).read_text(encoding="utf-8")
    [shown] = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    assert json.loads(shown) == json.loads((CODE / "fixtures/label-studio/labels.json").read_text(encoding="utf-8"))
