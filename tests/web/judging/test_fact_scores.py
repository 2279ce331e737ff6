"""The Fact-QA scores of a judge: figures, responses with their facts, requests, and the exported files."""

import csv
import io
import json

import pytest

from annotation.judging.run import run_judge
from annotation.models import AuditEvent, FactScore, JudgeRun
from annotation.projects.members import add_member
from annotation.reporting.fact_qa_report import fact_qa_report
from annotation.reporting.text.figure_format import coefficient
from tests.cast import person
from tests.fact_qa_studies import fact_qa_study, prompt, score_facts
from tests.judging.fake_endpoint import answer_fact_qa, completion, fake_endpoint
from tests.judging.judges import PRICE, fact_judge, rule_judge
from tests.reporting.fact_qa_scores import scored_study
from tests.web.pages import html_of, queries, text_of

pytestmark = pytest.mark.django_db
FACTS = "/projects/june/judges/facts/1/"
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def lena(client):
    client.force_login(person("lena"))
    return client


def study_of(lena_name, folder, count=14):
    project = fact_qa_study(folder, (prompt(number) for number in range(count)))
    add_member(project, person(lena_name), "lead")
    return project


def scored(project, *faults, mode="strict", answer=answer_fact_qa):
    with fake_endpoint(answer, faults=list(faults)) as endpoint:
        judge = fact_judge(endpoint, mode, concurrency=1)
        run_judge(judge, project)
    return judge


def test_the_page_has_the_figures_of_the_report_and_the_three_correlations(lena, tmp_path):
    project, _expected, _human = scored_study(tmp_path, "strict")
    add_member(project, person("lena"), "lead")
    judge = scored(project)
    report = fact_qa_report(project, judge)
    page = text_of(lena.get(f"{FACTS}fact-qa/"))
    for means in (report.overall, *report.systems, *report.source_classes, *report.question_types):
        assert f"{means.precision.value:.3f}" in page and f"{means.f1.value:.3f}" in page
    assert f"{report.overall.f1.low:.3f} – {report.overall.f1.high:.3f}" in page
    for name in ("Explicit", "Implicit", "Insufficient", "Yes/no", "Multi reasoning", "system-1", "All responses"):
        assert name in page
    for row in report.correlations:
        assert coefficient(row.pearson) in page
    assert "Intervals are 95 %, over" in page
    assert "Precision and recall" in text_of(lena.get("/projects/june/judges/"))


def test_responses_have_their_facts_with_what_is_supported_and_filters(lena, tmp_path):
    project = study_of("lena", tmp_path)
    scored(project, "no", "still no")
    page = lena.get(FACTS)
    assert "14 responses" in text_of(page) and len(page.context["rows"]) == 14
    failed = lena.get(f"{FACTS}?state=failed")
    assert len(failed.context["rows"]) == 1 and "It has no JSON object" in text_of(failed)
    low = lena.get(f"{FACTS}?state=low").context["rows"]
    assert {score.pk for score, _lists in low} == set(FactScore.objects.filter(f1__lt=0.5).values_list("pk", flat=True))
    assert 0 < len(low) < 13 and len(lena.get(f"{FACTS}?state=scored").context["rows"]) == 13
    run = JudgeRun.objects.get()
    assert len(lena.get(f"{FACTS}?run={run.pk}&state=failed").context["rows"]) == 1
    assert lena.get(f"{FACTS}?run=99999").status_code == 404
    score = FactScore.objects.get(response__key="r003")
    [own, reference] = next(lists for each, lists in page.context["rows"] if each == score)
    assert (own.supported, own.total, own.is_reference) == (0, 3, False)
    assert (reference.facts, reference.is_reference) == ([["The course is on Monday", False]], True)
    assert "✗ The exam is in May (not supported)" in text_of(page)


def test_unreadable_answers_are_said_where_they_count_0(lena, tmp_path):
    project = study_of("lena", tmp_path, 2)
    scored(project, completion("I cannot say."), mode="published")
    assert "1 unreadable answer counts 0" in text_of(lena.get(FACTS))
    assert "1 unreadable answer counts 0" in text_of(lena.get(f"{FACTS}fact-qa/"))


