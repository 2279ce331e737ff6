"""The judges of a project for programs: runs with their progress and cost, estimates, and verdicts."""

from functools import partial
from uuid import UUID

from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.judging import start_judge_estimate, start_judge_run

from .. import jobs
from ..access import project_for, require_admin
from ..audit import record_download
from ..judging import fact_scores
from ..judging.calls import calls_of, delete_calls
from ..judging.judges import find_judge
from ..judging.project_judges import JOB_KINDS, project_judges, runs_of
from ..judging.run import RUN_JUDGE
from ..judging.tuning import tuned_items
from ..judging.verdicts import verdict_options, verdicts_of
from ..model_calls.errors import ModelError, RunBusy
from ..model_calls.runs import RunLimits
from ..models import FactScore, Job, Judge, JudgeCall, Project, User, Verdict
from ..rating.shown_verdicts import record_items_shown, record_keys_shown, record_shown
from ..reporting.cache import cached
from ..reporting.choices import Choices
from ..reporting.data.judge_answers import judges_of
from ..reporting.live import cached_comparison
from ..reporting.sections.fact_qa.figures import FactQAReport, fact_qa_report
from .authentication import caller
from .judge_serializers import (
    DeletedRequestsSerializer,
    FactQAQuerySerializer,
    FactScoreSerializer,
    FactScoresQuerySerializer,
    JudgeQuerySerializer,
    JudgeRequestSerializer,
    NewRunSerializer,
    ProjectJudgesSerializer,
    RequestsQuerySerializer,
    RunJobSerializer,
    RunSerializer,
    RunsQuerySerializer,
    StartedRunSerializer,
    TunedItemSerializer,
    VerdictSerializer,
    VerdictsQuerySerializer,
)
from .parsers import validate
from .report_serializers import FactQAFiguresSerializer, JudgeComparisonSerializer
from .schema import DONE, errors
from .views import ApiView, ListView


class ProjectJudges(ApiView):
    """The judges that can rate in a project."""

    @extend_schema(responses={200: ProjectJudgesSerializer, **errors(403, 404)})
    def get(self, request: Request, slug: str) -> Response:
        """The judges with what they have rated and what it cost. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        return Response(ProjectJudgesSerializer({"judges": project_judges(project)}).data)


class JudgeRuns(ListView):
    """Runs of judges."""

    @extend_schema(
        operation_id="projects_judge_runs_list",
        parameters=[RunsQuerySerializer],
        responses={200: RunSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The runs, the newest first. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        query = validate(RunsQuerySerializer, request.query_params)
        runs = runs_of(project)
        if query["judge"]:
            runs = runs.filter(judge=_judge(query["judge"]))
        return self.page(request, runs, RunSerializer, "-pk")

    @extend_schema(request=NewRunSerializer, responses={202: StartedRunSerializer, **errors(403, 404, 409, 423)})
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that lets a judge rate what is missing, or estimates that. For leads. 409 while it rates here."""
        project = project_for(caller(request), slug, needs="lead")
        body = validate(NewRunSerializer, request.data)
        judge, is_estimate = _judge(body.pop("judge")), body.pop("estimate")
        try:
            if is_estimate:
                job = start_judge_estimate(judge, project, limit=body["limit"], actor=caller(request))
            else:
                job = start_judge_run(judge, project, RunLimits(**body), actor=caller(request))
        except RunBusy:
            raise
        except ModelError as error:
            raise ValidationError({error.field or "judge": [str(error)]}) from None
        return Response(StartedRunSerializer(job).data, status=status.HTTP_202_ACCEPTED)


def _judge(label: str) -> Judge:
    try:
        return find_judge(label)
    except ModelError as error:
        raise ValidationError({"judge": [str(error)]}) from None


class JudgeRunJob(ApiView):
    """The job of a run or an estimate."""

    @extend_schema(responses={200: RunJobSerializer, **errors(403, 404)})
    def get(self, request: Request, slug: str, job_id: UUID) -> Response:
        """State, progress and cost so far, and the result when the job is done. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        return Response(RunJobSerializer(_document(_job(project, job_id), project)).data)

    @extend_schema(responses={200: DONE, **errors(403, 404)})
    def delete(self, request: Request, slug: str, job_id: UUID) -> Response:
        """Cancel the job, if it is open. What is stored stays. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        jobs.cancel(_job(project, job_id), actor=caller(request))
        return Response({})


def _job(project: Project, job_id: UUID) -> Job:
    job = Job.objects.filter(project=project, kind__in=JOB_KINDS, public_id=job_id).first()
    if job is None:
        raise Http404("There is no such job.")
    return job


def _document(job: Job, project: Project) -> dict[str, object]:
    is_run = job.kind == RUN_JUDGE
    return {
        "id": job.public_id,
        "state": job.state,
        "progress": {"done": job.done, "total": job.total, "message": job.message},
        "problems": job.problems,
        "run": runs_of(project).filter(job=job).first(),
        "result": job.result if is_run else None,
        "estimate": None if is_run else job.result,
    }


