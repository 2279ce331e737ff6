"""Workers that are killed while their requests to a fake endpoint are on their way."""

import itertools
import os
import signal
import threading
from collections.abc import Callable

from annotation.models import Job
from tasks.app import app
from tasks.jobs import JOBS, requeue_stale
from tests.judging.fake_endpoint import FakeEndpoint


class Gate:
    """Holds the answers of an endpoint from the requests with these numbers on, until the worker is killed."""

    def __init__(self, *numbers: int) -> None:
        self.numbers, self.count, self.passes = numbers, itertools.count(1), threading.Event()
        self.passes.set()

    def wait(self) -> tuple[int, bool]:
        """Wait until answers pass; return the number of this request and whether it was held."""
        number = next(self.count)
        if number in self.numbers:
            self.passes.clear()
        is_held = not self.passes.is_set()
        self.passes.wait()
        return number, is_held


def kill_worker(
    job: Job, gate: Gate, endpoint: FakeEndpoint, start_celery_worker: Callable, wait_until: Callable, concurrency: int
) -> None:
    """Kill the worker of a job when so many requests are on their way, and send the job again."""
    if not Job.objects.get(pk=job.pk).attempts:
        app.send_task(JOBS[job.kind][0], args=[job.pk])
    worker = start_celery_worker()
    wait_until(lambda: not gate.passes.is_set() and endpoint.open == concurrency, seconds=120)
    os.killpg(worker.pid, signal.SIGKILL)
    gate.passes.set()
    Job.objects.filter(pk=job.pk).update(heartbeat_at="2020-01-01T00:00Z")
    wait_until(lambda: endpoint.open == 0, seconds=120)
    assert requeue_stale() == 1
