"""Jobs of the site: work that takes longer than a request."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from . import records
from .connection import Connection
from .decoding import decode
from .errors import JobFailedError, JobTimeoutError

T = TypeVar("T")
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0
"""Seconds between two requests for the state: at first, and after a while."""


@dataclass(frozen=True, kw_only=True)
class Progress(records.JobProgress):
    """`done` of `total`, which is None until it is known."""

    def __str__(self) -> str:
        """Return such as "12 of 40: computing intervals"."""
        count = f"{self.done}" if self.total is None else f"{self.done} of {self.total}"
        return f"{count}: {self.message}" if self.message else count


@dataclass(frozen=True, kw_only=True)
class JobState(records.Job):
    """A job as it was when it was requested. `result` depends on its kind; `report` is the frozen report."""

    progress: Progress


class Job(Generic[T]):
    """A job that was started here. `wait` returns what it has made."""

    def __init__(self, connection: Connection, job_id: str, load: Callable[[JobState], T]) -> None:
        self._connection, self.id, self._load = connection, job_id, load

    def __repr__(self) -> str:
        """Name the job without requesting it."""
        return f"<job {self.id}>"

    def state(self) -> JobState:
        return decode(JobState, self._connection.json("GET", f"jobs/{self.id}/"))

    def cancel(self) -> None:
        """Cancel the job: for admins. What is stored stays."""
        self._connection.send("DELETE", f"jobs/{self.id}/")

    def wait(self, *, timeout: float | None = None, progress: Callable[[Progress], object] | None = None) -> T:
        """Return the result when the job is done. `progress` is called with each new progress, for example `print`.

        Raises JobFailedError if it fails or is cancelled, JobTimeoutError after `timeout` seconds.
        """
        end = None if timeout is None else time.monotonic() + timeout
        pause, reported = FIRST_WAIT, None
        while True:
            job = self.state()
            if progress is not None and job.progress != reported:
                progress(job.progress)
                reported = job.progress
            if job.state == "done":
                return self._load(job)
            if job.state in ("failed", "cancelled"):
                raise JobFailedError(job.kind, job.state, job.problems)
            if end is not None and time.monotonic() + pause > end:
                raise JobTimeoutError(f"the job {job.kind} is {job.state} after {timeout:g} seconds: {job.progress}")
            self._connection.sleep(pause)
            pause = min(LONGEST_WAIT, pause * 1.5)


def counts_of(job: JobState) -> Mapping[str, Any]:
    """Return what the job has counted."""
    return job.result or {}
