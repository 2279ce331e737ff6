"""Projects and their settings."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue

from ..access import project_for, projects_for, require_admin
from ..judging.judges import find_judge
from ..model_calls.errors import ModelError
from ..models import Dataset, Judge, Project, ProtocolVersion, User
from ..projects.archiving import archive, unarchive
from ..projects.claim_free import set_skipping
from ..projects.create import create_project
from ..projects.deleting import project_deletion
from ..projects.hidden_raters import set_hiding
from ..projects.overlap import change_overlap
from ..projects.precision_target import TargetError, set_target
from ..projects.protocol_versions import find_protocol
from ..projects.suggestions import set_suggestions
from ..projects.title import set_title
from ..projects.verdict_visibility import set_verdict_visibility
from ..qualification.prefetch import set_prefetch_limit
from ..queue.errors import ProjectError
from .authentication import caller
from .job_serializers import JobSerializer
from .jobs import started
from .parsers import validate
from .project_serializers import (
    NewProjectSerializer,
    ProjectRowSerializer,
    ProjectSerializer,
    ProjectSettingsSerializer,
    ProjectsQuerySerializer,
)
from .schema import ETAG, IF_MATCH, IF_NONE_MATCH, errors
from .views import ApiView, ListView, require_match, tagged


class Projects(ListView):
    """Projects."""

    @extend_schema(
        operation_id="projects_list",
        parameters=[ProjectsQuerySerializer],
        responses={200: ProjectRowSerializer(many=True)},
    )
    def get(self, request: Request) -> Response:
        """The caller's projects, for admins all, the newest first."""
        query = validate(ProjectsQuerySerializer, request.query_params)
        rows = projects_for(caller(request)).select_related("dataset", "protocol")
        if dataset := query.get("dataset"):
            rows = rows.filter(dataset__slug=dataset)
        if (archived := query["archived"]) is not None:
            rows = rows.filter(archived_at__isnull=not archived)
        return self.page(request, rows, ProjectRowSerializer, "-pk")

    @extend_schema(parameters=[ETAG], request=NewProjectSerializer, responses={201: ProjectSerializer, **errors(403)})
    def post(self, request: Request) -> Response:
        """Create a project over all responses of a data set. Members are added afterwards. For admins."""
        require_admin(caller(request))
        body = validate(NewProjectSerializer, request.data)
        body |= {"dataset": _dataset(body["dataset"]), "protocol": _protocol(body["protocol"])}
        if body["sampling_judge"]:
            body["sampling_judge"] = _judge(body["sampling_judge"], "sampling_judge")
        project = create_project(**body, actor=caller(request))
        response = tagged(request, ProjectSerializer(project_for(caller(request), project.slug)).data)
        response.status_code = status.HTTP_201_CREATED
        response["Location"] = request.build_absolute_uri(f"/api/v1/projects/{project.slug}/")
        return response


def _dataset(slug: str) -> Dataset:
    dataset = Dataset.objects.filter(slug=slug).first()
    if dataset is None:
        raise ValidationError({"dataset": [f"There is no data set {slug!r}."]})
    return dataset


def _protocol(name: str) -> ProtocolVersion:
    protocol = find_protocol(name)
    if protocol is None:
        raise ValidationError({"protocol": [f"There is no protocol {name!r}."]})
    return protocol


def _judge(label: str, field: str) -> Judge:
    try:
        return find_judge(label)
    except ModelError as error:
        raise ValidationError({field: [str(error)]}) from None


class SingleProject(ApiView):
    """A project."""

    @extend_schema(
        operation_id="projects_retrieve",
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: ProjectSerializer, 304: None, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The project with its settings. For leads."""
        return tagged(request, ProjectSerializer(project_for(caller(request), slug, needs="lead")).data)

    @extend_schema(
        parameters=[IF_MATCH, ETAG],
        request=ProjectSettingsSerializer,
        responses={200: ProjectSerializer, **errors(403, 404, 412)},
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change settings, all or none. For leads; `hides_raters` for admins."""
        user = caller(request)
        project = project_for(user, slug, needs="lead")
        body = validate(ProjectSettingsSerializer, request.data)
        with transaction.atomic():
            Project.objects.select_for_update(no_key=True).get(pk=project.pk)
            require_match(request, ProjectSerializer(project_for(user, slug, needs="lead")).data)
            _change(project, body, user)
        return tagged(request, ProjectSerializer(project_for(user, slug, needs="lead")).data)

    @extend_schema(responses={202: JobSerializer, **errors(403, 404)})
    def delete(self, request: Request, slug: str) -> Response:
        """Archive the project and delete it in a job, with its ratings and reports. For admins."""
        require_admin(caller(request))
        job = project_deletion(project_for(caller(request), slug, needs="lead"), actor=caller(request))
        enqueue(job)
        return started(request, job)


Set = Callable[..., object]
_SETTINGS: dict[str, Set] = {
    "title": set_title,
    "overlap": change_overlap,
    "target_half_width": set_target,
    "suggestions": set_suggestions,
    "prefetch_limit": set_prefetch_limit,
    "skips_claim_free": set_skipping,
    "hides_raters": set_hiding,
}
"""Field -> the function that sets it, which the pages call too."""


def _change(project: Project, body: dict[str, Any], actor: User) -> None:
    """Change the settings that the body names. Raises ValidationError at the field, or PermissionDenied."""
    if "hides_raters" in body:
        require_admin(actor)
    for field, change in _SETTINGS.items():
        if field in body:
            _at_field(field, change, project, body[field], actor=actor)
    if "verdict_visibility" in body or "shown_judge" in body:
        visibility = body.get("verdict_visibility", project.verdict_visibility)
        judge = _judge(body["shown_judge"], "shown_judge") if body.get("shown_judge") else project.shown_judge
        _at_field("verdict_visibility", set_verdict_visibility, project, visibility, judge, actor=actor)
    if "archived" in body:
        (archive if body["archived"] else unarchive)(project, actor=actor)


def _at_field(field: str, change: Set, *args: object, actor: User) -> None:
    try:
        change(*args, actor=actor)
    except (ProjectError, TargetError) as error:
        raise ValidationError({field: [str(error)]}) from None
