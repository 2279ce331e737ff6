"""Review for leads: disagreements, adjudications and gold answers. Lists are ranked, so their pages have offsets.

The `ETag` of an adjudication or a gold answer is its token, which pages send too: `If-Match` refuses a change of what
another lead has decided meanwhile.
"""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from ..models import Item, Rating
from ..rating.evidence import MAX_PASSAGES
from ..rating.submit import COMMENT_LENGTH
from ..reviewing.adjudication import adjudicate, withdraw
from ..reviewing.disagreement_ranking import SHOWS, ReviewSelection
from ..reviewing.disagreements import PAGE, Listing, items_needing_review, rows_of
from ..reviewing.gold import gold_items, remove_gold, set_gold
from ..reviewing.lead_ratings import item_for_review, version_token
from .assignment_serializers import PassageSerializer
from .authentication import caller
from .parsers import validate
from .records import OptionalText, RowSerializer, ShownPerson, examples
from .schema import ETAG, IF_MATCH, PAGES, errors
from .views import ProjectView

MAX_OFFSET = 10**6


class OffsetSerializer(serializers.Serializer[object]):
    offset = serializers.IntegerField(default=0, min_value=0, max_value=MAX_OFFSET)


class ReviewQuerySerializer(OffsetSerializer):
    show = serializers.ChoiceField(choices=list(SHOWS), default=SHOWS[0])
    system = serializers.CharField(default="", max_length=200)


class VoteSerializer(serializers.Serializer[object]):
    """An answer, and how many raters gave it."""

    answers = serializers.DictField(source="choices")
    raters = serializers.IntegerField(source="n")


class VerdictRatingSerializer(RowSerializer):
    """A decision of a lead, or a gold answer."""

    reason = serializers.CharField(source="comment", allow_blank=True)
    evidence = serializers.ListField(child=serializers.DictField())
    by = ShownPerson(source="rater")

    class Meta:
        model = Rating
        fields = ("answers", "reason", "evidence", "by", "rated_at")


class ContestedItemSerializer(serializers.Serializer[object]):
    """An item under review."""

    item = serializers.UUIDField(source="item.public_id")
    text = serializers.CharField(source="item.text", allow_blank=True)
    response = serializers.CharField(source="item.response.key", help_text="Imported id.")
    score = serializers.FloatField(help_text="0 if raters agree.")
    raters = serializers.IntegerField()
    votes = VoteSerializer(many=True)
    comments = serializers.IntegerField()
    adjudication = VerdictRatingSerializer(allow_null=True)
    gold = VerdictRatingSerializer(allow_null=True)


class ContestedItemsSerializer(serializers.Serializer[object]):
    """At most 25 items, and the number of all."""

    count = serializers.IntegerField()
    items = ContestedItemSerializer(many=True)


@examples({"Accurate": {"answers": {"accuracy": "accurate"}, "reason": "The abstract says so."}})
class AdjudicationSerializer(serializers.Serializer[object]):
    """A decision about an item."""

    answers = serializers.DictField(help_text="Question key to answer.")
    reason = serializers.CharField(max_length=COMMENT_LENGTH, trim_whitespace=False)
    evidence = serializers.ListField(child=PassageSerializer(), default=list, max_length=MAX_PASSAGES)


@examples({"Accurate": {"answers": {"accuracy": "accurate"}}})
class GoldAnswerSerializer(serializers.Serializer[object]):
    """A gold answer to an item."""

    answers = serializers.DictField(help_text="Question key to answer.")
    reason = OptionalText(max_length=COMMENT_LENGTH, trim_whitespace=False, help_text="Shown to raters in training.")


class RankedListView(ProjectView):
    """A list in an order of its own: its pages have offsets."""

    def listed(self, listing: Listing) -> Response:
        """Return the page with the addresses of the pages before and after in `Link`."""
        offset, address = self.query["offset"], self.request.build_absolute_uri()
        links = []
        if offset + PAGE < listing.total:
            links.append(f'<{replace_query_param(address, "offset", offset + PAGE)}>; rel="next"')
        if offset > 0:
            links.append(f'<{replace_query_param(address, "offset", max(0, offset - PAGE))}>; rel="prev"')
        headers = {"Link": ", ".join(links)} if links else {}
        return Response(ContestedItemsSerializer({"count": listing.total, "items": listing.rows}).data, headers=headers)