def test_the_requests_about_a_response_are_readable_and_escaped(lena, tmp_path):
    project = study_of("lena", tmp_path, 2)
    scored(project, f"no {SCRIPT}", "still no")
    failed = FactScore.objects.get(state="failed")
    page = lena.get(f"{FACTS}responses/{failed.response.public_id}/")
    assert SCRIPT not in html_of(page) and "no &lt;script&gt;" in html_of(page)
    text = text_of(page)
    assert "Facts of the response, attempt 1 Answered" in text and "attempt 1 · repair" in text
    assert "Facts of the reference answer, attempt 1" in text
    assert failed.response.text in text and failed.response.prompt.reference in text


def test_the_files_have_a_row_for_each_response_with_its_facts(lena, tmp_path):
    project = study_of("lena", tmp_path)
    judge = scored(project, "no", "still no")
    FactScore.objects.filter(response__key="r013").delete()
    response = lena.get(f"{FACTS}scores.csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode(), newline="")))
    assert response["Content-Disposition"] == 'attachment; filename="fact-qa-facts@1.csv"'
    assert [row["response"] for row in rows] == [f"r{n:03}" for n in range(14)]
    assert {(row["judge"], row["role"], row["model"]) for row in rows} == {("facts@1", "judge", "tiny")}
    assert [row["state"] for row in rows].count("scored") == 12 and rows[13]["state"] == ""
    lines = b"".join(lena.get(f"{FACTS}scores.jsonl").streaming_content).splitlines()
    by_response = {row["response"]: row for row in map(json.loads, lines)}
    for row in rows[:13]:
        score, line = FactScore.objects.get(response__key=row["response"]), by_response[row["response"]]
        assert (line["state"], line["precision"], line["f1"]) == (score.state, score.precision, score.f1)
        if score.state == "scored":
            counts = score.counts["precision"]
            assert (float(row["supported_facts"]), float(row["facts"])) == (counts["supported"], counts["facts"])
            assert line["fact_list"] == json.loads(row["fact_list"]) == counts["list"]
            assert (float(row["precision"]), float(row["cost_usd"])) == (score.precision, float(2 * PRICE))
            assert row["question_type"] == score.response.prompt.metadata["question_type"].replace("-", " ")
    assert by_response["r005"]["source_class"] == "implicit" and by_response["r013"]["precision"] is None
    assert lena.get(f"{FACTS}scores.xml").status_code == 404
    event = AuditEvent.objects.filter(action="download file").first()
    assert (event.target, event.after["name"][:13]) == (f"judge:{judge.label}", "fact-qa-facts")


def test_a_formula_in_a_text_is_no_formula_in_the_file(lena, tmp_path):
    project = study_of("lena", tmp_path, 1)
    score_facts(project, {"r000": None})
    FactScore.objects.update(problem="=1+1")
    assert b',"\'=1+1",' in b"".join(lena.get(f"{FACTS}scores.csv").streaming_content)


def test_without_scores_the_page_leads_to_the_run(lena, tmp_path):
    project = study_of("lena", tmp_path, 3)
    with fake_endpoint(answer_fact_qa) as endpoint:
        fact_judge(endpoint)
    assert "No scores yet Not scored yet: 3." in text_of(lena.get(f"{FACTS}fact-qa/"))
    assert "There are no such responses." in text_of(lena.get(FACTS))
    assert project.fact_scores.count() == 0


def test_other_judges_have_no_such_page(lena, tmp_path):
    study_of("lena", tmp_path, 1)
    rule_judge("numbers", "digits")
    assert lena.get("/projects/june/judges/digits/1/fact-qa/").status_code == 404


def test_the_figures_are_current_after_another_run(lena, tmp_path):
    project = study_of("lena", tmp_path, 4)
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint)
        run_judge(judge, project, limit=2)
        assert "from 2 of 4 responses" in text_of(lena.get(f"{FACTS}fact-qa/"))
        run_judge(judge, project)
    assert "from 4 of 4 responses" in text_of(lena.get(f"{FACTS}fact-qa/"))


@pytest.mark.parametrize("path", ["", "fact-qa/"])
def test_the_number_of_queries_does_not_grow_with_responses(lena, tmp_path, path):
    project = study_of("lena", tmp_path)
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint)
        run_judge(judge, project, limit=2)
        before = queries(lena, f"{FACTS}{path}")
        run_judge(judge, project)
    assert queries(lena, f"{FACTS}{path}") == before
