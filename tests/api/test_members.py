"""Members and invitations, by a program."""

import pytest

from annotation.models import AuditEvent, Membership, User
from annotation.projects.project_settings import change_settings
from tests.api.clients import send
from tests.cast import person

pytestmark = pytest.mark.django_db
MEMBERS = "projects/june/members/"


def test_a_lead_adds_lists_changes_and_removes_members(june, lena):
    person("tom")
    status, added = send(lena, "PUT", f"{MEMBERS}tom/", {"role": "rater"})
    assert (status, added["username"], added["role"]) == (200, "tom", "rater")
    listed = send(lena, "GET", MEMBERS)[1]["results"]
    assert [(row["username"], row["role"]) for row in listed][-1] == ("tom", "rater")
    assert send(lena, "PUT", f"{MEMBERS}tom/", {"role": "lead"})[1]["role"] == "lead"
    assert send(lena, "DELETE", f"{MEMBERS}tom/") == (200, {})
    assert send(lena, "GET", f"{MEMBERS}tom/")[0] == 404
    actions = AuditEvent.objects.filter(target="user:tom", project=june.project).values_list("action", flat=True)
    assert list(actions.order_by("pk")) == ["add member", "add member", "remove member"]


def test_members_that_cannot_be_added_and_the_removal_of_oneself_are_refused(lena):
    for name, role in (("nobody", "rater"), ("lena", "rater"), ("ravi", "x")):
        assert send(lena, "PUT", f"{MEMBERS}{name}/", {"role": role})[0] == 400
    assert send(lena, "DELETE", f"{MEMBERS}lena/")[0] == 403
    assert Membership.objects.get(user__username="lena").role == "lead"


def test_a_rater_is_replaced(june, ada):
    person("tom")
    status, successor = send(ada, "POST", f"{MEMBERS}rosa/replace/", {"successor": "tom"})
    assert (status, successor["username"]) == (200, "tom")
    names = set(june.project.memberships.values_list("user__username", flat=True))
    assert "tom" in names and "rosa" not in names
    status, problem = send(ada, "POST", f"{MEMBERS}ravi/replace/", {"successor": "lena"})
    assert (status, list(problem["errors"])) == (400, ["successor"])


def test_where_raters_are_hidden_leads_see_pseudonyms_and_change_no_members(june, lena):
    change_settings(june.project, {"hides_raters": True}, actor=person("ada", admin=True))
    rows = send(lena, "GET", MEMBERS)[1]["results"]
    names = {row["username"] for row in rows}
    assert not names & {"ravi", "rosa"} and not {row["name"] for row in rows} & {"ravi", "rosa"}
    [hidden, *_] = sorted(names - {"lena"})
    assert send(lena, "GET", f"{MEMBERS}{hidden}/")[1]["username"] == hidden
    assert send(lena, "GET", f"{MEMBERS}ravi/")[0] == 404
    for method, address, body in (
        ("PUT", f"{MEMBERS}tom/", {"role": "rater"}),
        ("DELETE", f"{MEMBERS}ravi/", None),
        ("POST", "projects/june/invitations/", {"role": "rater", "people": [{"username": "tom"}]}),
    ):
        assert send(lena, method, address, body)[0] == 403


def test_people_are_invited_with_new_accounts_and_links(settings, lena):
    settings.EMAIL_HOST = ""
    people = [{"username": "nora", "email": "nora@example.org"}, {"username": "ravi"}]
    body = {"role": "rater", "people": people}
    status, answer = send(lena, "POST", "projects/june/invitations/", body)
    assert status == 201, answer
    nora, ravi = answer["invitations"]
    assert (nora["username"], nora["previous_role"], nora["mailed"]) == ("nora", "", None)
    assert "/accounts/password/reset/key/" in nora["link"]
    assert (ravi["previous_role"], ravi["link"]) == ("rater", "")
    assert User.objects.get(username="nora").email == "nora@example.org"


def test_invitations_are_mailed_where_the_site_sends_mail(settings, mailoutbox, lena):
    settings.EMAIL_HOST = "mail.example.org"
    body = {"role": "rater", "people": [{"username": "nora", "email": "nora@example.org"}]}
    [nora] = send(lena, "POST", "projects/june/invitations/", body)[1]["invitations"]
    assert (nora["mailed"], nora["link"]) == (True, "")
    [mail] = mailoutbox
    assert mail.to == ["nora@example.org"] and "/accounts/password/reset/key/" in mail.body


def test_all_are_invited_or_nobody(lena, ada):
    body = {"role": "rater", "people": [{"username": "nora"}, {"username": "not a name"}]}
    status, problem = send(ada, "POST", "projects/june/invitations/", body)
    assert (status, list(problem["errors"])) == (400, ["people.1"])
    assert not User.objects.filter(username="nora").exists()
    own = {"role": "rater", "people": [{"username": "LENA"}]}
    assert send(lena, "POST", "projects/june/invitations/", own)[0] == 400
