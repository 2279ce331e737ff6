"""The quality of raters' ratings, for leads."""

from collections.abc import Sequence

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_for
from ..exporting.rater_names import shown_rater_rows
from ..reporting import live
from ..reporting.parts import Part
from ..reporting.sections.raters.figures import RaterQuality, raters_of
from .authentication import caller
from .report_serializers import PartSchema
from .schema import errors
from .views import ApiView


class RaterTable(Part, frozen=True):
    """The quality of each rater."""

    raters: Sequence[RaterQuality]


class RaterTableSerializer(serializers.Serializer[object]):
    """A placeholder for `RaterTable`."""


class RaterTableSchema(PartSchema):
    """The classes of a rater's quality."""

    target_class = "annotation.api.raters.RaterTableSerializer"
    part = RaterTable


class Raters(ApiView):
    """The quality of ratings."""

    @extend_schema(operation_id="projects_raters_list", responses={200: RaterTableSerializer, **errors(403, 404, 503)})
    def get(self, request: Request, slug: str) -> Response:
        """Each rater compared with gold answers, adjudications and the other raters, with quality alerts (`flags`). For
        leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        rows = shown_rater_rows(live.live_figures(project, raters_of))
        return Response(msgspec.to_builtins(RaterTable(rows)))
