"""API tokens: what ends them, what limits them, and what is stored about them."""

from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.accounts.names import PersonError
from annotation.accounts.tokens import create_token, revoke_token, token_with_prefix
from annotation.accounts.users import password_link, set_active
from annotation.models import ApiToken, AuditEvent, User
from tests.cast import PASSWORD, person, study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/tokens/"


def program(key: str) -> APIClient:
    return APIClient(HTTP_AUTHORIZATION=f"Token {key}")


def refusal(key: str) -> str:
    """Return why the key is refused, "" if it is not."""
    response = program(key).get(ADDRESS)
    return "" if response.status_code == 200 else response.data["detail"]


def key_of(user: User, **limits: object) -> str:
    return create_token(user, **limits)[0]


def test_a_token_ends_when_it_is_revoked_and_when_it_expires() -> None:
    keys = [key_of(person("ravi"), days=days) for days in (None, 2)]
    assert [refusal(key) for key in keys] == ["", ""]
    revoke_token(token_with_prefix(keys[0]), actor=person("ravi"))
    assert "This token was revoked." in refusal(keys[0])
    ApiToken.objects.filter(expires_at__isnull=False).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert "This token has expired." in refusal(keys[1])
    events = AuditEvent.objects.filter(action__endswith="token").order_by("at")
    assert [event.action for event in events] == ["create token", "create token", "revoke token"]
    assert (events[2].actor, events[2].before) == (person("ravi"), {"token": keys[0][:12]})
    assert events[1].after["days"] == 2 and keys[1] not in str(list(events.values()))


@pytest.mark.parametrize("way", ["own page", "admin", "function", "database"])
def test_a_token_ends_when_the_password_changes(client, way) -> None:
    ravi, ada = person("ravi"), person("ada", admin=True)
    key = key_of(ravi)
    new = {"password1": "Turbid-terns-9", "password2": "Turbid-terns-9"}
    if way == "own page":
        client.force_login(ravi)
        client.post("/accounts/password/change/", {"oldpassword": PASSWORD, **new})
    elif way == "admin":
        client.force_login(ada)
        client.post(f"/admin/annotation/user/{ravi.pk}/password/", {"usable_password": "true", **new})
    elif way == "function":
        ravi.set_password("Turbid-terns-9")
        ravi.save()
    else:  # another hash of the same password
        User.objects.filter(username="ravi").update(password=make_password(PASSWORD))
    assert client.login(username="ravi", password=PASSWORD if way == "database" else "Turbid-terns-9")
    assert "ended when the password was changed" in refusal(key)


def test_the_first_password_of_an_account_ends_no_token_and_a_stronger_hash_of_it_neither(client, settings) -> None:
    tom = User(username="tom")
    tom.set_unusable_password()
    tom.save()
    key = key_of(tom)
    page = client.get(password_link(tom).removeprefix(settings.SITE_URL), follow=True)
    client.post(page.redirect_chain[-1][0], {"password1": "Turbid-terns-9", "password2": "Turbid-terns-9"})
    assert refusal(key) == ""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    assert client.login(username="tom", password="Turbid-terns-9")
    assert User.objects.get(username="tom").password.startswith("pbkdf2")
    assert refusal(key) == ""


def test_closing_an_account_ends_its_tokens_permanently() -> None:
    key = key_of(person("ravi"))
    set_active(person("ravi"), False)
    assert "not valid" in refusal(key)
    set_active(person("ravi"), True)
    assert "This token was revoked." in refusal(key)


def test_the_last_use_is_written_once_a_minute() -> None:
    key = key_of(person("ravi"))
    refusal(key)
    used_at = ApiToken.objects.get().last_used_at
    assert used_at
    with CaptureQueriesContext(connection) as queries:
        refusal(key)
    assert not [query for query in queries if "UPDATE" in query["sql"]]
    assert ApiToken.objects.get().last_used_at == used_at
    ApiToken.objects.update(last_used_at=used_at - timedelta(seconds=61))
    refusal(key)
    assert ApiToken.objects.get().last_used_at >= used_at


def test_a_token_for_reading_changes_nothing() -> None:
    june = study()
    reader = program(key_of(june.people["lena"], scope="read"))
    assert reader.get("/api/v1/projects/june/progress/").status_code == 200
    for address in ("/api/v1/projects/june/assignments/", "/api/v1/projects/june/reports/", ADDRESS):
        refused = reader.post(address)
        assert (refused.status_code, refused.json()["detail"]) == (403, "This token can only read.")


