"""build_report: the file that a paper is made from."""

import json

import pytest
from django.core.management import call_command

from annotation import reporting
from annotation.jobs import Refused
from annotation.models import Document, Prompt, System
from annotation.reporting import Choices, build
from tests.management.command_runs import run
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


def test_it_prints_the_report_with_all_its_intervals(capsys):
    call_command("build_report", project="june", resamples=100, seed=3)
    printed = capsys.readouterr().out
    expected = build(seeded("june"), Choices(seed=3, resamples=100), agreement_intervals=True)
    assert printed.encode() == expected.to_json()
    assert None not in json.loads(printed)["agreement"]["accuracy"]["intervals"].values()


def test_the_defaults_are_seed_1_and_10_000_resamples(monkeypatch, capsys):
    def refuse(project, choices, **options):
        raise Refused([f"{choices.resamples} resamples from seed {choices.seed}"])

    monkeypatch.setattr(reporting, "build", refuse)
    assert "10000 resamples from seed 1" in run(capsys, "build_report", "--project", "june")[2]


def test_it_writes_a_file_in_the_format_asked_for_or_one_table_in_the_published_style(tmp_path, capsys):
    words = ["build_report", "--project=june", "--resamples=100", "--format=latex"]
    code, out, _err = run(capsys, *words, "--output", tmp_path / "report.tex")
    assert (code, out) == (0, "") and r"\toprule" in (tmp_path / "report.tex").read_text()
    out = run(capsys, *words, "--table=systems", "--style=compact")[1]
    assert r"Alder & 87.1 $\pm$ " in out and r"\toprule" in out and "resizebox" not in out


def test_every_choice_has_an_option(capsys):
    words = (
        "--seed=2 --resamples=100 --cluster=document --answers=adjudicated --least-gold=0.5 --without-rater=ravi "
        "--without-rater=rosa --least-seconds=1 --system=Birch --where=question_type=factual"
    )
    call_command("build_report", "--project=june", *words.split())
    report = json.loads(capsys.readouterr().out)
    assert report["method"] == {"level": 0.95, "cluster": "document", "resamples": 100, "seed": 2}
    assert report["inference"]["cluster_chosen"]
    assert report["filters"] == {
        "answers": "adjudicated",
        "least_gold": 0.5,
        "without_raters": ["ravi", "rosa"],
        "least_seconds": 1.0,
        "systems": ["Birch"],
        "metadata": {"question_type": ["factual"]},
    }


def test_it_says_what_is_in_no_report_and_what_would_be_worth_choosing(capsys):
    project = seeded("june")
    System.objects.create(dataset=project.dataset, name="Yew")
    paper = Document.objects.create(dataset=project.dataset, key="d1")
    Prompt.objects.filter(dataset=project.dataset).update(document=paper)
    call_command("build_report", project="june", resamples=100)
    errors = capsys.readouterr().err
    assert "not in the report, because nothing of them was rated: Yew" in errors
    assert "With fewer than 10 documents the sampling unit is the prompt" in errors


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--project july", "there is no project 'july'"),
        ("--resamples 5", "--resamples: Choose a whole number from 100"),
        ("--seed -1", "--seed: Choose a whole number from 0"),
        ("--seed x", "--seed: 'x' is not a whole number."),
        ("--system Oak", "--system: No system 'Oak' with ratings. Choose one of: "),
        ("--without-rater otto", "--without-rater: No rater 'otto' with ratings."),
        ("--where kind", "--where: 'kind' is not KEY=VALUE."),
        ("--cluster rater", "--cluster: 'rater' is not valid: choose auto, prompt or document."),
        ("--output /nowhere/at/all.json --resamples 100", "/nowhere/at/all.json: cannot be"),
        ("--table sytems --resamples 100", "--table: no full table 'sytems': choose one of systems, "),
        ("--style compact", "--style compact is of one table: name it with --table"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(words, says, capsys):
    code, out, err = run(capsys, "build_report", "--project", "june", *words.split())
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert says in err


def test_a_judge_adds_its_estimates_and_an_unknown_one_is_one_line(capsys):
    options = ["build_report", "--project", "judged", "--resamples", "100"]
    hybrid = json.loads(run(capsys, *options, "--judge", "j")[1])["hybrid"]
    assert (hybrid["judge"], [row["system"] for row in hybrid["systems"]]) == ("j@1", ["heron", "tern"])
    table = run(capsys, *options, "--judge", "j", "--table", "hybrid", "--format", "markdown")[1]
    assert "| Judge alone (not an estimate) |" in table
    message = "--judge: there is no judge 'nobody'; there are: j@1\n"
    assert run(capsys, *options, "--judge", "nobody") == (1, "", message)
