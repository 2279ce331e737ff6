"""The commands of docs/studies/judges.md, run as written on the repository's sample, and on the public Qasper file if
it is there; the model is the documented program, in a process of its own."""

import csv
import json
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models import Sum

from annotation.importing.sample_ratings import sample_ratings
from annotation.model_calls import request_queue
from annotation.models import JudgeCall, JudgeRun, Project, Rating, SampledItem, Verdict
from tests.cast import person
from tests.documented_commands import CODE, code_blocks, replaced
from tests.judging.judges import stored_cost
from tests.judging.qasper_samples import NAMES, PUBLIC, write_answers

pytestmark = pytest.mark.django_db
PAGE = "studies/judges.md"
PUBLIC_FILE, ANSWERS = "qasper-dev-v0.3.json", "answers.jsonl"
RATINGS = "fixtures/judges/ratings.jsonl"
OUTPUTS = ("local.md", "ratings.csv", "calls.jsonl")
DOCUMENTED_URL = "http://127.0.0.1:8099/v1"


@pytest.fixture
def model_url() -> Iterator[str]:
    """Start the documented program on a free port, and return its URL."""
    [command] = code_blocks(PAGE, "Model")[:1]
    arguments = [*shlex.split(command)[1:], "--port", "0"]
    with subprocess.Popen([sys.executable, *arguments], cwd=CODE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().split()[0]
        process.terminate()


@pytest.fixture
def run(monkeypatch, capsys, tmp_path, model_url):
    """Return a function that runs the blocks of a section and returns what they print."""
    monkeypatch.setattr(request_queue, "FIRST_PAUSE", 0.01)
    monkeypatch.chdir(CODE)
    others = {name: str(tmp_path / name) for name in OUTPUTS} | {DOCUMENTED_URL: model_url}

    def run_section(heading: str, names: dict[str, str], first_block: int = 0) -> str:
        capsys.readouterr()
        for block in code_blocks(PAGE, heading)[first_block:]:
            used = {old: new for old, new in (others | names).items() if old in block}
            for line in replaced(block, used).replace("\\\n", " ").splitlines():
                assert line.startswith("python manage.py ")
                call_command(*shlex.split(line)[2:])
        return capsys.readouterr().out

    return run_section


def drawn() -> list[tuple[str, int]]:
    """Return response and position of each sentence of the sample, in the order of the import."""
    rows = SampledItem.objects.filter(is_drawn=True).order_by("item")
    return list(rows.values_list("item__response__key", "item__position"))


def ratings_of_the_demo() -> list[dict]:
    """Return what two of the demo's raters answered about each sentence of the sample."""
    keys = set(drawn())
    files = sample_ratings("ratings.jsonl", "second_ratings.jsonl").values()
    return [row for rows in files for row in rows if (row["response"], row["item"]) in keys]


def invented_ratings() -> list[dict]:
    """Return answers of two raters to each sentence of the sample."""
    chance = random.Random(3)
    wrong, right = {"accuracy": "inaccurate", "severity": "severe"}, {"accuracy": "accurate"}

    return [
        {
            "response": key,
            "item": item,
            "rater": rater,
            "answers": right if item == 0 or chance.random() < 0.1 else wrong,
        }
        for key, item in drawn()
        for rater in ("ravi", "rosa")
    ]


def lines(rows: list[dict]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def assert_documented(compared: str, report: str) -> None:
    """Check that the page has the figures which the commands print."""
    page = (CODE / "docs" / PAGE).read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    assert len(rows) == 4 and set(rows) <= set(report.splitlines())
    rule, model = re.findall(r"Judge, against the majority of people Accuracy ([\d.]+ %)", compared)
    people = re.findall(r"People, against the majority of the other raters Accuracy ([\d.]+ %)", compared)[0]
    [warning] = [line for line in page.splitlines() if line.startswith("> ")]
    assert warning.removeprefix("> ") in report
    text = " ".join(page.split())
    assert f"the rule has an accuracy of {rule}, the program {model}, raters {people}:" in text


@pytest.mark.parametrize("sample", NAMES)
def test_the_study_ends_with_a_comparison_estimates_and_files(sample, run, tmp_path):
    for name in ("ravi", "rosa", "tom"):
        person(name)
    names = {}
    if sample == "public":
        names = {PUBLIC_FILE: str(PUBLIC), ANSWERS: str(tmp_path / "responses"), RATINGS: str(tmp_path / "given")}
        write_answers(PUBLIC, Path(names[ANSWERS]))
    run("Project" if sample == "own" else "Qasper itself", names)
    items = SampledItem.objects.count()
    assert items > len(drawn()) == 120

    run("Rule judge", names)
    estimated = run("Model", names, first_block=1)
    assert "USD" in estimated
    assert Verdict.objects.filter(state="rated").count() == 2 * items
    tokens = JudgeCall.objects.aggregate(sent=Sum("prompt_tokens"), received=Sum("completion_tokens"))
    assert stored_cost() == Decimal(2 * tokens["sent"] + 8 * tokens["received"]) / 1_000_000
    assert set(JudgeRun.objects.values_list("ended", flat=True)) <= {"done", "limit"}
    assert {429, 500} <= set(JudgeCall.objects.filter(state="failed").values_list("http_status", flat=True))

    if sample == "public":
        Path(names[RATINGS]).write_text(lines(invented_ratings()), encoding="utf-8")
    else:
        assert (CODE / RATINGS).read_text(encoding="utf-8") == lines(ratings_of_the_demo())
    run("Ratings", names)
    assert Rating.objects.filter(role="rater", counted=True).count() == 2 * 120

    compared = run("Comparison", names)
    for judge in ("overlap", "local"):
        assert (both := re.search(rf"judge {judge}@1: (\d+) of {items} verdicts compared", compared))
        assert 90 < int(both[1]) <= 120  # without ties, and without those that people cannot assess
    assert "local" in (tmp_path / "local.md").read_text(encoding="utf-8")

    report = run("Estimates from people and judge", names)
    assert "## People and judge: local" in report
    if sample == "own":
        assert_documented(compared, report)

    run("Files", names)
    rows = list(csv.DictReader((tmp_path / "ratings.csv").open(encoding="utf-8")))
    judged = [row for row in rows if row["role"] == "judge"]
    assert len(judged) == 2 * items == len({(row["response"], row["item"], row["rater"]) for row in judged})
    assert {row["model"] for row in judged} == {"words", "lexical-overlap"}
    calls = (tmp_path / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(calls) == JudgeCall.objects.count()
    assert Project.objects.count() == 1
