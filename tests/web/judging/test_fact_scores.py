"""The Fact-QA scores of a judge: figures, responses with their facts, requests, and the exported files."""

import csv
import io
import json

import pytest

from annotation.judging.run import run_judge
from annotation.model_calls.runs import RunLimits
from annotation.models import AuditEvent, FactScore, JudgeRun
from annotation.projects.members import add_member
from annotation.reporting.sections.fact_qa.figures import fact_qa_report
from annotation.reporting.text.figure_format import coefficient
from tests.cast import person, signed_in
from tests.judging.fake_endpoint import answer_fact_qa, completion, fake_endpoint
from tests.judging.judges import PRICE, fact_judge, rule_judge
from tests.reporting.fact_projects import scored_study
from tests.web.pages import html_of, queries, text_of

pytestmark = pytest.mark.django_db
FACTS = "/projects/june/judges/facts/1/"
OTHER = "/projects/june/judges/facts/2/"
SCRIPT = "<script>alert(1)</script>"


def score(project, *faults, mode="strict"):
    with fake_endpoint(answer_fact_qa, faults=list(faults)) as endpoint:
        run_judge(fact_judge(endpoint, mode, concurrency=1), project)


@pytest.fixture(scope="module")
def project(module_rows, tmp_path_factory):
    """Return a project of 14 responses, of which facts@1 could not score the first."""
    project, _expected, _human = scored_study(tmp_path_factory.mktemp("facts"), "strict", count=14)
    add_member(project, person("lena"), "lead")
    score(project, f"no {SCRIPT}", "still no")
    return project


@pytest.fixture
def lena(project):
    return signed_in("lena")


def test_the_page_has_the_figures_of_the_report_and_the_three_correlations(lena, project):
    report = fact_qa_report(project, JudgeRun.objects.get().judge)
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


def test_responses_have_their_facts_with_what_is_supported_and_filters(lena):
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


def test_unreadable_answers_are_said_where_they_count_0(lena, project):
    score(project, completion("I cannot say."), mode="published")
    for page in (OTHER, f"{OTHER}fact-qa/"):
        assert "1 unreadable answer counts 0" in text_of(lena.get(page))


def test_the_requests_about_a_response_are_readable_and_escaped(lena):
    failed = FactScore.objects.get(state="failed")
    page = lena.get(f"{FACTS}responses/{failed.response.public_id}/")
    assert SCRIPT not in html_of(page) and "no &lt;script&gt;" in html_of(page)
    text = text_of(page)
    assert "Facts of the response, attempt 1 Answered" in text and "attempt 1 · repair" in text
    assert "Facts of the reference answer, attempt 1" in text
    assert failed.response.text in text and failed.response.prompt.reference in text


def test_the_files_have_a_row_for_each_response_with_its_facts(lena):
    FactScore.objects.filter(response__key="r013").delete()
    FactScore.objects.filter(state="failed").update(problem="=1+1")
    response = lena.get(f"{FACTS}scores.csv")
    content = b"".join(response.streaming_content).decode()
    assert ',"\'=1+1",' in content, "a formula in a text is no formula in the file"
    rows = list(csv.DictReader(io.StringIO(content, newline="")))
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
    assert (event.target, event.after["name"][:13]) == ("judge:facts@1", "fact-qa-facts")


def test_without_scores_the_page_leads_to_the_run_and_other_judges_have_none(lena, project):
    with fake_endpoint() as endpoint:
        fact_judge(endpoint, "published")
    assert "No scores yet Not scored yet: 14." in text_of(lena.get(f"{OTHER}fact-qa/"))
    assert "There are no such responses." in text_of(lena.get(OTHER))
    rule_judge("numbers", "digits")
    assert lena.get("/projects/june/judges/digits/1/fact-qa/").status_code == 404


def test_the_figures_are_current_after_another_run_and_take_as_many_queries(lena, project):
    pages, counts = (OTHER, f"{OTHER}fact-qa/"), []
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint)
        for limit, scored in ((2, 2), (None, 14)):
            run_judge(judge, project, RunLimits(limit=limit))
            assert f"from {scored} of 14 responses" in text_of(lena.get(pages[1]))
            counts.append([queries(lena, page) for page in pages])
    assert counts[0] == counts[1]