def test_a_token_for_rating_does_a_raters_work_alone() -> None:
    june = study()
    rater = program(key_of(june.people["lena"], scope="rate"))
    work = rater.post("/api/v1/projects/june/assignments/").json()
    assert rater.get(work["document"]["url"]).status_code == 200
    assert rater.get(f"/api/v1/assignments/{work['id']}/beside/").status_code == 200
    assert rater.post(f"/api/v1/assignments/{work['id']}/release/").status_code == 200
    for address in ("/api/v1/projects/june/progress/", "/api/v1/projects/june/report/", ADDRESS):
        refused = rater.get(address)
        assert (refused.status_code, refused.json()["detail"]) == (403, "This token can only rate.")


def test_a_token_of_one_project_opens_no_other() -> None:
    june, july = study("june"), study("july")
    ravi = june.people["ravi"]
    works = [rates(ravi, each.project, sentences=1) for each in (june, july)]
    limited = program(key_of(ravi, project=june.project))
    for work, status in zip(works, (200, 404), strict=True):
        assert limited.get(f"/api/v1/assignments/{work.public_id}/beside/").status_code == status
        assert limited.get(f"/api/v1/documents/{work.sheet.document.public_id}/").status_code == status
        assert limited.post(f"/api/v1/projects/{work.project.slug}/assignments/").status_code == status
    assert limited.get(ADDRESS).status_code == 403


def test_a_token_of_one_project_opens_no_other_for_leads_either() -> None:
    june, july = study("june"), study("july")
    limited = program(key_of(person("ada", admin=True), project=june.project))
    full = program(key_of(person("ada")))
    for project, status in ((june.project, 200), (july.project, 404)):
        job = full.post(f"/api/v1/projects/{project.slug}/reports/").json()["id"]
        assert limited.get(f"/api/v1/reports/{job}/").status_code == status
        assert limited.get(f"/api/v1/projects/{project.slug}/progress/").status_code == status


def test_limits_without_sense_are_refused() -> None:
    for limits, message in [
        ({"days": 0}, "1 to 3650 days"),
        ({"days": 4000}, "1 to 3650 days"),
        ({"project": study("july", raters=()).project}, "not a member of project 'july'"),
        ({"scope": "admin"}, "is not an admin"),
    ]:
        with pytest.raises(PersonError, match=message):
            create_token(person("ravi"), **limits)
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize(
    ("scope", "statuses"),
    [("lead", (200, 403, 403, 403)), ("admin", (200, 200, 403, 201)), ("full", (200, 200, 200, 201))],
)
def test_tokens_for_leading_and_administration_do_not_rate(scope, statuses) -> None:
    june = study()
    ada = person("ada", admin=True)
    june.project.memberships.create(user=ada, role="rater")
    holder = program(key_of(ada, scope=scope))
    body = {"slug": "july", "dataset": "june-data", "protocol": "article-accuracy"}
    answers = (
        holder.patch("/api/v1/projects/june/", {"title": "A"}, format="json"),
        holder.get("/api/v1/jobs/"),
        holder.post("/api/v1/projects/june/assignments/"),
        holder.post("/api/v1/projects/", body, format="json"),
    )
    assert tuple(answer.status_code for answer in answers) == statuses


def test_a_token_for_leading_does_nothing_of_an_admin() -> None:
    june = study()
    ada = person("ada", admin=True)
    june.project.memberships.create(user=ada, role="lead")
    leading, full = program(key_of(ada, scope="lead")), program(key_of(ada))
    hidden, member = {"hides_raters": True}, "/api/v1/projects/june/members/rosa/"
    assert leading.get("/api/v1/judges/").status_code == leading.post("/api/v1/judges/").status_code == 403
    assert leading.patch("/api/v1/projects/june/", hidden, format="json").status_code == 403
    assert leading.put(member, {"role": "rater"}, format="json").status_code == 200
    assert full.patch("/api/v1/projects/june/", hidden, format="json").status_code == 200
    assert leading.put(member, {"role": "rater"}, format="json").status_code == 403
    assert full.put(member, {"role": "rater"}, format="json").status_code == 200
