"""The commands of the Qasper study with a judge, on a file of our own and on the public one where it is there."""

import json
import random
import zlib
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.model_calls import request_queue
from annotation.models import SampledItem, Verdict
from tests.cast import person
from tests.documented_commands import code_blocks
from tests.judging.fake_endpoint import COMPLETION_TOKENS, GOOD, PROMPT_TOKENS, fake_endpoint
from tests.judging.judges import call_documented, stored_cost
from tests.judging.qasper_samples import NAMES, SAMPLES, write_answers

PRICE = (PROMPT_TOKENS * 2 + COMPLETION_TOKENS * 8) / 1_000_000
FAULTS = [(429, {"retry-after": "0.1"}), 500, "cut", "junk"]
pytestmark = pytest.mark.django_db


def write_ratings(path: Path) -> int:
    """Write a rating of each drawn sentence; return how many."""
    chance, person_name = random.Random(2), person("ravi").username
    rows = list(SampledItem.objects.filter(is_drawn=True).select_related("item__response").order_by("item"))
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            wrong = ("zebras" in row.item.text) == (chance.random() < 0.9)
            answers = {"accuracy": "inaccurate", "severity": "severe"} if wrong else {"accuracy": "accurate"}
            rating = {"response": row.item.response.key, "item": row.item.position, "rater": person_name}
            file.write(json.dumps({**rating, "answers": answers}) + "\n")
    return len(rows)


def judge_answer(body: dict) -> dict:
    """Return an answer that depends on the request: one of five finds a sentence unsupported."""
    if zlib.crc32(json.dumps(body["messages"]).encode()) % 5:
        return GOOD
    return {**GOOD, "answers": {"accuracy": "unsupported", "severity": "not_severe"}}


@pytest.mark.parametrize("sample", NAMES)
def test_the_documented_study_ends_with_estimates_from_people_and_judge(sample, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(request_queue, "FIRST_PAUSE", 0.01)
    monkeypatch.setenv("JUDGE_KEY", "secret")
    papers, answers = SAMPLES[sample](tmp_path / "papers.json"), tmp_path / "answers.jsonl"
    ratings = tmp_path / "ratings.jsonl"
    write_answers(papers, answers)
    call_command("import_dataset", "qasper", papers, dataset="qasper")
    call_command("import_responses", answers, dataset="qasper")
    create, compare = code_blocks("studies/qasper.md", "With a judge")
    with fake_endpoint(judge_answer, faults=[*[None] * 15, *FAULTS * 3]) as endpoint:
        call_documented(
            create, {"https://models.example.org/v1": endpoint.url, "--sample-sentences 200": "--sample-sentences 150"}
        )
    items = SampledItem.objects.count()
    assert Verdict.objects.filter(state="rated").count() == 2 * items and endpoint.statuses[429] == 3
    assert float(stored_cost()) == pytest.approx(endpoint.charged * PRICE)

    assert write_ratings(ratings) == 150
    call_command("import_ratings", ratings, project="july")
    capsys.readouterr()
    call_documented(compare, {})
    written = capsys.readouterr().out
    assert "judge overlap@1: 150 of" in written and "judge strict@1: 150 of" in written
    assert "## People and judge: strict" in written
    call_command("build_report", project="july", judge="strict", format="json")
    overall = json.loads(capsys.readouterr().out)["hybrid"]["overall"]
    accurate = overall["measures"]["accurate"]
    assert (overall["items"], overall["drawn"], accurate["n_judge"]) == (items, 150, items)
    assert accurate["low"] < accurate["value"] < accurate["high"]
