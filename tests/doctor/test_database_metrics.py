import time
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from annotation import jobs
from annotation.doctor import database_metrics
from annotation.doctor.database_metrics import SiteCollector
from annotation.jobs import BEAT_LAST_SEEN
from annotation.models import Slot
from tests.cast import study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


def value(name: str, **labels: str) -> float:
    """Return a value that the site reports."""
    samples = [sample for metric in SiteCollector().collect() for sample in metric.samples]
    (found,) = [sample.value for sample in samples if sample.name == name and sample.labels == labels]
    return found


def test_leases_but_no_finished_work_are_counted_and_a_tally_that_lacks_ratings_is_seen():
    june = study(prompts=3)
    rates(june.people["ravi"], june.project)
    rates(june.people["ravi"], june.project, 1)
    expired = rates(june.people["rosa"], june.project, 1)
    Slot.objects.filter(holder=expired).update(expires_at=timezone.now() - timedelta(hours=1))
    assert value("factuary_leases", state="open") == 1
    assert value("factuary_leases", state="expired") == 1
    assert value("factuary_tally_lag_ratings") == 0
    connection.cursor().execute("UPDATE annotation_tally SET n = n - 1 WHERE n > 0")
    assert value("factuary_tally_lag_ratings") > 0


def test_open_jobs_the_queue_of_the_broker_and_beat_are_read():
    jobs.create("count")
    jobs.create("count")
    assert value("factuary_open_jobs", kind="count", state="queued") == 2
    assert value("factuary_oldest_job_seconds", kind="count", state="queued") >= 0
    cache.set(BEAT_LAST_SEEN, time.time() - 30)
    assert value("factuary_queue_depth", queue="celery") >= 0
    assert 29 < value("factuary_beat_silent_seconds") < 60


def test_a_part_that_cannot_be_read_does_not_hide_the_others(monkeypatch):
    def broken():
        raise OSError("no broker")

    monkeypatch.setitem(database_metrics.PARTS, "queues", broken)
    assert value("factuary_part_readable", part="queues") == 0
    assert value("factuary_part_readable", part="leases") == 1
    assert value("factuary_tally_lag_ratings") == 0
