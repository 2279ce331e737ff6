"""Analysis plans of projects, and protocols: texts in TOML, stored in versions that never change."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import protocol_versions_for, require_lead
from ..models import AnalysisPlanVersion, Project, ProtocolVersion
from ..projects.analysis_plans import newest_plan, set_plan
from ..projects.protocol_versions import store_builtin_protocols, store_protocol
from ..queue.slots import lock_project
from .authentication import caller
from .parsers import validate
from .records import RowSerializer, examples
from .schema import errors
from .views import ListView, ObjectView, ProjectView, entity_tag, first_or_404, require_match, with_tag


class PlanVersionSerializer(RowSerializer):
    toml = serializers.CharField(source="source", help_text="Its text.")

    class Meta:
        model = AnalysisPlanVersion
        fields = ("number", "toml", "sha256", "before_first_rating", "created_by", "created_at")


@examples({"One measure": {"toml": 'measures = ["accurate"]'}})
class NewTomlSerializer(serializers.Serializer[object]):
    toml = serializers.CharField(trim_whitespace=False, max_length=200_000)


class ProtocolVersionSerializer(RowSerializer):
    class Meta:
        model = ProtocolVersion
        fields: tuple[str, ...] = ("slug", "version", "title", "sha256", "created_at")


class FullProtocolVersionSerializer(ProtocolVersionSerializer):
    toml = serializers.CharField(source="source", help_text="Its text.")
    definition = serializers.DictField(source="definition.as_json", help_text="Questions, options and conditions.")

    class Meta(ProtocolVersionSerializer.Meta):
        fields = (*ProtocolVersionSerializer.Meta.fields, "toml", "definition")


def _newest_number(project: Project) -> int:
    """Return the number of the newest version of the plan, which is its tag; 0 without a plan."""
    newest = newest_plan(project)
    return newest.number if newest else 0


class AnalysisPlan(ProjectView, ListView):
    """The versions of the plan, the newest first; the tag is that of the newest. For leads."""

    serializer_class = PlanVersionSerializer
    ordering = "-number"
    is_tagged = True

    def get_queryset(self) -> QuerySet[AnalysisPlanVersion]:
        return AnalysisPlanVersion.objects.filter(project=self.project).select_related("created_by")

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return with_tag(request, super().list(request), _newest_number(self.project))

    @extend_schema(request=NewTomlSerializer, responses={200: PlanVersionSerializer, 201: PlanVersionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Store a version: 201; 200 with the newest version if it has the same text. For leads."""
        source = validate(NewTomlSerializer, request.data)["toml"]
        with transaction.atomic():
            lock_project(self.project)
            require_match(request, _newest_number(self.project))
            version, is_new = set_plan(self.project, source, actor=caller(request))
        code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        tag = entity_tag(version.number)
        return Response(PlanVersionSerializer(version).data, status=code, headers={"ETag": tag})


class Protocols(ListView):
    """The stored versions of protocols that the caller may see. For leads and admins."""

    serializer_class = ProtocolVersionSerializer
    further_errors = (403,)

    def fetch(self) -> None:
        require_lead(caller(self.request))

    def get_queryset(self) -> QuerySet[ProtocolVersion]:
        return protocol_versions_for(caller(self.request)).defer("source")

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        store_builtin_protocols()
        return super().list(request)

    @extend_schema(
        request=NewTomlSerializer,
        responses={200: FullProtocolVersionSerializer, 201: FullProtocolVersionSerializer, **errors(409)},
    )
    def post(self, request: Request) -> Response:
        """Store a version of a protocol: 201; 200 if it is stored already; 409 if the version has another text. For
        leads and admins.
        """
        version, is_new = store_protocol(validate(NewTomlSerializer, request.data)["toml"], actor=caller(request))
        code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(FullProtocolVersionSerializer(version).data, status=code)


class Protocol(ObjectView):
    """The version with its text and its questions. For leads and admins."""

    serializer_class = FullProtocolVersionSerializer
    further_errors = (403,)

    def get_object(self) -> ProtocolVersion:
        rows = protocol_versions_for(caller(self.request)).filter(
            slug=self.kwargs["protocol"], version=self.kwargs["version"]
        )
        return first_or_404(rows, "There is no such protocol.")
