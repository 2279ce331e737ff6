"""The commands of docs/studies/expertqa.md with a judge, and of safe.md, run as written on data of our own."""

import csv
import json
import shlex

import numpy as np
import pytest
from django.core.management import call_command

from annotation.models import FactScore, Item, JudgeCall, Rating, Verdict
from tests.documented_commands import code_blocks, replaced
from tests.fact_qa_studies import FACTS
from tests.importing.files import FIXTURES
from tests.judging.fake_endpoint import COMPLETION_TOKENS, PROMPT_TOKENS, answer_fact_qa, count_facts, fake_endpoint
from tests.judging.judges import stored_cost

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ANSWERS = FIXTURES / "expertqa" / "answers.jsonl"
PRICE = (PROMPT_TOKENS * 2 + COMPLETION_TOKENS * 8) / 1_000_000
ENDPOINT = "https://models.example.org/v1"
EVIDENCE = "Evidence that the answer gives for it:\n"
IMPORT = """\
python manage.py import_dataset expertqa r2_compiled_anon.jsonl --dataset expertqa
python manage.py create_project experts --dataset expertqa --protocol claim-attribution
python manage.py import_ratings r2_compiled_anon.jsonl --project experts --format expertqa
"""


def run(block: str, names: dict[str, str]) -> None:
    for line in replaced(block, names).replace("\\\n", " ").splitlines():
        call_command(*shlex.split(line)[2:])


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
    run(IMPORT.strip(), {"r2_compiled_anon.jsonl": str(ANSWERS)})
    [block] = code_blocks("studies/expertqa.md", "With a judge")
    capsys.readouterr()
    with fake_endpoint(judge_claim) as endpoint:
        run(block.strip(), {ENDPOINT: endpoint.url})
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
    assert f"accuracy {100 * same:.1f} %" in written, written
    assert (tmp_path / "claims.md").read_text().startswith("# Judge card: claims@1\n")
    with open(tmp_path / "ratings.csv", encoding="utf-8", newline="") as file:
        judged = [row for row in csv.DictReader(file) if row["role"] == "judge"]
    assert len(judged) == claims
    assert {(row["model"], row["unit"], row["comment"]) for row in judged} == {("large-1", "claim", "By its passage.")}


def long_answers(path) -> dict[str, tuple[str, str, str]]:
    """Write 24 prompts with documents and the answers of two systems; return answer -> (system, text, document)."""
    lines, answers = [], {}
    for number in range(24):
        known = [fact for place, fact in enumerate(FACTS) if (number >> place) & 1] or [FACTS[0]]
        document = {"id": f"d{number}", "sections": [{"heading": "", "paragraphs": [f"{fact}." for fact in known]}]}
        responses = [
            {"id": f"r{number}-{system}", "system": system, "text": f"{'. '.join(FACTS[: 2 + number % 3][::step])}."}
            for system, step in (("long", 1), ("short", 2))
        ]
        lines.append(
            {"id": f"q{number}", "text": f"Describe course {number}.", "reference": "It is a course.",
             "document": document, "responses": responses}
        )  # fmt: skip
        for response in responses:
            answers[response["id"]] = (response["system"], response["text"], " ".join(f"{fact}." for fact in known))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return answers


def test_facts_of_long_answers_are_judged_by_the_document_alone(tmp_path, capsys):
    answers = long_answers(tmp_path / "answers.jsonl")
    [block] = code_blocks("studies/safe.md", "Commands")
    with fake_endpoint(answer_fact_qa) as endpoint:
        run(block.strip(), {ENDPOINT: endpoint.url, "answers.jsonl": str(tmp_path / "answers.jsonl")})
    written = capsys.readouterr().out
    assert len(endpoint.bodies) == FactScore.objects.count() == 48, "one request for each response"
    assert not any("It is a course" in json.dumps(body) for body in endpoint.bodies)
    expected = {}
    for score in FactScore.objects.select_related("response"):
        system, text, document = answers[score.response.key]
        supported, facts = count_facts(text, document)
        assert (score.precision, score.recall, score.f1) == (supported / facts, None, None)
        assert list(score.counts) == ["precision"] and len(score.counts["precision"]["list"]) == facts
        expected.setdefault(system, []).append(supported / facts)
    for system, values in expected.items():
        assert f"{system} (24): precision {np.mean(values):.3f} (" in written
    assert "recall undefined, F1 undefined" in written
    assert "No recall: the judge was not asked about reference answers." in written
    overall = np.mean([value for values in expected.values() for value in values])
    assert f"safe@1: precision {overall:.3f}" in written
