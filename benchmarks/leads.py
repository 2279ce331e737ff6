"""Saves of raters while leads ask for live reports, beside the same without leads.

A quickstart site of its own has the project of `serving` and one with 60,672 ratings, few enough that a request
computes its report (`FACTUARY_BENCH_RATINGS` sets about another number; above 100,000 a job does). Eight raters save at
full speed, in turn without leads and with eight who ask for reports with a different seed each time, so that none is
cached. As programs and pages do, a lead who is told to wait waits as long as told.
"""

import http.client
import os
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from ._figure import Figure
from ._study import Study, make
from .serving import (
    RATERS,
    Waits,
    Worker,
    at_once,
    database_of_the_site,
    load_study,
    rater,
    running_site,
    signed_in,
)

LEADS, ROUNDS, SECONDS = 8, 3, 10.0
PROMPTS = 240
"""Enough responses for every rater until the end, also on a machine four times as fast as the one measured."""
LEAST = 0.4
EACH = 4 * 12 * 8
"""Ratings of a prompt: systems, sentences, raters."""
STUDY = Study("large", int(os.environ.get("FACTUARY_BENCH_RATINGS") or 158 * EACH) // EACH, 4, 12, 8)


def run() -> Iterator[Figure]:
    """Yield one result a line."""
    with tempfile.TemporaryDirectory(prefix="factuary-bench-") as folder, running_site(Path(folder)) as site:
        load_study(site, Path(folder), prompts=PROMPTS)
        with database_of_the_site(site):
            tokens = add_leads()
        raters = [rater(signed_in(site, f"rater{n}")) for n in range(RATERS)]
        seeds = count(1)
        leads = [lead(site, token, seeds) for token in tokens]
        alone = beside = reports = 0
        for _ in range(ROUNDS):
            alone += total(at_once(raters, SECONDS), "save")
            waits = at_once([*raters, *leads], SECONDS)
            beside += total(waits, "save")
            reports += total(waits, "report")
        seconds = ROUNDS * SECONDS
        name = f"saves of {RATERS} raters beside {LEADS} leads / without leads"
        yield Figure(name, beside / seconds, alone / seconds, "1/s", beside, at_least=LEAST)
        yield Figure(f"reports of {STUDY.ratings:,} ratings to {LEADS} leads", reports / seconds, 0, "1/s", reports)


def add_leads() -> list[str]:
    """Create the large project with its leads; return their tokens."""
    from annotation.accounts.tokens import create_token
    from annotation.accounts.users import create_user
    from annotation.projects.members import add_member

    project = make(STUDY)
    leads = [create_user(f"lead{n}") for n in range(LEADS)]
    for person in leads:
        add_member(project, person, "lead")
    return [create_token(person)[0] for person in leads]


def lead(site: dict, token: str, seeds: Iterator[int]) -> Worker:
    """Ask for reports, each with a new seed, and wait for as long as the answer says."""

    def ask(end: float, waits: Waits) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", site["port"])
        while (began := time.perf_counter()) < end:
            path = f"/api/v1/projects/{STUDY.slug}/report/?seed={next(seeds)}"
            connection.request("GET", path, headers={"Authorization": f"Token {token}"})
            answer = connection.getresponse()
            content = answer.read()
            if answer.status == 200:
                waits["report"].append(time.perf_counter() - began)
            elif seconds := answer.headers["Retry-After"]:
                time.sleep(max(0, min(float(seconds), end - time.perf_counter())))
            else:
                raise RuntimeError(f"{path}: {answer.status} {content[:200]!r}")

    return ask


def total(waits: list[Waits], what: str) -> int:
    """Return the number of requests of this kind."""
    return sum(len(each[what]) for each in waits)
