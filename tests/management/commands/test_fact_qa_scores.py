"""Fact-QA by commands: create the judge, run it, and print its scores."""

import json

import pytest

from annotation.importing import load_ratings
from tests.cast import study
from tests.documented_commands import code_blocks, replaced
from tests.fact_qa_studies import fact_qa_study, prompt
from tests.judging.fake_endpoint import answer_fact_qa, fake_endpoint
from tests.management.command_runs import run
from tests.reporting.fact_projects import HERE, facts_project

pytestmark = pytest.mark.django_db


def test_a_study_is_scored_and_its_figures_are_printed(capsys, tmp_path):
    fact_qa_study(tmp_path, (prompt(number) for number in range(14)))
    with fake_endpoint(answer_fact_qa, faults=["no score"]) as endpoint:
        options = ["--base-url", endpoint.url, "--model", "tiny", "--concurrency", 1]
        created = run(capsys, "create_judge", "facts", *options, "--fact-qa", "published")
        assert created == (0, "", "judge facts@1: created\n")
        estimated = run(capsys, "run_judge", "facts", "--project", "june", "--estimate", "--limit", 3)[1]
        assert estimated.startswith(
            "3 responses, by 3 tried: requests 6, tokens 6,300, cost unknown without prices, time "
        )
        code, out, _err = run(capsys, "run_judge", "facts", "--project", "june", "--json")
    assert (code, json.loads(out)["new"], json.loads(out)["requests"]) == (0, 14, 22)
    code, out, _err = run(capsys, "fact_qa_scores", "facts", "--project", "june")
    lines = out.splitlines()
    assert lines[0] == (
        "judge facts@1, Fact-QA published, facts of responses by the reference: 14 of 14 responses scored"
    )
    assert lines[1] == "unreadable answers, counted 0: 1"
    assert lines[2].startswith("all (14): precision 0.")
    assert [line.split(" (")[0] for line in lines[3:8]] == [
        *("system-0", "system-1", "explicit", "implicit", "insufficient")
    ]
    assert lines[-1] == "f1, Pearson's r with people (0): undefined"
    code, out, _err = run(capsys, "fact_qa_scores", "facts", "--project", "june", "--cluster", "prompt", "--json")
    report = json.loads(out)
    assert (report["schema"], report["mode"], report["fact_source"]) == ("factuary-fact-qa/1", "published", "reference")
    assert (report["method"]["cluster"], report["unreadable"]) == ("prompt", 1)
    assert [group["value"] for group in report["question_types"]][:2] == ["yes/no", "single factual"]


def test_the_study_of_syllabusqa_runs_as_its_page_says(capsys):
    project = facts_project()
    load_ratings(HERE / "fact-ratings.jsonl", project)
    [block] = code_blocks("studies/syllabusqa.md", "Fact-QA by a model")
    with fake_endpoint(answer_fact_qa) as endpoint:
        block = replaced(block, {"https://models.example.org/v1": endpoint.url, "large-1": "tiny"})
        for line in block.splitlines():
            code, out, err = run(capsys, *line.split()[2:])
            assert code == 0, err
            if "run_judge" in line:
                assert out.startswith("judge facts@1: 6 of 6 responses rated in this run\n")
    lines = out.splitlines()
    assert lines[0].endswith("6 of 6 responses scored")
    assert [line.split(":")[0] for line in lines[1:6]] == [
        *("all (6)", "heron (3)", "plover (3)", "explicit (6)", "yes/no (2)")
    ]
    assert [line.split(":")[0] for line in lines[-3:]] == [
        f"{figure}, Pearson's r with people (6)" for figure in ("precision", "recall", "f1")
    ]


def test_a_judge_without_fact_qa_or_without_scores_is_refused_in_one_line(capsys):
    study()
    run(capsys, "create_judge", "rule", "--rule", "numbers")
    code, out, err = run(capsys, "fact_qa_scores", "rule", "--project", "june")
    assert (code, out, err) == (1, "", "judge rule@1 rates items: create one with --fact-qa\n")
    options = ["--base-url", "http://localhost/v1", "--model", "tiny", "--fact-qa", "strict"]
    run(capsys, "create_judge", "facts", *options, "--fact-source", "document")
    err = run(capsys, "compare_judge", "facts", "--project", "june")[2]
    assert err == "judge facts@1 scores responses: use fact_qa_scores\n"
    err = run(capsys, "fact_qa_scores", "facts", "--project", "june")[2]
    assert err == "judge facts@1 has scored nothing in project 'june': start run_judge first\n"
