"""Inviting people into a running project, and replacing a rater."""

import re
from html import unescape

import pytest

from annotation.models import AuditEvent, Membership, Rating, Slot, User
from annotation.projects.members import add_member
from annotation.qualification.prefetch import prefetch_next, set_prefetch_limit
from tests.cast import person, study
from tests.web.pages import html_of, link_in, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
JUNE = "/projects/june/"


def suggested(client, address: str) -> list[str]:
    """Return the user names that a picker of people suggests."""
    groups = client.get(address).json()["groups"]
    return [entry["value"] for group in groups for entry in group["entries"]]


def invite(client, people: str, role: str = "rater"):
    return client.post(f"{JUNE}invite/", {"people": people, "role": role}, follow=True)


class TestInviting:
    def test_a_new_name_gets_an_account_a_role_and_a_link_that_works_once(self, lena, june, client):
        html = html_of(invite(lena, "tom"))
        assert "Added as rater: tom." in html
        link = link_in(html)
        assert link
        assert link_in(html_of(lena.get(f"{JUNE}invite/"))) is None
        client.logout()
        form = client.get(link, follow=True)
        client.post(form.redirect_chain[-1][0], {"password1": "Turbid-terns-9", "password2": "Turbid-terns-9"})
        assert client.login(username="tom", password="Turbid-terns-9")
        assert AuditEvent.objects.get(action="create user").actor == june.people["lena"]

    def test_several_people_are_invited_at_once(self, lena, june):
        person("rita")
        html = html_of(invite(lena, "tom, tom@example.org\n\nrita\numa@example.org\n"))
        assert "Added as rater: tom, rita, uma@example.org." in html
        assert html.count('<code id="link-') == 2
        assert User.objects.get(username="tom").email == "tom@example.org"
        assert User.objects.get(username="uma@example.org").email == "uma@example.org"

    def test_members_are_not_reported_as_added(self, lena, june):
        page = text_of(invite(lena, "zoe\nrosa"))
        assert "Added as rater: zoe." in page and "Members with the role rater already: rosa." in page
        page = text_of(invite(lena, "rosa", role="lead"))
        assert "Members whose role is now lead: rosa." in page and "Added" not in page

    def test_one_wrong_line_invites_nobody_and_opens_no_closed_account(self, lena, june):
        User.objects.create(username="gone", is_active=False)
        before = User.objects.count(), Membership.objects.count()
        page = unescape(text_of(invite(lena, "tom\ngone\ntom\nbad/name")))
        assert "Line 2: The name 'gone' belongs to a closed account" in page
        assert "Line 3: 'tom' is listed twice." in page
        assert "Line 4: User name 'bad/name': use letters, digits" in page
        assert (User.objects.count(), Membership.objects.count()) == before
        assert "ask an admin to reopen the account" in text_of(invite(lena, "gone"))
        assert not User.objects.get(username="gone").is_active

    def test_somebody_with_an_account_comes_in_without_a_link(self, lena, june):
        person("tom")
        html = html_of(invite(lena, "Tom", "lead"))
        assert link_in(html) is None
        assert Membership.objects.get(user__username="tom").role == "lead"
        assert User.objects.filter(username__iexact="tom").count() == 1

    def test_who_made_the_account_gets_another_link_until_there_is_a_password_and_nobody_else(self, lena, june, client):
        for _ in range(2):
            assert link_in(html_of(invite(lena, "tom")))
        add_member(june.project, person("ines"), Membership.Role.LEAD)
        client.force_login(person("ines"))
        assert link_in(html_of(invite(client, "tom"))) is None
        tom = User.objects.get(username="tom")
        tom.set_password("Turbid-terns-9")
        tom.save()
        client.force_login(june.people["lena"])
        assert link_in(html_of(invite(client, "tom"))) is None

    def test_with_a_mail_server_an_account_needs_an_address_to_which_its_link_is_mailed(
        self, lena, june, settings, mailoutbox
    ):
        settings.EMAIL_HOST = "mail.example"
        assert "Line 1: The new account of 'tom' needs an email address" in unescape(text_of(invite(lena, "tom")))
        assert not User.objects.filter(username="tom").exists()
        assert mailoutbox == []
        html = html_of(invite(lena, "tom tom@example.org"))
        assert "Sent emails to: tom@example.org." in html
        assert link_in(html) is None
        [mail] = mailoutbox
        assert mail.to == ["tom@example.org"]
        assert "/accounts/password/reset/key/" in mail.body
        assert "Study june" in mail.subject

    def test_a_mail_that_is_not_sent_is_named_and_the_link_stays_secret(self, lena, june, settings, monkeypatch):
        settings.EMAIL_HOST = "mail.example"

        def refuse(*arguments):
            raise OSError("connection refused")

        monkeypatch.setattr("annotation.projects.invitation_mail.send_mail", refuse)
        html = html_of(invite(lena, "tom tom@example.org"))
        assert "These emails could not be sent: tom@example.org." in html
        assert link_in(html) is None

    @pytest.mark.parametrize(
        ("people", "message"),
        [
            ("tom\ntwo words", "Line 2: 'two words': write a user name and an email address"),
            ("lena", "Line 1: You cannot change your own role"),
            ("tom nowhere@", "Line 1: 'nowhere@' is not an email address"),
            ("", "This field is required"),
            ("\n".join(f"rater{n}" for n in range(201)), "Invite at most 200 people at once."),
        ],
    )
    def test_a_bad_invitation_is_refused_at_the_field(self, lena, june, people, message):
        before = User.objects.count()
        assert message in unescape(text_of(invite(lena, people)))
        assert User.objects.count() == before

    def test_a_successor_goes_on_where_somebody_left(self, lena, june):
        add_member(june.project, person("tom"), Membership.Role.RATER)
        begun = rates(june.people["ravi"], june.project, sentences=1)
        assert "1 response returns to the queue at once" in text_of(lena.get(f"{JUNE}members/ravi/replace/"))
        posted = {"successor": "tom", "move_reservations": "on"}
        page = text_of(lena.post(f"{JUNE}members/ravi/replace/", posted, follow=True))
        assert "tom replaces ravi" in page
        assert "ravi Has left" not in page or Rating.objects.filter(rater=june.people["ravi"]).exists()
        assert Slot.objects.filter(holder=begun).count() == 0
        assert not Membership.objects.filter(user=june.people["ravi"]).exists()

    def test_prefetched_responses_are_not_counted_as_begun(self, lena):
        project = study("july", prompts=3, raters=("ravi", "rosa")).project
        set_prefetch_limit(project, 2)
        begun = rates(person("ravi"), project, sentences=1)
        assert prefetch_next(project, person("ravi"), begun.public_id)
        page = text_of(lena.get("/projects/july/members/ravi/replace/"))
        assert "1 response returns to the queue at once" in page
        assert "Prefetched 1 response without an answer returns to the queue at once." in page

    def test_a_successor_is_chosen_among_the_raters_of_the_project(self, lena, june):
        add_member(june.project, person("ines"), Membership.Role.LEAD)
        add_member(june.project, person("tom"), Membership.Role.RATER)
        assert suggested(lena, f"{JUNE}members/ravi/successors/") == ["rosa", "tom"]
        nobody = text_of(lena.post(f"{JUNE}members/ravi/replace/", {"successor": "rosa\x00"}))
        assert "You cannot choose “rosa\x00” here." in nobody
        page = text_of(lena.post(f"{JUNE}members/ravi/replace/", {"successor": "ines"}))
        assert "You cannot choose “ines” here." in page
        person("otto")
        assert "otto" not in suggested(lena, f"{JUNE}members/ravi/successors/?q=o")
        assert lena.get(f"{JUNE}members/otto/replace/").status_code == 404


