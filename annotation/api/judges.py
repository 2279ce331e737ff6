"""The judges of a project for programs: runs with their progress and cost, estimates, and stored requests."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.judging import start_judge_estimate, start_judge_run

from .. import jobs
from ..audit import record_download
from ..judging.calls import calls_of, delete_calls
from ..judging.judges import find_judge
from ..judging.project_judges import JOB_KINDS, project_judges, runs_of
from ..judging.run import RUN_JUDGE
from ..judging.tuning import tuned_items
from ..model_calls.runs import RunLimits
from ..models import Job, Judge, JudgeCall, JudgeRun, TuningItem
from ..rating.shown_verdicts import record_shown
from .authentication import caller
from .endpoint_serializers import RunLimitsSerializer
from .errors import at_field
from .jobs import JobProgressSerializer
from .parsers import validate
from .records import OptionalText, RowSerializer, ShownPerson
from .schema import errors
from .views import ListView, ObjectView, ProjectView, first_or_404

LABEL = "The judge as `NAME` (its newest version) or `NAME@N`."
VERSION = "The version of the judge as `NAME@N`."
RETURNED_MODEL = "As which the endpoint answers; null before its first answer, empty if it names none."
COST = "USD; null without prices."
TOKENS = "Of requests and answers together."


class EstimateSerializer(serializers.Serializer[object]):
    """What rating all missing `items` will take, by `tried` ones."""

    judge = serializers.CharField(help_text=VERSION)
    items = serializers.IntegerField()
    tried = serializers.IntegerField()
    requests = serializers.IntegerField()
    tokens = serializers.IntegerField(allow_null=True, default=None, help_text=TOKENS)
    cost_usd = serializers.FloatField(allow_null=True, help_text=COST)
    seconds = serializers.FloatField()


class ProjectJudgeSerializer(serializers.Serializer[object]):
    """A judge in a project: `rated` and `failed` of `items`. `model` or `rule` is empty."""

    judge = serializers.CharField(source="judge.label", help_text=VERSION)
    rule = serializers.CharField(source="judge.rule", allow_blank=True)
    model = serializers.CharField(source="judge.model", allow_blank=True)
    returned_model = serializers.CharField(
        source="judge.returned_model", allow_blank=True, allow_null=True, help_text=RETURNED_MODEL
    )
    items = serializers.IntegerField()
    rated = serializers.IntegerField()
    failed = serializers.IntegerField()
    cost_usd = serializers.FloatField(allow_null=True, help_text=COST)
    last_run_at = serializers.DateTimeField(source="last_run.started_at", allow_null=True, default=None)
    estimate = EstimateSerializer(allow_null=True, help_text="The newest one that was started by page or API.")
    problem = serializers.CharField(allow_blank=True, help_text="Why it cannot rate here; empty if it can.")


class ProjectJudgesSerializer(serializers.Serializer[object]):
    judges = ProjectJudgeSerializer(many=True)


class NewRunSerializer(RunLimitsSerializer):
    """A run, or with `estimate` an estimate of one, which takes `limit` only."""

    judge = serializers.CharField(max_length=80, help_text=LABEL)
    estimate = serializers.BooleanField(default=False)

    class Meta(RunLimitsSerializer.Meta):
        fields = ("judge", *RunLimitsSerializer.Meta.fields, "estimate")


class StartedRunSerializer(serializers.Serializer[object]):
    """The id of the job that rates or estimates."""

    id = serializers.UUIDField(
        source="public_id", help_text="Of the job; its address is `/api/v1/projects/{slug}/judge-runs/{id}/`."
    )


class RunsQuerySerializer(serializers.Serializer[object]):
    judge = OptionalText(max_length=80, help_text=LABEL)


class ModelRunSerializer(serializers.Serializer[Any]):
    """A run: its limits, its end, and what its requests cost."""

    id = serializers.UUIDField(source="job.public_id", allow_null=True, default=None, help_text="Null: by a command.")
    number = serializers.IntegerField(source="pk", help_text="Counts the runs of the site.")
    started_at = serializers.DateTimeField()
    started_by = ShownPerson(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    ended = serializers.ChoiceField(
        source="end",
        choices=["", *JudgeRun.Ended.values],
        allow_blank=True,
        help_text="Why it has ended (`stopped` also if it was killed); empty: it has not.",
    )
    problem = serializers.CharField(allow_blank=True, help_text="The error that ended it; empty without one.")
    limit = serializers.IntegerField(allow_null=True)
    budget_usd = serializers.FloatField(allow_null=True)
    budget_tokens = serializers.IntegerField(allow_null=True)
    requests = serializers.IntegerField()
    tokens = serializers.IntegerField(help_text=TOKENS)
    cost_usd = serializers.SerializerMethodField(help_text=COST)

    def get_cost_usd(self, run: Any) -> float | None:
        return float(run.cost) if run.configuration.has_prices else None


class RunSerializer(ModelRunSerializer):
    """A run with what it has rated so far. An estimate rates nothing."""

    number = serializers.IntegerField(source="pk", help_text="Selects its requests.")
    judge = serializers.CharField(source="judge.label", help_text=VERSION)
    is_estimate = serializers.BooleanField()
    rated = serializers.IntegerField()
    failed = serializers.IntegerField(source="failures", help_text="Also those that a later run has repeated.")
    still_failed = serializers.IntegerField(help_text="Of these, those that no later run has repeated.")
    fingerprints = serializers.IntegerField(help_text="Number of system fingerprints that the endpoint named.")
    passage_ranking = serializers.IntegerField(
        allow_null=True,
        help_text="Version of the ranking that chose the passages it was shown; null if it sees all or none.",
    )


class RunResultSerializer(serializers.Serializer[object]):
    """What a run did, as the command `run_judge --json` prints it."""

    judge = serializers.CharField(help_text=VERSION)
    items = serializers.IntegerField(help_text="Of the project.")
    new = serializers.IntegerField(help_text="Rated in this run.")
    failed = serializers.IntegerField()
    missing = serializers.IntegerField(help_text="Items without a verdict after it.")
    ended = serializers.ChoiceField(choices=JudgeRun.Ended.choices)
    requests = serializers.IntegerField()
    cached = serializers.IntegerField()
    unanswered = serializers.IntegerField()
    tokens = serializers.IntegerField(allow_null=True, default=None, help_text=TOKENS)
    cost_usd = serializers.FloatField(allow_null=True, help_text=COST)


class RunJobSerializer(serializers.Serializer[object]):
    """The job of a run or an estimate. `run` is null until a worker has started it."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=Job.State.choices)
    progress = JobProgressSerializer()
    problems = serializers.ListField(child=serializers.CharField(), help_text="Why it failed.")
    run = RunSerializer(allow_null=True)
    result = RunResultSerializer(allow_null=True, help_text="When a run is done.")
    estimate = EstimateSerializer(allow_null=True, help_text="When an estimate is done.")