class JudgeRequests(ListView):
    """The stored requests of a judge."""

    @extend_schema(
        operation_id="projects_judge_requests_list",
        parameters=[RequestsQuerySerializer],
        responses={200: JudgeRequestSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """All requests with their answers in the order in which they were sent, of all runs or of one, in one state or
        all. For leads. The first page is recorded as a download.
        """
        project = project_for(caller(request), slug, needs="lead")
        query = validate(RequestsQuerySerializer, request.query_params)
        judge = _judge(query.pop("judge"))
        rows = calls_of(judge, project).filter(**query).select_related("item__response")
        if "cursor" not in request.query_params:
            record_download(caller(request), f"judge:{judge.label}", project=project, name="requests", with_names=False)
        shown = partial(_record_requests, caller(request))
        return self.page(request, rows.defer("item__response__text"), JudgeRequestSerializer, "pk", shown=shown)

    @extend_schema(
        parameters=[JudgeQuerySerializer], responses={200: DeletedRequestsSerializer, **errors(403, 404, 409)}
    )
    def delete(self, request: Request, slug: str) -> Response:
        """Delete all requests with their answers. Verdicts, ratings and costs stay. For admins. 409 while it rates
        here.
        """
        require_admin(caller(request))
        project = project_for(caller(request), slug, needs="lead")
        judge = _judge(validate(JudgeQuerySerializer, request.query_params)["judge"])
        deleted = delete_calls(judge, project, actor=caller(request))
        return Response(DeletedRequestsSerializer({"deleted": deleted}).data)


def _record_requests(person: User, calls: list[JudgeCall]) -> list[JudgeCall]:
    """Record to whom these answers of a judge are shown."""
    record_shown(person, [(call.item.response_id, call.item.against_id) for call in calls if call.answer])
    return calls


class TuningItems(ListView):
    """The items of a project that tuned a judge."""

    @extend_schema(responses={200: TunedItemSerializer(many=True), **errors(403, 404)})
    def get(self, request: Request, slug: str, judge: str, judge_version: int) -> Response:
        """The items of the project's data set that tuned the prompt of this version or an earlier one. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        version = Judge.objects.filter(name=judge, version=judge_version).first()
        if version is None:
            raise Http404("There is no such version of a judge.")
        rows = tuned_items(version, project).select_related("item__response", "item__against")
        return self.page(request, rows, TunedItemSerializer, "pk")


class Verdicts(ListView):
    """The verdicts of a judge."""

    @extend_schema(
        parameters=[VerdictsQuerySerializer], responses={200: VerdictSerializer(many=True), **errors(403, 404)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Answers with reason, quote, confidence and cost, or why there are none. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        query = validate(VerdictsQuerySerializer, request.query_params)
        _check_option(project, query["option"])
        verdicts = verdicts_of(_judge(query["judge"]), project, state=query["state"], option=query["option"])
        rows = verdicts.select_related("item__response", "rating")
        return self.page(request, rows, VerdictSerializer, "pk", shown=partial(_record_verdicts, caller(request)))


def _record_verdicts(person: User, verdicts: list[Verdict]) -> list[Verdict]:
    """Record to whom these verdicts are shown."""
    record_items_shown(person, [verdict.item for verdict in verdicts if verdict.rating])
    return verdicts


def _check_option(project: Project, option: str) -> None:
    options = verdict_options(project.protocol.definition)
    if option and option not in options:
        message = f"There is no such option. Choose one of: {', '.join(options)}."
        raise ValidationError({"option": [message]})


class FactQA(ApiView):
    """The figures of a judge with Fact-QA."""

    @extend_schema(
        parameters=[FactQAQuerySerializer], responses={200: FactQAFiguresSerializer, **errors(403, 404, 503)}
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Mean precision, recall and F1 by system, source class and question type, and their correlation with people's
        scores; as the command `fact_qa_scores --json` prints them. For leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        query = validate(FactQAQuerySerializer, request.query_params)
        judge, choices = _fact_judge(query["judge"]), Choices(cluster=query["cluster"])
        name = f"fact qa {judge.pk} {choices.cluster}"
        figures = cached(project, name, FactQAReport, lambda: fact_qa_report(project, judge, choices))
        return HttpResponse(figures.to_json(), content_type="application/json")


class FactScores(ListView):
    """The scores of a judge with Fact-QA."""

    @extend_schema(
        parameters=[FactScoresQuerySerializer], responses={200: FactScoreSerializer(many=True), **errors(403, 404)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Precision, recall and F1 of each response with its facts and cost, or why it has none. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        query = validate(FactScoresQuerySerializer, request.query_params)
        scores = fact_scores.fact_scores_of(_fact_judge(query["judge"]), project, state=query["state"])
        rows = scores.select_related("response__prompt", "response__system")
        return self.page(request, rows, FactScoreSerializer, "pk", shown=partial(_record_scores, caller(request)))


def _record_scores(person: User, scores: list[FactScore]) -> list[FactScore]:
    """Record to whom these scores are shown."""
    record_shown(person, [(score.response_id, None) for score in scores])
    return scores


def _fact_judge(label: str) -> Judge:
    judge = _judge(label)
    if not judge.fact_qa:
        raise ValidationError({"judge": [f"{judge.label} rates items: it has no Fact-QA."]})
    return judge


class Comparison(ApiView):
    """A judge compared with people."""

    @extend_schema(responses={200: JudgeComparisonSerializer, **errors(403, 404, 503)})
    def get(self, request: Request, slug: str, judge: str, judge_version: int) -> HttpResponse:
        """The version of the judge against the ratings that count, as `compare_judge --json` prints it. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        compared = judges_of(project).filter(name=judge, version=judge_version).first()
        if compared is None:
            raise Http404("No judge of this name has rated in this project.")
        comparison = cached_comparison(project, compared)
        differing = [(row.response, row.against) for row in comparison.differing_items]
        record_keys_shown(caller(request), project, differing)
        record_download(
            caller(request), f"judge:{compared.label}", project=project, name="comparison.json", with_names=False
        )
        return HttpResponse(comparison.to_json(), content_type="application/json")
