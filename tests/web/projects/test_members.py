"""The members of a project: adding, inviting, changing roles, removing and replacing."""

import re
from html import unescape

import pytest
from django.urls import reverse

from annotation.models import Assignment, AuditEvent, Membership, Project, Rating, Slot, User
from annotation.projects.members import add_member
from annotation.projects.project_settings import change_settings
from annotation.qualification.prefetch import prefetch_next
from tests.cast import person
from tests.web.pages import html_of, link_in, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
JUNE = "/projects/june/"
MEMBERS = f"{JUNE}members/"


def roles(project: Project) -> dict[str, str]:
    return dict(project.memberships.values_list("user__username", "role"))


def suggested(client, address: str) -> list[str]:
    """Return the user names that a picker of people suggests."""
    groups = client.get(address).json()["groups"]
    return [entry["value"] for group in groups for entry in group["entries"]]


def invite(client, people: str, role: str = "rater"):
    return client.post(f"{JUNE}invite/", {"people": people, "role": role}, follow=True)


def close_account(name: str) -> None:
    User.objects.create(username=name, is_active=False)


class TestMembers:
    def test_a_lead_adds_somebody_by_user_name_or_email_and_changes_a_role(self, lena, june):
        User.objects.create(username="tom", email="tom@example.org")
        person("ines")
        for identifier in ("Tom@example.org", "INES"):
            response = lena.post(MEMBERS, {"username": identifier, "role": "rater"}, follow=True)
            assert "is now a rater of this project" in text_of(response)
        lena.post(MEMBERS, {"username": "ravi", "role": "lead"})
        assert roles(june.project) == dict.fromkeys(("tom", "ines", "rosa"), "rater") | {"ravi": "lead", "lena": "lead"}
        line = AuditEvent.objects.get(action="add member", target="user:ines")
        assert (line.actor, line.project, line.after) == (person("lena"), june.project, "rater")
        assert AuditEvent.objects.get(action="add member", after="lead", target="user:ravi").before == "rater"

    def test_a_bad_member_is_refused_at_the_field_and_nobody_changes(self, lena, june):
        close_account("gone")
        before = roles(june.project)
        for name, role, message in [
            ("nobody", "rater", "No account has the user name “nobody”"),
            ("gone", "rater", "The account “gone” is closed"),
            ("", "rater", "This field is required"),
            ("ravi", "owner", "not one of the available choices"),
            ("lena", "rater", "You cannot remove your own lead role"),
        ]:
            assert message in text_of(lena.post(MEMBERS, {"username": name, "role": role}))
        assert roles(june.project) == before

    def test_removing_a_member_frees_the_lease_and_keeps_what_was_finished(self, lena, june):
        ravi = june.people["ravi"]
        rates(ravi, june.project)
        begun = rates(ravi, june.project, sentences=1)
        response = lena.post(reverse("remove_member", args=["june", "ravi"]), follow=True)
        assert "ravi is no longer a member" in text_of(response)
        assert "ravi" not in roles(june.project)
        assert Assignment.objects.filter(pk=begun.pk).exists()
        assert Slot.objects.filter(holder__rater=ravi).count() == 1
        assert Rating.objects.filter(rater=ravi, counted=True).count() == 2
        assert "Former member" in text_of(lena.get(JUNE))  # what he finished is still shown

    def test_a_lead_cannot_remove_themselves_and_an_admin_can(self, ada, lena, june):
        address = reverse("remove_member", args=["june", "lena"])
        assert lena.post(address).status_code == 403
        assert ada.post(address).status_code == 302
        assert "lena" not in roles(june.project)


