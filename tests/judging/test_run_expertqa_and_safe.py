"""The commands of docs/studies/expertqa.md with a judge, and of safe.md, run as written on data of our own."""

import csv
import json

import numpy as np
import pytest

from annotation.models import FactScore, Item, JudgeCall, Rating, Verdict
from tests.documented_commands import code_blocks
from tests.fact_qa_studies import FACTS, prompt
from tests.importing.files import FIXTURES, lines
from tests.judging.fake_endpoint import COMPLETION_TOKENS, PROMPT_TOKENS, answer_fact_qa, count_facts, fake_endpoint
from tests.judging.judges import call_documented, stored_cost

pytestmark = pytest.mark.django_db
ANSWERS = FIXTURES / "expertqa" / "answers.jsonl"
PRICE = (PROMPT_TOKENS * 2 + COMPLETION_TOKENS * 8) / 1_000_000
ENDPOINT = "https://models.example.org/v1"
EVIDENCE = "Evidence that the answer gives for it:\n"
IMPORT = """\
python manage.py import_dataset expertqa r2_compiled_anon.jsonl --dataset expertqa
python manage.py create_project experts --dataset expertqa --protocol claim-attribution
python manage.py import_ratings r2_compiled_anon.jsonl --project experts --format expertqa
"""


def evidence_in(body: dict) -> str:
    """Return the evidence that a request shows: all after the claim."""
    return body["messages"][1]["content"].rpartition(EVIDENCE)[2].strip()


def judge_claim(body: dict) -> dict:
    """Answer the questions about a claim: it is supported if a passage, and not an address alone, is given for it."""
    has_passage = "\n" in evidence_in(body)
    answers = {
        "support": "complete" if has_passage else "missing",
        "reason_missing_support": None,
        "informativeness": "very_relevant",
        "worthiness": "yes",
        "correctness": "probably_correct",
        "reliability": "reliable" if has_passage else "missing",
        "revised_claim": None,
        "revised_evidence": None,
    }
    if '"usefulness"' in body["messages"][0]["content"]:
        answers |= {"usefulness": "useful", "revised_answer": None}
    quote = evidence_in(body)[:60] if has_passage else "a guess"
    return {"answers": answers, "reason": "By its passage.", "quote": quote}


def test_claims_of_expertqa_are_judged_and_compared_with_the_experts(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("JUDGE_KEY", "secret")
    monkeypatch.chdir(tmp_path)
    assert IMPORT in (FIXTURES.parent / "docs/studies/expertqa.md").read_text()
    call_documented(IMPORT.strip(), {"r2_compiled_anon.jsonl": str(ANSWERS)})
    [block] = code_blocks("studies/expertqa.md", "With a judge")
    capsys.readouterr()
    with fake_endpoint(judge_claim) as endpoint:
        call_documented(block.strip(), {ENDPOINT: endpoint.url})
    written = capsys.readouterr().out
    claims, verdicts = Item.objects.filter(unit="claim").count(), Verdict.objects.filter(state="rated")
    assert verdicts.count() == Verdict.objects.count() == claims > 0
    assert float(stored_cost()) == pytest.approx(endpoint.charged * PRICE)
    for item in Item.objects.filter(unit="claim").select_related("response"):
        [verdict] = item.verdicts.all()
        evidence = item.response.metadata["evidence"][item.position]
        assert verdict.rating.answers["support"] == ("complete" if "\n" in "\n".join(evidence) else "missing")
        assert verdict.quote_found == ("\n" in "\n".join(evidence)), "the evidence is what the judge was shown"
        shown = {evidence_in(call.request) for call in JudgeCall.objects.filter(item=item)}
        assert shown == {"\n".join(evidence or ["none"]).strip()}
    own = {row.item_id: row.choices["support"] for row in Rating.objects.filter(role="judge")}
    pairs = [(own[row.item_id], row.choices.get("support")) for row in Rating.objects.filter(role="rater")]
    same = np.mean([judge == expert for judge, expert in pairs if expert != "not_applicable" and expert])
    assert f"Accuracy {100 * same:.1f} %" in written, written
    assert (tmp_path / "claims.md").read_text().startswith("# Judge card: claims@1\n")
    with open(tmp_path / "ratings.csv", encoding="utf-8", newline="") as file:
        judged = [row for row in csv.DictReader(file) if row["role"] == "judge"]
    assert len(judged) == claims
    assert {(row["model"], row["unit"], row["comment"]) for row in judged} == {("large-1", "claim", "By its passage.")}


def test_facts_of_long_answers_are_judged_by_the_document_alone(tmp_path, capsys):
    prompts = (prompt(number, reference="It is a course.") for number in range(24))
    answers = lines(tmp_path / "answers.jsonl", prompts)
    [block] = code_blocks("studies/safe.md", "Commands")
    with fake_endpoint(answer_fact_qa) as endpoint:
        call_documented(block.strip(), {ENDPOINT: endpoint.url, "answers.jsonl": str(answers)})
    written = capsys.readouterr().out
    scores = FactScore.objects.select_related("response__system")
    assert len(endpoint.bodies) == len(scores) == 24, "one request for each response"
    assert not any("It is a course" in json.dumps(body) for body in endpoint.bodies)
    precision = {}
    for score in scores:
        supported, facts = count_facts(score.response.text, f"{FACTS[0]}. {FACTS[3]}.")
        assert (score.precision, score.recall, score.f1) == (supported / facts, None, None)
        assert list(score.counts) == ["precision"] and len(score.counts["precision"]["list"]) == facts
        precision.setdefault(score.response.system.name, []).append(score.precision)
    for system, values in precision.items():
        assert f"{system} (12): precision {np.mean(values):.3f} (" in written
    assert "recall undefined, F1 undefined" in written
    assert "No recall: the judge was not asked about reference answers." in written
    assert f"safe@1: precision {np.mean([score.precision for score in scores]):.3f}" in written
