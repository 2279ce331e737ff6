"""The export of one's own data: everything of the person, nothing of others, no secrets."""

import io
import json
import zipfile

import pytest
from allauth.mfa.models import Authenticator

from annotation.accounts.tokens import create_token
from annotation.accounts.users import create_user, rename_user, set_display_name
from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.models import AuditEvent, Judge, RaterQuestion, Rating
from annotation.notifications import notify
from annotation.privacy.own_data import HIDDEN, OMITTED, ONLY, PATHS, own_data, own_rows, own_tables
from annotation.privacy.personal_data import TABLES, model_of
from annotation.projects.members import replace_rater
from tests.cast import person
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
MODEL = Judge(name="small", base_url="http://localhost:9/v1", model="tiny")


@pytest.fixture
def files(june) -> dict:
    """The files of Ravi, who rated, asked, has a token and ran a judge; Rosa and Lena have names of their own."""
    ravi, rosa, lena = (june.people[name] for name in ("ravi", "rosa", "lena"))
    set_display_name(rosa, "Rosalind Secret")
    Authenticator.objects.create(user=ravi, type="totp", data={"secret": "NEVER"})
    create_token(ravi, name="laptop", actor=ravi)
    for rater in (ravi, rosa):
        rates(rater, june.project)
    Rating.objects.filter(rater=rosa).update(comment="a comment of rosa")
    RaterQuestion.objects.create(project=june.project, item=june.items()[0], asker=ravi, text="Is it so?")
    notify([ravi.pk], "assigned", project=june.project)
    notify([lena.pk], "alert", project=june.project, rater=ravi)
    judge, _is_new = create_judge(MODEL, key="NEVER", actor=ravi)
    run_judge(create_judge(Judge(name="rule", rule="numbers"))[0], june.project, actor=ravi)
    run_judge(create_judge(Judge(name="other", rule="always-accurate"))[0], june.project, actor=lena)
    assert judge.encrypted_key
    archive = zipfile.ZipFile(io.BytesIO(b"".join(own_data(ravi))))
    names = (name for name in archive.namelist() if name.endswith(".json"))
    return {name.rpartition("/")[2].removesuffix(".json"): json.loads(archive.read(name)) for name in names}


@pytest.mark.study(prompts=2)
def test_it_has_what_is_stored_about_the_person_no_secrets_and_nothing_of_others(files):
    (account,) = files["annotation.User"]
    assert account["username"] == "ravi"
    assert len(files["annotation.Rating"]) == 3
    assert files["annotation.Rating"][0]["answers"] == {"accuracy": "accurate"}
    assert files["annotation.Rating"][0]["project__slug"] == "june"
    assert files["annotation.Rating"][0]["item__text"].startswith("Sentence number 1")
    assert [row["text"] for row in files["annotation.RaterQuestion"]] == ["Is it so?"]
    assert [row["kind"] for row in files["annotation.Notification"]] == ["assigned"]
    assert files["annotation.ApiToken"][0]["name"] == "laptop"
    assert [(row["name"], row["created_by"]) for row in files["annotation.Judge"]] == [("small", "you")]
    runs = files["annotation.JudgeRun"]
    assert [(row["judge__name"], row["judge__version"], row["started_by"]) for row in runs] == [("rule", 1, "you")]
    assert {"create token", "add member"} <= {event["action"] for event in files["audit-about-you"]}

    text = json.dumps(files)
    assert "rosa" not in text.lower()
    assert "NEVER" not in text and "md5$" not in text
    assert "encrypted_key" not in text
    assert {row["rater"] for row in files["annotation.Rating"]} == {"you"}
    assert files["annotation.RaterQuestion"][0]["answered_by"] is None


def test_it_does_not_name_who_replaced_the_person(june):
    replace_rater(june.project, june.people["ravi"], june.people["rosa"], actor=june.people["lena"])
    events = dict(own_tables(june.people["ravi"]))["audit-about-you"]
    [event] = [each for each in events if each["action"] == "replace rater"]
    assert event["after"] == {"reservations moved": 0}


def test_it_has_the_audit_of_all_names_that_the_account_had():
    tom = create_user("tom")
    for name in ("thomas", "tommy"):
        rename_user(tom, name)
    tom.refresh_from_db()
    assert tom.audit_targets == {"user:tom", "user:thomas", "user:tommy"}
    actions = [event["action"] for event in dict(own_tables(tom))["audit-about-you"]]
    assert actions == ["create user", "change user", "change user"]


def test_it_does_not_say_which_responses_are_checks_or_whose_they_are(june):
    rates(june.people["ravi"], june.project)
    archive = zipfile.ZipFile(io.BytesIO(b"".join(own_data(june.people["ravi"]))))
    text = "".join(archive.read(name).decode() for name in archive.namelist() if "Rating" in name or "Assign" in name)
    assert '"purpose"' not in text and '"counted"' not in text
    assert '"system"' not in text


def test_each_table_can_be_exported_and_hidden_fields_exist():
    ravi = person("ravi")
    for label in set(TABLES) - set(OMITTED):
        assert list(own_rows(ravi, label)) == [] or label == "annotation.User"
    for label, fields in (HIDDEN | ONLY).items():
        assert set(fields) <= {field.name for field in model_of(label)._meta.get_fields()}, label
    assert set(PATHS) | set(HIDDEN) | set(ONLY) | set(OMITTED) <= set(TABLES)


def test_secrets_are_hidden_in_each_table():
    """A field whose name is that of a secret is left out: a new one is noticed."""
    words = ("password", "digest", "secret", "encrypted", "session_key")
    for label in set(TABLES) - set(OMITTED):
        fields = {field.name for field in model_of(label)._meta.get_fields() if field.concrete}
        secret = {name for name in fields if any(word in name for word in words)}
        assert secret <= set(HIDDEN.get(label, ())), label


def test_a_person_downloads_the_own_data_and_the_audit_knows(client):
    client.force_login(person("ravi"))
    assert "Download my data" in client.get("/account/").content.decode()
    response = client.post("/account/data/")
    assert response["Content-Disposition"] == 'attachment; filename="factuary-ravi.zip"'
    assert zipfile.ZipFile(io.BytesIO(response.getvalue())).testzip() is None
    assert AuditEvent.objects.get(action="download own data").target == "user:ravi"
    assert client.get("/account/data/").status_code == 405
