"""set_plan: a version stored, or every problem with its line and nothing stored."""

import pytest
from django.core.management import call_command

from annotation.models import AnalysisPlanVersion
from annotation.projects.analysis_plans import newest_plan
from tests.cast import study
from tests.queue.assignments import take_work

pytestmark = pytest.mark.django_db

PLAN = 'measures = ["accurate"]\r\nseed = 1\r\n'


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "plan.toml"
    file.write_bytes(PLAN.encode())
    return file


def test_it_stores_the_file_byte_for_byte_and_says_when(path, capsys):
    june = study()
    call_command("set_plan", path, project="june")
    version = newest_plan(june.project)
    assert version.source == PLAN
    line = f"analysis plan, version 1 ({version.sha256[:12]}), before the first rating: stored\n"
    assert capsys.readouterr().err == line
    call_command("set_plan", path, project="june")
    assert capsys.readouterr().err == line.replace("stored", "already stored, unchanged")
    take_work(june.project, june.people["ravi"])
    path.write_text("seed = 2\nmeasures = ['accurate']")
    call_command("set_plan", path, project="june")
    assert "version 2" in (printed := capsys.readouterr().err) and "after the first rating: stored" in printed


def test_every_problem_has_its_line_and_nothing_is_stored(path, capsys):
    study()
    path.write_text('measures = ["acurate"]\nseed = -1\nsystem = "x"\n')
    with pytest.raises(SystemExit) as stop:
        call_command("set_plan", path, project="june")
    assert stop.value.code == 1
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1] for line in lines] == ["1", "2", "3"]
    assert lines[0] == (
        f"{path}:1: the plan refers to 'acurate', which is not a measure of the project's protocol; "
        "did you mean 'accurate'?"
    )
    assert not AnalysisPlanVersion.objects.exists()


@pytest.mark.parametrize(
    ("file", "project", "problem"),
    [
        ("gone.toml", "june", "there is no such file"),
        ("plan.toml", "july", "there is no project 'july'; there are: june"),
    ],
)
def test_a_missing_file_or_project_is_named(path, capsys, file, project, problem):
    study()
    with pytest.raises(SystemExit):
        call_command("set_plan", path.with_name(file), project=project)
    assert problem in capsys.readouterr().err
