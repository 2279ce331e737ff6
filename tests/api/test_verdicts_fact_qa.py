"""Fact-QA for programs: the figures of a judge, and its scores with the facts of each response."""

import json

import pytest

from annotation.judging.run import run_judge
from annotation.model_calls.runs import RunLimits
from annotation.models import FactScore
from annotation.projects.members import add_member
from annotation.reporting.choices import Choices
from annotation.reporting.sections.fact_qa.figures import fact_qa_report
from tests.api.clients import program_of
from tests.cast import person
from tests.fact_qa_studies import fact_qa_study, prompt, score_facts
from tests.judging.fake_endpoint import answer_fact_qa, completion, fake_endpoint
from tests.judging.judges import fact_judge, rule_judge
from tests.management.command_runs import run

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/projects/june"


@pytest.fixture
def project(tmp_path):
    project = fact_qa_study(tmp_path, (prompt(number) for number in range(14)))
    add_member(project, person("lena"), "lead")
    return project


@pytest.fixture
def lena():
    return program_of(person("lena"))


def test_the_figures_are_those_of_the_command(project, lena, capsys):
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint)
        run_judge(judge, project)
    figures = lena.get(f"{ROOT}/fact-qa/?judge=facts").json()
    assert figures == json.loads(run(capsys, "fact_qa_scores", "facts", "--project", "june", "--json")[1])
    assert (figures["scored"], figures["method"]["cluster"]) == (14, "prompt")
    by_document = lena.get(f"{ROOT}/fact-qa/?judge=facts@1&cluster=document").json()
    assert by_document == fact_qa_report(project, judge, Choices(cluster="document")).to_dict()


def test_scores_have_the_facts_of_both_answers(project, lena):
    with fake_endpoint(answer_fact_qa, faults=["no", "still no"]) as endpoint:
        run_judge(fact_judge(endpoint, concurrency=1), project)
    first = lena.get(f"{ROOT}/fact-scores/?judge=facts&limit=10").json()
    second = lena.get(first["next"]).json()
    assert [len(page["results"]) for page in (first, second)] == [10, 4]
    row = next(each for each in first["results"] if each["response"] == "r003")
    assert (row["prompt"], row["system"], row["state"], row["precision"]) == ("q003", "system-1", "scored", 0)
    assert row["reference_facts"] == {
        "supported": 0,
        "total": 1,
        "facts": [{"fact": "The course is on Monday", "supported": False}],
    }
    [failed] = lena.get(f"{ROOT}/fact-scores/?judge=facts&state=failed").json()["results"]
    assert (failed["response_facts"], failed["f1"], failed["problem"][:12]) == (None, None, "It has no JS")
    low = lena.get(f"{ROOT}/fact-scores/?judge=facts&state=low").json()
    assert len(low["results"]) == FactScore.objects.filter(f1__lt=0.5).count() > 0


def test_an_unreadable_answer_has_no_facts(project, lena):
    with fake_endpoint(answer_fact_qa, faults=[completion("I cannot say.")]) as endpoint:
        run_judge(fact_judge(endpoint, "published", concurrency=1), project, RunLimits(limit=1))
    [row] = lena.get(f"{ROOT}/fact-scores/?judge=facts").json()["results"]
    assert (row["response_facts"], row["precision"], row["unreadable"]) == (None, 0, 1)
    assert row["reference_facts"]["facts"] == []


def test_other_judges_are_refused(project, lena):
    score_facts(project, {"r000": ((1, 1), (1, 1))})
    rule_judge("numbers", "digits")
    for path in ("fact-qa", "fact-scores"):
        refused = lena.get(f"{ROOT}/{path}/?judge=digits")
        assert (refused.status_code, refused.json()["errors"]) == (
            400,
            {"judge": ["digits@1 rates items: it has no Fact-QA."]},
        )
        assert lena.get(f"{ROOT}/{path}/?judge=nobody").status_code == 400
        assert lena.get(f"{ROOT}/{path}/").status_code == 400
