"""Data sets and their contents, by a program."""

import pytest

from annotation.models import Item, Job
from tests.api.clients import send
from tests.cast import study

pytestmark = pytest.mark.django_db


@pytest.mark.study(prompts=2, systems=("heron", "plover"))
def test_a_lead_reads_the_data_sets_of_own_projects_and_an_admin_all(lena, ada):
    study("july", raters=("rosa",)).project.memberships.filter(user__username="lena").delete()
    assert [row["slug"] for row in send(lena, "GET", "datasets/")[1]["results"]] == ["june-data"]
    assert [row["slug"] for row in send(ada, "GET", "datasets/")[1]["results"]] == ["july-data", "june-data"]
    status, contents = send(lena, "GET", "datasets/june-data/")
    assert status == 200
    counts = {name: contents[name] for name in ("documents", "prompts", "responses", "items", "rated_items")}
    assert counts == {"documents": 2, "prompts": 2, "responses": 4, "items": 12, "rated_items": 12}
    assert contents["systems"] == [{"name": "heron", "responses": 2}, {"name": "plover", "responses": 2}]
    assert contents["projects"] == ["june"]


@pytest.mark.study(prompts=2, systems=("heron", "plover"))
def test_documents_prompts_and_responses_are_read(lena, june):
    [document, _other] = send(lena, "GET", "datasets/june-data/documents/")[1]["results"]
    whole = send(lena, "GET", f"datasets/june-data/documents/{document['id']}/")[1]
    assert whole["sections"][0]["heading"] == "Abstract" and "sections" not in document
    [prompt] = send(lena, "GET", "datasets/june-data/prompts/?document=d2")[1]["results"]
    assert (prompt["key"], prompt["document"]) == ("q2", "d2")
    Item.objects.filter(response=june.responses[2], position=0).update(rate=False)
    full = send(lena, "GET", f"datasets/june-data/prompts/{prompt['id']}/")[1]
    assert [response["system"] for response in full["responses"]] == ["heron", "plover"]
    assert [item["rate"] for item in full["responses"][0]["items"]] == [False, True, True]
    [response] = send(lena, "GET", "datasets/june-data/responses/?system=plover&prompt=q1")[1]["results"]
    assert (response["key"], response["prompt"], response["system"]) == ("q1-plover", "q1", "plover")
    assert response["text"].startswith("Sentence number 1 of plover.")


def test_what_is_of_another_data_set_is_not_found(lena):
    july = study("july")
    prompt = july.responses[0].prompt
    assert send(lena, "GET", f"datasets/june-data/prompts/{prompt.public_id}/")[0] == 404
    assert send(lena, "GET", f"datasets/june-data/documents/{prompt.document.public_id}/")[0] == 404


def test_a_data_set_that_a_project_uses_is_not_deleted(june, ada):
    assert send(ada, "DELETE", "datasets/june-data/")[0] == 409
    june.project.memberships.all().delete()
    june.project.sheets.all().delete()
    june.project.delete()
    status, job = send(ada, "DELETE", "datasets/june-data/")
    assert (status, job["kind"]) == (202, "delete_dataset") and Job.objects.get().params["slug"] == "june-data"
