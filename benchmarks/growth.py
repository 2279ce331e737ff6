"""Next work, a save and finishing in a project of 1,000,000 items beside one of 10,000, in turn, in one database.

The same rater works in both through the functions that pages and programs use. Half of the responses of each project
are rated by others before. `FACTUARY_BENCH_ITEMS` sets another number for the million.
"""

import os
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any

from ._figure import Figure
from ._study import Study, make_project

SMALL, LARGE = 10_000, int(os.environ.get("FACTUARY_BENCH_ITEMS") or 1_000_000)
SYSTEMS, SENTENCES, ROUNDS = 2, 20, 40
MOST_GROWTH = 1.3

Times = dict[str, list[float]]


def run() -> Iterator[Figure]:
    """Yield one result a line: medians in seconds."""
    from annotation.accounts.users import create_user

    rater = create_user("growth")
    workers = {items: worker(items, rater) for items in (SMALL, LARGE)}
    times: dict[int, Times] = {items: {"next work": [], "save": [], "finish": []} for items in workers}
    for _ in range(ROUNDS):
        for items, work in workers.items():
            work(times[items])
    for name, values in times[LARGE].items():
        yield Figure(
            f"{name}: {LARGE:,} items / {SMALL:,}",
            median(values),
            median(times[SMALL][name]),
            "s",
            len(values),
            at_most=MOST_GROWTH,
        )


def worker(items: int, rater: Any) -> Callable[[Times], None]:
    """Create a project of so many items; return a function that rates one response of it and adds its times."""
    from django.db import connection, transaction

    from annotation.projects.members import add_member
    from annotation.qualification.next_work import take_next
    from annotation.queue.sheets import items_of
    from annotation.rating import submit
    from annotation.rating.finish import finish

    prompts = items // (SYSTEMS * SENTENCES)
    project = make_project(Study(f"growth-{items}", prompts=prompts, systems=SYSTEMS, sentences=SENTENCES, raters=1))
    add_member(project, rater, "rater")
    with connection.cursor() as cursor:
        cursor.execute(_FINISH_HALF, {"project": project.pk, "rater": f"growth-{items}-0000"})
        cursor.execute("ANALYZE")

    def work(times: Times) -> None:
        began = perf_counter()
        with transaction.atomic():
            assignment = take_next(project, rater)
        assert assignment is not None
        times["next work"].append(perf_counter() - began)
        for item in items_of(assignment.sheet, "sentence"):
            began = perf_counter()
            answer = submit.Submission({"accuracy": "accurate"}, base_version=0)
            submit.save(rater, assignment.public_id, item.public_id, answer)
            times["save"].append(perf_counter() - began)
        began = perf_counter()
        finish(assignment)
        times["finish"].append(perf_counter() - began)

    return work


_FINISH_HALF = """
    WITH done AS (
        SELECT slot.id AS slot, slot.sheet_id AS sheet
        FROM annotation_slot slot JOIN annotation_sheet sheet ON sheet.id = slot.sheet_id
        WHERE sheet.project_id = %(project)s AND slot.id %% 2 = 0
    ), assigned AS (
        INSERT INTO annotation_assignment (public_id, project_id, rater_id, sheet_id, purpose, taken_at, finished_at)
        SELECT gen_random_uuid(), %(project)s, rater.id, done.sheet, 'work', now(), now()
        FROM done JOIN annotation_user rater ON rater.username = %(rater)s
        RETURNING id, sheet_id
    )
    UPDATE annotation_slot SET holder_id = assigned.id, finished_at = now(), expires_at = now()
    FROM assigned JOIN done ON done.sheet = assigned.sheet_id WHERE annotation_slot.id = done.slot
"""
