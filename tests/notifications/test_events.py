"""Each kind of event notifies those whom it concerns, once while it is unread."""

import threading

import pytest
from django.db import connection, transaction

from annotation import jobs
from annotation.jobs import Refused
from annotation.models import Membership, Notification, Project
from annotation.notifications import mark_read, notify
from annotation.notifications.wording import sentence, url
from annotation.projects.members import add_member, replace_rater
from annotation.qualification.pausing import pause_rater
from annotation.queue.reopening import reopen_responses
from annotation.queue.reservations import Selection, reserve
from annotation.reviewing.adjudication import adjudicate
from annotation.reviewing.adjudication_replies import add_reply
from annotation.reviewing.lead_ratings import version_token
from annotation.reviewing.rater_questions import answer_question, ask_leads
from annotation.reviewing.rater_questions import mark_read as mark_answers_read
from tests.cast import ACCURATE, SEVERE, Study, person, study
from tests.gold_studies import items, rate_next

pytestmark = pytest.mark.django_db
Kind = Notification.Kind


@pytest.fixture
def june() -> Study:
    return study(prompts=4)


def notified() -> list[tuple[str, str, int]]:
    """Return recipient, kind and count of each notification."""
    return list(Notification.objects.order_by("pk").values_list("recipient__username", "kind", "count"))


def words(recipient: str) -> tuple[str, str]:
    """Return the sentence of the person's only notification, and where it leads."""
    notification = Notification.objects.get(recipient__username=recipient)
    return sentence(notification), url(notification)


def test_assigned_responses_notify_their_raters_and_who_takes_them_over_with_the_number(june):
    lena, ravi, rosa = (june.people[name] for name in ("lena", "ravi", "rosa"))
    reserve(june.project, [ravi], Selection("random", n=2), actor=lena)
    reserve(june.project, [rosa, ravi], Selection("system", value="heron"), actor=lena)
    assert sorted(notified()) == [("ravi", "assigned", 4), ("rosa", "assigned", 4)]
    assert words("rosa") == ("4 responses are assigned to you.", "/projects/june/")
    replace_rater(june.project, ravi, person("tom"), actor=lena)
    assert ("tom", "assigned", 4) in notified()


def test_a_decision_notifies_those_whose_answers_count_if_they_may_see_it(june):
    work, _ = rate_next(june, "ravi", ACCURATE)
    rate_next(june, "rosa", SEVERE)
    lena = june.people["lena"]
    first, second, third = items(work)
    adjudicate(june.project, first, SEVERE, "Table 2 says otherwise.", lena)
    assert notified() == []
    june.project.shows_decisions = True
    adjudicate(june.project, second, SEVERE, "Table 2 says otherwise.", lena)
    adjudicate(june.project, second, SEVERE, "Table 2 says otherwise.", lena)  # the same again changes nothing
    adjudicate(june.project, third, ACCURATE, "As in table 3.", lena)
    assert notified() == [("ravi", "adjudicated", 2), ("rosa", "adjudicated", 2)]
    assert words("ravi") == ("2 of your answers were adjudicated.", "/projects/june/adjudications/")


def test_reopened_responses_notify_their_raters_with_the_number(june):
    sheets = [rate_next(june, name)[0].sheet_id for name in ("ravi", "ravi", "rosa")]
    reopen_responses(june.project, sheets, actor=june.people["rosa"])  # who reopens their own response knows it
    assert notified() == [("ravi", "reopened", 2)]
    assert words("ravi") == ("2 of your responses were reopened.", "/projects/june/my-responses/")


def test_a_dispute_notifies_the_leads_and_agreement_does_not(june):
    june.project.shows_decisions = True
    june.project.save()
    works = {name: rate_next(june, name, ACCURATE)[0] for name in ("ravi", "rosa")}
    item = items(works["ravi"])[0]
    decision = adjudicate(june.project, item, SEVERE, "Table 2 says otherwise.", june.people["lena"])
    token = version_token(decision)
    for name, agrees, comment in (("ravi", False, "Table 3 does not."), ("rosa", True, "")):
        add_reply(june.project, june.people[name], item, agrees=agrees, comment=comment, expected_version=token)
    assert ("lena", "disputed", 1) in notified()
    assert words("lena") == ("1 adjudication is disputed.", "/projects/june/review/replies/")


