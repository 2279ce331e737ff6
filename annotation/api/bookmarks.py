"""A rater's bookmarks."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ..rating.bookmarks import add_bookmark, remove_bookmark
from .authentication import caller
from .schema import DONE, errors
from .views import ApiView


class Bookmark(ApiView):
    """The caller's bookmark of an item."""

    for_raters = True

    @extend_schema(request=None, responses={200: DONE, **errors(404)})
    def put(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Bookmark an item."""
        add_bookmark(caller(request), assignment_id, item_id)
        return Response({})

    @extend_schema(responses={200: DONE, **errors(404)})
    def delete(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Remove the bookmark of an item."""
        remove_bookmark(caller(request), assignment_id, item_id)
        return Response({})