class JudgeQuerySerializer(serializers.Serializer[object]):
    judge = serializers.CharField(max_length=80, help_text=LABEL)


class RequestsQuerySerializer(JudgeQuerySerializer):
    run = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1, help_text="Number of a run.")
    state = serializers.ChoiceField(choices=JudgeCall.State.choices, required=False)


class DeletedRequestsSerializer(serializers.Serializer[object]):
    """How many requests were deleted."""

    deleted = serializers.IntegerField()


class JudgeRequestSerializer(RowSerializer):
    """A request with its answer, as it was sent and received, without the key."""

    run = serializers.IntegerField(source="run_id", help_text="Number of the run.")
    response = serializers.CharField(source="item.response.key", help_text="Imported id of what it is about.")
    item = serializers.IntegerField(source="item.position", help_text="Of the first item that it is about.")
    item_id = serializers.UUIDField(source="item.public_id")
    answer_body = serializers.DictField(allow_null=True, help_text="All that the endpoint sent.")
    cost_usd = serializers.FloatField(source="cost", allow_null=True, help_text=COST)

    class Meta:
        model = JudgeCall
        fields = (
            *("run", "response", "item", "item_id", "sample", "attempt", "is_repair", "state", "request", "answer"),
            *("reasoning", "answer_body", "returned_model", "system_fingerprint", "finish_reason", "confidence"),
            *("http_status", "error", "prompt_tokens", "completion_tokens", "is_estimated", "cost_usd", "sent_at"),
            "answered_at",
        )
        extra_kwargs = {
            "sample": {"help_text": "From 1."},
            "attempt": {"help_text": "From 1."},
            "is_repair": {"help_text": "Whether it asks to correct an invalid answer."},
            "request": {"help_text": "The body."},
            "answer": {"help_text": "Its text, without the reasoning."},
            "reasoning": {"help_text": "What the model thought before it."},
            "is_estimated": {"help_text": "Whether the tokens are estimated."},
        }


class TunedItemSerializer(serializers.Serializer[TuningItem]):
    """An item that tuned the prompt of a judge."""

    response = serializers.CharField(source="item.response.key", help_text="Its imported id.")
    against = serializers.CharField(
        source="item.against.key", allow_null=True, default=None, help_text="Of a pair: the other response."
    )
    unit = serializers.CharField(source="item.unit")
    item = serializers.IntegerField(source="item.position", help_text="Its position in the response.")
    item_id = serializers.UUIDField(source="item.public_id")
    text = serializers.CharField(source="item.text", allow_blank=True)


