"""Accounts: made with a link and without mail, closed and opened, and by nobody but admins."""

import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import AuditEvent, Rating, Slot, User
from tests.cast import ACCURATE, PASSWORD, person, study
from tests.web.pages import html_of, link_in, queries, rates, text_of

pytestmark = pytest.mark.django_db

NEW = {"password1": "Turbid-terns-9", "password2": "Turbid-terns-9"}


def test_a_new_account_comes_with_a_link_that_sets_a_password(ada, client, mailoutbox):
    page = html_of(ada.post("/people/", {"username": "tom", "email": ""}, follow=True))
    assert "works once, within 3 days," in page
    link = link_in(page)
    assert link and link_in(html_of(ada.get("/people/"))) is None
    assert not User.objects.get(username="tom").has_usable_password()
    assert AuditEvent.objects.get(action="create user").actor == person("ada")
    form = client.get(link, follow=True)
    assert "Your user name is tom. You sign in with it and this password." in text_of(form)
    assert re.search(r'<input type="password" name="password1"[^>]* autofocus', html_of(form))
    User.objects.filter(username="tom").update(is_active=False)
    client.post(form.redirect_chain[-1][0], NEW, follow=True)
    assert "_auth_user_id" not in client.session
    User.objects.filter(username="tom").update(is_active=True)
    link = link_in(html_of(ada.post(reverse("person_link", args=["tom"]), follow=True)))
    page = client.post(client.get(link, follow=True).redirect_chain[-1][0], NEW, follow=True)
    assert page.redirect_chain[-1][0] == "/"
    assert "Your password is saved." in text_of(page)
    assert page.context["user"].username == "tom"  # signed in, without typing the password again
    client.logout()
    assert client.login(username="tom", password="Turbid-terns-9")
    assert mailoutbox == []


def test_a_link_works_for_three_days(ada, client, monkeypatch):
    link = link_in(html_of(ada.post("/people/", {"username": "tom"}, follow=True)))
    now = datetime.now()
    generator = "annotation.accounts.password_tokens.PasswordTokenGenerator._now"
    for age, words in (
        (timedelta(days=2, hours=23), "Set your password"),
        (timedelta(days=3, minutes=1), "This link no longer works"),
    ):
        monkeypatch.setattr(generator, lambda self, age=age: now + age)
        assert words in text_of(Client().get(link, follow=True))


def test_a_bad_account_is_refused_at_the_field(ada):
    User.objects.create(username="ravi", email="ravi@example.org")
    for posted, message in [
        ({"username": "ravi"}, "User &#x27;ravi&#x27; already exists"),
        ({"username": "two words"}, "use letters, digits and @ . + - _ only"),
        ({"username": ""}, "This field is required"),
        ({"username": "tom", "email": "nowhere"}, "Enter a valid email address"),
        ({"username": "tom", "email": "ravi@example.org"}, "another user has the email address"),
    ]:
        assert message.lower() in text_of(ada.post("/people/", posted)).lower()
    assert User.objects.count() == 2


def test_closing_an_account_is_asked_about_first_and_opening_one_is_not(ada):
    person("ravi")
    User.objects.create(username="rosa", is_active=False)
    html = html_of(ada.get("/people/"))
    [dialog] = re.findall(r'<dialog id="close-.*?</dialog>', html, re.DOTALL)
    closing, opening = (reverse("person_activity", args=[name]) for name in ("ravi", "rosa"))
    assert "Close the account of ravi?" in dialog and closing in dialog
    assert "Unfinished responses return to the queue" in dialog
    outside = html.replace(dialog, "")
    assert closing not in outside and opening in outside


def test_a_lost_link_is_made_anew_but_not_for_a_closed_account_and_no_admin_closes_the_own(ada):
    person("ravi")
    assert link_in(html_of(ada.post(reverse("person_link", args=["ravi"]), follow=True)))
    assert AuditEvent.objects.get(action="make password link").target == "user:ravi"
    User.objects.filter(username="ravi").update(is_active=False)
    assert "is closed: reopen it first" in text_of(ada.post(reverse("person_link", args=["ravi"]), follow=True))
    page = text_of(ada.post(reverse("person_activity", args=["ada"]), {"active": ""}, follow=True))
    assert "You cannot close your own account" in page
    assert person("ada").is_active


