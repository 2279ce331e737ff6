"""The ratings of a project and their quality, for leads."""

from collections.abc import Sequence

import msgspec
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from ..audit import record_download
from ..exporting.rater_names import shown_rater_rows
from ..models import Rating
from ..pseudonyms import active, username_of
from ..rating.shown_verdicts import record_items_shown
from ..reporting import live
from ..reporting.parts import Part
from ..reporting.sections.raters.figures import RaterQuality, raters_of
from .authentication import caller
from .records import RowSerializer, ShownPerson, part
from .views import ListView, ProjectView


class RatingSerializer(RowSerializer):
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
    evidence = serializers.ListField(child=serializers.DictField())
    counted = serializers.BooleanField(help_text="Whether reports count it: finished, by a rater, not a check.")

    class Meta:
        model = Rating
        fields = (
            *("id", "response", "against", "prompt", "document", "system", "item", "unit", "position", "kind", "text"),
            *("rater", "role", "answers", "comment", "evidence", "seconds", "rated_at", "counted"),
        )


class RatingsQuerySerializer(serializers.Serializer[object]):
    role = serializers.ChoiceField(choices=Rating.Role.choices, required=False)
    rater = serializers.CharField(required=False, max_length=150)
    system = serializers.CharField(required=False, max_length=200)
    response = serializers.CharField(required=False, max_length=200, help_text="Imported id.")
    counted = serializers.BooleanField(allow_null=True, default=None)


class Ratings(ProjectView, ListView):
    """The ratings in the order in which they were stored: of people, judges, gold and adjudication, counted or not.
    For leads. The first page is recorded as a download.
    """

    serializer_class = RatingSerializer
    query_serializer = RatingsQuerySerializer
    filters = {"role": "role", "system": "item__response__system__name", "response": "item__response__key"}

    def get_queryset(self) -> QuerySet[Rating]:
        rows = Rating.objects.filter(project=self.project).select_related(
            "rater", "item__response__system", "item__response__prompt__document", "item__against"
        )
        rows = rows.defer("item__response__text", "item__against__text", "item__response__prompt__document__sections")
        if rater := self.query.get("rater"):
            rows = rows.filter(rater__username=username_of(rater))
        return rows if self.query["counted"] is None else rows.filter(counted=self.query["counted"])

    def shown(self, rows: list[Rating]) -> list[Rating]:
        """Record the download, and to whom the ratings of judges among these are shown."""
        user, project = caller(self.request), self.project
        if "cursor" not in self.request.query_params:
            target, with_names = f"project:{project.slug}", active() is None
            record_download(user, target, project=project, name="ratings", with_names=with_names)
        record_items_shown(user, [rating.item for rating in rows if rating.role == Rating.Role.JUDGE])
        return rows


class RaterTable(Part, frozen=True):
    """The quality of each rater."""

    raters: Sequence[RaterQuality]


class Raters(ProjectView):
    further_errors = (503,)

    @extend_schema(operation_id="projects_raters_list", responses=part(RaterTable))
    def get(self, request: Request, slug: str) -> Response:
        """Each rater compared with gold answers, adjudications and the other raters, with quality alerts (`flags`). For
        leads.
        """
        rows = shown_rater_rows(live.live_figures(self.project, raters_of))
        return Response(msgspec.to_builtins(RaterTable(rows)))
