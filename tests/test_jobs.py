"""Jobs: claimed once, given up only when they are really lost, and what one worker lost another may not overwrite."""

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from annotation import jobs
from annotation.models import Job
from tests.cast import study
from tests.silent_jobs import silent


@pytest.fixture
def quick_heart(monkeypatch) -> None:
    monkeypatch.setattr(jobs, "HEARTBEAT", 0.02)


def wait_for(job: Job, **values) -> None:
    deadline = time.monotonic() + 300
    while not Job.objects.filter(pk=job.pk, **values).exists():
        assert time.monotonic() < deadline, f"never {values}"
        time.sleep(0.01)


def with_own_connection(act: Callable[[], object]) -> object:
    """Return what `act` does in a thread, whose connection is closed then."""
    try:
        return act()
    finally:
        connection.close()


@pytest.mark.django_db
class TestTakingUp:
    def test_a_job_that_has_ended_is_left_alone_when_its_message_comes_again_and_shows_what_was_done_last(self):
        job = jobs.create("count")
        jobs.run(job.pk, lambda job, progress: progress(7, 7, "Storing") or {"n": 1})
        jobs.run(job.pk, lambda job, progress: {"n": 2})
        job.refresh_from_db()
        assert (job.state, job.result, job.attempts) == ("done", {"n": 1}, 1)
        assert (job.done, job.total, job.message) == (7, 7, "Storing")

    def test_kind_and_result_of_each_attempt_are_measured_and_an_unexpected_error_keeps_its_details(self, monkeypatch):
        measured = []
        labels = SimpleNamespace(labels=lambda *names: measured.append(names) or SimpleNamespace(observe=abs))
        monkeypatch.setitem(sys.modules, "annotation.site.metrics", SimpleNamespace(JOBS=labels))
        monkeypatch.setattr(jobs, "is_measured", lambda: True)

        def refuse(job, progress):
            raise jobs.Refused(["No."])

        jobs.run(jobs.create("count").pk, lambda job, progress: None)
        jobs.run(jobs.create("count").pk, refuse)
        failed = jobs.create("load")
        jobs.run(failed.pk, lambda job, progress: 1 / 0)
        assert measured == [("count", "done"), ("count", "refused"), ("load", "failed")]
        failed.refresh_from_db()
        assert failed.state == "failed" and "division" not in str(failed.problems)

    def test_a_waiting_job_is_sent_again_and_a_lost_one_given_up_after_three_workers(self):
        job = jobs.create("count")
        assert jobs.requeue_stale_jobs() == []
        for _ in range(5):  # waiting for a worker is no kill
            silent(job)
            assert jobs.requeue_stale_jobs() == [job]
        for attempt in (1, 2, 3):
            silent(job)
            Job.objects.filter(pk=job.pk).update(state="running", attempts=attempt)
            assert jobs.requeue_stale_jobs() == ([job] if attempt < 3 else [])
        job.refresh_from_db()
        assert (job.state, len(job.problems)) == ("failed", 1)

    def test_a_job_that_comes_further_each_time_survives_any_number_of_kills(self):
        job = jobs.create("count")
        for done in (*range(10, 100, 10), 90, 90, 90):
            silent(job)
            Job.objects.filter(pk=job.pk).update(state="running", attempts=F("attempts") + 1, done=done, total=100)
            jobs.requeue_stale_jobs()
            job.refresh_from_db()
            assert job.state == ("queued" if job.kills < 3 else "failed")
        assert (job.state, job.attempts, job.kills) == ("failed", 12, 3)

    @pytest.mark.parametrize("seconds", [-300, 300])
    def test_the_clock_of_a_worker_does_not_matter(self, monkeypatch, seconds):
        job, now, states = jobs.create("count"), timezone.now(), []
        last_minute = {"heartbeat_at__gt": Now() - timedelta(minutes=1), "heartbeat_at__lte": Now()}

        def work(own_job: Job, progress: jobs.Progress) -> None:
            states.append((jobs.requeue_stale_jobs(), Job.objects.filter(pk=job.pk, **last_minute).exists()))

        monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=seconds))
        jobs.run(job.pk, work)
        assert states == [([], True)]
        monkeypatch.undo()
        job.refresh_from_db()
        assert (job.state, job.attempts) == ("done", 1)

    def test_a_worker_that_was_overtaken_writes_nothing_more(self):
        job = jobs.create("count")

        def work(own_job: Job, progress: jobs.Progress) -> dict:
            silent(own_job)
            assert jobs.requeue_stale_jobs() == [own_job]
            jobs.run(own_job.pk, lambda job, progress: {"by": "the second"})
            return {"by": "the first"}

        jobs.run(job.pk, work)
        job.refresh_from_db()
        assert (job.result, job.attempts) == ({"by": "the second"}, 2)

    def test_a_worker_that_ends_while_the_next_attempt_runs_writes_nothing(self):
        job = jobs.create("count")

        def work(own_job: Job, progress: jobs.Progress) -> dict:
            Job.objects.filter(pk=job.pk).update(attempts=F("attempts") + 1)
            return {"by": "the first"}

        jobs.run(job.pk, work)
        job.refresh_from_db()
        assert (job.state, job.result) == ("running", None)


