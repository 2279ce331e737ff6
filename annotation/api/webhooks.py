"""Webhooks of a project, and their deliveries."""

from typing import Any
from uuid import UUID

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import delivery_for, project_for, webhook_for
from ..models import Webhook
from ..webhooks.webhooks import WebhookError, change_webhook, create_webhook, delete_webhook, send_again, send_test
from .authentication import caller
from .errors import Conflict
from .parsers import validate
from .schema import DONE, ETAG, IF_MATCH, IF_NONE_MATCH, errors
from .views import ApiView, ListView, require_match, tagged
from .webhook_serializers import (
    CreatedWebhookSerializer,
    DeliverySerializer,
    NewWebhookSerializer,
    WebhookChangeSerializer,
    WebhookSerializer,
)


def _refusal(error: WebhookError) -> Exception:
    return ValidationError({error.field: [str(error)]}) if error.field else Conflict(str(error))


def _shown(webhook: Webhook) -> Any:
    return WebhookSerializer(webhook).data


class Webhooks(ListView):
    """The webhooks of a project."""

    @extend_schema(
        operation_id="projects_webhooks_list",
        responses={200: WebhookSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The webhooks in the order in which they were created. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        return self.page(request, project.webhooks.all(), WebhookSerializer, "pk")

    @extend_schema(request=NewWebhookSerializer, responses={201: CreatedWebhookSerializer, **errors(403, 404, 409)})
    def post(self, request: Request, slug: str) -> Response:
        """Create a webhook. Its secret is in this response only. 409 if the project has too many. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        body = validate(NewWebhookSerializer, request.data)
        try:
            webhook, secret = create_webhook(project, body["url"], body["events"], actor=caller(request))
        except WebhookError as error:
            raise _refusal(error) from None
        return Response({**WebhookSerializer(webhook).data, "secret": secret}, status=status.HTTP_201_CREATED)


class SingleWebhook(ApiView):
    """A webhook."""

    @extend_schema(
        operation_id="projects_webhooks_retrieve",
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: WebhookSerializer, 304: None, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, webhook_id: UUID) -> Response:
        """The webhook. For leads."""
        return tagged(request, _shown(webhook_for(caller(request), slug, webhook_id)))

    @extend_schema(
        parameters=[IF_MATCH, ETAG],
        request=WebhookChangeSerializer,
        responses={200: WebhookSerializer, **errors(403, 404, 412)},
    )
    def patch(self, request: Request, slug: str, webhook_id: UUID) -> Response:
        """Change address or events, pause it (`active` is false) or resume it. For leads."""
        webhook = webhook_for(caller(request), slug, webhook_id)
        body = validate(WebhookChangeSerializer, request.data)
        try:
            with transaction.atomic():
                require_match(request, _shown(Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)))
                changed = change_webhook(webhook, **body, actor=caller(request))
        except WebhookError as error:
            raise _refusal(error) from None
        return tagged(request, _shown(changed))

    @extend_schema(responses={200: DONE, **errors(403, 404)})
    def delete(self, request: Request, slug: str, webhook_id: UUID) -> Response:
        """Delete the webhook with its deliveries; what waits is not sent. For leads."""
        delete_webhook(webhook_for(caller(request), slug, webhook_id), actor=caller(request))
        return Response({})


class WebhookTest(ApiView):
    """A test of a webhook."""

    @extend_schema(request=None, responses={201: DeliverySerializer, **errors(403, 404, 409)})
    def post(self, request: Request, slug: str, webhook_id: UUID) -> Response:
        """Send a test event. 409 if the webhook is paused. For leads."""
        try:
            delivery = send_test(webhook_for(caller(request), slug, webhook_id), actor=caller(request))
        except WebhookError as error:
            raise _refusal(error) from None
        return Response(DeliverySerializer(delivery).data, status=status.HTTP_201_CREATED)


class Deliveries(ListView):
    """The deliveries of a webhook."""

    @extend_schema(
        operation_id="projects_webhooks_deliveries_list",
        responses={200: DeliverySerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, webhook_id: UUID) -> Response:
        """The deliveries of the last days, the newest first. For leads."""
        webhook = webhook_for(caller(request), slug, webhook_id)
        return self.page(request, webhook.deliveries.all(), DeliverySerializer, "-pk")


class DeliverySentAgain(ApiView):
    """A delivery that is sent again."""

    @extend_schema(request=None, responses={200: DeliverySerializer, **errors(403, 404, 409)})
    def post(self, request: Request, slug: str, webhook_id: UUID, delivery_id: UUID) -> Response:
        """Send the delivery again under its id. 409 if the webhook is paused. For leads."""
        delivery = delivery_for(caller(request), slug, webhook_id, delivery_id)
        try:
            return Response(DeliverySerializer(send_again(delivery, actor=caller(request))).data)
        except WebhookError as error:
            raise _refusal(error) from None
