"""Stored requests: all are exported without the key, and can be deleted while ratings stay."""

import json

import pytest

from annotation.exporting import RatingsExport
from annotation.importing import load_ratings
from annotation.judging.calls import delete_calls, export_calls
from annotation.judging.run import run_judge
from annotation.model_calls.calls import spent_by
from annotation.model_calls.costs import Spending
from annotation.models import AuditEvent, JudgeCall, JudgeRun, Rating, Verdict
from tests.cast import study
from tests.judging.fake_endpoint import fake_endpoint
from tests.judging.judges import PRICE, TOKENS, model_judge, rule_judge, run_small

pytestmark = pytest.mark.django_db


def test_every_request_is_exported_and_deleted_while_ratings_stay():
    june = study()
    with fake_endpoint(faults=["junk"]) as endpoint:
        endpoint.names = {"model": "tiny-1", "system_fingerprint": "fp_1"}
        judge = model_judge(endpoint, key="sk-secret")
        run_judge(judge, june.project)
        lines = b"".join(export_calls(judge, june.project)).decode().splitlines()
        rows = [json.loads(line) for line in lines]
        assert [row["state"] for row in rows] == ["lost", "answered", "answered", "answered"]
        assert rows[1]["request"]["model"] == "tiny" and "accurate" in rows[1]["answer"]
        assert {(row["response"], row["item"]) for row in rows} == {("q1-heron", n) for n in range(3)}
        assert rows[1]["cost"] == float(PRICE)
        names = ("returned_model", "system_fingerprint", "finish_reason")
        assert [rows[1][name] for name in names] == ["tiny-1", "fp_1", ""]
        assert rows[1]["answer_body"]["choices"][0]["message"]["content"] == rows[1]["answer"]
        assert rows[0]["answer_body"] is None
        assert "sk-secret" not in str(lines)
        assert delete_calls(judge, june.project) == 4
        assert run_judge(judge, june.project).calls.requests == 0
    assert not JudgeCall.objects.exists()
    assert Rating.objects.filter(role="judge").count() == Verdict.objects.filter(cost=PRICE).count() == 3
    run = JudgeRun.objects.earliest("pk")
    assert (run.deleted_cost, run.deleted_tokens) == (4 * PRICE, 4 * TOKENS)
    assert spent_by(run) == Spending(4 * PRICE, 4 * TOKENS)
    assert AuditEvent.objects.get(action="delete judge requests").before == {"requests": 4}


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_exported_ratings_have_confidence_model_and_cost_where_judged(format, tmp_path):
    june = study()
    assert b"cost_usd" not in b"".join(RatingsExport(june.project, format))
    run_small(june.project, samples=2, temperature=0.5)
    run_judge(rule_judge("numbers"), june.project)
    content = b"".join(RatingsExport(june.project, format))
    assert b"cost_usd" in content
    if format == "jsonl":
        rows = [json.loads(line) for line in content.splitlines()]
        judged = {(row["rater"], row["confidence"], row["model"], row["cost_usd"]) for row in rows}
        assert judged == {("small@1", 1.0, "tiny", float(2 * PRICE)), ("rule@1", None, "numbers", None)}
        assert all(row["comment"] for row in rows)
    if format != "parquet":
        path = tmp_path / f"ratings.{format}"
        path.write_bytes(content)
        assert load_ratings(path, june.project).new == 0
