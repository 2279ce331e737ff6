"""Services that are stopped for a while, and a migration under load."""

import os
import subprocess
import sys
import urllib.error
import urllib.request
from json import load

from django.db.migrations.loader import MigrationLoader

from ..background import KINDS
from ..site import ROOT
from ..situation import Situation, scenario


@scenario("database restarted")
def restart_database(situation: Situation) -> None:
    """Stop PostgreSQL as an administrator does, wait, and start it again; people get 503 with Retry-After."""
    situation.hold_jobs()
    situation.site.stop("postgres")
    situation.work_on(15)
    situation.expect(_readiness(situation) == (503, "down"), "readiness is 503 without the database")
    situation.site.start("postgres")
    situation.wait_for_saves(20)
    log = situation.log
    situation.expect(log.statuses["503"] > 0, "raters get 503 with Retry-After while the database is down")
    situation.expect(log.pages["503"] > 0, "pages answer 503 while the database is down")


@scenario("broker gone", longest_gap=10, pause=0.6)
def stop_broker(situation: Situation) -> None:
    """Stop Valkey for ten minutes; jobs wait, and rating and pages go on."""
    situation.hold_jobs()
    situation.site.stop("valkey")
    situation.release_jobs()
    situation.start_jobs(*KINDS[1:])
    situation.expect(_readiness(situation) == (200, "degraded"), "readiness is degraded without the broker")
    situation.work_on(situation.options.broker_seconds)
    situation.expect(situation.site.children.is_running("worker"), "the worker waits for the broker")
    situation.site.start("valkey")
    situation.notes["broker_gone_seconds"] = situation.options.broker_seconds


@scenario("migration under load", longest_gap=240)
def migrate(situation: Situation) -> None:
    """Run `migrate` three times while raters save, as each start of a container does. Then upgrade as docs/backup.md
    says: stop web server, worker and beat, migrate (from the state before the newest migrations), start them.
    """
    situation.start_jobs()
    for _ in range(3):
        _migrate(situation)
    situation.site.stop("web", "worker", "beat")
    _migrate(situation, "annotation", earlier_migration())
    _migrate(situation)
    situation.site.start("web", "worker", "beat")


def earlier_migration(steps: int = 2) -> str:
    """Return the name of the migration before the newest ones: at most `steps` of them, and only reversible ones."""
    loader = MigrationLoader(None)
    [newest] = [key for key in loader.graph.leaf_nodes() if key[0] == "annotation"]
    names = [key for key in loader.graph.forwards_plan(newest) if key[0] == "annotation"]
    back = 0
    while back < steps and all(step.reversible for step in loader.graph.nodes[names[-1 - back]].operations):
        back += 1
    return names[-1 - back][1]


def _migrate(situation: Situation, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", *arguments],
        cwd=ROOT, env=os.environ | situation.site.environment(), capture_output=True, text=True,
    )  # fmt: skip
    situation.expect(done.returncode == 0, f"migrate {' '.join(arguments)}: {done.stderr[-500:]}")


def _readiness(situation: Situation) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"{situation.site.url}/health/ready/", timeout=30) as answer:
            return answer.status, load(answer)["status"]
    except urllib.error.HTTPError as answer:
        return answer.code, load(answer)["status"]
