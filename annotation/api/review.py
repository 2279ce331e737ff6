"""Review for leads: disagreements, adjudications and gold answers. Lists are ranked, so their pages have offsets.

The `ETag` of an adjudication or a gold answer is its token, which pages send too: `If-Match` refuses a change of what
another lead has decided meanwhile.
"""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from ..access import project_for
from ..models import Item, Project, Rating
from ..reviewing.adjudication import adjudicate, withdraw
from ..reviewing.disagreement_ranking import ReviewSelection
from ..reviewing.disagreements import PAGE, ContestedItem, Listing, items_needing_review, rows_of
from ..reviewing.gold import gold_items, remove_gold, set_gold
from ..reviewing.lead_ratings import item_for_review, version_token
from .authentication import caller
from .parsers import validate
from .review_serializers import (
    AdjudicationSerializer,
    ContestedItemSerializer,
    ContestedItemsSerializer,
    GoldAnswerSerializer,
    OffsetSerializer,
    ReviewQuerySerializer,
)
from .schema import ETAG, IF_MATCH, PAGES, errors
from .views import ApiView


def _project(request: Request, slug: str) -> Project:
    return project_for(caller(request), slug, needs="lead")


def _listed(request: Request, offset: int, listing: Listing) -> Response:
    """Return the page with the addresses of the pages before and after in `Link`."""
    offsets = {"next": offset + PAGE, "prev": offset - PAGE}
    links = [
        f'<{replace_query_param(request.build_absolute_uri(), "offset", max(0, start))}>; rel="{name}"'
        for name, start in offsets.items()
        if (start < listing.total if name == "next" else offset > 0)
    ]
    headers = {"Link": ", ".join(links)} if links else {}
    return Response(ContestedItemsSerializer({"count": listing.total, "items": listing.rows}).data, headers=headers)


def _row(project: Project, item: Item) -> ContestedItem:
    return rows_of(project, [item.pk])[0]


def _answer(project: Project, item: Item, role: str) -> Response:
    """Return the item with the tag of its adjudication or gold answer."""
    row = _row(project, item)
    verdict = row.adjudication if role == Rating.Role.ADJUDICATOR else row.gold
    return Response(ContestedItemSerializer(row).data, headers={"ETag": f'"{version_token(verdict)}"'})


def _expected(request: Request) -> str | None:
    """Return the token of `If-Match`, which no weak tag has; None without it, and for `*`."""
    wanted = request.headers.get("If-Match")
    return None if wanted is None or wanted.strip() == "*" else wanted.strip().strip('"')


class Disagreements(ApiView):
    """Items on which raters disagree."""

    @extend_schema(
        operation_id="projects_review_list",
        parameters=[ReviewQuerySerializer, PAGES],
        responses={200: ContestedItemsSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The items, the strongest disagreement first, 25 at a time. For leads."""
        project = _project(request, slug)
        query = validate(ReviewQuerySerializer, request.query_params)
        selection = ReviewSelection(show=query["show"], system=query["system"])
        return _listed(request, query["offset"], items_needing_review(project, selection, offset=query["offset"]))


class GoldAnswers(ApiView):
    """Items with a gold answer."""

    @extend_schema(
        operation_id="projects_review_gold_list",
        parameters=[OffsetSerializer, PAGES],
        responses={200: ContestedItemsSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The items with a gold answer, the newest first, 25 at a time. For leads."""
        project = _project(request, slug)
        query = validate(OffsetSerializer, request.query_params)
        return _listed(request, query["offset"], gold_items(project, offset=query["offset"]))


class ReviewedItem(ApiView):
    """An item under review, and its adjudication."""

    @extend_schema(
        operation_id="projects_review_retrieve",
        parameters=[ETAG],
        responses={200: ContestedItemSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, item_id: UUID) -> Response:
        """The answers to the item with adjudication and gold answer; the tag is that of the adjudication. For leads."""
        project = _project(request, slug)
        return _answer(project, item_for_review(project, item_id), Rating.Role.ADJUDICATOR)

    @extend_schema(
        parameters=[IF_MATCH, ETAG],
        request=AdjudicationSerializer,
        responses={200: ContestedItemSerializer, **errors(403, 404, 412, 423)},
    )
    def put(self, request: Request, slug: str, item_id: UUID) -> Response:
        """Decide about the item, with a reason. For leads."""
        project = _project(request, slug)
        item, body = item_for_review(project, item_id), validate(AdjudicationSerializer, request.data)
        adjudicate(
            project,
            item,
            body["answers"],
            body["reason"],
            caller(request),
            expected_version=_expected(request),
            evidence=body["evidence"],
        )
        return _answer(project, item, Rating.Role.ADJUDICATOR)

    @extend_schema(parameters=[IF_MATCH, ETAG], responses={200: ContestedItemSerializer, **errors(403, 404, 412, 423)})
    def delete(self, request: Request, slug: str, item_id: UUID) -> Response:
        """Withdraw the adjudication; the history keeps it. For leads."""
        project = _project(request, slug)
        item = item_for_review(project, item_id)
        withdraw(project, item, caller(request), expected_version=_expected(request))
        return _answer(project, item, Rating.Role.ADJUDICATOR)


class GoldAnswer(ApiView):
    """The gold answer to an item."""

    @extend_schema(
        parameters=[IF_MATCH, ETAG],
        request=GoldAnswerSerializer,
        responses={200: ContestedItemSerializer, **errors(403, 404, 412, 423)},
    )
    def put(self, request: Request, slug: str, item_id: UUID) -> Response:
        """Make these answers gold. For leads."""
        project = _project(request, slug)
        item, body = item_for_review(project, item_id), validate(GoldAnswerSerializer, request.data)
        expected = _expected(request)
        set_gold(project, item, body["answers"], caller(request), body["reason"], expected_version=expected)
        return _answer(project, item, Rating.Role.GOLD)

    @extend_schema(parameters=[IF_MATCH, ETAG], responses={200: ContestedItemSerializer, **errors(403, 404, 412, 423)})
    def delete(self, request: Request, slug: str, item_id: UUID) -> Response:
        """Remove the gold answer; the history keeps it. For leads."""
        project = _project(request, slug)
        item = item_for_review(project, item_id)
        remove_gold(project, item, caller(request), expected_version=_expected(request))
        return _answer(project, item, Rating.Role.GOLD)
