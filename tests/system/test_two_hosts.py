"""Two hosts whose clocks are 45 seconds apart, ahead of and behind the database's, behave as one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client

from annotation import jobs
from annotation.accounts.session_store import SessionStore
from annotation.accounts.tokens import create_token
from annotation.accounts.users import password_link
from annotation.doctor.services import beat_finding
from annotation.models import ApiToken, Assignment, Job, Membership, Project, Reservation, Slot, User
from annotation.models import Webhook as Hook
from annotation.models import WebhookDelivery as Delivery
from annotation.projects.overview import project_states, rater_work
from annotation.projects.pace import project_pace
from annotation.projects.progress import project_progress
from annotation.projects.responses import ResponseFilter, sheets_matching
from annotation.qualification.pausing import lift_pause, pause_rater
from annotation.qualification.prefetch import prefetch_next, prefetch_share
from annotation.queue.leases import LEASE
from annotation.queue.next_slot import has_open_slot
from annotation.queue.reservations import Selection, reserve
from annotation.site.database_clock import database_now
from annotation.webhooks import delivery, queue_event
from annotation.webhooks.delivery import Outcome, send_due
from annotation.webhooks.webhooks import create_webhook
from tasks.jobs import requeue_stale
from tests.cast import Study, study
from tests.database_time import set_host_clock
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
APART = 45.0
HOSTS = (0.0, APART, -APART)


@contextmanager
def host(seconds: float) -> Iterator[None]:
    """Run the block on a host whose clock is ahead by so much."""
    with pytest.MonkeyPatch.context() as patch:
        set_host_clock(patch, seconds)
        yield


def on_each_host(question: Callable[[], Any]) -> list[Any]:
    answers = []
    for seconds in HOSTS:
        with host(seconds):
            answers.append(question())
    return answers


def leases(project: Project, other: User) -> tuple[Any, ...]:
    """Return what pages, API and queue say of the project's leases."""
    progress, [state] = project_progress(project), project_states(Project.objects.filter(pk=project.pk))
    [work] = rater_work(other, project)
    return (
        (progress.leased, progress.remaining, progress.ahead),
        (state.leased, state.remaining, [rater.being_rated for rater in project_pace(project, 1).raters]),
        [sheets_matching(project, ResponseFilter(state=name)).count() for name in ("free", "leased", "prefetched")],
        [slot.is_expired for slot in Slot.objects.exclude(holder=None)],
        (has_open_slot(project, other), work.remaining, prefetch_share(project, other)),
    )


@pytest.mark.parametrize(("seconds", "is_open"), [(20, False), (-20, True)])
def test_all_see_the_same_leases_expire(seconds: int, is_open: bool) -> None:
    june = study(overlap=1)
    rates(june.people["ravi"], june.project, sentences=1)
    Slot.objects.update(expires_at=Now() + timedelta(seconds=seconds))
    answers = on_each_host(lambda: leases(june.project, june.people["rosa"]))
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][-1][:2] == (is_open, int(is_open))


@pytest.mark.parametrize("seconds", [APART, -APART])
def test_a_lease_taken_on_one_host_is_kept_on_the_other(seconds: float) -> None:
    june = study(overlap=1, prompts=3)
    june.project.prefetch_limit = 2
    june.project.save()
    with host(seconds):
        taken = rates(june.people["ravi"], june.project, sentences=1)
    with host(-seconds):
        with transaction.atomic():
            assert prefetch_next(june.project, june.people["ravi"], taken.public_id)
        finished = rates(june.people["rosa"], june.project)
    rated_at = finished.sheet.response.items.values_list("ratings__rated_at", flat=True)
    times = [(a.taken_at, a.finished_at) for a in Assignment.objects.order_by("pk")]
    assert all(taken_at < database_now() for taken_at, _ in times)
    assert times[0][0] < times[-1][0] < times[-1][1] < database_now()
    assert times[-1][0] < min(rated_at) and max(rated_at) < database_now()
    assert {slot.expires_at > database_now() for slot in Slot.objects.exclude(holder=None)} == {True}
    assert Slot.objects.get(holder=taken).expires_at - database_now() <= LEASE


