"""Selected fields, entity tags and conditional changes."""

import pytest

from annotation.models import Project
from tests.api.clients import program, send
from tests.cast import study

pytestmark = pytest.mark.django_db


def test_a_list_has_the_fields_that_are_asked_for():
    study(prompts=2)
    status, page = send(program("lena"), "GET", "datasets/june-data/prompts/?fields=key,text")
    assert (status, page["results"][0]) == (200, {"key": "q1", "text": "What about point 1?"})
    status, page = send(program("lena"), "GET", "datasets/june-data/prompts/")
    assert set(page["results"][0]) == {"id", "key", "text", "document", "reference", "metadata"}


def test_an_unknown_field_is_refused_with_those_that_there_are():
    study()
    status, problem = send(program("lena"), "GET", "projects/?fields=slug,owner")
    assert status == 400
    [message] = problem["errors"]["fields"]
    assert "There is no field 'owner'" in message and "slug, title, dataset" in message


def test_what_has_not_changed_is_not_sent_again():
    study()
    lena = program("lena")
    tag = lena.get("/api/v1/projects/june/")["ETag"]
    again = lena.get("/api/v1/projects/june/", headers={"If-None-Match": f'"other", W/{tag}'})
    assert (again.status_code, again["ETag"], again.content) == (304, tag, b"")
    changed = lena.patch("/api/v1/projects/june/", {"title": "A"}, format="json")
    fresh = lena.get("/api/v1/projects/june/", headers={"If-None-Match": tag})
    assert (fresh.status_code, fresh["ETag"]) == (200, changed["ETag"])


def test_a_change_of_what_was_changed_meanwhile_is_refused():
    study()
    lena = program("lena")
    tag = lena.get("/api/v1/projects/june/")["ETag"]
    first = lena.patch("/api/v1/projects/june/", {"title": "A"}, format="json", headers={"If-Match": tag})
    assert first.status_code == 200
    second = lena.patch("/api/v1/projects/june/", {"title": "B"}, format="json", headers={"If-Match": tag})
    assert second.status_code == 412 and "Read it again" in second.json()["detail"]
    assert Project.objects.get().title == "A"
    third = lena.patch("/api/v1/projects/june/", {"title": "B"}, format="json", headers={"If-Match": first["ETag"]})
    assert third.status_code == 200
    assert lena.patch("/api/v1/projects/june/", {"title": "C"}, format="json", headers={"If-Match": "*"})


def test_a_weak_tag_is_none_of_a_change():
    study()
    lena = program("lena")
    tag = lena.get("/api/v1/projects/june/")["ETag"]
    for header in (f"W/{tag}", f'"other", W/{tag}'):
        refused = lena.patch("/api/v1/projects/june/", {"title": "A"}, format="json", headers={"If-Match": header})
        assert refused.status_code == 412
    changed = lena.patch("/api/v1/projects/june/", {"title": "A"}, format="json", headers={"If-Match": f'"x", {tag}'})
    assert changed.status_code == 200