class Disagreements(RankedListView):
    query_serializer = ReviewQuerySerializer

    @extend_schema(operation_id="projects_review_list", parameters=[PAGES], responses=ContestedItemsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The items, the strongest disagreement first, 25 at a time. For leads."""
        selection = ReviewSelection(show=self.query["show"], system=self.query["system"])
        return self.listed(items_needing_review(self.project, selection, offset=self.query["offset"]))


class GoldAnswers(RankedListView):
    query_serializer = OffsetSerializer

    @extend_schema(operation_id="projects_review_gold_list", parameters=[PAGES], responses=ContestedItemsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The items with a gold answer, the newest first, 25 at a time. For leads."""
        return self.listed(gold_items(self.project, offset=self.query["offset"]))


class ItemView(ProjectView):
    """An item with the tag of one of its two decisions."""

    item: Item
    role: str

    def fetch(self) -> None:
        super().fetch()
        self.item = item_for_review(self.project, self.kwargs["item_id"])

    @property
    def expected(self) -> str | None:
        """The token of `If-Match`, which no weak tag has; None without it, and for `*`."""
        wanted = self.request.headers.get("If-Match")
        return None if wanted is None or wanted.strip() == "*" else wanted.strip().strip('"')

    def answer(self) -> Response:
        row = rows_of(self.project, [self.item.pk])[0]
        decision = row.adjudication if self.role == Rating.Role.ADJUDICATOR else row.gold
        return Response(ContestedItemSerializer(row).data, headers={"ETag": f'"{version_token(decision)}"'})


CHANGED = {200: ContestedItemSerializer, **errors(412, 423)}


class ReviewedItem(ItemView):
    role = Rating.Role.ADJUDICATOR

    @extend_schema(parameters=[ETAG], responses=ContestedItemSerializer)
    def get(self, request: Request, slug: str, item_id: UUID) -> Response:
        """The answers to the item with adjudication and gold answer; the tag is that of the adjudication. For leads."""
        return self.answer()

    @extend_schema(parameters=[IF_MATCH, ETAG], request=AdjudicationSerializer, responses=CHANGED)
    def put(self, request: Request, slug: str, item_id: UUID) -> Response:
        """Decide about the item, with a reason. For leads."""
        body = validate(AdjudicationSerializer, request.data)
        adjudicate(
            self.project,
            self.item,
            body["answers"],
            body["reason"],
            caller(request),
            expected_version=self.expected,
            evidence=body["evidence"],
        )
        return self.answer()

    @extend_schema(parameters=[IF_MATCH, ETAG], responses=CHANGED)
    def delete(self, request: Request, slug: str, item_id: UUID) -> Response:
        """Withdraw the adjudication; the history keeps it. For leads."""
        withdraw(self.project, self.item, caller(request), expected_version=self.expected)
        return self.answer()


class GoldAnswer(ItemView):
    role = Rating.Role.GOLD

    @extend_schema(parameters=[IF_MATCH, ETAG], request=GoldAnswerSerializer, responses=CHANGED)
    def put(self, request: Request, slug: str, item_id: UUID) -> Response:
        """Make these answers gold. For leads."""
        body, expected = validate(GoldAnswerSerializer, request.data), self.expected
        set_gold(self.project, self.item, body["answers"], caller(request), body["reason"], expected_version=expected)
        return self.answer()

    @extend_schema(parameters=[IF_MATCH, ETAG], responses=CHANGED)
    def delete(self, request: Request, slug: str, item_id: UUID) -> Response:
        """Remove the gold answer; the history keeps it. For leads."""
        remove_gold(self.project, self.item, caller(request), expected_version=self.expected)
        return self.answer()
