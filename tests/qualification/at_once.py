"""Raters and leads who do something at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection, transaction

from annotation.access import project_for
from annotation.models import Assignment, User
from annotation.qualification.next_work import take_next


def together(*acts: Callable[[], Any]) -> list[Any]:
    """Run the functions at the same time, each on its own connection. Return the result or exception of each."""
    barrier = Barrier(len(acts))

    def run_at_once(act: Callable[[], Any]) -> Any:
        try:
            barrier.wait(timeout=300)
            return act()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run_at_once, acts))


def take(rater: User) -> Assignment | None:
    """Return the next response of project `june`, as the site gives it."""
    with transaction.atomic():
        return take_next(project_for(rater, "june", needs="rater", lock=True), rater)
