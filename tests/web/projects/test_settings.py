"""Changing a running project: overlap, archiving, deleting it and its data set, and what raters see."""

import pytest
from django.utils import timezone

from annotation import jobs
from annotation.judging.judges import find_judge
from annotation.models import Dataset, Item, Job, Project, Prompt, Rating, Sheet, Slot
from annotation.projects import deleting
from tests.cast import ACCURATE, marked_study, person
from tests.rating.judged_study import judged_study
from tests.web.pages import html_of, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
JUNE = "/projects/june/"
SETTINGS = f"{JUNE}settings/"


class TestChanges:
    def test_another_overlap_is_shown_before_it_is_made(self, lena, june):
        rates(june.people["ravi"], june.project)
        page = text_of(lena.post(f"{JUNE}overlap/", {"overlap": "3"}))
        assert "6 annotations are added" in page
        assert "There are 2 raters, and no rater annotates a response twice" in page
        assert june.project.slots.count() == 12
        page = text_of(lena.post(f"{JUNE}overlap/", {"overlap": "3", "confirmed": "1"}, follow=True))
        assert "Each response is now annotated by 3" in page
        assert june.project.slots.count() == 18

    def test_fewer_says_what_is_kept(self, lena, june):
        for name in ("ravi", "rosa"):
            for _ in range(2):
                rates(june.people[name], june.project)
        page = text_of(lena.post(f"{JUNE}overlap/", {"overlap": "1"}))
        assert "2 responses already have more than 1 rater and keep them" in page

    def test_a_bad_overlap_is_refused(self, lena, june):
        for overlap in ("0", "101", "", "many"):
            lena.post(f"{JUNE}overlap/", {"overlap": overlap, "confirmed": "1"})
        assert Project.objects.get().overlap == 2

    def test_archiving_hides_it_from_home_and_ends_the_rating_and_can_be_undone(self, lena, june, client):
        begun = rates(june.people["ravi"], june.project, sentences=1)
        assert "is archived" in text_of(lena.post(f"{JUNE}archive/", {"archived": "1"}, follow=True))
        home = html_of(lena.get("/"))
        assert '<details class="more archived" open>' in home and "No active projects" in home
        assert "Annotations finished" not in home
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
        assert "is unarchived" in text_of(client.post(f"{JUNE}archive/", {}, follow=True))
        client.force_login(june.people["ravi"])
        assert client.get(f"{JUNE}rate/").url == f"/assignments/{begun.public_id}/"

    def test_a_project_is_deleted_by_a_worker_once_its_name_is_typed(self, ada, june, monkeypatch):
        sent = []
        monkeypatch.setattr("annotation.web.projects.settings.enqueue", sent.append)
        rates(june.people["ravi"], june.project)
        page = text_of(ada.get(f"{JUNE}delete/"))
        assert "6 in the work of this project" in page and "2 by raters" in page and "1, by 1 person" in page
        assert "The text does not match “june”" in text_of(ada.post(f"{JUNE}delete/", {"slug": "July"}))
        assert sent == []
        response = ada.post(f"{JUNE}delete/", {"slug": "june"})
        assert Project.objects.get().archived_at
        [job] = sent
        jobs.run(job.pk, deleting.delete_project_job)
        assert not Project.objects.exists()
        assert Job.objects.get().result["ratings"] == {"rater": 2}
        assert ada.get(response.url).url == "/"
        assert "“Study june” is deleted" in text_of(ada.get("/"))

    def test_imported_ratings_are_told_wherever_annotations_are_counted(self, ada, june):
        came = [(user, item) for item in june.items()[:2] for user in ("otto", "ines")]
        for user, item in came:
            Rating.objects.create(
                project=june.project, item=item, rater=person(user), answers=ACCURATE, choices=ACCURATE, counted=True,
                rated_at=timezone.now(),
            )  # fmt: skip
        page = text_of(ada.get(JUNE))
        assert "4 ratings by 2 raters were imported. They count in the report but not in the progress below" in page
        assert "2 raters with 4 imported ratings finished no annotation here" in page
        assert "4 by raters (4 of them imported, by 2 raters)" in text_of(ada.get(f"{JUNE}delete/"))
        assert "4 imported ratings stay and count as before" in text_of(ada.post(f"{JUNE}overlap/", {"overlap": "1"}))

    def test_a_data_set_in_use_names_the_projects_and_a_free_one_goes(self, ada, june, monkeypatch):
        sent = []
        monkeypatch.setattr("annotation.web.datasets.views.enqueue", sent.append)
        page = text_of(ada.get("/datasets/june-data/delete/"))
        assert "It cannot be deleted" in page and "Study june" in page
        ada.post("/datasets/june-data/delete/", {"slug": "june-data"})
        assert sent == []
        deleting.delete_project(june.project)
        assert "6 of 2 systems, with 12 items" in text_of(ada.get("/datasets/june-data/delete/"))
        response = ada.post("/datasets/june-data/delete/", {"slug": "june-data"})
        jobs.run(sent[0].pk, deleting.delete_dataset_job)
        assert not Dataset.objects.exists()
        assert ada.get(response.url).url == "/datasets/"


