"""The bell, the page of notifications, and the way from each to what it is about."""

import pytest
from django.test import Client

from annotation import jobs
from annotation.models import Membership, Notification
from annotation.notifications import notify
from tests.cast import signed_in, study
from tests.web.pages import html_of, queries, text_of

pytestmark = pytest.mark.django_db
Kind = Notification.Kind


def test_an_entry_leads_to_its_page_and_is_read_then_and_without_one_the_page_says_so(june, ravi):
    page = text_of(signed_in("ravi").get("/notifications/"))
    assert "No notifications yet. Assigned work, answers to your questions" in page
    assert "Mark all as read" not in page and "unread" not in page
    notify([june.people["ravi"].pk], Kind.ASSIGNED, project=june.project, count=3)
    assert "Notifications 1 unread" in text_of(ravi.get("/"))
    assert "Unread: 3 responses are assigned to you. Study june · now" in text_of(ravi.get("/notifications/"))
    answer = ravi.get(f"/notifications/{Notification.objects.get().public_id}/")
    assert answer["Location"] == "/projects/june/"
    page = text_of(ravi.get("/notifications/"))
    assert "3 responses are assigned to you." in page and "nread" not in page.replace("Email unread", "")


def test_all_are_marked_as_read_and_those_of_others_stay_and_are_not_found(june, ravi, lena):
    for name in ("ravi", "rosa"):
        notify([june.people[name].pk], Kind.ASSIGNED, project=june.project)
    assert "unread" not in text_of(ravi.post("/notifications/read/", follow=True))
    address = f"/notifications/{Notification.objects.get(recipient__username='rosa').public_id}/"
    assert [client.get(address).status_code for client in (ravi, lena)] == [404, 404]
    assert [row.recipient.username for row in Notification.objects.filter(read_at=None)] == ["rosa"]


def test_what_the_bell_opens_has_the_newest_and_the_form(june):
    ravi = june.people["ravi"]
    for n in range(8):
        notify([ravi.pk], Kind.ASSIGNED, project=study(f"study{n}", raters=("ravi",), sentences=1).project)
    part = html_of(signed_in("ravi").get("/notifications/newest/"))
    assert part.count("<li data-unread>") == 6 and "Study study7" in part and "Study study1<" not in part
    assert 'action="/notifications/read/"' in part and "<html" not in part


def test_who_left_a_project_or_leads_it_no_more_sees_no_contents(june):
    lena, ravi = june.people["lena"], june.people["ravi"]
    notify([lena.pk], Kind.PAUSED, project=june.project, rater=ravi)
    notify([ravi.pk], Kind.ASSIGNED, project=june.project)
    Membership.objects.filter(user=lena).update(role="rater")
    Membership.objects.filter(user=ravi).delete()
    for name, sentence in (("lena", "ravi is paused."), ("ravi", "assigned to you")):
        client = signed_in(name)
        page = text_of(client.get("/notifications/"))
        assert sentence not in page and "Study june" not in page and "unread" not in page
        row = Notification.objects.get(recipient__username=name)
        assert client.get(f"/notifications/{row.public_id}/").status_code == 404


def test_the_page_of_a_job_marks_its_end_as_read(june):
    job = jobs.create("freeze_report", project=june.project, actor=june.people["lena"])
    jobs.run(job.pk, lambda job, progress: {})
    assert Notification.objects.get().read_at is None
    text_of(signed_in("lena").get(f"/jobs/{job.public_id}/"))
    assert Notification.objects.get().read_at


def test_the_bell_costs_one_query_and_the_page_as_many_for_four_as_for_two(june):
    ravi = june.people["ravi"]
    client = signed_in("ravi")
    notify([ravi.pk], Kind.ASSIGNED, project=june.project)
    notify([ravi.pk], Kind.ADJUDICATED, project=june.project)
    few = queries(client, "/notifications/")
    for n in range(2):
        notify([ravi.pk], Kind.ASSIGNED, project=study(f"study{n}", raters=("ravi",)).project)
    assert queries(client, "/notifications/") == few
    assert queries(client, "/accessibility/") - queries(Client(), "/accessibility/") <= 3  # session, user, bell
