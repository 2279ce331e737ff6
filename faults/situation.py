"""One scenario: people work on a project of its own, the fault comes, and everything is compared afterwards."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from django.utils.text import slugify

from annotation.models import Job, Project

from . import background, checks, study
from .clients import Browser, Log, Rater, merged
from .site import PARTS, Site, wait_until

RECOVERY_SECONDS, JOB_SECONDS = 120, 240
SAVES_BEFORE, SAVES_AFTER = 60, 60
PROBLEMS_SHOWN = 8


@dataclass
class Options:
    """How long faults last. A short run ages heartbeats instead of waiting until a worker counts as dead."""

    is_short: bool = False
    broker_seconds: float = 600
    pause: float = 0.08


@dataclass(frozen=True)
class Scenario:
    name: str
    run: Callable[["Situation"], None]
    is_short: bool
    """Whether the short run has it."""
    longest_gap: float
    """Seconds without an acknowledged save that are allowed."""
    may_fail: bool
    """Whether jobs may fail, with a message."""
    pause: float | None


SCENARIOS: dict[str, Scenario] = {}


def scenario(
    name: str, *, short: bool = False, longest_gap: float = 90, may_fail: bool = False, pause: float | None = None
) -> Callable[[Callable[["Situation"], None]], Callable[["Situation"], None]]:
    """Register a function as a scenario. It returns when the fault is over; the runner starts what has ended."""

    def register(run: Callable[["Situation"], None]) -> Callable[["Situation"], None]:
        SCENARIOS[name] = Scenario(name, run, short, longest_gap, may_fail, pause)
        return run

    return register


@dataclass
class Situation:
    """What a scenario acts on."""

    site: Site
    project: Project
    options: Options
    tokens: dict[str, str] = field(default_factory=dict)
    """The raters' tokens by name."""
    people: list[Rater | Browser] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    hold: background.Hold | None = None
    notes: dict[str, Any] = field(default_factory=dict)
    """What else the scenario saw; part of its result."""
    broken: list[str] = field(default_factory=list)
    """Promises that the scenario itself found broken."""
    until_compared: ExitStack = field(default_factory=ExitStack)
    """Closed after everything is compared."""

    # --- For scenarios

    def start_jobs(self, *kinds: str) -> list[Job]:
        checks.use_new_connection()
        created = background.create_jobs(self.project, self.site.folder, kinds or background.KINDS)
        self.jobs += created
        return created

    def hold_jobs(self) -> None:
        """Start a job of each kind and wait until each is about to store its result."""
        self.hold = background.Hold(self.site)
        self.start_jobs()
        self.hold.wait_for_jobs()

    def release_jobs(self) -> None:
        if self.hold:
            self.hold.release()
        self.hold = None

    def work_on(self, seconds: float) -> None:
        """Let the people work for a while."""
        time.sleep(seconds)

    def expect(self, is_so: bool, promise: str) -> None:
        if not is_so:
            self.broken.append(promise)

    def wait_for_saves(self, count: int, seconds: float = RECOVERY_SECONDS) -> None:
        """Wait until `count` more saves are acknowledged."""
        before = len(self.log.moments)
        wait_until(lambda: len(self.log.moments) >= before + count, f"{count} more saves", seconds)

    @property
    def log(self) -> Log:
        return merged([person.log for person in self.people])

    # --- For the runner

    def start_people(self, cookie: str, pause: float) -> None:
        raters = [Rater(self.site, self.project.slug, name, token, pause) for name, token in self.tokens.items()]
        self.people = [*raters, Browser(self.site, self.project.slug, cookie)]
        for person in self.people:
            person.start()

    def stop_people(self) -> None:
        for person in self.people:
            person.stopping.set()
        for person in self.people:
            person.join()

    def wait_for_jobs(self) -> None:
        """Wait until all jobs have ended."""
        checks.use_new_connection()
        if self.options.is_short:
            background.age_heartbeats()
        wait_until(lambda: not self._open_jobs(), "all jobs have ended", JOB_SECONDS)

    def _open_jobs(self) -> bool:
        checks.use_new_connection()
        return Job.objects.filter(state__in=Job.OPEN).exclude(kind="backup").exists()


def run(scenario: Scenario, site: Site, tokens: dict[str, str], cookie: str, options: Options) -> dict[str, Any]:
    """Run a scenario and return its result: counts, answers, and whether every promise was kept."""
    began = time.monotonic()
    checks.use_new_connection()
    slug = f"{Project.objects.count()}-{slugify(scenario.name)}"[:50]
    project = study.new_project(slug, list(tokens))
    situation = Situation(site, project, options, tokens)
    situation.start_people(cookie, scenario.pause or options.pause)
    try:
        situation.wait_for_saves(SAVES_BEFORE)
        scenario.run(situation)
        situation.release_jobs()
        site.start(*PARTS)
        situation.wait_for_saves(SAVES_AFTER)
        situation.wait_for_jobs()
    except Exception as error:
        situation.broken.append(f"{type(error).__name__}: {error}")
    finally:
        situation.release_jobs()
        situation.stop_people()
    with situation.until_compared:
        return _result(scenario, situation, time.monotonic() - began)


def _result(scenario: Scenario, situation: Situation, seconds: float) -> dict[str, Any]:
    site, log, project = situation.site, situation.log, situation.project
    site.start(*PARTS)
    checks.use_new_connection()
    jobs = list(Job.objects.filter(pk__in=[job.pk for job in situation.jobs]).order_by("pk"))
    failed = [job for job in jobs if job.state == Job.State.FAILED]
    violations = {
        "lost": checks.find_lost(log.saves, project),
        "doubled": checks.find_doubled(project),
        "over_assigned": checks.find_over_assigned(project),
        "unfinished": checks.find_unfinished(log.finished),
        "tallies_unequal": checks.find_unequal_tallies(),
        "jobs_stuck": [f"{job.kind} is {job.state}" for job in jobs if job.state in Job.OPEN],
        "jobs_failed": [] if scenario.may_fail else [f"{job.kind}: {job.problems}" for job in failed],
        "half_stored": checks.find_half_stored(jobs, background.RESPONSES),
        "unexpected_answers": log.unexpected,
        "broken": situation.broken,
    }
    gap = longest_gap(log.moments)
    if gap > scenario.longest_gap:
        violations["broken"].append(f"nobody could save for {gap:.0f} s; {scenario.longest_gap:g} s are allowed")
    problems = [f"{name}: {line}" for name, lines in violations.items() for line in lines]
    return {
        "scenario": scenario.name,
        "kept": not problems,
        "saves": len(log.saves),
        "finished": len(log.finished),
        **{name: len(lines) for name, lines in violations.items()},
        "jobs": len(jobs),
        "jobs_resumed": sum(job.attempts > 1 for job in jobs),
        "jobs_refused": len(failed) if scenario.may_fail else 0,
        "answers": dict(sorted(log.statuses.items())),
        "pages": dict(sorted(log.pages.items())),
        "longest_gap": round(gap, 1),
        "seconds": round(seconds, 1),
        **situation.notes,
        "problems": problems[:PROBLEMS_SHOWN],
    }


def longest_gap(moments: list[float]) -> float:
    """Return the longest time between two acknowledged saves, in seconds."""
    return max((later - earlier for earlier, later in pairwise(sorted(moments))), default=0.0)