def test_reservations_have_the_time_of_the_database() -> None:
    june = study(prompts=2)
    before = database_now()
    for seconds in HOSTS:
        with host(seconds):
            reserve(june.project, [june.people["ravi"]], Selection("random", n=2), actor=june.people["lena"])
            assert before <= Reservation.objects.latest("made_at").made_at <= database_now()
            Reservation.objects.all().delete()


@pytest.mark.parametrize("seconds", [APART, -APART])
def test_an_event_stored_on_one_host_is_sent_by_the_other(
    june: Study, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_webhook(june.project, "https://example.org/", [Hook.Event.JOB_FAILED], actor=june.people["lena"])
    monkeypatch.setattr(delivery, "_attempt", lambda row: Outcome(204))
    with host(seconds):
        queue_event(june.project, Hook.Event.JOB_FAILED, {"job": "j1"})
    with host(-seconds):
        assert send_due() == 1
    row = Delivery.objects.get()
    assert row.status == Delivery.Status.DELIVERED and row.created_at <= row.attempted_at


@pytest.mark.parametrize(("seconds", "is_silent"), [(20, False), (40, True)])
def test_jobs_are_taken_up_by_the_databases_time(seconds: int, is_silent: bool) -> None:
    job = jobs.create("count")
    for offset in HOSTS:
        old = Now() - timedelta(seconds=seconds)
        Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, heartbeat_at=old, kills=0)
        with host(offset):
            assert bool(jobs.requeue_stale_jobs()) == is_silent
    with host(APART):
        jobs.cancel(job)
    job.refresh_from_db()
    assert job.created_at <= job.ended_at <= database_now()


def test_the_scheduler_was_seen_at_the_databases_time() -> None:
    with host(APART):
        requeue_stale()
    seen = cache.get(jobs.BEAT_LAST_SEEN)
    assert abs(seen - database_now().timestamp()) < 30
    with host(-APART):
        assert beat_finding().state == "ok"


@pytest.mark.parametrize(("seconds", "state"), [(20, "valid"), (-20, "expired")])
def test_tokens_and_sessions_expire_everywhere_at_once(june: Study, seconds: int, state: str) -> None:
    for offset in HOSTS:
        with host(offset):
            _key, token = create_token(june.people["ravi"], days=1)
            assert token.expires_at is not None
            assert abs(token.expires_at - database_now() - timedelta(days=1)) < timedelta(seconds=30)
            assert abs(token.created_at - database_now()) < timedelta(seconds=30)
    ApiToken.objects.update(expires_at=Now() + timedelta(seconds=seconds))
    assert on_each_host(lambda: {str(row.state) for row in ApiToken.objects.all()}) == [{state}] * 3
    session = SessionStore()
    session["here"] = True
    session.set_expiry(database_now() + timedelta(seconds=seconds))
    session.create()
    stored = on_each_host(lambda: SessionStore(session.session_key).load())
    assert stored == ([{"here": True, "_session_expiry": session["_session_expiry"]}] if seconds > 0 else [{}]) * 3
    assert len(set(on_each_host(lambda: session.get_expiry_age() > 0))) == 1


def test_links_work_as_long_on_each_host(june: Study, settings: Any) -> None:
    settings.PASSWORD_RESET_TIMEOUT = 20
    for made in HOSTS:
        with host(made):
            link = password_link(june.people["ravi"])
        path = link.removeprefix(settings.SITE_URL)
        for seconds in HOSTS:
            with host(seconds):
                assert "set-password" in Client().get(path).headers.get("Location", "")


def test_pauses_are_in_the_order_of_the_database(june: Study) -> None:
    own = Membership.objects.filter(user=june.people["ravi"])
    with host(APART):
        pause_rater(june.project, june.people["ravi"])
        paused_at = own.get().paused_at
    with host(-APART):
        lift_pause(june.project, june.people["ravi"])
    assert paused_at < own.get().gold_since <= database_now()