class TestInviting:
    def test_new_people_get_an_account_a_role_and_a_link_that_works_once(self, lena, june, client):
        person("rita")
        html = html_of(invite(lena, "tom, tom@example.org\n\nRita\numa@example.org\n"))
        assert "Added as rater: tom, rita, uma@example.org." in html
        assert html.count('<code id="link-') == 2
        assert roles(june.project)["rita"] == "rater"
        assert User.objects.filter(username__iexact="rita").count() == 1
        for name, email in (("tom", "tom@example.org"), ("uma@example.org", "uma@example.org")):
            assert User.objects.get(username=name).email == email
            assert AuditEvent.objects.get(action="create user", target=f"user:{name}").actor == june.people["lena"]
        assert link_in(html_of(lena.get(f"{JUNE}invite/"))) is None
        form = client.get(link_in(html), follow=True)
        client.post(form.redirect_chain[-1][0], {"password1": "Turbid-terns-9", "password2": "Turbid-terns-9"})
        assert client.login(username="tom", password="Turbid-terns-9")

    def test_members_are_not_reported_as_added(self, lena):
        page = text_of(invite(lena, "zoe\nrosa"))
        assert "Added as rater: zoe." in page and "Members with the role rater already: rosa." in page
        html = html_of(invite(lena, "Rosa", role="lead"))
        assert "Members whose role is now lead: rosa." in html and "Added" not in html
        assert link_in(html) is None

    def test_one_wrong_line_invites_nobody_and_opens_no_closed_account(self, lena):
        close_account("gone")
        before = User.objects.count(), Membership.objects.count()
        for people, messages in {
            "tom\ngone\ntom\nbad/name": [
                "Line 2: The name 'gone' belongs to a closed account",
                "Line 3: 'tom' is listed twice.",
                "Line 4: User name 'bad/name': use letters, digits",
            ],
            "gone": ["ask an admin to reopen the account"],
            "tom\ntwo words": ["Line 2: 'two words': write a user name and an email address"],
            "lena": ["Line 1: You cannot change your own role"],
            "tom nowhere@": ["Line 1: 'nowhere@' is not an email address"],
            "": ["This field is required"],
            "\n".join(f"rater{n}" for n in range(201)): ["Invite at most 200 people at once."],
        }.items():
            page = unescape(text_of(invite(lena, people)))
            assert [message for message in messages if message not in page] == []
        assert (User.objects.count(), Membership.objects.count()) == before
        assert not User.objects.get(username="gone").is_active

    def test_who_made_the_account_gets_another_link_until_there_is_a_password_and_nobody_else(self, lena, june, client):
        for _ in range(2):
            assert link_in(html_of(invite(lena, "tom")))
        add_member(june.project, person("ines"), Membership.Role.LEAD)
        client.force_login(person("ines"))
        assert link_in(html_of(invite(client, "tom"))) is None
        tom = User.objects.get(username="tom")
        tom.set_password("Turbid-terns-9")
        tom.save()
        assert link_in(html_of(invite(lena, "tom"))) is None

    def test_with_a_mail_server_an_account_needs_an_address_to_which_its_link_is_mailed(
        self, lena, settings, mailoutbox, monkeypatch
    ):
        settings.EMAIL_HOST = "mail.example"
        assert "Line 1: The new account of 'tom' needs an email address" in unescape(text_of(invite(lena, "tom")))
        assert not User.objects.filter(username="tom").exists() and mailoutbox == []
        html = html_of(invite(lena, "tom tom@example.org"))
        assert "Sent emails to: tom@example.org." in html and link_in(html) is None
        [mail] = mailoutbox
        assert mail.to == ["tom@example.org"] and "Study june" in mail.subject
        assert "/accounts/password/reset/key/" in mail.body

        def refuse(*arguments):
            raise OSError("connection refused")

        monkeypatch.setattr("annotation.projects.invitations.send_mail", refuse)
        html = html_of(invite(lena, "uma uma@example.org"))
        assert "These emails could not be sent: uma@example.org." in html and link_in(html) is None


class TestReplacing:
    def test_a_successor_goes_on_where_somebody_left(self, lena, june):
        ravi = june.people["ravi"]
        add_member(june.project, person("tom"), Membership.Role.RATER)
        change_settings(june.project, {"prefetch_limit": 2})
        begun = rates(ravi, june.project, sentences=1)
        assert prefetch_next(june.project, ravi, begun.public_id)
        page = text_of(lena.get(f"{MEMBERS}ravi/replace/"))
        assert "1 response returns to the queue at once" in page
        assert "Prefetched 1 response without an answer returns to the queue at once." in page
        posted = {"successor": "tom", "move_reservations": "on"}
        page = text_of(lena.post(f"{MEMBERS}ravi/replace/", posted, follow=True))
        assert "tom replaces ravi" in page
        assert Slot.objects.filter(holder=begun).count() == 0
        assert "ravi" not in roles(june.project)

    def test_a_successor_is_chosen_among_the_raters_of_the_project(self, lena, june):
        add_member(june.project, person("ines"), Membership.Role.LEAD)
        add_member(june.project, person("tom"), Membership.Role.RATER)
        person("otto")
        assert suggested(lena, f"{MEMBERS}ravi/successors/") == ["rosa", "tom"]
        for name in ("rosa\x00", "ines"):
            page = text_of(lena.post(f"{MEMBERS}ravi/replace/", {"successor": name}))
            assert f"You cannot choose “{name}” here." in page
        assert "otto" not in suggested(lena, f"{MEMBERS}ravi/successors/?q=o")
        assert lena.get(f"{MEMBERS}otto/replace/").status_code == 404


def test_a_lead_is_suggested_the_people_of_their_projects_and_an_admin_all_who_can_sign_in(lena, ada, june):
    User.objects.filter(username="rosa").update(first_name="Rosalind", email="rosa@example.org")
    User.objects.filter(username="ravi").update(is_active=False)
    person("otto")
    people = f"{MEMBERS}people/?q="
    groups = lena.get(f"{people}lind").json()["groups"]
    assert groups == [{"label": "", "entries": [{"label": "Rosalind (rosa)", "detail": "", "value": "rosa"}]}]
    assert suggested(lena, f"{people}otto") == suggested(lena, f"{people}example.org") == []
    html = html_of(lena.get(MEMBERS))
    assert re.search(r'<input type="text" name="username"[^>]* data-people="/projects/june/members/people/"', html)
    assert suggested(ada, f"{people}example.org") == ["rosa"]
    assert suggested(ada, f"{people}otto") == ["otto"]
    assert suggested(ada, f"{people}ravi") == []