def test_a_lead_sets_how_many_responses_raters_have_ahead(lena):
    assert "prefetches 8 responses" in text_of(lena.get(f"{JUNE}settings/offline/"))
    page = text_of(lena.post(f"{JUNE}prefetch/", {"prefetch_limit": "3"}, follow=True))
    assert "Raters’ pages now prefetch 3 responses." in page and "prefetches 3 responses" in page
    for wrong in ("0", "11", "many", ""):
        page = lena.post(f"{JUNE}prefetch/", {"prefetch_limit": wrong}, follow=True)
        assert page.context["messages"] and "from now on" not in text_of(page)
    assert Project.objects.get().prefetch_limit == 3


def test_a_lead_switches_suggestions_off_and_on_and_raters_pages_say_so(lena, ravi):
    page = text_of(lena.get(f"{JUNE}settings/workload/"))
    assert "Suggested passages" in page and "Turn suggestions off" in page
    page = text_of(lena.post(f"{JUNE}suggestions/", {"suggestions": "off"}, follow=True))
    assert "Suggestions are off" in page and "Turn suggestions on" in page
    workspace = ravi.get(f"{JUNE}rate/", follow=True).content.decode()
    assert '"suggestions": false' in workspace and "data-walk" not in workspace
    lena.post(f"{JUNE}suggestions/", {"suggestions": "perhaps"})
    assert not Project.objects.get().suggestions
    lena.post(f"{JUNE}suggestions/", {"suggestions": "on"})
    assert Project.objects.get().suggestions
    assert "data-walk" in ravi.get(f"{JUNE}rate/", follow=True).content.decode()


def test_a_lead_chooses_when_raters_see_verdicts_and_is_warned(client):
    june = judged_study("never")
    judge = find_judge("rule")
    client.force_login(june.people["lena"])
    page = text_of(client.get("/projects/june/settings/workload/"))
    assert "Raters who see a verdict before they answer tend to agree with it." in page
    address, form = "/projects/june/verdict-visibility/", {"verdict_visibility": "before", "shown_judge": judge.pk}
    assert "see the verdicts of rule@1 before they answer" in text_of(client.post(address, form, follow=True))
    assert Project.objects.get().verdict_visibility == "before"
    assert "Choose a judge that has rated" in text_of(
        client.post(address, {"verdict_visibility": "after"}, follow=True)
    )
    assert client.post(address, {"verdict_visibility": "sometimes"}, follow=True).context["messages"]
    assert Project.objects.get().verdict_visibility == "before"
    assert "do not see verdicts" in text_of(client.post(address, {"verdict_visibility": "never"}, follow=True))
    assert Project.objects.get().shown_judge is None


def test_without_verdicts_and_without_articles_there_is_nothing_to_choose(lena, june):
    page = lena.get("/projects/june/settings/workload/")
    assert "No judge has rated this project yet" in text_of(page)
    assert b"/verdict-visibility/" not in page.content
    for about in (Slot, Sheet, Prompt):
        about.objects.update(document=None)
    june.project.dataset.documents.all().delete()
    assert "Suggested passages" not in text_of(lena.get("/projects/june/settings/workload/"))


