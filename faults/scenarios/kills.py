"""Parts that are killed (SIGKILL) while raters save and an import, a report freeze and an export are about to store."""

from ..site import PARTS
from ..situation import Situation, scenario

AWAY = 3.0
"""Seconds until a killed part is started again."""


def kill(situation: Situation, *parts: str, jobs: bool = True) -> None:
    """Kill parts at once and start them again."""
    if jobs:
        situation.hold_jobs()
    situation.site.kill(*parts)
    situation.release_jobs()
    situation.work_on(AWAY)
    situation.site.start(*parts)


@scenario("worker killed")
def kill_worker(situation: Situation) -> None:
    kill(situation, "worker")


@scenario("web server killed", longest_gap=30)
def kill_web(situation: Situation) -> None:
    kill(situation, "web")


@scenario("one web process killed", longest_gap=20)
def kill_web_process(situation: Situation) -> None:
    """Kill the processes that answer requests, one after the other; gunicorn starts others."""
    situation.hold_jobs()
    for _ in range(2):
        situation.site.kill_web_process()
        situation.work_on(AWAY)


@scenario("beat killed", longest_gap=10)
def kill_beat(situation: Situation) -> None:
    kill(situation, "beat")


@scenario("PostgreSQL killed")
def kill_postgres(situation: Situation) -> None:
    kill(situation, "postgres")


@scenario("one PostgreSQL process killed")
def kill_backend(situation: Situation) -> None:
    """Kill the process of one connection: PostgreSQL ends all others and recovers."""
    situation.hold_jobs()
    for _ in range(3):
        situation.site.kill_backend()
        situation.work_on(AWAY)


@scenario("Valkey killed", longest_gap=10)
def kill_valkey(situation: Situation) -> None:
    kill(situation, "valkey")


@scenario("power cut")
def power_cut(situation: Situation) -> None:
    """Kill all parts at once. What the kernel has not written to the disk yet is not lost by that."""
    kill(situation, *PARTS)


@scenario("parts killed in turn, then all", short=True)
def kill_in_turn(situation: Situation) -> None:
    """Kill worker, web server, Valkey and beat one after the other, restart the database, and kill all at once."""
    situation.hold_jobs()
    for part in ("worker", "web", "valkey", "beat"):
        situation.site.kill(part)
        if part != "web":
            situation.wait_for_saves(10)
        situation.site.start(part)
        situation.wait_for_saves(10)
    situation.site.stop("postgres")
    situation.work_on(1)
    situation.site.start("postgres")
    situation.wait_for_saves(20)
    situation.expect(situation.log.statuses["503"] > 0, "raters get 503 with Retry-After without the database")
    kill(situation, *PARTS, jobs=False)
