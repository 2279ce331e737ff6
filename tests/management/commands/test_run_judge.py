"""create_judge and run_judge: what they print, and problems in one line."""

import json

import pytest

from tests.cast import study
from tests.management.test_commands import run

pytestmark = pytest.mark.django_db


def test_a_rule_is_created_once_and_rates_what_is_missing(capsys):
    study(prompts=2)
    assert run(capsys, "create_judge", "rule", "--rule", "numbers") == (0, "", "judge rule: created\n")
    assert run(capsys, "create_judge", "rule", "--rule", "numbers")[2] == (
        "judge rule: exists with this configuration\n"
    )
    code, out, _err = run(capsys, "run_judge", "rule", "--project", "june", "--limit", 2, "--json")
    assert code == 0
    assert {key: json.loads(out)[key] for key in ("new", "left", "ended")} == {"new": 2, "left": 4, "ended": "limit"}
    code, out, _err = run(capsys, "run_judge", "rule", "--project", "june")
    assert (code, out) == (0, "judge rule: 4 of 6 items rated in this run\n")
    out = run(capsys, "export_ratings", "--project", "june", "--format", "jsonl", "--pseudonymous")[1]
    rows = [json.loads(line) for line in out.splitlines()]
    assert {(row["rater"], row["role"]) for row in rows} == {("rule", "judge")}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["create_judge", "ravi", "--rule", "numbers"], "a person has the name 'ravi'"),
        (["create_judge", "j"], "a judge needs a rule, or the address of an endpoint and a model"),
        (["create_judge", "j", "--rule", "numbers", "--store-key"], "--store-key needs --key-env"),
        (["run_judge", "nobody", "--project", "june"], "there is no judge 'nobody'; none exists yet"),
        (["run_judge", "nobody", "--project", "july"], "there is no project 'july'"),
    ],
)
def test_a_problem_is_one_line(capsys, arguments, message):
    study()
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert message in err
