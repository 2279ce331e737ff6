"""The pages that erase a person: a name typed in, a job, a receipt; for admins alone."""

import json

import pytest
from django.urls import reverse

from annotation import jobs
from annotation.models import AuditEvent, Job, User
from annotation.privacy.erase import erase_person, erase_person_job
from tests.cast import PASSWORD, person, signed_in, study
from tests.web.pages import confirm_identity, html_of, rates, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(client):
    client.force_login(person("ada", admin=True))
    confirm_identity(client)
    return client


def test_an_admin_erases_a_person_and_gets_the_receipt(ada):
    prepared = study()
    rates(prepared.people["ravi"], prepared.project)
    assert reverse("erase_person", args=["ravi"]) in html_of(ada.get("/people/"))
    assert "3 ratings with their history" in text_of(ada.get("/people/ravi/erase/"))
    page = ada.post("/people/ravi/erase/", {"username": "ravi"})
    job = Job.objects.get(kind="erase_person")
    assert (job.params["user"], page.url) == (prepared.people["ravi"].pk, reverse("job", args=[job.public_id]))
    jobs.run(job.pk, erase_person_job)
    receipt = ada.get(page.url, follow=True)
    text = text_of(receipt)
    assert "The person is erased. This is the receipt." in text
    assert "annotation.Rating stays under the pseudonym" in text and "ravi" not in text
    stored = AuditEvent.objects.get(action="erase person").after
    name = User.objects.get(pk=prepared.people["ravi"].pk).username
    assert json.loads(ada.get(f"/people/{name}/erasure/?format=json").content) == stored
    people = html_of(ada.get("/people/"))
    assert "Erased" in people and reverse("erase_person", args=[name]) not in people
    assert ada.get(f"/people/{name}/erase/").url == f"/people/{name}/erasure/"


def test_erasing_waits_for_the_password():
    client = signed_in("ada", admin=True)
    person("ravi")
    asked = client.post("/people/ravi/erase/", {"username": "ravi"})
    assert asked.url == "/accounts/reauthenticate/?next=%2Fpeople%2Fravi%2Ferase%2F"
    assert client.post(asked.url, {"password": "guess"}).status_code == 200
    assert not Job.objects.exists()
    started = client.post(asked.url, {"password": PASSWORD})
    assert started.url == reverse("job", args=[Job.objects.get(kind="erase_person").public_id])


def test_another_text_or_the_own_account_erases_nothing_and_an_erased_one_cannot_be_changed(ada):
    ravi = person("ravi")
    for name, typed, refusal in [
        ("ravi", "rosa", "The text does not match “ravi”. Nothing was erased."),
        ("ada", "ada", "You cannot erase yourself: ask another admin."),
    ]:
        assert refusal in text_of(ada.post(f"/people/{name}/erase/", {"username": typed}))
    assert not Job.objects.exists()
    assert reverse("erase_person", args=["ada"]) not in html_of(ada.get("/people/"))
    erase_person(ravi)
    ada.post(f"/admin/annotation/user/{ravi.pk}/change/", {"username": "ravi", "is_active": "on"})
    ravi.refresh_from_db()
    assert (ravi.is_active, ravi.username.startswith("erased-")) == (False, True)