class TestPickersOfPeople:
    def test_a_lead_finds_the_people_of_their_projects_or_types_a_user_name(self, lena, june):
        User.objects.filter(username="rosa").update(first_name="Rosalind", email="rosa@example.org")
        person("otto")
        groups = lena.get(f"{JUNE}members/people/?q=lind").json()["groups"]
        assert groups == [{"label": "", "entries": [{"label": "Rosalind (rosa)", "detail": "", "value": "rosa"}]}]
        assert suggested(lena, f"{JUNE}members/people/?q=otto") == []
        assert suggested(lena, f"{JUNE}members/people/?q=example.org") == []
        person("tom")
        html = html_of(lena.get(f"{JUNE}members/"))
        assert re.search(r'<input type="text" name="username"[^>]* data-people="/projects/june/members/people/"', html)
        assert "tom is now a rater of this project" in text_of(
            lena.post(f"{JUNE}members/", {"username": "tom", "role": "rater"}, follow=True)
        )

    def test_an_admin_finds_everybody_who_can_sign_in_also_by_address(self, ada, june):
        User.objects.filter(username="rosa").update(email="rosa@example.org")
        person("otto")
        User.objects.filter(username="ravi").update(is_active=False)
        assert suggested(ada, f"{JUNE}members/people/?q=example.org") == ["rosa"]
        assert suggested(ada, f"{JUNE}members/people/?q=otto") == ["otto"]
        assert suggested(ada, f"{JUNE}members/people/?q=ravi") == []
