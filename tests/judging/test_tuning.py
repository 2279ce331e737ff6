"""Items that tuned a judge's prompt: from a project or a file, stored once, and excluded from comparisons."""

import json

import pytest
from django.core.management import call_command

from annotation.judging.judges import create_judge, find_judge
from annotation.models import AuditEvent, Judge, TuningItem
from annotation.projects.deleting import delete_dataset, delete_project
from tests.cast import study
from tests.management.command_runs import run
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


def positions(label: str = "rule") -> list[tuple[str, int]]:
    items = TuningItem.objects.filter(judge=find_judge(label))
    return sorted(items.values_list("item__response__key", "item__position"))


def test_the_items_that_people_rated_in_a_project_tuned_the_judge(capsys):
    pilot = study("pilot", prompts=2)
    rates(pilot.people["ravi"], pilot.project)
    code, _out, err = run(capsys, "create_judge", "rule", "--rule", "numbers", "--tuned-on", "pilot")
    assert (code, err) == (0, "judge rule@1: created\njudge rule@1: 3 items tuned its prompt\n")
    assert [position for _response, position in positions()] == [0, 1, 2]
    run(capsys, "create_judge", "rule", "--rule", "numbers", "--tuned-on", "pilot")
    assert len(positions()) == 3
    assert [event.after for event in AuditEvent.objects.filter(action="record tuning items")] == [{"items": 3}]


@pytest.mark.parametrize("name", ["items.jsonl", "items.csv"])
def test_a_file_names_items_as_an_export_does(capsys, tmp_path, name):
    study()
    path = tmp_path / name
    rows = [{"response": "q1-heron", "item": position} for position in (0, 2)]
    is_csv = name.endswith("csv")
    path.write_text("response,item\nq1-heron,0\nq1-heron,2\n" if is_csv else "\n".join(map(json.dumps, rows)))
    assert run(capsys, "create_judge", "rule", "--rule", "numbers", "--tuned-on", path)[0] == 0
    assert positions() == [("q1-heron", 0), ("q1-heron", 2)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"response": "q9", "item": 0}', "items.jsonl:1: there is no sentence 0 of response 'q9'"),
        ('{"response": "q1-heron", "item": 0}', "items.jsonl:1: several data sets have a sentence 0 of response"),
        ('{"response": "q1-heron"}', "'item' must be the item's position"),
        ("[]", "there is no item in the file"),
        ("june", "no item of project 'june' is rated"),
        ("x", "neither a project nor a file"),
    ],
)
def test_a_file_with_a_problem_or_a_source_without_items_stores_nothing(capsys, tmp_path, text, message):
    study("june")
    study("july")
    source = tmp_path / "items.jsonl" if text[0] in "{[" else text
    if source != text:
        source.write_text(text)
    code, _out, err = run(capsys, "create_judge", "rule", "--rule", "numbers", "--tuned-on", source)
    assert code == 1 and message in err
    assert not Judge.objects.exists()


def test_they_are_deleted_with_their_data_set():
    june = study()
    rates(june.people["ravi"], june.project)
    create_judge(Judge(name="rule", rule="numbers"))
    call_command("create_judge", "rule", rule="numbers", tuned_on="june")
    delete_project(june.project)
    assert TuningItem.objects.count() == 3
    delete_dataset(june.project.dataset)
    assert not TuningItem.objects.exists()
