"""The ratings of a project, for leads."""

from functools import partial

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_for
from ..audit import record_download
from ..models import Project, Rating, User
from ..pseudonyms import active, username_of
from ..rating.shown_verdicts import record_items_shown
from .authentication import caller
from .parsers import validate
from .result_serializers import RatingSerializer, RatingsQuerySerializer
from .schema import errors
from .views import ListView


class Ratings(ListView):
    """Ratings."""

    @extend_schema(
        operation_id="projects_ratings_list",
        parameters=[RatingsQuerySerializer],
        responses={200: RatingSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The ratings in the order in which they were stored: of people, judges, gold and adjudication, counted or not.
        For leads. The first page is recorded as a download.
        """
        project = project_for(caller(request), slug, needs="lead")
        rows = _filtered(project, request)
        if "cursor" not in request.query_params:
            target, with_names = f"project:{slug}", active() is None
            record_download(caller(request), target, project=project, name="ratings", with_names=with_names)
        return self.page(request, rows, RatingSerializer, "pk", shown=partial(_record_shown, caller(request)))


def _record_shown(person: User, ratings: list[Rating]) -> list[Rating]:
    """Record to whom the ratings of judges among these are shown."""
    record_items_shown(person, [rating.item for rating in ratings if rating.role == Rating.Role.JUDGE])
    return ratings


def _filtered(project: Project, request: Request) -> QuerySet[Rating]:
    query = validate(RatingsQuerySerializer, request.query_params)
    rows = Rating.objects.filter(project=project).select_related(
        "rater", "item__response__system", "item__response__prompt__document", "item__against"
    )
    rows = rows.defer("item__response__text", "item__against__text", "item__response__prompt__document__sections")
    fields = {"role": "role", "system": "item__response__system__name", "response": "item__response__key"}
    rows = rows.filter(**{path: query[name] for name, path in fields.items() if name in query})
    if rater := query.get("rater"):
        rows = rows.filter(rater__username=username_of(rater))
    return rows if query["counted"] is None else rows.filter(counted=query["counted"])
