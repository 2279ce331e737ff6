"""The main job through commands and the API alone: load, answer, rate, report; the numbers against a count of our own.

On our own small sample, and on the real Qasper papers where they are there.
"""

import json
import random
from collections import Counter
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from annotation.models import Prompt, Response, Slot
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.system.raters import rate_everything

OWN = Path(__file__).resolve().parents[2] / "fixtures" / "qasper" / "papers.json"
REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "qasper" / "qasper-train-first10.v0.3-shape.json"
SYSTEMS = ("heron", "plover")
RATERS = ("ravi", "rosa", "tom")
FAULTS = product(("disputed", "unsupported", "inaccurate"), ("severe", "not_severe"))
ANSWERS = [ACCURATE, CANNOT_ASSESS, *({"accuracy": accuracy, "severity": severity} for accuracy, severity in FAULTS)]
TEXT = """## Answer

The article says so about {0}. According to Sect. 3, it holds for 12.5 % of the cases [1].

- It was measured twice.
- Nobody knows why, e.g. for lack of data.

Therefore, yes."""


def command(capsys, *words: str) -> str:
    capsys.readouterr()
    call_command(*words)
    return capsys.readouterr().out


def answers_to_every_prompt(folder: Path) -> Path:
    path = folder / "answers.jsonl"
    prompts = product(Prompt.objects.values_list("key", "text"), SYSTEMS)
    rows = [{"prompt": key, "system": system, "text": TEXT.format(text)} for (key, text), system in prompts]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.django_db
@pytest.mark.parametrize(
    "papers",
    [OWN, *([pytest.param(REAL, marks=pytest.mark.exhaustive)] if REAL.exists() else [])],
    ids=lambda path: path.parts[-3],
)
def test_the_report_of_a_study_equals_an_independent_count(papers, tmp_path, capsys):
    load = ("import_dataset", "qasper", str(papers), "--dataset", "papers", "--sample", "12")
    command(capsys, *load)
    loaded = json.loads(command(capsys, *load, "--json"))
    assert loaded["new"] == 0
    command(capsys, "import_responses", str(answers_to_every_prompt(tmp_path)), "--dataset", "papers")
    command(capsys, "create_project", "june", "--dataset", "papers", "--protocol", "article-accuracy", "--overlap", "3")
    entries: list[tuple[str, dict]] = []
    for n, rater in enumerate(RATERS):
        command(capsys, "create_user", rater)
        command(capsys, "add_member", "june", rater, "--role", "rater")
        program = APIClient(HTTP_AUTHORIZATION=f"Token {command(capsys, 'create_token', rater).strip()}")
        draw = partial(random.Random(n).choices, ANSWERS, weights=[12, 2, 1, 1, 1, 1, 1, 1])
        entries += rate_everything(program, "june", lambda _text, draw=draw: draw()[0])

    report = json.loads(command(capsys, "build_report", "--project", "june", "--resamples", "200"))

    options = Counter(answers["accuracy"] for _, answers in entries)
    assessed = len(entries) - options["cannot_assess"]
    severe = sum(answers == SEVERE for _, answers in entries)
    assert len(entries) == loaded["prompts"] * len(SYSTEMS) * 5 * 3
    assert (report["overall"]["ratings"], report["overall"]["assessed"]) == (len(entries), assessed)
    assert report["overall"]["options"] == options
    assert {name: (m["k"], m["n"]) for name, m in report["overall"]["measures"].items()} == {
        "accurate": (options["accurate"], assessed),
        "inaccurate": (options["inaccurate"], assessed),
        "severely_inaccurate": (severe, assessed),
    }
    names = {str(i): name for i, name in Response.objects.values_list("public_id", "system__name")}
    for cell in report["systems"]:
        of_system = Counter(a["accuracy"] for response, a in entries if names[response] == cell["system"])
        assert cell["options"] == of_system | Counter(dict.fromkeys(cell["options"], 0))
    assert not Slot.objects.filter(finished_at=None).exists()
    command(capsys, "check_tallies")
