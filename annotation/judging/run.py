"""Let a judge rate what is missing in a project, from a command or a job."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..audit import record
from ..jobs import Progress, Stopped
from ..models import Item, Job, Judge, JudgeRun, Project, User, Verdict
from ..projects.archiving import require_not_archived
from .judged_items import judged_items, missing_items
from .rule_runs import run_rule
from .run_lock import run_lock
from .verdicts import VerdictCounts

WAIT_FOR_LOCK = 60.0  # seconds that a job waits until the worker it was taken from has ended


@dataclass(frozen=True)
class RunResult:
    """What a run did: `rated` and `failed` in this run, `items` of the project, `left` without a verdict."""

    run: JudgeRun
    rated: int
    failed: int
    items: int
    left: int

    def as_json(self) -> dict[str, Any]:
        return {
            "judge": self.run.judge.label,
            "items": self.items,
            "new": self.rated,
            "failed": self.failed,
            "left": self.left,
            "ended": self.run.ended,
        }


def run_judge(
    judge: Judge,
    project: Project,
    *,
    limit: int | None = None,
    budget_usd: Decimal | None = None,
    retry_failed: bool = False,
    actor: User | None = None,
    job: Job | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """Rate the items of `project` that have no verdict of `judge`, at most `limit`. Raises JudgeError, ProjectArchived.

    A run that was killed is continued by the next one: what was stored stays.
    """
    require_not_archived(project, _("This project is archived. Unarchive it to let a judge rate in it."))
    with run_lock(judge, project, wait=WAIT_FOR_LOCK if job else 0.0):
        run = _start(judge, project, limit, budget_usd, actor, job)
        items = _items_to_rate(run, retry_failed)
        try:
            counts = run_rule(run, items, progress or Progress())
        except BaseException as error:
            _end(run, JudgeRun.Ended.STOPPED if isinstance(error, Stopped) else JudgeRun.Ended.FAILED)
            raise
        left = missing_items(judge, project).count()
        _end(run, JudgeRun.Ended.LIMIT if left else JudgeRun.Ended.DONE, counts)
    return RunResult(run, counts.rated, counts.failed, judged_items(project).count(), left)


@transaction.atomic
def _start(
    judge: Judge, project: Project, limit: int | None, budget: Decimal | None, actor: User | None, job: Job | None
) -> JudgeRun:
    """Return the run of the job, if it was started before, or a new one."""
    started = (
        JudgeRun.objects.select_related("judge__user", "project__protocol").filter(job=job).first() if job else None
    )
    if started:
        return started
    run = JudgeRun.objects.create(
        judge=judge, project=project, job=job, limit=limit, budget_usd=budget, started_by=actor
    )
    after = {"limit": limit, "budget_usd": None if budget is None else str(budget)}
    record(actor, "run judge", f"judge:{judge.label}", project=project, after=after)
    return run


def _items_to_rate(run: JudgeRun, retry_failed: bool) -> list[Item]:
    """Return the missing items with their texts, up to what the run's limit still allows."""
    items = missing_items(run.judge, run.project, retry_failed=retry_failed)
    items = items.select_related("response__prompt__document", "against")
    if run.limit is None:
        return list(items)
    done = Verdict.objects.filter(run=run).count()
    return list(items[: max(run.limit - done, 0)])


def _end(run: JudgeRun, ended: str, counts: VerdictCounts | None = None) -> None:
    run.ended, run.ended_at = ended, timezone.now()
    JudgeRun.objects.filter(pk=run.pk).update(ended=run.ended, ended_at=run.ended_at)
