"""Pages of a large project: 12,640 sentences, an overlap of 20, half of the ratings there.

Each page is asked for in turn with the others, by Django's test client: without HTTP, and with the database's time.
"""

import os
from collections.abc import Iterator
from statistics import median
from time import perf_counter
from typing import Any

from ._figure import Figure
from ._study import Study, insert_work, make_project

ROUNDS = 7
OVERLAP, FINISHED = 20, 10
STUDY = Study("pages", int(os.environ.get("FACTUARY_BENCH_ITEMS") or 12_640) // 80, 4, 20, 24)
PAGES: dict[str, tuple[float, str, str]] = {
    "home page of a rater": (0.3, "rater", "/"),
    "home page of a lead": (0.3, "lead", "/"),
    "overview": (0.5, "lead", "/projects/pages/"),
    "responses": (1.0, "lead", "/projects/pages/responses/"),
    "responses by the API": (0.3, "lead", "/api/v1/projects/pages/responses/?limit=1000"),
    "review": (0.3, "lead", "/projects/pages/review/"),
    "review, with comments": (0.3, "lead", "/projects/pages/review/?show=commented"),
}
"""Name -> longest time in seconds, who asks, address."""


def run() -> Iterator[Figure]:
    """Yield one result a line: medians in seconds, beside the longest time."""
    clients = create_people()
    times: dict[str, list[float]] = {name: [] for name in PAGES}
    for _ in range(ROUNDS):
        for name, (_longest, person, address) in PAGES.items():
            began = perf_counter()
            answer = clients[person].get(address)
            times[name].append(perf_counter() - began)
            assert answer.status_code == 200, (address, answer.status_code)
    ratings = STUDY.ratings * FINISHED // STUDY.raters
    for name, values in times.items():
        yield Figure(f"{name}: {ratings:,} ratings", median(values), PAGES[name][0], "s", ROUNDS, at_most=1)


def create_people() -> dict[str, Any]:
    """Create the project; return clients in which its people are signed in."""
    from django.conf import settings
    from django.db import connection, transaction
    from django.test import Client

    from annotation.accounts.users import create_user
    from annotation.models import User
    from annotation.projects.members import add_member

    settings.ALLOWED_HOSTS = ["testserver"]
    project = make_project(STUDY, overlap=OVERLAP)
    raters = User.objects.filter(username__startswith=f"{STUDY.slug}-").order_by("username")
    with connection.cursor() as cursor, transaction.atomic():
        insert_work(cursor, project, [rater.username for rater in raters], finished=FINISHED)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    raters.update(is_active=True)
    clients = {}
    for role, person in {"rater": raters[0], "lead": create_user("lead")}.items():
        add_member(project, person, role)
        clients[role] = Client()
        clients[role].force_login(User.objects.get(pk=person.pk))
    return clients
