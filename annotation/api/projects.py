"""Projects and their settings."""

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue

from ..access import project_for, projects_for, require_admin
from ..models import Project
from ..projects.archiving import archive, unarchive
from ..projects.create import create_project
from ..projects.deleting import project_deletion
from ..projects.project_settings import SettingError, change_settings
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
        project = create_project(**validate(NewProjectSerializer, request.data), actor=caller(request))
        response = tagged(request, ProjectSerializer(project_for(caller(request), project.slug)).data)
        response.status_code = status.HTTP_201_CREATED
        response["Location"] = request.build_absolute_uri(f"/api/v1/projects/{project.slug}/")
        return response


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
            archived = body.pop("archived", None)
            try:
                change_settings(project, body, actor=user)
            except SettingError as error:
                raise ValidationError({error.setting.name: [str(error)]}) from None
            if archived is not None:
                (archive if archived else unarchive)(project, actor=user)
        return tagged(request, ProjectSerializer(project_for(user, slug, needs="lead")).data)

    @extend_schema(responses={202: JobSerializer, **errors(403, 404)})
    def delete(self, request: Request, slug: str) -> Response:
        """Archive the project and delete it in a job, with its ratings and reports. For admins."""
        require_admin(caller(request))
        job = project_deletion(project_for(caller(request), slug, needs="lead"), actor=caller(request))
        enqueue(job)
        return started(request, job)