@pytest.mark.django_db(transaction=True)
class TestTheHeart:
    def test_many_workers_with_the_same_message_do_the_work_once(self):
        job, done = jobs.create("count"), []

        def worker() -> None:
            jobs.run(job.pk, lambda job, progress: done.append(True))

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(with_own_connection, [worker] * 8))
        assert len(done) == 1

    def test_a_cancelled_job_stops_at_its_next_step(self, quick_heart):
        job = jobs.create("count")

        def work(own_job: Job, progress: jobs.Progress) -> None:
            jobs.cancel(own_job)
            assert progress.stopped.wait(10)
            progress(1)
            raise AssertionError("went on")

        jobs.run(job.pk, work)
        job.refresh_from_db()
        assert (job.state, job.problems) == ("cancelled", [])

    def test_a_beat_that_fails_is_followed_by_another(self, quick_heart, monkeypatch):
        job, rows, failed = jobs.create("count"), jobs._current_attempt, []

        def fails_once(job: Job):
            if not failed:
                failed.append(True)
                raise DatabaseError("the connection is gone")
            return rows(job)

        def work(own_job: Job, progress: jobs.Progress) -> None:
            progress(3, 9)
            wait_for(own_job, done=3, total=9)

        monkeypatch.setattr(jobs, "_current_attempt", fails_once)
        jobs.run(job.pk, work)
        assert failed
        assert Job.objects.get(pk=job.pk).state == "done"

    def test_the_heart_leaves_no_connection_behind(self, quick_heart):
        def connections() -> int:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT count(*) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND backend_type = 'client backend'"
                )
                return cursor.fetchone()[0]

        before = connections()
        for _ in range(3):
            job = jobs.create("count")
            jobs.run(job.pk, lambda own_job, progress: (progress(1), wait_for(own_job, done=1))[0])
        deadline = time.monotonic() + 60
        while connections() > before and time.monotonic() < deadline:
            time.sleep(0.02)
        assert connections() <= before  # one of an earlier test may have ended meanwhile


@pytest.mark.django_db(transaction=True)
class TestTheLastStep:
    def test_what_a_cancelled_job_was_about_to_store_is_undone(self):
        def work(own_job: Job, progress: jobs.Progress) -> None:
            jobs.cancel(own_job)
            with transaction.atomic():
                jobs.create("stored by the work")
                progress.lock_job()

        job = jobs.create("store")
        jobs.run(job.pk, work)
        assert [(row.kind, row.state) for row in Job.objects.all()] == [("store", "cancelled")]

    def test_a_job_that_is_storing_is_neither_cancelled_nor_taken_over(self, quick_heart):
        job = jobs.create("store")

        def work(own_job: Job, progress: jobs.Progress) -> list[str]:
            silent(own_job)
            with ThreadPoolExecutor(1) as pool, transaction.atomic():
                progress.lock_job()
                offered = pool.submit(with_own_connection, jobs.requeue_stale_jobs).result()
                return [offered_job.kind for offered_job in offered]

        jobs.run(job.pk, work)
        job.refresh_from_db()
        assert (job.state, job.result) == ("done", [])


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_at_once_get_one_job():
    project = study("june").project

    def ask(params: dict) -> tuple[int, bool]:
        with transaction.atomic():
            job, is_new = jobs.create_once(
                "freeze", project=project, params=params, actor=None, same_as=Q(params=params)
            )
            time.sleep(0.05)
            return job.pk, is_new

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda seed: with_own_connection(lambda: ask({"seed": seed})), [1, 1, 1, 2]))
    assert len({pk for pk, _ in results[:3]}) == 1
    assert sorted(is_new for _, is_new in results) == [False, False, True, True]
    assert Job.objects.count() == 2


@pytest.mark.django_db
def test_a_web_server_whose_clock_is_wrong_creates_jobs_at_the_time_of_the_database(monkeypatch):
    now = timezone.now()
    for hours in (-3, 3):
        monkeypatch.setattr(timezone, "now", lambda hours=hours: now + timedelta(hours=hours))
        job = jobs.create("test")
        assert abs(job.created_at - now) < timedelta(minutes=5)
        Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, heartbeat_at=Now())
        job.refresh_from_db()
        assert not jobs.has_missed_heartbeats(job)
