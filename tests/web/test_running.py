"""What leads do while a project runs, on its pages: look, invite, replace, reserve, change, reopen, archive, delete."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation import jobs
from annotation.assigning import deleting
from annotation.assigning.archiving import archive
from annotation.assigning.projects import add_member, remove_member
from annotation.assigning.queue import take_next
from annotation.models import AuditEvent, Dataset, Job, Membership, Place, Project, Rating, Reservation, User
from tests.cast import ACCURATE, person, study
from tests.web.given import html_of, queries, rates, text_of

pytestmark = pytest.mark.django_db
JUNE = "/projects/june/"


@pytest.fixture
def june():
    return study("june", prompts=3, systems=("heron", "plover"), sentences=2)


@pytest.fixture
def lena(client, june):
    client.force_login(june.people["lena"])
    return client


@pytest.fixture
def ada(client):
    client.force_login(person("ada", admin=True))
    return client


def link_in(html: str) -> str | None:
    found = re.search(r'<code id="link">https?://[^/]+([^<]+)</code>', html)
    return found and found[1]


class TestDashboard:
    def test_it_says_how_far_how_fast_and_that_it_is_too_early(self, lena, june):
        rates(june.people["ravi"], june.project)
        page = text_of(lena.get(JUNE))
        assert "Too early to say when it will be finished" in page
        assert "1 of 12" in page
        assert "ravi 1 1.0 1 0" in page

    def test_with_days_behind_it_it_says_between_when_and_when(self, lena, june):
        for name in ("ravi", "rosa"):
            for _ in range(5):
                rates(june.people[name], june.project)
        now = timezone.now()
        for n, place in enumerate(Place.objects.filter(finished_at__isnull=False)):
            Place.objects.filter(pk=place.pk).update(finished_at=now - timedelta(hours=10 * n + 1))
        page = text_of(lena.get(JUNE))
        assert "Finished about" in page
        assert "at the pace of the last 3 days" in page

    def test_the_live_part_is_the_same_as_the_page(self, lena, june):
        rates(june.people["ravi"], june.project)
        page, now = html_of(lena.get(JUNE)), html_of(lena.get(f"{JUNE}now/"))
        for name in ("progress", "pace"):
            part = re.search(rf'data-live="{name}">(.*?)</(?:div> ?<table|tbody)', now)
            assert part and part[1].strip() in page

    def test_more_ratings_and_raters_take_no_more_queries(self, lena, june):
        rates(june.people["ravi"], june.project, sentences=1)
        few = [queries(lena, JUNE), queries(lena, f"{JUNE}now/")]
        for name in ("rosa", "tom", "ines"):
            if name != "rosa":
                add_member(june.project, person(name), Membership.Role.RATER)
            rates(person(name), june.project)
        assert [queries(lena, JUNE), queries(lena, f"{JUNE}now/")] == few
        assert few[1] <= 11

    def test_widths_and_agreement_come_after_the_page(self, lena, june):
        assert "No finished reading yet" in text_of(lena.get(f"{JUNE}standing/"))
        for name in ("ravi", "rosa"):
            for _ in range(3):
                rates(june.people[name], june.project)
        page = text_of(lena.get(f"{JUNE}standing/"))
        assert "An interval takes ten prompts" in page
        assert "100 %" in page

    def test_an_archived_project_says_so_and_forecasts_nothing(self, lena, june):
        archive(june.project)
        page = text_of(lena.get(JUNE))
        assert "Nobody rates here any more" in page
        assert "Too early" not in page


class TestInviting:
    def test_a_new_name_gets_an_account_a_role_and_a_link_that_works_once(self, lena, june, client):
        html = html_of(lena.post(f"{JUNE}invite/", {"username": "tom", "email": "", "role": "rater"}, follow=True))
        assert "tom is now a rater of this project" in html
        link = link_in(html)
        assert link
        assert link_in(html_of(lena.get(f"{JUNE}invite/"))) is None
        client.logout()
        form = client.get(link, follow=True)
        client.post(form.redirect_chain[-1][0], {"password1": "Turbid-terns-9", "password2": "Turbid-terns-9"})
        assert client.login(username="tom", password="Turbid-terns-9")
        assert AuditEvent.objects.get(action="create user").actor == june.people["lena"]

    def test_somebody_with_an_account_comes_in_without_a_link(self, lena, june):
        person("tom")
        html = html_of(lena.post(f"{JUNE}invite/", {"username": "Tom", "role": "lead"}, follow=True))
        assert link_in(html) is None
        assert Membership.objects.get(user__username="tom").role == "lead"
        assert User.objects.filter(username__iexact="tom").count() == 1

    def test_a_lead_opens_no_closed_account_and_takes_no_imported_name(self, lena, june):
        User.objects.create(username="gone", is_active=False)
        page = text_of(lena.post(f"{JUNE}invite/", {"username": "gone", "role": "rater"}))
        assert "ask an admin to open it" in page
        assert not User.objects.get(username="gone").is_active

    def test_who_made_the_account_gets_another_link_until_there_is_a_password_and_nobody_else(self, lena, june, client):
        invitation = {"username": "tom", "role": "rater"}
        for _ in range(2):
            assert link_in(html_of(lena.post(f"{JUNE}invite/", invitation, follow=True)))
        add_member(june.project, person("ines"), Membership.Role.LEAD)
        client.force_login(person("ines"))
        assert link_in(html_of(client.post(f"{JUNE}invite/", invitation, follow=True))) is None
        tom = User.objects.get(username="tom")
        tom.set_password("Turbid-terns-9")
        tom.save()
        client.force_login(june.people["lena"])
        assert link_in(html_of(client.post(f"{JUNE}invite/", invitation, follow=True))) is None

    def test_a_mail_goes_out_where_there_is_a_mail_server(self, lena, june, settings, mailoutbox):
        settings.EMAIL_HOST = "mail.example"
        given = {"username": "tom", "email": "tom@example.org", "role": "rater"}
        page = text_of(lena.post(f"{JUNE}invite/", given, follow=True))
        assert "A mail is on its way to tom@example.org" in page
        [mail] = mailoutbox
        assert mail.to == ["tom@example.org"]
        assert "/accounts/password/reset/key/" in mail.body
        assert "Study june" in mail.subject

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"username": "two words", "role": "rater"}, "use letters, digits"),
            ({"username": "lena", "role": "rater"}, "That is you"),
            ({"username": "tom", "email": "nowhere", "role": "rater"}, "valid email address"),
            ({"username": "", "role": "rater"}, "This field is required"),
        ],
    )
    def test_a_bad_invitation_is_refused_at_the_field(self, lena, june, given, told):
        before = User.objects.count()
        assert told in text_of(lena.post(f"{JUNE}invite/", given))
        assert User.objects.count() == before

    def test_a_successor_goes_on_where_somebody_left(self, lena, june):
        add_member(june.project, person("tom"), Membership.Role.RATER)
        begun = rates(june.people["ravi"], june.project, sentences=1)
        page = text_of(lena.get(f"{JUNE}members/ravi/replace/"))
        assert "1 response: free for others at once" in page
        given = {"successor": person("tom").pk, "move_reservations": "on"}
        page = text_of(lena.post(f"{JUNE}members/ravi/replace/", given, follow=True))
        assert "tom is in the place of ravi" in page
        assert "ravi Has left" not in page or Rating.objects.filter(rater=june.people["ravi"]).exists()
        assert Place.objects.filter(holder=begun).count() == 0
        assert not Membership.objects.filter(user=june.people["ravi"]).exists()

    def test_nobody_who_sees_what_others_answered_takes_over(self, lena, june):
        add_member(june.project, person("ines"), Membership.Role.LEAD)
        add_member(june.project, person("tom"), Membership.Role.RATER)
        page = html_of(lena.get(f"{JUNE}members/ravi/replace/"))
        assert ">tom</option>" in page and ">ines</option>" not in page and ">lena</option>" not in page

    def test_a_lead_chooses_among_the_people_of_the_project(self, lena, june):
        person("otto")
        assert "otto" not in text_of(lena.get(f"{JUNE}members/ravi/replace/"))
        assert lena.get(f"{JUNE}members/otto/replace/").status_code == 404


class TestParts:
    def chosen(self, june, **changes) -> dict:
        return {"raters": [june.people["ravi"].pk], "by": "system", "system": "heron", **changes}

    def test_first_it_says_what_would_happen_then_it_does_it_then_it_is_undone(self, lena, june):
        page = text_of(lena.post(f"{JUNE}parts/", self.chosen(june)))
        assert "3 responses for ravi" in page
        assert "1 rater, but each response is to be read by 2" in page
        assert not Reservation.objects.exists()
        page = text_of(lena.post(f"{JUNE}parts/", self.chosen(june, confirmed="1"), follow=True))
        assert "3 responses kept for ravi" in page
        assert "Responses of heron" in page
        [made_at] = Reservation.objects.values_list("made_at", flat=True).distinct()
        page = text_of(lena.post(f"{JUNE}parts/end/", {"made_at": made_at.isoformat()}, follow=True))
        assert "3 responses no longer kept" in page
        assert "None. Everybody gets everything." in page

    def test_at_random_and_by_document(self, lena, june):
        both = [june.people["ravi"].pk, june.people["rosa"].pk]
        page = text_of(lena.post(f"{JUNE}parts/", self.chosen(june, by="random", n="4", seed="9", raters=both)))
        assert "4 responses for ravi and rosa" in page
        assert "4 at random (seed 9)" in page
        assert "but each response is to be read" not in page
        assert "2 responses for ravi" in text_of(
            lena.post(f"{JUNE}parts/", self.chosen(june, by="document", document="d2"))
        )

    @pytest.mark.parametrize(
        ("changes", "told"),
        [
            ({"raters": []}, "This field is required"),
            ({"by": "random", "n": ""}, "Say how many"),
            ({"system": ""}, "Choose one"),
            ({"system": "gull"}, "not one of the available choices"),
            ({"by": "moon"}, "not one of the available choices"),
        ],
    )
    def test_a_bad_choice_is_refused_at_the_field(self, lena, june, changes, told):
        assert told in text_of(lena.post(f"{JUNE}parts/", self.chosen(june, confirmed="1", **changes)))
        assert not Reservation.objects.exists()

    @pytest.mark.parametrize("given", ["", "yesterday", "2026-13-45T00:00:00Z", "2026-01-01T00:00:00"])
    def test_ending_what_is_not_there_is_said(self, lena, june, given):
        assert "no such part" in text_of(lena.post(f"{JUNE}parts/end/", {"made_at": given}, follow=True))


class TestChanges:
    def test_another_overlap_is_shown_before_it_is_made(self, lena, june):
        rates(june.people["ravi"], june.project)
        page = text_of(lena.post(f"{JUNE}overlap/", {"overlap": "3"}))
        assert "6 readings more to do" in page
        assert "There are 2 raters, and nobody reads a response twice" in page
        assert june.project.places.count() == 12
        page = text_of(lena.post(f"{JUNE}overlap/", {"overlap": "3", "confirmed": "1"}, follow=True))
        assert "Each response is now read by 3" in page
        assert june.project.places.count() == 18

    def test_fewer_says_what_is_kept(self, lena, june):
        for name in ("ravi", "rosa"):
            for _ in range(6):
                rates(june.people[name], june.project)
        page = text_of(lena.post(f"{JUNE}overlap/", {"overlap": "1"}))
        assert "6 responses have more than 1 rater already and keep them" in page

    @pytest.mark.parametrize("overlap", ["0", "101", "", "many"])
    def test_a_bad_overlap_is_refused(self, lena, june, overlap):
        lena.post(f"{JUNE}overlap/", {"overlap": overlap, "confirmed": "1"})
        assert Project.objects.get().overlap == 2

    def test_archiving_hides_it_from_home_and_ends_the_rating_and_can_be_undone(self, lena, june, client):
        begun = rates(june.people["ravi"], june.project, sentences=1)
        assert "is archived" in text_of(lena.post(f"{JUNE}archive/", {"archived": "1"}, follow=True))
        home = html_of(lena.get("/"))
        assert '<details class="more archived" open>' in home
        assert "Nothing is under way just now" in home
        assert "Readings finished" not in home
        assert lena.get(f"{JUNE}report/").status_code == 200
        client.force_login(june.people["ravi"])
        assert "This project is archived" in text_of(client.get(f"{JUNE}rate/"))
        assert "This project is archived" in text_of(client.get(JUNE))
        assert "1 response left" not in text_of(client.get("/"))
        assert client.get(f"/assignments/{begun.public_id}/").status_code == 410
        body = {"answers": {"accuracy": "accurate"}, "base_version": 0}
        item = june.items(june.responses.index(begun.sheet.response))[1]
        address = f"/api/v1/assignments/{begun.public_id}/items/{item.public_id}/"
        refused = client.put(address, body, content_type="application/json")
        assert refused.status_code == 423
        assert "archived" in refused.json()["detail"]
        assert client.post(f"/api/v1{JUNE}assignments/").status_code == 204
        client.force_login(june.people["lena"])
        assert "is open again" in text_of(client.post(f"{JUNE}archive/", {}, follow=True))
        client.force_login(june.people["ravi"])
        assert client.get(f"{JUNE}rate/").url == f"/assignments/{begun.public_id}/"

    def test_a_project_is_deleted_by_a_worker_once_its_name_is_typed(self, ada, june, monkeypatch):
        sent = []
        monkeypatch.setattr("annotation.web.project_changes.enqueue", sent.append)
        rates(june.people["ravi"], june.project)
        page = text_of(ada.get(f"{JUNE}delete/"))
        assert "6 in the work of this project" in page
        assert "2 by raters" in page
        assert "1, by 1 person" in page
        assert "That is not “june”" in text_of(ada.post(f"{JUNE}delete/", {"slug": "July"}))
        assert sent == []
        response = ada.post(f"{JUNE}delete/", {"slug": "june"})
        assert Project.objects.get().archived_at
        [job] = sent
        jobs.run(job.pk, deleting.delete_project_job)
        assert not Project.objects.exists()
        assert Job.objects.get().result["ratings"] == {"rater": 2}
        assert ada.get(response.url).url == "/"
        assert "“Study june” is deleted" in text_of(ada.get("/"))

    def test_imported_ratings_are_told_wherever_places_are_counted(self, ada, june):
        came = [(who, item) for item in june.items()[:2] for who in ("otto", "ines")]
        for who, item in came:
            Rating.objects.create(
                project=june.project, item=item, rater=person(who), answers=ACCURATE, choices=ACCURATE, counted=True,
                rated_at=timezone.now(),
            )  # fmt: skip
        page = text_of(ada.get(JUNE))
        assert "4 ratings by 2 raters were imported. They count in the report, but fill no place here" in page
        assert "2 raters whose 4 ratings came by import finished no reading here" in page
        assert "4 by raters (4 of them imported, by 2 raters)" in text_of(ada.get(f"{JUNE}delete/"))
        fewer = text_of(ada.post(f"{JUNE}overlap/", {"overlap": "1"}))
        assert "4 imported ratings stay and count as before" in fewer

    def test_a_data_set_in_use_names_the_projects_and_a_free_one_goes(self, ada, june, monkeypatch):
        sent = []
        monkeypatch.setattr("annotation.web.datasets.enqueue", sent.append)
        page = text_of(ada.get("/datasets/june-data/delete/"))
        assert "It cannot be deleted" in page
        assert "Study june" in page
        ada.post("/datasets/june-data/delete/", {"slug": "june-data"})
        assert sent == []
        deleting.delete_project(june.project)
        assert "6 of 2 systems, with 12 items" in text_of(ada.get("/datasets/june-data/delete/"))
        response = ada.post("/datasets/june-data/delete/", {"slug": "june-data"})
        jobs.run(sent[0].pk, deleting.delete_dataset_job)
        assert not Dataset.objects.exists()
        assert ada.get(response.url).url == "/datasets/"


class TestResponses:
    def test_each_is_listed_with_who_was_and_is_at_it(self, lena, june):
        rates(june.people["ravi"], june.project)
        rates(june.people["rosa"], june.project, sentences=1)
        page = text_of(lena.get(f"{JUNE}responses/"))
        assert "6 responses" in page
        assert "✓ ravi finished" in page
        assert "● rosa 1 rated, lease until" in page
        assert "1 response found" in text_of(lena.get(f"{JUNE}responses/?state=leased&words=point&rater=rosa"))
        assert "No such response" in text_of(lena.get(f"{JUNE}responses/?words=nowhere"))
        assert lena.get(f"{JUNE}responses/?state=moon&page=99&system=%00").status_code == 200

    def test_pages_and_three_rows_take_as_many_queries_as_one(self, lena, june):
        study("many", prompts=30)
        client = lena
        client.force_login(person("lena"))
        assert "Page 1 of 2" in text_of(client.get("/projects/many/responses/"))
        rates(june.people["ravi"], june.project)
        one = queries(client, f"{JUNE}responses/?words=q1+heron")
        assert queries(client, f"{JUNE}responses/") == one

    def test_a_finished_one_is_opened_again_and_a_lease_is_freed(self, lena, june):
        done = rates(june.people["ravi"], june.project)
        begun = rates(june.people["rosa"], june.project, sentences=1)
        here = f"{JUNE}responses/?state=finished"
        response = lena.post(f"{JUNE}assignments/{done.public_id}/reopen/", {"next": here})
        assert response.url == here
        assert "ravi has it back" in text_of(lena.get(here))
        assert take_next(june.project, june.people["ravi"]) == done
        page = text_of(lena.post(f"{JUNE}assignments/{begun.public_id}/free/", {}, follow=True))
        assert "The response is free for others" in page
        assert not Place.objects.filter(holder=begun).exists()

    def test_what_cannot_be_done_is_said(self, lena, june):
        begun = rates(june.people["ravi"], june.project, sentences=1)
        done = rates(june.people["rosa"], june.project)
        page = text_of(lena.post(f"{JUNE}assignments/{begun.public_id}/reopen/", {"next": "//evil"}, follow=True))
        assert "nothing to open again" in page
        assert "cannot be given back" in text_of(
            lena.post(f"{JUNE}assignments/{done.public_id}/free/", {}, follow=True)
        )

    def test_a_project_does_not_reach_into_another(self, lena, june):
        other = study("other", raters=("otto",))
        work = rates(other.people["otto"], other.project)
        add_member(june.project, june.people["lena"], Membership.Role.LEAD)
        remove_member(other.project, person("lena"))
        for act in ("reopen", "free"):
            assert lena.post(f"{JUNE}assignments/{work.public_id}/{act}/").status_code == 404
        assert lena.get(f"{JUNE}preview/{work.sheet_id}/").status_code == 404


class TestPreview:
    def test_a_lead_sees_what_a_rater_sees_and_nothing_is_taken_or_shown_of_others(self, lena, june):
        done = rates(june.people["ravi"], june.project)
        before = (Place.objects.exclude(holder=None).count(), Rating.objects.count())
        html = html_of(lena.get(f"{JUNE}preview/{done.sheet_id}/"))
        assert "Preview: nothing is saved." in html
        assert '"preview": true' in html
        assert '"answers": null' in html
        assert "heron" not in html.replace("of heron", "")
        assert 'data-opens="give-back"' not in html
        assert (Place.objects.exclude(holder=None).count(), Rating.objects.count()) == before

    def test_giving_back_is_confirmed(self, client, june):
        client.force_login(june.people["ravi"])
        page = text_of(client.get(f"{JUNE}given-back/", follow=True))
        assert "You gave the response back" in page
        assert "You gave the response back" not in text_of(client.get("/"))
