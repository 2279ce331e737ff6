"""Serializers of webhooks and their deliveries."""

from rest_framework import serializers

from ..models import Webhook, WebhookDelivery
from ..models.webhooks import MAX_URL_LENGTH


class WebhookSerializer(serializers.Serializer[Webhook]):
    """A webhook without its secret."""

    id = serializers.UUIDField(source="public_id")
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=Webhook.Event.choices))
    active = serializers.BooleanField(help_text="False: paused; it is sent nothing.")
    created_at = serializers.DateTimeField()


class CreatedWebhookSerializer(WebhookSerializer):
    """A new webhook with its secret, which is shown only in this response."""

    secret = serializers.CharField()


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


class DeliverySerializer(serializers.Serializer[WebhookDelivery]):
    """One event for one webhook."""

    id = serializers.UUIDField(source="public_id", help_text="The header `webhook-id`.")
    event = serializers.CharField()
    status = serializers.ChoiceField(choices=WebhookDelivery.Status.choices)
    attempts = serializers.IntegerField()
    created_at = serializers.DateTimeField(help_text="When the event happened.")
    attempted_at = serializers.DateTimeField(allow_null=True, help_text="When it was last sent.")
    next_attempt_at = serializers.DateTimeField(
        source="shown_next_attempt", allow_null=True, help_text="Null unless it waits."
    )
    last_status = serializers.IntegerField(allow_null=True, help_text="HTTP status of the last answer.")
    last_error = serializers.ChoiceField(choices=["", *WebhookDelivery.Problem.values])
