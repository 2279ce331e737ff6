"""Several responses changed at once: the page that says what will change, and the change."""

import pytest

from annotation.models import AuditEvent, Exclusion, Rating, Reservation, Slot
from annotation.projects.archiving import archive
from annotation.queue.exclusion import exclude
from tests.cast import Study, study
from tests.web.pages import html_of, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
JUNE = "/projects/june/"
CHANGE = f"{JUNE}responses/change/"


@pytest.fixture
def done(june):
    """Return Ravi's finished response."""
    return rates(june.people["ravi"], june.project)


def sheets(june: Study) -> list[int]:
    return list(june.project.sheets.order_by("pk").values_list("pk", flat=True))


def test_responses_are_excluded_once_the_numbers_and_a_reason_are_confirmed(lena, june, done):
    rates(june.people["rosa"], june.project, sentences=1)
    fields = {"action": "exclude", "sheets": sheets(june), "next": f"{JUNE}responses/?state=finished"}
    page = text_of(lena.post(CHANGE, fields))
    assert "Exclude 6 responses" in page and "Finished annotations 1 ·" in page and "Unfinished leases 1 ·" in page
    assert "Ratings 2 · They are kept, but do not count" in page
    assert not Exclusion.objects.exists()
    fields |= {"confirmed": "1", "sheets": ",".join(map(str, sheets(june)))}
    assert "This field is required." in text_of(lena.post(CHANGE, fields))
    assert not Exclusion.objects.exists()
    response = lena.post(CHANGE, fields | {"reason": "a duplicate"})
    assert response.url == fields["next"]
    assert Exclusion.objects.filter(reason="a duplicate", excluded_by=june.people["lena"]).count() == 6
    page = text_of(lena.get(f"{JUNE}responses/?state=excluded"))
    assert "6 responses are excluded." in page and "6 responses found" in page
    assert "Excluded: a duplicate · lena," in page and "Reopen this response for" not in page


def test_excluded_ones_are_included_again(lena, june, done):
    exclude(june.project, [done.sheet_id], "a duplicate")
    fields = {"action": "include", "sheets": sheets(june)}
    page = text_of(lena.post(CHANGE, fields))
    assert "Include 1 response again" in page and "6 responses are selected. 5 not excluded: no change." in page
    assert "Ratings 2 · They count again." in page
    assert "1 response is included again." in text_of(lena.post(CHANGE, fields | {"confirmed": "1"}, follow=True))
    assert Rating.objects.filter(counted=True).count() == 2


def test_leases_are_freed_and_finished_work_is_reopened(lena, june, done):
    begun = rates(june.people["rosa"], june.project, sentences=1)
    fields = {"action": "free", "sheets": sheets(june)}
    assert "Leases 1 ( rosa: 1) ·" in text_of(lena.post(CHANGE, fields))
    assert "1 lease has ended." in text_of(lena.post(CHANGE, fields | {"confirmed": "1"}, follow=True))
    assert not Slot.objects.filter(holder=begun).exists()
    fields = {"action": "reopen", "sheets": [done.sheet_id]}
    page = text_of(lena.post(CHANGE, fields))
    assert "Reopen 1 response" in page
    assert "Ratings 2 · They are kept, but do not count until the response is finished again." in page
    assert Rating.objects.filter(counted=True).count() == 2
    page = text_of(lena.post(CHANGE, fields | {"confirmed": "1", "reason": "  too fast "}, follow=True))
    assert "1 annotation is reopened." in page
    assert AuditEvent.objects.get(action="reopen").after["reason"] == "too fast"
    assert not Rating.objects.filter(counted=True).exists()


def test_responses_are_assigned_by_the_form_for_assignments(lena, june):
    selected = sheets(june)[:2]
    html = html_of(lena.post(CHANGE, {"action": "assign", "sheets": selected}))
    listed = ",".join(map(str, selected))
    assert f'name="sheets" value="{listed}"' in html and "The 2 selected responses" in html
    fields = {"raters": [june.people["ravi"].pk], "by": "selected", "sheets": listed}
    assert "2 responses for ravi 2 selected responses." in text_of(lena.post(f"{JUNE}reservations/", fields))
    page = text_of(lena.post(f"{JUNE}reservations/", fields | {"confirmed": "1"}, follow=True))
    assert "2 responses are assigned to ravi." in page
    assert set(Reservation.objects.values_list("sheet", flat=True)) == set(selected)
    assert "2 selected responses 2 responses for ravi" in page
    form = html_of(lena.get(f"{JUNE}reservations/")).split("New assignment")[1].split("assignments")[0]
    assert "selected response" not in form


def test_selected_responses_that_are_finished_are_not_assigned_and_counted(lena, june, done):
    rates(june.people["rosa"], june.project)
    listed = ",".join(map(str, sheets(june)))
    page = text_of(lena.post(f"{JUNE}reservations/", {"raters": [done.rater_id], "by": "selected", "sheets": listed}))
    assert "5 responses for ravi 6 selected responses." in page
    assert "1 of the selected responses is finished by enough raters and is not assigned." in page


def test_all_that_a_search_found_can_be_selected_and_nothing_of_another_project(lena, june, done):
    fields = {"action": "exclude", "all": "1", "words": "q1", "system": "heron", "state": "", "rater": ""}
    assert "Exclude 1 response" in text_of(lena.post(CHANGE, fields))
    fields |= {"words": "", "system": "plover"}
    assert "Exclude 3 responses" in text_of(lena.post(CHANGE, fields))
    other = study("other", raters=("otto",))
    fields = {"action": "exclude", "sheets": sheets(other), "confirmed": "1", "reason": "not mine"}
    assert "Select at least one" in text_of(lena.post(CHANGE, fields, follow=True))


def test_what_cannot_be_done_is_said(lena, june, done):
    assert "Select at least one response." in text_of(lena.post(CHANGE, {"action": "exclude"}, follow=True))
    assert "Select at least one" in text_of(lena.post(CHANGE, {"action": "free", "sheets": ["x", "²"]}, follow=True))
    assert lena.post(CHANGE, {"action": "moon", "sheets": sheets(june), "next": "//evil"}).url == f"{JUNE}responses/"
    page = text_of(lena.post(CHANGE, {"action": "include", "sheets": sheets(june)}))
    assert "No selected response would change." in page
    archive(june.project)
    assert 'id="bulk"' not in html_of(lena.get(f"{JUNE}responses/"))
    for action in ("exclude", "reopen", "include"):
        fields = {"action": action, "sheets": sheets(june), "confirmed": "1", "reason": "late"}
        assert "This project is archived: unarchive it first." in text_of(lena.post(CHANGE, fields, follow=True))
    assert not Exclusion.objects.exists()
    assert Rating.objects.filter(counted=True).count() == 2