def test_closing_an_account_signs_out_and_frees_leases_and_keeps_the_rest(june, ada, client):
    ravi = june.people["ravi"]
    rates(ravi, june.project, sentences=1)
    address = reverse("person_activity", args=["ravi"])
    ada.post(address, {"active": ""})
    ravi.refresh_from_db()
    assert not ravi.is_active
    assert not Slot.objects.filter(holder__rater=ravi).exists()
    assert (ravi.ratings.count(), ravi.memberships.count()) == (1, 1)
    assert not client.login(username="ravi", password=PASSWORD)
    ada.post(address, {"active": "1"})
    ravi.refresh_from_db()
    assert ravi.is_active
    actions = AuditEvent.objects.filter(target="user:ravi", action__endswith="account").order_by("at")
    assert [line.action for line in actions] == ["close account", "open account"]


def test_the_list_says_who_is_in_which_project_closed_or_from_imported_ratings(june, ada):
    page = text_of(ada.get("/people/"))
    assert "Study june (rater)" in page and "Study june (lead)" in page
    for name in ("otto", "ines"):
        User.objects.create(username=name, is_active=False)
    Rating.objects.create(
        project=june.project, item=june.items()[0], rater=person("otto"), answers=ACCURATE, choices=ACCURATE,
        counted=True, rated_at=timezone.now(),
    )  # fmt: skip
    page = text_of(ada.get("/people/"))
    assert "otto From imported ratings" in page and "ines Closed" in page


def test_three_people_take_as_many_queries_as_one(ada):
    study("june", raters=("ravi",))
    queries_of_one = queries(ada, "/people/")
    study("july", raters=("rosa", "tom", "ines"))
    assert queries(ada, "/people/") == queries_of_one


class TestAdminSite:
    def test_an_account_is_made_there_without_email_and_a_password_set_is_in_the_audit(self, ada, client):
        posted = {"username": "tom", "usable_password": "true", **NEW}
        assert ada.post(reverse("admin:annotation_user_add"), posted).status_code == 302
        tom = User.objects.get(username="tom")
        assert (tom.email, tom.is_active, tom.is_superuser) == ("", True, False)
        assert AuditEvent.objects.get(action="create user").target == "user:tom"
        address = reverse("admin:auth_user_password_change", args=[person("ravi").pk])
        assert ada.post(address, {"usable_password": "true", **NEW}).status_code == 302
        assert client.login(username="ravi", password="Turbid-terns-9")
        line = AuditEvent.objects.get(action="set password")
        assert (line.target, line.actor, line.after) == ("user:ravi", person("ada"), None)

    def test_closing_an_account_there_frees_its_leases(self, june, ada):
        ravi = june.people["ravi"]
        rates(ravi, june.project, sentences=1)
        posted = {"username": "ravi", "first_name": "Ravi", "is_superuser": ""}
        response = ada.post(reverse("admin:annotation_user_change", args=[ravi.pk]), posted)
        assert response.status_code == 302
        ravi.refresh_from_db()
        assert (ravi.first_name, ravi.is_active) == ("Ravi", False)
        assert not Slot.objects.filter(holder__rater=ravi).exists()

    def test_a_membership_made_and_deleted_there_is_in_the_audit(self, june, ada):
        posted = {"user": person("tom").pk, "project": june.project.pk, "role": "rater"}
        assert ada.post(reverse("admin:annotation_membership_add"), posted).status_code == 302
        membership = june.project.memberships.get(user=person("tom"))
        delete = reverse("admin:annotation_membership_delete", args=[membership.pk])
        assert ada.post(delete, {"post": "yes"}).status_code == 302
        lines = AuditEvent.objects.filter(target="user:tom").order_by("at")
        assert [line.action for line in lines] == ["add member", "remove member"]

    def test_a_superuser_s_account_cannot_be_deleted_nor_closed_by_its_owner(self, ada):
        me = person("ada")
        assert ada.post(reverse("admin:annotation_user_delete", args=[me.pk]), {"post": "yes"}).status_code == 403
        ada.post(reverse("admin:annotation_user_change", args=[me.pk]), {"username": "ada"})
        me.refresh_from_db()
        assert (me.is_active, me.is_superuser) == (True, True)

    def test_staff_who_are_no_superusers_do_not_get_in(self, client):
        client.force_login(User.objects.create(username="clerk", is_staff=True))
        assert client.get("/admin/").status_code in (302, 403)
        assert client.get(reverse("admin:annotation_user_changelist")).status_code in (302, 403)
