"""Analysis plans of projects, and protocols: texts in TOML, stored in versions that never change."""

from django.db import transaction
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_for, protocol_versions_for, require_lead
from ..models import AnalysisPlanVersion, Project, ProtocolVersion
from ..projects.analysis_plans import newest_plan, set_plan
from ..projects.protocol_versions import ProtocolClash, store_builtin_protocols, store_protocol
from ..protocols.toml_source import TomlError
from ..queue.slots import lock_project
from .authentication import caller
from .errors import Conflict
from .parsers import validate
from .response_serializers import (
    FullProtocolVersionSerializer,
    NewTomlSerializer,
    PlanVersionSerializer,
    ProtocolVersionSerializer,
)
from .schema import ETAG, IF_MATCH, IF_NONE_MATCH, errors
from .views import ApiView, ListView, entity_tag, require_match, with_tag


def _newest_number(project: Project) -> int:
    """Return the number of the newest version of the plan, which is its tag; 0 without a plan."""
    newest = newest_plan(project)
    return newest.number if newest else 0


def _refusal(error: TomlError) -> ValidationError:
    return ValidationError({"toml": str(error).splitlines()})


class AnalysisPlan(ListView):
    """The analysis plan of a project."""

    @extend_schema(
        operation_id="projects_analysis_plan_list",
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: PlanVersionSerializer(many=True), 304: None, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The versions of the plan, the newest first; the tag is that of the newest. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        rows = AnalysisPlanVersion.objects.filter(project=project).select_related("created_by")
        page = self.page(request, rows, PlanVersionSerializer, "-number")
        return with_tag(request, page, _newest_number(project))

    @extend_schema(
        parameters=[IF_MATCH, ETAG],
        request=NewTomlSerializer,
        responses={200: PlanVersionSerializer, 201: PlanVersionSerializer, **errors(403, 404, 412)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Store a version: 201; 200 with the newest version if it has the same text. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        source = validate(NewTomlSerializer, request.data)["toml"]
        try:
            with transaction.atomic():
                lock_project(project)
                require_match(request, _newest_number(project))
                version, is_new = set_plan(project, source, actor=caller(request))
        except TomlError as error:
            raise _refusal(error) from None
        code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        tag = entity_tag(version.number)
        return Response(PlanVersionSerializer(version).data, status=code, headers={"ETag": tag})


class Protocols(ListView):
    """Protocols."""

    @extend_schema(operation_id="protocols_list", responses={200: ProtocolVersionSerializer(many=True), **errors(403)})
    def get(self, request: Request) -> Response:
        """The stored versions of protocols that the caller may see. For leads and admins."""
        require_lead(caller(request))
        store_builtin_protocols()
        rows = protocol_versions_for(caller(request)).defer("source")
        return self.page(request, rows, ProtocolVersionSerializer, "pk")

    @extend_schema(
        request=NewTomlSerializer,
        responses={200: FullProtocolVersionSerializer, 201: FullProtocolVersionSerializer, **errors(403, 409)},
    )
    def post(self, request: Request) -> Response:
        """Store a version of a protocol: 201; 200 if it is stored already; 409 if the version has another text. For
        leads and admins.
        """
        require_lead(caller(request))
        source = validate(NewTomlSerializer, request.data)["toml"]
        try:
            version, is_new = store_protocol(source, actor=caller(request))
        except TomlError as error:
            raise _refusal(error) from None
        except ProtocolClash as error:
            raise Conflict(str(error)) from None
        code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(_full(version), status=code)


def _full(version: ProtocolVersion) -> object:
    fields = {name: getattr(version, name) for name in ("slug", "version", "title", "sha256", "created_at", "source")}
    return FullProtocolVersionSerializer({**fields, "definition": version.definition.as_json()}).data


class Protocol(ApiView):
    """A version of a protocol."""

    @extend_schema(
        operation_id="protocols_retrieve", responses={200: FullProtocolVersionSerializer, **errors(403, 404)}
    )
    def get(self, request: Request, protocol: str, version: str) -> Response:
        """The version with its text and its questions. For leads and admins."""
        stored = protocol_versions_for(caller(request)).filter(slug=protocol, version=version).first()
        if stored is None:
            raise Http404("There is no such protocol.")
        return Response(_full(stored))
