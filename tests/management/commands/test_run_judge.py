"""create_judge and run_judge: what they print, and problems in one line."""

import json

import pytest

from annotation.models import AuditEvent
from tests.cast import study
from tests.judging.fake_endpoint import fake_endpoint
from tests.judging.judges import PRICE
from tests.management.command_runs import run

pytestmark = pytest.mark.django_db


def test_a_rule_is_created_once_and_rates_what_is_missing(capsys):
    study(prompts=2)
    assert run(capsys, "create_judge", "rule", "--rule", "numbers") == (0, "", "judge rule@1: created\n")
    again = run(capsys, "create_judge", "rule", "--rule", "numbers")[2]
    assert again == "judge rule@1: exists with this configuration\n"
    code, out, _err = run(capsys, "run_judge", "rule", "--project", "june", "--limit", 2, "--json")
    assert code == 0
    assert json.loads(out).items() >= {"new": 2, "missing": 4, "ended": "limit"}.items()
    code, out, _err = run(capsys, "run_judge", "rule", "--project", "june")
    assert (code, out) == (0, "judge rule@1: 4 of 6 items rated in this run\n")
    out = run(capsys, "export_ratings", "--project", "june", "--format", "jsonl", "--pseudonymous")[1]
    rows = [json.loads(line) for line in out.splitlines()]
    assert {(row["rater"], row["role"]) for row in rows} == {("rule@1", "judge")}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("create_judge ravi --rule numbers", "a person has the name 'ravi'"),
        ("create_judge j", "a judge needs a rule, or the address of an endpoint and a model"),
        ("create_judge j --rule numbers --store-key", "--store-key needs --key-env"),
        ("run_judge nobody --project june", "there is no judge 'nobody'; none exists yet"),
        ("run_judge nobody --project july", "there is no project 'july'"),
    ],
)
def test_a_problem_is_one_line(capsys, june, command, message):
    code, out, err = run(capsys, *command.split())
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert message in err


def test_a_model_is_estimated_run_within_a_budget_and_its_requests_exported(capsys, monkeypatch, tmp_path):
    study(prompts=2)
    monkeypatch.setenv("JUDGE_KEY", "sk-secret")
    template = tmp_path / "prompt.txt"
    template.write_text("Be strict.\n$questions\n$document\n$items")
    with fake_endpoint() as endpoint:
        options = ["--base-url", endpoint.url, "--model", "tiny", "--key-env", "JUDGE_KEY", "--template", template]
        prices = ["--input-price", "2", "--output-price", "10", "--max-tokens", 60]
        assert run(capsys, "create_judge", "small", *options, *prices)[0] == 0
        out = run(capsys, "run_judge", "small", "--project", "june", "--estimate", "--json")[1]
        assert json.loads(out)["cost_usd"] == pytest.approx(6 * float(PRICE))
        out = run(capsys, "run_judge", "small", "--project", "june", "--budget-usd", "5", "--json")[1]
    expected = {"new": 6, "missing": 0, "cached": 6, "requests": 0, "ended": "done"}
    assert json.loads(out).items() >= expected.items()
    assert endpoint.keys == ["Bearer sk-secret"] * 6
    assert endpoint.bodies[0]["messages"][1]["content"].startswith("Be strict.")
    code, out, err = run(capsys, "export_judge_calls", "small", "--project", "june", "--delete")
    assert (code, out.count("\n"), err) == (0, 6, "deleted requests: 6\n")
    assert "sk-secret" not in out
    written, deleted = AuditEvent.objects.filter(action__in=["download file", "delete judge requests"]).order_by("pk")
    assert (written.target, written.after) == ("project:june", {"name": "requests-small@1.jsonl", "with_names": False})
    assert deleted.before == {"requests": 6}


def test_an_endpoint_that_refuses_access_is_one_line(capsys):
    study()
    with fake_endpoint(faults=[401]) as endpoint:
        run(capsys, "create_judge", "small", "--base-url", endpoint.url, "--model", "tiny")
        code, out, err = run(capsys, "run_judge", "small", "--project", "june")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("the endpoint failed: HTTP 401")