class ProjectJudges(ProjectView):
    @extend_schema(responses=ProjectJudgesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The judges with what they have rated and what it cost. For leads."""
        return Response(ProjectJudgesSerializer({"judges": project_judges(self.project)}).data)


def judge_named(label: str) -> Judge:
    """Return the judge `NAME` or `NAME@N` of a request. Raises ValidationError."""
    with at_field("judge"):
        return find_judge(label)


class JudgeRuns(ProjectView, ListView):
    """The runs, the newest first. For leads."""

    serializer_class = RunSerializer
    query_serializer = RunsQuerySerializer
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[JudgeRun]:
        runs = runs_of(self.project)
        return runs.filter(judge=judge_named(self.query["judge"])) if self.query["judge"] else runs

    @extend_schema(request=NewRunSerializer, responses={202: StartedRunSerializer, **errors(409, 423)})
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that lets a judge rate what is missing, or estimates that. For leads. 409 while it rates here."""
        body = validate(NewRunSerializer, request.data)
        judge, is_estimate = judge_named(body.pop("judge")), body.pop("estimate")
        with at_field("judge"):
            if is_estimate:
                job = start_judge_estimate(judge, self.project, limit=body["limit"], actor=caller(request))
            else:
                job = start_judge_run(judge, self.project, RunLimits(**body), actor=caller(request))
        return Response(StartedRunSerializer(job).data, status=status.HTTP_202_ACCEPTED)


class JudgeRunJob(ProjectView, ObjectView):
    """State, progress and cost so far, and the result when the job is done. For leads."""

    serializer_class = RunJobSerializer

    def job(self) -> Job:
        rows = Job.objects.filter(project=self.project, kind__in=JOB_KINDS, public_id=self.kwargs["job_id"])
        return first_or_404(rows, "There is no such job.")

    def get_object(self) -> dict[str, Any]:
        job = self.job()
        is_run = job.kind == RUN_JUDGE
        return {
            "id": job.public_id,
            "state": job.state,
            "progress": job,
            "problems": job.problems,
            "run": runs_of(self.project).filter(job=job).first(),
            "result": job.result if is_run else None,
            "estimate": None if is_run else job.result,
        }

    def delete(self, request: Request, slug: str, job_id: UUID) -> Response:
        """Cancel the job, if it is open. What is stored stays. For leads."""
        jobs.cancel(self.job(), actor=caller(request))
        return Response({})


class JudgeRequests(ProjectView, ListView):
    """All requests with their answers in the order in which they were sent, of all runs or of one, in one state or
    all. For leads. The first page is recorded as a download.
    """

    serializer_class = JudgeRequestSerializer
    query_serializer = RequestsQuerySerializer
    for_admins = ("DELETE",)
    filters = {"run": "run", "state": "state"}

    def get_queryset(self) -> QuerySet[JudgeCall]:
        calls = calls_of(judge_named(self.query["judge"]), self.project)
        return calls.select_related("item__response").defer("item__response__text")

    def shown(self, rows: list[JudgeCall]) -> list[JudgeCall]:
        """Record the download, and to whom the answers of a judge are shown."""
        user = caller(self.request)
        if "cursor" not in self.request.query_params:
            target = f"judge:{judge_named(self.query['judge']).label}"
            record_download(user, target, project=self.project, name="requests", with_names=False)
        record_shown(user, [(call.item.response_id, call.item.against_id) for call in rows if call.answer])
        return rows

    @extend_schema(parameters=[JudgeQuerySerializer], responses={200: DeletedRequestsSerializer, **errors(409)})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete all requests with their answers. Verdicts, ratings and costs stay. For admins. 409 while it rates
        here.
        """
        judge = judge_named(validate(JudgeQuerySerializer, request.query_params)["judge"])
        deleted = delete_calls(judge, self.project, actor=caller(request))
        return Response(DeletedRequestsSerializer({"deleted": deleted}).data)


class TuningItems(ProjectView, ListView):
    """The items of the project's data set that tuned the prompt of this version or an earlier one. For leads."""

    serializer_class = TunedItemSerializer

    def get_queryset(self) -> QuerySet[TuningItem]:
        versions = Judge.objects.filter(name=self.kwargs["judge"], version=self.kwargs["judge_version"])
        version = first_or_404(versions, "There is no such version of a judge.")
        return tuned_items(version, self.project).select_related("item__response", "item__against")
