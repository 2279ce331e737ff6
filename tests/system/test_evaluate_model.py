"""docs/recipes/evaluate_model.py as it is written there: questions, responses, judge, people, report, gate."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from annotation.models import GenerationResult, Rating, Report, Verdict

from ..api.clients import program_of
from ..cast import ACCURATE, SEVERE, give_token, person
from ..conftest import CODE
from ..judging.fake_endpoint import fake_endpoint
from ..judging.local_model import rate as rate_by_words
from .raters import rate_everything

pytestmark = [pytest.mark.django_db(transaction=True)]

SCRIPT = CODE / "docs" / "recipes" / "evaluate_model.py"
CLIENT = CODE / "clients" / "python" / "src"
QUESTIONS, SAMPLE = 30, 40
WRONG = "The range was 99 km."


def answer(body: dict[str, Any]) -> Any:
    """Answer as a model that repeats the document and is wrong about each third, or as a judge of such an answer."""
    text = body["messages"][-1]["content"]
    if "rate nothing else" in text:
        return rate_by_words(body["messages"][1]["content"])
    number = int(text.rpartition("document ")[2].split("?")[0])
    fact = f"Terns of island {number} fly further on turbid days."
    return f"{fact} {WRONG}" if number % 3 == 0 else f"{fact} The range was 11.8 km."


def write_questions(path: Path) -> None:
    rows = []
    for number in range(QUESTIONS):
        paragraphs = [f"Terns of island {number} fly further on turbid days.", "The range was 11.8 km."]
        document = {"id": f"d{number}", "sections": [{"heading": "Results", "paragraphs": paragraphs}]}
        rows.append({"id": f"q{number}", "text": f"What is in document {number}?", "document": document})
    rows.append({"id": "none", "text": "What is in no document?", "document": None})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def run(folder: Path, part: str, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(CLIENT), "FACTUARY_TOKEN": "ada-key-of-the-script"}
    command = [sys.executable, str(SCRIPT), part]
    return subprocess.run(command, cwd=folder, env=variables | environment, capture_output=True, text=True)


def answers_to(sentence: str) -> dict[str, str]:
    """Return the answers of a person who knows the right range."""
    return {"accuracy": "inaccurate", "severity": "not_severe"} if sentence == WRONG else ACCURATE


def test_the_script_goes_from_questions_to_the_gate(live_server: Any, celery_worker: Any, tmp_path: Path) -> None:
    give_token(person("ada", admin=True), "ada-key-of-the-script")
    raters = [person(name) for name in ("maria", "noor")]
    write_questions(tmp_path / "questions.jsonl")
    with fake_endpoint(answer) as endpoint:
        site = {"FACTUARY_URL": live_server.url, "MODEL_URL": endpoint.url, "MODEL_NAME": "tiny", "MODEL_KEY": "sk-1"}
        started = run(tmp_path, "start", **site)
        assert started.returncode == 0, started.stderr
        sent = endpoint.charged
        again = run(tmp_path, "start", **site)
        assert again.returncode == 0, again.stderr
        assert endpoint.charged == sent, "the same again sends nothing"
    assert (
        f"{QUESTIONS} requests, about " in started.stdout and f"{QUESTIONS} new responses, 1 failed" in started.stdout
    )
    assert "0 new responses, 0 failed" in again.stdout
    assert GenerationResult.objects.filter(state="stored", model="").count() == QUESTIONS
    assert Verdict.objects.filter(state="rated").count() == 2 * QUESTIONS
    assert set(endpoint.keys) == {"Bearer sk-1"}

    for rater in raters:
        rate_everything(program_of(rater), "release-7", answers_to)
    assert Rating.objects.filter(role="rater").count() == 2 * SAMPLE
    passed = run(tmp_path, "finish", **site)
    assert passed.returncode == 0, passed.stderr + passed.stdout
    assert "with the judge 0.167 [" in passed.stdout, "the judge is right about all 60 sentences, 10 of which are wrong"
    assert "passed" in passed.stdout and Report.objects.count() == 1
    assert (tmp_path / "report.md").read_text(encoding="utf-8").count("model-a") > 1


def test_the_gate_of_the_script_fails_where_errors_are_severe(
    live_server: Any, celery_worker: Any, tmp_path: Path
) -> None:
    give_token(person("ada", admin=True), "ada-key-of-the-script")
    raters = [person(name) for name in ("maria", "noor")]
    write_questions(tmp_path / "questions.jsonl")
    with fake_endpoint(answer) as endpoint:
        site = {"FACTUARY_URL": live_server.url, "MODEL_URL": endpoint.url, "MODEL_NAME": "tiny"}
        assert run(tmp_path, "start", **site).returncode == 0
    for rater in raters:
        rate_everything(program_of(rater), "release-7", lambda text: SEVERE if text == WRONG else ACCURATE)
    failed = run(tmp_path, "finish", **site)
    assert failed.returncode == 1, failed.stderr + failed.stdout
    assert "FAILED" in failed.stdout
