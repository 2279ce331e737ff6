"""Audit events, for admins."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import require_admin
from ..models import AuditEvent
from ..pseudonyms import stored_name
from .authentication import caller
from .parsers import validate
from .result_serializers import AuditEventSerializer, AuditQuerySerializer
from .schema import errors
from .views import ListView

_PATHS = {"project": "project__slug", "actor": "actor__username", "action": "action", "target": "target"}


class AuditEvents(ListView):
    """Audit events."""

    @extend_schema(
        operation_id="audit_list",
        parameters=[AuditQuerySerializer],
        responses={200: AuditEventSerializer(many=True), **errors(403)},
    )
    def get(self, request: Request) -> Response:
        """Who changed what, the newest first. For admins."""
        require_admin(caller(request))
        query = validate(AuditQuerySerializer, request.query_params)
        if "actor" in query:
            query["actor"] = stored_name(query["actor"])
        rows = AuditEvent.objects.select_related("actor", "project")
        rows = rows.filter(**{_PATHS[name]: value for name, value in query.items()})
        return self.page(request, rows, AuditEventSerializer, "-pk")
