"""The cost of the tally for new ratings, and its gain for reports.

Cost: the same work with and without the tally's triggers, in turn, with the history's off; with both on it is shown
beside. Single saves are one INSERT in a transaction of its own, and a whole save through the function that pages and
programs use; bulk is 10,000 ratings in one statement. Gain: the table of systems and answers from the tally beside the
same table by a sequential scan of all ratings, at one million ratings and at ten, which PostgreSQL makes itself; and at
one million, the table of the reports' reader from the tally beside its table from ratings. After every step the tally
is counted anew and must agree. `FACTUARY_BENCH_RATINGS` sets another number for the ten million.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import Any

from ._figure import Figure
from ._study import HISTORY, TALLY, Study, insert_ratings, make, make_project, switch, triggers

MAX_RATINGS = int(os.environ.get("FACTUARY_BENCH_RATINGS") or 10_000_000)
SINGLES, BULK_ROUNDS, READS = 300, 10, 7
MAX_READ = 2_000_000  # ratings that the reader of reports holds in memory here

OFF, TALLIED, TALLIED_WITH_HISTORY = "neither", "tally", "tally and history"


def run() -> Iterator[Figure]:
    """Yield one result a line; seconds are medians, taken in turn."""
    yield from costs()
    for ratings in (1_000_000, MAX_RATINGS):
        yield from gains(ratings)


def costs() -> Iterator[Figure]:
    """Yield one INSERT a transaction, a whole save, and 10,000 ratings in one statement."""
    for name, rounds, work, count in (
        ("single insert", SINGLES, single_inserts(), 1),
        ("single save", SINGLES, single_saves(), 1),
        ("10,000 ratings in one insert", BULK_ROUNDS, bulk_inserts(), 10_000),
    ):
        times = in_turn(work, rounds)
        require_agreement()
        yield Figure(f"{name}: with the tally / without", times[TALLIED], times[OFF], "s", count)
        yield Figure(f"{name}: with tally and history / without", times[TALLIED_WITH_HISTORY], times[OFF], "s", count)


def in_turn(work: Callable[[], None], rounds: int) -> dict[str, float]:
    """Return the median seconds of one call of `work` with neither, with the tally's and with both sets of triggers."""
    times: dict[str, list[float]] = {OFF: [], TALLIED: [], TALLIED_WITH_HISTORY: []}
    for part in range(5):
        for kind, measured in times.items():
            with only(kind):
                work()
                measured += [seconds(work) for _ in range(max(1, rounds // 5))]
        if part == 0:
            for measured in times.values():
                measured.clear()  # caches were cold
    return {kind: median(measured) for kind, measured in times.items()}


@contextmanager
def only(kind: str) -> Iterator[None]:
    """Leave only the triggers of `kind` on, of those of the tally and the history, until the end of the block.

    Ratings that came in without the tally's triggers are counted when these are on again.
    """
    from django.db import connection

    with connection.cursor() as cursor:
        off = triggers(cursor, HISTORY) if kind != TALLIED_WITH_HISTORY else []
        off += triggers(cursor, TALLY) if kind == OFF else []
        switch(cursor, off, on=False)
        yield
        switch(cursor, off, on=True)
        if kind == OFF:
            cursor.execute(_COUNT_ANEW)


def single_inserts() -> Callable[[], None]:
    """Return a function that adds one rating a call, in a transaction of its own."""
    from django.db import connection

    project = make_project(Study("single-inserts", prompts=40, systems=4, sentences=20, raters=1))
    keys = pairs_to_rate(project)

    def insert() -> None:
        with connection.cursor() as cursor:
            cursor.execute(_ONE, [project.pk, *next(keys)])

    return insert


def pairs_to_rate(project: Any) -> Iterator[tuple[int, int]]:
    """Return every item and rater of the study, in an order that jumps from response to response."""
    from annotation.models import Item, User

    items = list(Item.objects.filter(response__dataset=project.dataset).order_by("position", "pk").values_list("pk"))
    raters = User.objects.filter(username__startswith=f"{project.slug}-").values_list("pk", flat=True)
    return iter([(item, rater) for rater in raters for (item,) in items])


def single_saves() -> Callable[[], None]:
    """Return a function that saves the answer of one leased sentence a call, as pages and programs do."""
    from annotation.accounts.users import create_user
    from annotation.projects.members import add_member
    from annotation.qualification.next_work import take_next
    from annotation.queue.sheets import items_of
    from annotation.rating import submit
    from annotation.rating.finish import finish

    project = make_project(Study("single-saves", prompts=60, systems=2, sentences=40, raters=0))
    person = create_user("single-saves")
    add_member(project, person, "rater")

    def sentences() -> Iterator[tuple[Any, Any]]:
        while assignment := in_transaction(take_next, project, person):
            for item in items_of(assignment.sheet, "sentence"):
                yield assignment.public_id, item.public_id
            finish(assignment)

    todo = sentences()

    def save() -> None:
        assignment, item = next(todo)
        submit.save(person, assignment, item, submit.Submission({"accuracy": "accurate"}, base_version=0))

    return save


def in_transaction(function: Callable[..., Any], *arguments: Any) -> Any:
    from django.db import transaction

    with transaction.atomic():
        return function(*arguments)


def bulk_inserts() -> Callable[[], None]:
    """Return a function that adds ratings of 10,000 sentences by one more rater a call."""
    from django.db import connection

    project = make_project(Study("bulk-inserts", prompts=125, systems=4, sentences=20, raters=200))
    numbers = iter(range(200))

    def insert() -> None:
        number = next(numbers)
        with connection.cursor() as cursor:
            insert_ratings(cursor, project, number, number + 1)

    return insert


def gains(ratings: int) -> Iterator[Figure]:
    """Yield the table of a study of so many ratings: 1,580 prompts, 4 systems, 16 sentences."""
    from django.db import connection

    raters = max(1, round(ratings / (1580 * 4 * 16)))
    study = Study(f"read-{ratings}", prompts=1580, systems=4, sentences=16, raters=raters)
    took, project = timed(lambda: make(study, bare=True))
    with connection.cursor() as cursor:
        cursor.execute("SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off")
        scanned, by_scan = timed_table(cursor, _BY_SCAN, project, rounds=3)
        cursor.execute("RESET enable_indexscan; RESET enable_indexonlyscan; RESET enable_bitmapscan")
        read, by_tally = timed_table(cursor, _BY_TALLY, project, rounds=READS)
    if by_scan != by_tally:
        raise RuntimeError("the table from the tally differs from the table from the ratings")
    millions = f"{study.ratings / 1e6:.1f} million ratings"
    yield Figure(f"{millions}: table from the tally / sequential scan", read, scanned, "s", study.ratings)
    if study.ratings < MAX_READ:
        yield Figure(
            f"{millions}: rating table from the tally / from ratings", *reader_seconds(project), "s", study.ratings
        )
    yield Figure(f"{millions}: made by the database, tally counted afterwards", took, took, "s", study.ratings)
    took, _ = timed(require_agreement)
    yield Figure(f"{millions}: recount agrees, seconds it takes / sequential scan", took, scanned, "s", study.ratings)


def reader_seconds(project: Any) -> tuple[float, float]:
    """Return the median seconds that the reader of reports takes from the tally and from ratings."""
    from annotation.reporting.data.reader import read_ratings, read_tally

    from_tally = median(seconds(lambda: read_tally(project)) for _ in range(READS))
    return from_tally, median(seconds(lambda: read_ratings(project)) for _ in range(3))


def timed_table(cursor: Any, query: str, project: Any, rounds: int) -> tuple[float, list]:
    times = []
    for _ in range(rounds + 1):
        start = perf_counter()
        cursor.execute(query, {"project": project.pk})
        rows = cursor.fetchall()
        times.append(perf_counter() - start)
    return median(times[1:]), sorted(rows)


def require_agreement() -> None:
    from annotation.rating.tally_check import find_tally_differences

    if problems := find_tally_differences():
        raise RuntimeError("\n".join(["the tally differs from the ratings", *problems[:5]]))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = perf_counter()
    result = work()
    return perf_counter() - start, result


def seconds(work: Callable[[], Any]) -> float:
    return timed(work)[0]


_ONE = """
    INSERT INTO annotation_rating (
        project_id, item_id, rater_id, role, answers, choices, counted, comment, evidence, rated_at, version,
        idempotency_key, request_sha256
    )
    SELECT %s, %s, %s, 'rater', answers, answers, TRUE, '', '[]', now(), 1, '', ''
    FROM (SELECT '{"accuracy": "accurate"}'::jsonb AS answers) given
"""

_COUNT_ANEW = """
    DELETE FROM annotation_tally;
    INSERT INTO annotation_tally (project_id, response_id, against_id, unit, role, counted, choices, n)
    SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, count(*)
    FROM annotation_rating r JOIN annotation_item i ON i.id = r.item_id GROUP BY 1, 2, 3, 4, 5, 6, 7
"""

_BY_TALLY = """
    SELECT system.name, tally.choices::text, sum(tally.n)
    FROM annotation_tally tally
    JOIN annotation_response response ON response.id = tally.response_id
    JOIN annotation_system system ON system.id = response.system_id
    WHERE tally.project_id = %(project)s AND tally.role = 'rater' AND tally.counted
    GROUP BY 1, 2
"""

_BY_SCAN = """
    SELECT system.name, rating.choices::text, count(*)
    FROM annotation_rating rating
    JOIN annotation_item item ON item.id = rating.item_id
    JOIN annotation_response response ON response.id = item.response_id
    JOIN annotation_system system ON system.id = response.system_id
    WHERE rating.project_id = %(project)s AND rating.role = 'rater' AND rating.counted
    GROUP BY 1, 2
"""
