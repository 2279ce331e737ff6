"""Serializers of ratings, frozen reports, links to them, and exported files."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ..exporting import FORMATS
from ..exporting.export_jobs import BUNDLE, KINDS, RATINGS, RETENTION
from ..models import AuditEvent, Export, Rating, Report, ReportLink
from ..reporting.shared_links import MAX_NOTE_LENGTH
from .guidance_serializers import ShownPerson
from .report_serializers import ProvenanceSerializer, ReportSerializer


class RatingSerializer(serializers.Serializer[Rating]):
    """A rating: answers about one item by a person or a judge."""

    id = serializers.IntegerField(source="pk")
    response = serializers.CharField(source="item.response.key", help_text="Imported id.")
    against = serializers.CharField(source="item.against.key", allow_null=True, default=None, help_text="Of a pair.")
    prompt = serializers.CharField(source="item.response.prompt.key", help_text="Imported id.")
    document = serializers.CharField(
        source="item.response.prompt.document.key", allow_null=True, default=None, help_text="Imported id."
    )
    system = serializers.CharField(source="item.response.system.name")
    item = serializers.UUIDField(source="item.public_id")
    unit = serializers.CharField(source="item.unit")
    position = serializers.IntegerField(source="item.position")
    kind = serializers.CharField(source="item.kind")
    text = serializers.CharField(source="item.text", allow_blank=True)
    rater = ShownPerson(help_text="User name, or the pseudonym in a project that hides raters.")
    role = serializers.ChoiceField(choices=Rating.Role.choices)
    answers = serializers.DictField()
    comment = serializers.CharField(allow_blank=True)
    evidence = serializers.ListField(child=serializers.DictField())
    seconds = serializers.FloatField(allow_null=True)
    rated_at = serializers.DateTimeField()
    counted = serializers.BooleanField(help_text="Whether reports count it: finished, by a rater, not a check.")


class RatingsQuerySerializer(serializers.Serializer[object]):
    """Filters of ratings."""

    role = serializers.ChoiceField(choices=Rating.Role.choices, required=False)
    rater = serializers.CharField(required=False, max_length=150)
    system = serializers.CharField(required=False, max_length=200)
    response = serializers.CharField(required=False, max_length=200, help_text="Imported id.")
    counted = serializers.BooleanField(required=False, allow_null=True, default=None)


class FrozenRowSerializer(serializers.Serializer[Report]):
    """A frozen report without its figures."""

    id = serializers.UUIDField(source="public_id")
    frozen_at = serializers.DateTimeField()
    frozen_by = ShownPerson(allow_null=True, default=None)
    data_sha256 = serializers.CharField()
    method = serializers.DictField(allow_null=True, default=None)
    filters = serializers.SerializerMethodField(help_text="Empty: of all ratings that count.")

    def get_filters(self, report: Any) -> dict[str, Any]:
        """Return the filters without raters, whose names may be hidden."""
        return {name: value for name, value in (report.filters or {}).items() if name != "without_raters"}


class FrozenReportSerializer(serializers.Serializer[object]):
    """A frozen report."""

    id = serializers.UUIDField()
    frozen_at = serializers.DateTimeField()
    report = ReportSerializer()
    provenance = ProvenanceSerializer(allow_null=True)


class LinkSerializer(serializers.Serializer[ReportLink]):
    """A link with which anyone can read a frozen report."""

    id = serializers.UUIDField(source="public_id")
    note = serializers.CharField(allow_blank=True)
    with_names = serializers.BooleanField()
    made_by = ShownPerson(allow_null=True, default=None)
    made_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)


@extend_schema_serializer(examples=[OpenApiExample("For reviewers", {"note": "For reviewer 2"}, request_only=True)])
class NewLinkSerializer(serializers.Serializer[object]):
    """A link to make."""

    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=MAX_NOTE_LENGTH)
    with_names = serializers.BooleanField(
        required=False, default=False, help_text="Raters by name; never in a project that hides them."
    )


class NewLinkAddressSerializer(LinkSerializer):
    """A new link with its address, which is only in this answer."""

    address = serializers.CharField()


class ExportSerializer(serializers.Serializer[Export]):
    """A file that a job has written; it is deleted after a week."""

    id = serializers.UUIDField(source="public_id")
    what = serializers.CharField(source="kind")
    name = serializers.CharField()
    size = serializers.IntegerField(help_text="Bytes.")
    sha256 = serializers.CharField()
    made_by = ShownPerson(allow_null=True, default=None)
    made_at = serializers.DateTimeField()
    expires_at = serializers.SerializerMethodField()

    def get_expires_at(self, export: Export) -> str:
        """Return when the file is deleted."""
        return (export.made_at + RETENTION).isoformat()


@extend_schema_serializer(
    examples=[OpenApiExample("Ratings", {"what": RATINGS, "format": "csv"}, request_only=True)],
)
class NewExportSerializer(serializers.Serializer[object]):
    """A file to write."""

    what = serializers.ChoiceField(choices=KINDS, required=False, default=RATINGS)
    format = serializers.ChoiceField(choices=list(FORMATS), required=False, help_text="Of ratings; jsonl if absent.")
    report = serializers.UUIDField(required=False, help_text=f"The frozen report of a {BUNDLE}.")
    with_names = serializers.BooleanField(
        required=False, default=False, help_text="User names, not pseudonyms; never where raters are hidden."
    )


class AuditEventSerializer(serializers.Serializer[AuditEvent]):
    """Who changed what."""

    id = serializers.IntegerField(source="pk")
    at = serializers.DateTimeField()
    actor = serializers.CharField(source="actor.username", allow_null=True, default=None, help_text="null: a command.")
    action = serializers.CharField()
    target = serializers.CharField()
    project = serializers.CharField(source="project.slug", allow_null=True, default=None)
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class AuditQuerySerializer(serializers.Serializer[object]):
    """Filters of audit events."""

    project = serializers.CharField(required=False, max_length=80)
    actor = serializers.CharField(required=False, max_length=150)
    action = serializers.CharField(required=False, max_length=60)
    target = serializers.CharField(required=False, max_length=200)