class TestClaimFree:
    @pytest.fixture
    def june(self):
        return marked_study(responses=2)

    def test_leads_see_the_counts_by_reason_or_that_there_are_none_and_choose_before_the_first_rating(self, lena, june):
        page = text_of(lena.get(f"{JUNE}settings/workload/"))
        assert "4 of 8 sentences are marked as likely free of claims, by their wording:" in page
        assert "Question 2 Courtesy 2 All are rated" in page
        page = text_of(lena.post(f"{JUNE}claim-free/", {"skips_claim_free": "on"}, follow=True))
        assert "Raters are not asked about items marked as likely free of claims." in page
        assert "Skipped: raters see them as plain text" in page
        assert Project.objects.get().skips_claim_free
        page = text_of(lena.post(f"{JUNE}claim-free/", {"skips_claim_free": "off"}, follow=True))
        assert "Raters are asked about all items." in page
        assert lena.post(f"{JUNE}claim-free/", {"skips_claim_free": "perhaps"}).status_code == 302
        rates(june.people["ravi"], june.project, sentences=1)
        page = html_of(lena.get(f"{JUNE}settings/workload/"))
        assert "This cannot change because the project has ratings." in page and 'name="skips_claim_free"' not in page
        page = text_of(lena.post(f"{JUNE}claim-free/", {"skips_claim_free": "on"}, follow=True))
        assert "This project already has ratings, so what is rated cannot change" in page
        assert not Project.objects.get().skips_claim_free
        Item.objects.update(claim_free="")
        page = text_of(lena.get(f"{JUNE}settings/workload/"))
        assert "None of 8 sentences is marked as likely free of claims. Data imported before" in page

    def test_an_archived_project_says_nothing_of_ratings_that_it_has_not(self, lena, june):
        lena.post(f"{JUNE}archive/", {"archived": "1"})
        page = html_of(lena.get(f"{JUNE}settings/workload/"))
        assert "because the project has ratings" not in page and 'name="skips_claim_free"' not in page

    def test_a_new_project_may_skip_them(self, ada, june):
        form = {"dataset": "june-data", "title": "July", "overlap": 1, "seed": 1, "protocol": june.project.protocol_id}
        ada.post("/projects/new/", form | {"slug": "july", "skips_claim_free": "on"})
        ada.post("/projects/new/", form | {"slug": "may"})
        assert list(Project.objects.order_by("pk").values_list("skips_claim_free", flat=True)) == [False, True, False]


def test_the_settings_begin_with_the_general_ones_and_archiving_opens_a_dialog(lena, june):
    assert lena.get(SETTINGS).url == f"{SETTINGS}general/"
    page = html_of(lena.get(f"{SETTINGS}danger/"))
    assert 'data-opens="archive"' in page and '<dialog id="archive"' in page
    assert 'action="/projects/june/archive/"' in page and 'name="archived" value="1"' in page
    assert "Archive Study june?" in page


def test_each_setting_is_in_its_section(lena, june):
    for section, words in {
        "general": ["Title", "Short name", "Data set", "Protocol", "Analysis plan", "Created"],
        "workload": ["2 raters per response", "Change overlap", "Assign responses", "Manage pay rates", "Queue seed"],
        "quality": ["Target margin of error", "Pass mark", "Hidden-gold frequency", "Manage training and checks"],
        "offline": ["Prefetched responses"],
        "danger": ["Archive project", "Only an admin can delete a project."],
    }.items():
        page = lena.get(f"{SETTINGS}{section}/")
        assert [word for word in words if word not in text_of(page)] == []
        assert f'href="{SETTINGS}{section}/" aria-current="page"' in html_of(page)


def test_pages_below_a_section_mark_it_and_an_admin_can_delete(ada, june):
    pages = {"overlap": "workload", "checks": "quality", "analysis-plan": "general", "delete": "danger"}
    for address, section in pages.items():
        assert f'href="{SETTINGS}{section}/" aria-current="true"' in html_of(ada.get(f"/projects/june/{address}/"))
    assert "Delete project" in text_of(ada.get(f"{SETTINGS}danger/"))


def test_a_lead_sets_the_title_and_sets_and_removes_the_target(lena, june):
    assert "The title is saved." in text_of(lena.post(f"{JUNE}title/", {"title": "June"}, follow=True))
    assert Project.objects.get().title == "June"
    assert "1 to 200 characters" in text_of(lena.post(f"{JUNE}title/", {"title": " "}, follow=True))
    assert Project.objects.get().title == "June"
    page = html_of(lena.post(f"{JUNE}target/", {"target_half_width": "2.5"}, follow=True))
    assert "The target is saved." in page and 'value="2.5"' in page
    assert Project.objects.get().target_half_width == 0.025
    page = text_of(lena.post(f"{JUNE}target/", {"target_half_width": "60"}, follow=True))
    assert "less than or equal to 50" in page
    assert Project.objects.get().target_half_width == 0.025
    lena.post(f"{JUNE}target/", {"target_half_width": ""})
    assert Project.objects.get().target_half_width is None
