"""Pages of lists by keyset."""

import base64
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Prompt
from tests.api.clients import send

pytestmark = pytest.mark.django_db
PROMPTS = "datasets/june-data/prompts/"


def links(header: str) -> dict[str, str]:
    return {name: address for address, name in re.findall(r'<([^>]+)>; rel="(\w+)"', header)}


@pytest.mark.study(prompts=7)
def test_the_links_lead_through_all_rows_and_back(lena):
    keys, address, pages = [], f"/api/v1/{PROMPTS}?limit=3&fields=key", 0
    while address:
        answer = lena.get(address)
        keys += [row["key"] for row in answer.json()["results"]]
        following = links(answer.get("Link", ""))
        assert following.get("next") == answer.json()["next"] and following.get("prev") == answer.json()["previous"]
        previous, address, pages = following.get("prev"), following.get("next"), pages + 1
    assert keys == [f"q{n}" for n in range(1, 8)] and pages == 3
    assert [row["key"] for row in lena.get(previous).json()["results"]] == ["q4", "q5", "q6"]


@pytest.mark.study(prompts=6)
def test_rows_that_come_and_go_meanwhile_neither_repeat_nor_hide_others(lena, june):
    first = lena.get(f"/api/v1/{PROMPTS}?limit=3").json()
    june.project.sheets.all().delete()
    Prompt.objects.get(key="q2").responses.all().delete()
    Prompt.objects.get(key="q2").delete()
    second = lena.get(first["next"]).json()
    assert [row["key"] for row in second["results"]] == ["q4", "q5", "q6"] and second["next"] is None
    Prompt.objects.filter(key__in=("q4", "q5", "q6")).update(reference="x")
    Prompt.objects.create(dataset=june.project.dataset, key="q7", text="And?")
    assert [row["key"] for row in lena.get(first["next"]).json()["results"]] == ["q4", "q5", "q6"]
    assert lena.get(first["next"]).json()["next"]


def cursor(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_a_bad_cursor_or_number_of_rows_is_an_error_of_the_request(lena):
    cursors = [cursor("p=x"), cursor("p=%00"), cursor("o=x"), "é", "x", cursor("r=x")]
    for name, values in {"cursor": cursors, "limit": ["0", "1001", "x", "-1", "", "²"]}.items():
        for value in values:
            status, problem = send(lena, "GET", f"{PROMPTS}?{name}={value}")
            assert (status, list(problem["errors"])) == (400, [name]), value


def test_after_the_last_row_a_page_is_empty(lena):
    for position in ("p=99999", "p=99999999999999999999"):
        status, page = send(lena, "GET", f"{PROMPTS}?cursor={cursor(position)}")
        assert (status, page["results"], page["next"]) == (200, [], None)


@pytest.mark.study(prompts=5)
def test_the_number_of_statements_does_not_depend_on_the_number_of_rows(lena):
    counts = []
    for limit in (1, 1, 5):  # the first request notes the use of the token
        with CaptureQueriesContext(connection) as queries:
            assert len(send(lena, "GET", f"{PROMPTS}?limit={limit}")[1]["results"]) == limit
        counts.append(len(queries))
    assert counts[1] == counts[2]