def test_a_question_notifies_the_leads_and_an_answer_the_asker_until_it_is_read(june):
    ravi, lena = june.people["ravi"], june.people["lena"]
    work, _ = rate_next(june, "ravi")
    for text in ("Is it so?", "Since when?"):
        question = ask_leads(ravi, work.public_id, items(work)[0].public_id, text)
    assert notified() == [("lena", "asked", 2)]
    assert words("lena") == ("2 questions or reports from raters.", "/projects/june/inbox/")
    answer_question(june.project, question.public_id, "Yes.", actor=lena)
    answer_question(june.project, question.public_id, "Yes, it is.", actor=lena)
    assert words("ravi") == ("Your question is answered.", f"/projects/june/#question-{question.public_id}")
    mark_answers_read(ravi, june.project, [question.public_id])
    assert Notification.objects.get(recipient=ravi).read_at
    add_member(june.project, ravi, Membership.Role.LEAD)
    assert words("ravi")[1] == f"/projects/june/inbox/{question.public_id}/"


def test_a_pause_notifies_the_leads_other_than_the_one_who_paused(june):
    add_member(june.project, person("ines"), Membership.Role.LEAD)
    pause_rater(june.project, june.people["ravi"], actor=june.people["lena"])
    assert Notification.objects.get().rater == june.people["ravi"]
    assert words("ines") == ("ravi is paused.", "/projects/june/checks/#raters")


def test_the_end_of_a_job_notifies_who_started_it(june):
    for kind, name in (("freeze_report", "lena"), ("export", "ravi")):
        job = jobs.create(kind, project=june.project, actor=june.people[name])
        jobs.run(job.pk, lambda job, progress: {})
        assert Notification.objects.get(job=job).recipient.username == name
        end = {"lena": "Freezing a report is done.", "ravi": "Writing a file is done."}[name]
        assert words(name) == (end, f"/jobs/{job.public_id}/")


def test_a_failed_import_notifies_the_admin_and_a_canceled_job_or_live_report_nobody(june):
    def refuse(job, progress):
        raise Refused(["line 1: no text"])

    ada = person("ada", admin=True)
    job = jobs.create("load_dataset", params={"slug": "more"}, actor=ada)
    jobs.run(job.pk, refuse)
    failed = Notification.objects.get()
    assert (failed.project, sentence(failed)) == (None, "Importing a data set failed.")
    assert url(failed) == f"/datasets/import/{job.public_id}/"
    canceled = jobs.create("export", project=june.project, actor=ada)
    jobs.cancel(canceled)
    jobs.run(canceled.pk, lambda job, progress: {})
    jobs.run(jobs.create("work_out_report", project=june.project, actor=ada).pk, lambda job, progress: {})
    assert Notification.objects.count() == 1


def test_what_is_read_is_not_counted_again(june):
    ravi = june.people["ravi"]
    notify([ravi.pk], Kind.ASSIGNED, project=june.project, count=2)
    assert mark_read(ravi) == 1
    notify([ravi.pk], Kind.ASSIGNED, project=june.project, count=3)
    assert notified() == [("ravi", "assigned", 2), ("ravi", "assigned", 3)]


def test_an_event_that_is_rolled_back_and_saving_and_finishing_notify_nobody(june):
    with pytest.raises(RuntimeError), transaction.atomic():
        pause_rater(june.project, june.people["ravi"])
        raise RuntimeError
    rate_next(june, "ravi")
    assert Project.objects.get().ratings.exists()
    assert not Notification.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_events_at_once_are_counted_in_one_notification():
    june = study()
    people = [june.people["ravi"].pk, june.people["rosa"].pk]

    def send(recipients: list[int]) -> None:
        for _ in range(20):
            notify(recipients, Kind.ASSIGNED, project=june.project)
        connection.close()

    threads = [threading.Thread(target=send, args=[order]) for order in (people, people[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert notified() == [("ravi", "assigned", 40), ("rosa", "assigned", 40)]
