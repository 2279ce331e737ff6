"""Every query of a large project reads about as much by its generic plan as by its custom one, and not too much.

PostgreSQL plans a prepared statement for its values five times, and then may plan it once for all values: a plan that
knows neither the project nor how many rows it has. The pages, the reads of the API and the scheduled tasks run on a
project of 12,640 sentences and 20 raters for each; each statement is run by both plans and rolled back.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client, override_settings
from psycopg._queries import PostgresQuery

from annotation.models import Project, User
from annotation.projects.create import add_responses
from annotation.projects.members import add_member
from annotation.projects.own_responses import STATES as OWN_STATES
from annotation.projects.responses import STATES
from annotation.reviewing.disagreement_ranking import SHOWS
from benchmarks._study import RATING, Study, insert_responses, insert_work, switch, triggers
from tasks.app import app
from tests.cast import person
from tests.conftest import SITE_ROLE
from tests.routes import LINES, create_site

pytestmark = pytest.mark.django_db

LARGE = Study("june", prompts=158, systems=4, sentences=20, raters=4)
OVERLAP, RATERS = 20, 25
MOST_GROWTH, FLOOR = 10, 200
"""A generic plan may read ten times the blocks of the custom plan, and 200 blocks more."""
MOST_BLOCKS = 50_000
"""Of any statement by its custom plan: one look-up for each item is 38,000, for each slot it would be 750,000."""
MOST_SECONDS = 10
NUMBERS = count()
UNKNOWN = 705  # the type of texts of which PostgreSQL says what they are
PLANNED = ("SELECT", "WITH", "UPDATE", "DELETE", "INSERT")
PAGES = [line[1] for line in LINES if line[0] == "GET" and not line[1].startswith(("/accounts/", "/language/"))]
FILTERED = [
    *(f"/projects/june/responses/?state={state}" for state in STATES),
    *(f"/projects/june/my-responses/?state={state}" for state in OWN_STATES),
    *(f"/projects/june/review/?show={show}" for show in SHOWS),
    *(f"/projects/june/review/{{item}}/?show={show}" for show in SHOWS),
    "/projects/june/responses/?rater=rater03&system=system 1&words=sentence",
    "/projects/june/review/?show=all&rater=rater03&system=system 1&answer=accuracy.inaccurate",
    "/api/v1/projects/june/responses/?limit=1000",
    "/api/v1/projects/june/ratings/?limit=1000",
]
"""Addresses whose filters have statements of their own."""


@pytest.fixture(scope="module")
def site(module_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, object]]:
    with pytest.MonkeyPatch.context() as patch, override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("media")):
        patch.setattr("tasks.jobs._send", lambda job: None)
        site = create_site()
        enlarge(Project.objects.get(slug="june"))
        yield site


def enlarge(project: Project) -> None:
    """Make it a project of 12,640 sentences more, a fifth of whose slots are finished; a fiftieth of the ratings have
    comments.
    """
    project.overlap = OVERLAP
    project.save(update_fields=["overlap"])
    raters = [person(f"rater{n:02}") for n in range(RATERS)]
    for rater in raters:
        add_member(project, rater, "rater")
    with connection.cursor() as cursor:
        insert_responses(cursor, project.dataset, LARGE)
        add_responses(project)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; RESET ROLE")
        insert_work(cursor, project, [rater.username for rater in raters], finished=LARGE.raters)
        names = triggers(cursor, "")
        switch(cursor, names, on=False)
        cursor.execute(f"UPDATE {RATING} SET comment = 'See table 2.' WHERE id % 50 = 0")
        switch(cursor, names, on=True)
        cursor.execute(f"ANALYZE; SET ROLE {SITE_ROLE}")


@dataclass
class Plans:
    """Runs each different statement by its custom and its generic plan before it is executed; keeps the blocks."""

    blocks: dict[str, tuple[int, int]] = field(default_factory=dict)

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        is_planned = isinstance(sql, str) and sql.lstrip(" \n(").startswith(PLANNED) and not many
        if is_planned and params and sql not in self.blocks:
            self.blocks[sql] = (0, 0)  # queries of this method are not measured
            self.blocks[sql] = self._measure(sql, params)
        return execute(sql, params, many, context)

    def _measure(self, sql: str, params: Any) -> tuple[int, int]:
        """Return the blocks that it reads by its custom and its generic plan; the first twice if it gets no other."""
        with transaction.atomic():
            [[mode]] = connection.connection.execute("SHOW plan_cache_mode")
            custom, generic = (blocks_read(sql, params, f"force_{plan}_plan") for plan in ("custom", "generic"))
            transaction.set_rollback(True)
        return custom, custom if mode == "force_custom_plan" else generic

    def problems(self) -> str:
        return "\n".join(
            f"{custom:,} blocks by the custom plan, {generic:,} by the generic one: {sql}"
            for sql, (custom, generic) in self.blocks.items()
            if generic > MOST_GROWTH * custom + FLOOR or custom > MOST_BLOCKS
        )


def blocks_read(sql: str, params: Any, mode: str) -> int:
    """Return how many blocks the statement reads when it is prepared as psycopg does it, and planned as `mode` says."""
    raw: psycopg.Connection[Any] = connection.connection
    query = PostgresQuery(psycopg.adapt.Transformer(raw))
    query.convert(sql, params)
    values = [params[key] for key in query._order] if isinstance(params, dict) else list(params)
    name = f"plan_{next(NUMBERS)}"  # a rollback forgets no prepared statement
    with psycopg.ClientCursor(raw) as cursor, raw.transaction(force_rollback=True):
        types = ", ".join(type_name(oid or UNKNOWN) for oid in query.types)
        cursor.execute(f"PREPARE {name} {f'({types})' if types else ''} AS ".encode() + query.query)
        cursor.execute(f"SET LOCAL statement_timeout = '{MOST_SECONDS}s'; SET LOCAL plan_cache_mode = {mode}")
        given = cursor.mogrify(", ".join(["%s"] * len(values)), values)
        try:
            [[plan]] = cursor.execute(
                f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE {name} ({given})"
            ).fetchone()
        except psycopg.errors.QueryCanceled:
            return 10**9
    return sum(plan["Plan"].get(kind, 0) for kind in ("Shared Hit Blocks", "Shared Read Blocks", "Temp Read Blocks"))


@cache
def type_name(oid: int) -> str:
    [[name]] = connection.connection.execute("SELECT format_type(%s, NULL)", [oid])
    return str(name)


@pytest.fixture(scope="module")
def plans() -> Plans:
    """Return the plans of all tests: a statement that is the same for two people is measured once."""
    return Plans()


@pytest.mark.parametrize("name", ["rater03", "lena", "ravi", "ada"])
def test_pages_and_the_reads_of_the_api(site: dict[str, object], plans: Plans, name: str) -> None:
    client = Client()
    client.force_login(User.objects.get(username=name))
    for address in (*PAGES, *FILTERED):
        with transaction.atomic(), connection.execute_wrapper(plans):
            client.get(address.format(**site))
            transaction.set_rollback(True)
    assert len(plans.blocks) > 50
    assert plans.problems() == ""


def test_scheduled_tasks(site: dict[str, object], plans: Plans) -> None:
    app.loader.import_default_modules()
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        with transaction.atomic(), connection.execute_wrapper(plans):
            app.tasks[entry["task"]]()
            transaction.set_rollback(True)
    assert len(plans.blocks) > 5
    assert plans.problems() == ""
