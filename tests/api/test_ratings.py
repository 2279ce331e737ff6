"""The ratings of a project, by a program."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.models import AuditEvent, Judge
from annotation.projects.project_settings import change_settings
from tests.api.clients import program, send
from tests.cast import person
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
RATINGS = "projects/june/ratings/"


@pytest.mark.study(systems=("heron", "plover"))
def test_a_lead_reads_ratings_and_selects_among_them(lena, june):
    rates(june.people["ravi"], june.project, sentences=3)
    rates(june.people["rosa"], june.project, sentences=1)
    judge, _is_new = create_judge(Judge(name="numbers", rule="numbers"))
    run_judge(judge, june.project)
    rows = send(lena, "GET", RATINGS)[1]["results"]
    assert len(rows) == 4 + 6
    first = rows[0]
    assert (first["rater"], first["role"], first["answers"]) == ("ravi", "rater", {"accuracy": "accurate"})
    assert (first["unit"], first["position"], first["text"]) == (
        "sentence",
        0,
        f"Sentence number 1 of {first['system']}.",
    )
    counts = {
        query: len(send(lena, "GET", f"{RATINGS}?{query}")[1]["results"])
        for query in (
            "role=judge",
            "rater=ravi",
            "rater=nobody",
            "counted=false",
            f"response={first['response']}&role=rater",
        )
    }
    assert counts["role=judge"] == 6 and counts["rater=ravi"] == 3 and counts["rater=nobody"] == 0
    assert counts[f"response={first['response']}&role=rater"] in (3, 4)


def test_where_raters_are_hidden_ratings_have_pseudonyms(june, lena):
    rates(june.people["ravi"], june.project, sentences=2)
    change_settings(june.project, {"hides_raters": True}, actor=person("ada", admin=True))
    rows = send(lena, "GET", RATINGS)[1]["results"]
    [name] = {row["rater"] for row in rows}
    assert name.startswith("rater-")
    assert len(send(lena, "GET", f"{RATINGS}?rater={name}")[1]["results"]) == 2
    assert send(lena, "GET", f"{RATINGS}?rater=ravi")[1]["results"] == []
    assert send(program("ada"), "GET", RATINGS)[1]["results"][0]["rater"] == "ravi"


def test_the_first_page_is_recorded_as_a_download_and_all_take_as_many_statements(june, lena):
    rates(june.people["ravi"], june.project, sentences=3)
    counts = []
    for limit in (1, 1, 3):
        with CaptureQueriesContext(connection) as queries:
            page = send(lena, "GET", f"{RATINGS}?limit={limit}")[1]
        counts.append(len(queries))
    assert counts[1] == counts[2] and len(page["results"]) == 3
    events = AuditEvent.objects.filter(action="download file")
    assert events.count() == 3 and events[0].after == {"name": "ratings", "with_names": True}
    following = send(lena, "GET", f"{RATINGS}?limit=1")[1]["next"]
    lena.get(following)
    assert events.count() == 4
