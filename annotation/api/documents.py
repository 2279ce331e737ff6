"""Documents for their raters, and progress for leads."""

from dataclasses import replace
from operator import attrgetter
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import document_for, project_for
from ..projects.progress import project_progress
from ..pseudonyms import in_shown_order, shown_rater
from .authentication import caller
from .document_serializers import DocumentSerializer, ProgressSerializer
from .schema import errors
from .views import ApiView


class DocumentText(ApiView):
    """A document."""

    for_raters = True

    @extend_schema(responses={200: DocumentSerializer, **errors(404)})
    def get(self, request: Request, document_id: UUID) -> Response:
        """Sections and paragraphs, for those who may see a response about the document."""
        return Response(DocumentSerializer(document_for(caller(request), document_id)).data)


class Progress(ApiView):
    """A project's progress."""

    @extend_schema(responses={200: ProgressSerializer, **errors(403, 404)})
    def get(self, request: Request, slug: str) -> Response:
        """Finished, leased and remaining slots, and each rater's progress. For leads."""
        progress = project_progress(project_for(caller(request), slug, needs="lead"))
        named = [replace(row, rater=shown_rater(row.rater)) for row in progress.raters]
        progress = replace(progress, raters=in_shown_order(named, attrgetter("rater")))
        return Response(ProgressSerializer(progress).data)
