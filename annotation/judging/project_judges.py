"""The judges of a project with what they have rated in it, and its runs with their counts and costs."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from ..model_calls.errors import ModelError
from ..model_calls.run_lock import LockHeld
from ..model_calls.runs import with_totals
from ..models import FactScore, Job, Judge, JudgeCall, JudgeRun, Project, Verdict
from .estimate import ESTIMATE_JUDGE_RUN
from .rules import check_protocol
from .run import RUN_JUDGE
from .workload import LOCK_PREFIX, judged_items, judged_kinds, scored_responses

JOB_KINDS = (RUN_JUDGE, ESTIMATE_JUDGE_RUN)


@dataclass(frozen=True)
class ProjectJudge:
    """A version of a judge in a project: `rated` and `failed` of `items` (of responses with Fact-QA), its newest run.

    `cost_usd`: of all its requests here, None without prices. `estimate`: the newest one by a job, as
    `Estimate.as_json`. `problem`: why it cannot rate here, else empty.
    """

    judge: Judge
    items: int
    rated: int
    failed: int
    cost_usd: Decimal | None
    last_run: JudgeRun | None
    estimate: dict[str, object] | None
    problem: str


def project_judges(project: Project) -> list[ProjectJudge]:
    """Return the newest version of each judge of the site, and earlier ones that have run in the project."""
    runs = {run.judge_id: run for run in runs_of(project).order_by("started_at", "pk")}
    newest = Judge.objects.filter(name=OuterRef("name")).order_by("-version").values("version")[:1]
    judges = Judge.objects.filter(Q(version=Subquery(newest)) | Q(pk__in=runs))
    items, kinds, responses = judged_items(project), judged_kinds(project), scored_responses(project)
    numbers = {False: items.count(), True: responses.count()}
    failed = Q(state=Verdict.State.FAILED)
    results = {"rated": Count("pk", filter=~failed), "failed": Count("pk", filter=failed)}
    verdicts = Verdict.objects.filter(project=project, item__in=items).order_by()
    scores = FactScore.objects.filter(project=project, response__in=responses).order_by()
    counts = {
        judge: (rated, failed)
        for rows in (verdicts, scores)
        for judge, rated, failed in rows.values_list("judge").annotate(**results)
    }
    costs = _costs(project)
    jobs = Job.objects.filter(project=project, kind=ESTIMATE_JUDGE_RUN, state=Job.State.DONE).order_by("pk")
    estimates = {job.params["judge"]: job.result for job in jobs if job.result}
    return [
        ProjectJudge(
            judge,
            numbers[bool(judge.fact_qa)],
            *counts.get(judge.pk, (0, 0)),
            costs.get(judge.pk, Decimal(0)) if judge.has_prices else None,
            runs.get(judge.pk),
            estimates.get(judge.pk),
            _problem(judge, project, kinds),
        )
        for judge in judges
    ]


def _costs(project: Project) -> dict[int, Decimal]:
    """Return judge -> the cost of its requests, with those that were deleted."""
    runs = JudgeRun.objects.filter(project=project).order_by()
    costs = dict(runs.values_list("judge").annotate(cost=Sum("deleted_cost")))
    calls = JudgeCall.objects.filter(run__project=project).order_by()
    for judge, cost in calls.values_list("run__judge").annotate(total=Sum("cost")):
        costs[judge] += cost or 0
    return costs


def _problem(judge: Judge, project: Project, kinds: set[str]) -> str:
    """Return why the judge cannot rate here, else an empty string."""
    try:
        if judge.rule:
            check_protocol(judge.rule, project.protocol.definition, kinds)
    except ModelError as error:
        return str(error)
    return ""


def runs_of(project: Project) -> QuerySet[JudgeRun]:
    """Return the runs in the project, the newest first, with `rated`, `requests`, `tokens`, `cost`,
    `fingerprints` (the number of system fingerprints that the endpoint named), `still_failed` (of its `failures`) and
    `replaced` (those that a later run has repeated).

    `end` is `ended`, or `stopped` for a run whose process was killed and that no job continues.
    """
    fingerprints = JudgeCall.objects.filter(run=OuterRef("pk")).exclude(system_fingerprint="").order_by().values("run")
    runs = JudgeRun.objects.filter(project=project).select_related("judge", "job", "started_by")
    lock = LockHeld(Value(LOCK_PREFIX), F("judge_id"), Value(":"), F("project_id"))
    return with_totals(runs, JudgeCall.objects.all(), lock).annotate(
        rated=_number_of(Verdict, Verdict.State.RATED) + _number_of(FactScore, FactScore.State.SCORED),
        still_failed=_number_of(Verdict, Verdict.State.FAILED) + _number_of(FactScore, FactScore.State.FAILED),
        replaced=F("failures") - F("still_failed"),
        fingerprints=Coalesce(
            Subquery(fingerprints.annotate(n=Count("system_fingerprint", distinct=True)).values("n")), 0
        ),
    )


def _number_of(model: type[Verdict] | type[FactScore], state: str) -> Coalesce:
    """Return the number of results of the run of an outer query that are in this state."""
    results = model.objects.filter(run=OuterRef("pk"), state=state).order_by().values("run")
    return Coalesce(Subquery(results.annotate(n=Count("pk")).values("n")), 0)


def open_jobs(project: Project) -> QuerySet[Job]:
    """Return the jobs of judges in the project that have not ended."""
    return Job.objects.filter(project=project, kind__in=JOB_KINDS, state__in=Job.OPEN)
