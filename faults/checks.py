"""Compare what was acknowledged with what the database has."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from django.db import connection
from django.db.models import Count

from annotation.importing.uploads import LOAD_DATASET
from annotation.models import Assignment, Export, Job, Project, Rating, RatingEvent, Report, Response, Slot
from annotation.rating.tally_check import find_tally_differences
from annotation.reporting import FREEZE

from .clients import Save


def find_lost(saves: Iterable[Save], project: Project) -> list[str]:
    """Return the acknowledged saves that the history does not have, and the items whose rating is older than the last
    acknowledged save, or differs from it.
    """
    saves = list(saves)
    events = RatingEvent.objects.filter(project=project).exclude(pgh_label="delete")
    history = {(e.idempotency_key, e.version): e.answers for e in events.iterator()}
    lost = [f"save {s.key} of {s.rater}" for s in saves if history.get((s.key, s.version)) != s.answers]
    rows = Rating.objects.filter(project=project, role="rater")
    stored = {
        (str(item), rater): (version, answers)
        for item, rater, version, answers in rows.values_list(
            "item__public_id", "rater__username", "version", "answers"
        )
    }
    for save in newest(saves):
        version, answers = stored.get((save.item, save.rater), (0, None))
        if version < save.version or (version == save.version and answers != save.answers):
            lost.append(f"rating of item {save.item} by {save.rater}")
    return lost


def newest(saves: Iterable[Save]) -> list[Save]:
    """Return the last acknowledged save of each item and rater."""
    last: dict[tuple[str, str], Save] = {}
    for save in saves:
        pair = (save.item, save.rater)
        last[pair] = max(last.get(pair, save), save, key=lambda s: s.version)
    return list(last.values())


def find_doubled(project: Project) -> list[str]:
    """Return the requests that were stored more than once, and raters with several ratings of an item."""
    events = RatingEvent.objects.filter(project=project).exclude(pgh_label="delete").exclude(idempotency_key="")
    keys = events.values("idempotency_key").annotate(n=Count("pk")).filter(n__gt=1)
    ratings = Rating.objects.filter(project=project).values("item", "rater", "role").annotate(n=Count("pk"))
    return [f"save {row['idempotency_key']}, {row['n']} times" for row in keys.order_by()] + [
        f"item {row['item']}: {row['n']} ratings of rater {row['rater']}" for row in ratings.filter(n__gt=1).order_by()
    ]


def find_over_assigned(project: Project) -> list[str]:
    """Return the sheets with more slots, or more raters who hold or have finished one, than the overlap."""
    holders = Assignment.objects.filter(project=project, finished_at__isnull=False).values_list("sheet", "rater")
    leased = Slot.objects.filter(project=project, holder__isnull=False).values_list("sheet", "holder__rater")
    raters = Counter(sheet for sheet, _rater in {*holders, *leased})
    slots = Counter(Slot.objects.filter(project=project).values_list("sheet", flat=True))
    return [
        f"sheet {sheet}: {max(raters[sheet], slots[sheet])} instead of {project.overlap}"
        for sheet in sorted(raters | slots)
        if max(raters[sheet], slots[sheet]) > project.overlap
    ]


def find_unfinished(finished: Iterable[str]) -> list[str]:
    """Return the assignments that were acknowledged as finished and are not."""
    stored = Assignment.objects.filter(finished_at__isnull=False).values_list("public_id", flat=True)
    return sorted(set(finished) - {str(public_id) for public_id in stored})


def find_unequal_tallies() -> list[str]:
    return find_tally_differences()


def find_half_stored(jobs: Sequence[Job], expected_responses: int) -> list[str]:
    """Return the results of jobs that are incomplete, doubled or damaged: an import, a frozen report, an export."""
    problems: list[str] = []
    for job in jobs:
        done = job.state == Job.State.DONE
        if job.kind == LOAD_DATASET:
            problems += _differs(job, Response.objects.filter(dataset__slug=job.params["slug"]).count(),
                                 expected_responses * done)  # fmt: skip
        elif job.kind == FREEZE:
            problems += _differs(job, Report.objects.filter(pk=job.report_id or 0).count(), int(done))
        else:
            problems += _differs(job, Export.objects.filter(job=job).count(), int(done))
            problems += [f"export {e.public_id} is damaged" for e in Export.objects.filter(job=job) if _is_damaged(e)]
    frozen = Counter(job.project_id for job in jobs if job.kind == FREEZE and job.state == Job.State.DONE)
    for project, n in frozen.items():
        if (stored := Report.objects.filter(project=project).count()) != n:
            problems.append(f"{stored} frozen reports of {n} jobs")
    return problems


def _differs(job: Job, rows: int, expected: int) -> list[str]:
    return [] if rows == expected else [f"{job.kind}: {rows} rows instead of {expected}"]


def _is_damaged(export: Export) -> bool:
    if not export.file.storage.exists(str(export.file.name)):
        return True
    with export.file.open("rb") as file:
        return hashlib.sha256(file.read()).hexdigest() != export.sha256


def use_new_connection() -> None:
    """Close the connection of this thread: the server may have been started again since."""
    connection.close()
