"""Clocks that jump across a lease (four hours), and two workers whose clocks differ.

libfaketime shifts the clocks of the processes; the machine's own stays. The parts are started again for that, and at
the end once more with the right time.
"""

import json

from .. import study
from ..checks import find_over_assigned, use_new_connection
from ..clients import Line
from ..site import SECOND_WORKER
from ..situation import Situation, scenario

FIVE_HOURS = 5 * 3600
PROGRAMS = ("worker", "beat", "web")


@scenario("clock of the programs jumps")
def jump_programs(situation: Situation) -> None:
    """Web server, worker and beat jump five hours ahead, then back to ten minutes before. No lease is taken over."""
    _jump(situation, "programs", PROGRAMS, keeps_leases=True)


@scenario("clock of the database jumps")
def jump_database(situation: Situation) -> None:
    """The clock that leases and heartbeats of jobs go by jumps in the same way. A lease that is taken over within the
    minute in which the web server asks for the time again is lost to its first rater, and never given twice.
    """
    _jump(situation, "database", ("postgres",), keeps_leases=False)


def _jump(situation: Situation, clock: str, parts: tuple[str, ...], keeps_leases: bool) -> None:
    site = situation.site
    site.stop(*parts)
    site.clocks[clock].set(0)
    site.start(*parts, clocks=True)
    situation.wait_for_saves(20)
    lease = Lease(situation)
    situation.hold_jobs()
    for seconds in (FIVE_HOURS, -600, 0):
        site.clocks[clock].set(seconds)
        situation.wait_for_saves(40)
        if seconds == FIVE_HOURS:
            is_taken_over = lease.is_taken_over()
            situation.expect(not (keeps_leases and is_taken_over), "a lease was taken over")
    situation.release_jobs()
    situation.wait_for_jobs()
    site.stop(*parts)
    site.start(*parts)


class Lease:
    """A rater's lease on the only slot of a project."""

    def __init__(self, situation: Situation) -> None:
        use_new_connection()
        names = list(situation.tokens)[:2]
        self.project = study.new_project(f"lease-{situation.project.slug}"[:50], names, study.ONE_RESPONSE, overlap=1)
        self.situation = situation
        self._first, self._second = (Line.of_program(situation.site, situation.tokens[name]) for name in names)
        self._work = self._first.ask("POST", self._address).json
        self._save("200", base_version=0)

    @property
    def _address(self) -> str:
        return f"/api/v1/projects/{self.project.slug}/assignments/"

    def is_taken_over(self) -> bool:
        """Let another rater ask for work. Return whether that is the leased one; then the first one cannot save."""
        answer = self._second.ask("POST", self._address)
        if answer.status == "200":
            self._save("410", base_version=1)
        use_new_connection()
        for line in find_over_assigned(self.project):
            self.situation.expect(False, line)
        return answer.status == "200"

    def _save(self, expected: str, base_version: int) -> None:
        path = f"/api/v1/assignments/{self._work['id']}/items/{self._work['items'][0]['id']}/"
        body = json.dumps({"answers": {"accuracy": "accurate"}, "base_version": base_version}).encode()
        answer = self._first.ask("PUT", path, body, Idempotency_Key=f"lease {base_version}")
        self.situation.expect(answer.status == expected, f"a save of the lease: {answer.status}, {expected} is right")


@scenario("two workers, 45 s apart", longest_gap=10)
def differ(situation: Situation) -> None:
    """A second worker's clock is 45 s behind; jobs that are held for a minute do not die and are not taken over."""
    site = situation.site
    site.clocks["programs"].set(-45)
    site.start(SECOND_WORKER, clocks=True)
    situation.hold_jobs()
    situation.work_on(60)
    situation.release_jobs()
    situation.wait_for_jobs()
    for job in situation.jobs:
        job.refresh_from_db()
        situation.expect(job.attempts == 1, f"{job.kind} was started {job.attempts} times")
    site.end(SECOND_WORKER)
