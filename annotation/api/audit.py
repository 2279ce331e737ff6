"""Audit events, for admins."""

from django.db.models import QuerySet
from rest_framework import serializers

from ..models import AuditEvent
from ..pseudonyms import stored_name
from .records import RowSerializer
from .views import AdminView, ListView


class AuditEventSerializer(RowSerializer):
    """Who changed what."""

    id = serializers.IntegerField(source="pk")
    actor = serializers.CharField(source="actor.username", allow_null=True, default=None, help_text="null: a command.")
    project = serializers.CharField(source="project.slug", allow_null=True, default=None)
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)

    class Meta:
        model = AuditEvent
        fields = ("id", "at", "actor", "action", "target", "project", "before", "after")


class AuditQuerySerializer(serializers.Serializer[object]):
    project = serializers.CharField(required=False, max_length=80)
    actor = serializers.CharField(required=False, max_length=150)
    action = serializers.CharField(required=False, max_length=60)
    target = serializers.CharField(required=False, max_length=200)


class AuditEvents(AdminView, ListView):
    """Who changed what, the newest first. For admins."""

    serializer_class = AuditEventSerializer
    query_serializer = AuditQuerySerializer
    filters = {"project": "project__slug", "action": "action", "target": "target"}
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[AuditEvent]:
        rows = AuditEvent.objects.select_related("actor", "project")
        actor = self.query.get("actor")
        return rows.filter(actor__username=stored_name(actor)) if actor else rows
