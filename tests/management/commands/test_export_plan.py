"""export_plan: the page for a preregistration, and the text as it was stored."""

import pytest
from django.core.management import call_command

from annotation.projects.analysis_plans import set_plan
from tests.cast import study

pytestmark = pytest.mark.django_db


def test_a_page_for_a_preregistration(capsys, tmp_path):
    june = study(systems=("heron", "plover"))
    version, _ = set_plan(june.project, 'measures = ["accurate"]')
    call_command("export_plan", project="june")
    printed = capsys.readouterr()
    assert printed.out.startswith("# Analysis plan: Study june\n\nVersion 1, stored ")
    assert version.sha256 in printed.out and printed.err == f"analysis plan, version 1 ({version.sha256[:12]})\n"
    call_command("export_plan", project="june", output=tmp_path / "plan.md")
    assert (tmp_path / "plan.md").read_text() == printed.out


def test_the_source_byte_for_byte(capsys):
    source = 'measures = ["accurate"]\r\n# ours'
    set_plan(study().project, source)
    call_command("export_plan", project="june", format="toml")
    assert capsys.readouterr().out == source


def test_a_project_without_a_plan(capsys):
    study()
    with pytest.raises(SystemExit) as stop:
        call_command("export_plan", project="june")
    assert stop.value.code == 1
    assert capsys.readouterr().err == "project 'june' has no analysis plan: store one with set_plan\n"
