"""Webhooks of a project, and their deliveries."""

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import delivery_for, webhook_for
from ..models import Webhook, WebhookDelivery
from ..models.webhooks import MAX_URL_LENGTH
from ..webhooks.webhooks import change_webhook, create_webhook, delete_webhook, send_again, send_test
from .authentication import caller
from .parsers import validate
from .records import RowSerializer
from .schema import errors
from .views import ApiView, ListView, ObjectView, ProjectView


class WebhookSerializer(RowSerializer):
    """A webhook without its secret."""

    events = serializers.ListField(child=serializers.ChoiceField(choices=Webhook.Event.choices))
    active = serializers.BooleanField(help_text="False: paused; it is sent nothing.")

    class Meta:
        model = Webhook
        fields: tuple[str, ...] = ("id", "url", "events", "active", "created_at")


class CreatedWebhookSerializer(WebhookSerializer):
    """A new webhook with its secret, which is shown only in this response."""

    secret = serializers.CharField()

    class Meta(WebhookSerializer.Meta):
        fields = (*WebhookSerializer.Meta.fields, "secret")


class NewWebhookSerializer(serializers.Serializer[object]):
    """Where to send which events."""

    url = serializers.CharField(max_length=MAX_URL_LENGTH, help_text="With https, at a public address.")
    events = serializers.ListField(child=serializers.ChoiceField(choices=Webhook.Event.choices), allow_empty=False)


class WebhookChangeSerializer(serializers.Serializer[object]):
    """What to change; what is not given stays."""

    url = serializers.CharField(required=False, max_length=MAX_URL_LENGTH)
    events = serializers.ListField(
        required=False, child=serializers.ChoiceField(choices=Webhook.Event.choices), allow_empty=False
    )
    active = serializers.BooleanField(required=False)


class DeliverySerializer(RowSerializer):
    """One event for one webhook."""

    next_attempt_at = serializers.DateTimeField(
        source="shown_next_attempt", allow_null=True, help_text="Null unless it waits."
    )
    last_status = serializers.IntegerField(allow_null=True, help_text="HTTP status of the last answer.")
    last_error = serializers.ChoiceField(choices=["", *WebhookDelivery.Problem.values])

    class Meta:
        model = WebhookDelivery
        fields = (
            *("id", "event", "status", "attempts", "created_at", "attempted_at", "next_attempt_at", "last_status"),
            "last_error",
        )
        extra_kwargs = {
            "id": {"help_text": "The header `webhook-id`."},
            "created_at": {"help_text": "When the event happened."},
            "attempted_at": {"help_text": "When it was last sent."},
        }


class Webhooks(ProjectView, ListView):
    """The webhooks in the order in which they were created. For leads."""

    serializer_class = WebhookSerializer

    def get_queryset(self) -> QuerySet[Webhook]:
        return self.project.webhooks.all()

    @extend_schema(request=NewWebhookSerializer, responses={201: CreatedWebhookSerializer, **errors(409)})
    def post(self, request: Request, slug: str) -> Response:
        """Create a webhook. Its secret is in this response only. 409 if the project has too many. For leads."""
        body = validate(NewWebhookSerializer, request.data)
        webhook, secret = create_webhook(self.project, body["url"], body["events"], actor=caller(request))
        return Response({**WebhookSerializer(webhook).data, "secret": secret}, status=status.HTTP_201_CREATED)


class WebhookView(ApiView):
    needs = "lead"

    def fetch(self) -> None:
        self.webhook = webhook_for(caller(self.request), self.kwargs["slug"], self.kwargs["webhook_id"])


class SingleWebhook(WebhookView, ObjectView):
    """The webhook. For leads."""

    serializer_class = WebhookSerializer
    is_tagged = True

    def get_object(self) -> Webhook:
        return self.webhook

    @extend_schema(request=WebhookChangeSerializer)
    def patch(self, request: Request, slug: str, webhook_id: UUID) -> Response:
        """Change address or events, pause it (`active` is false) or resume it. For leads."""
        body = validate(WebhookChangeSerializer, request.data)
        with transaction.atomic():
            self.require_match(Webhook.objects.select_for_update(no_key=True).get(pk=self.webhook.pk))
            changed = change_webhook(self.webhook, **body, actor=caller(request))
        return self.answer(changed)

    def delete(self, request: Request, slug: str, webhook_id: UUID) -> Response:
        """Delete the webhook with its deliveries; what waits is not sent. For leads."""
        delete_webhook(self.webhook, actor=caller(request))
        return Response({})


class WebhookTest(WebhookView):
    @extend_schema(request=None, responses={201: DeliverySerializer, **errors(409)})
    def post(self, request: Request, slug: str, webhook_id: UUID) -> Response:
        """Send a test event. 409 if the webhook is paused. For leads."""
        delivery = send_test(self.webhook, actor=caller(request))
        return Response(DeliverySerializer(delivery).data, status=status.HTTP_201_CREATED)


class Deliveries(WebhookView, ListView):
    """The deliveries of the last days, the newest first. For leads."""

    serializer_class = DeliverySerializer
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[WebhookDelivery]:
        return self.webhook.deliveries.all()


class DeliverySentAgain(ApiView):
    needs = "lead"

    @extend_schema(request=None, responses={200: DeliverySerializer, **errors(409)})
    def post(self, request: Request, slug: str, webhook_id: UUID, delivery_id: UUID) -> Response:
        """Send the delivery again under its id. 409 if the webhook is paused. For leads."""
        delivery = delivery_for(caller(request), slug, webhook_id, delivery_id)
        return Response(DeliverySerializer(send_again(delivery, actor=caller(request))).data)
