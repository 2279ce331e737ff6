"""Create, change and delete the webhooks of a project, and request deliveries."""

from collections.abc import Collection

import httpx2
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction

from ..audit import record
from ..models import Project, User, Webhook, WebhookDelivery
from ..site.database_clock import database_now
from ..site.secret_key import cipher, secret_key
from .addresses import UrlError, check_url
from .delivery import CIPHER_PURPOSE
from .events import send_soon, store_test
from .sending import new_secret

MAX_WEBHOOKS = 20
"""Of a project."""


class WebhookError(ValueError):
    """A webhook cannot be stored or used. `.field`: the field to change, "" if none; the message gives the reason."""

    def __init__(self, field: str, message: str):
        self.field = field
        super().__init__(message)


@transaction.atomic
def create_webhook(project: Project, url: str, events: Collection[str], *, actor: User) -> tuple[Webhook, str]:
    """Create a webhook; return it and its secret, which is not shown again.

    Raises WebhookError, and ImproperlyConfigured without a SECRET_KEY.
    """
    if not secret_key():
        raise ImproperlyConfigured("SECRET_KEY is not set: set it to the server's, with which secrets are encrypted")
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if project.webhooks.count() >= MAX_WEBHOOKS:
        raise WebhookError("", f"A project has at most {MAX_WEBHOOKS} webhooks. Delete one first.")
    secret = new_secret()
    webhook = Webhook.objects.create(
        project=project,
        url=_checked(url),
        events=_ordered(events),
        encrypted_secret=cipher(CIPHER_PURPOSE).encrypt(secret.encode()).decode(),
        created_by=actor,
    )
    record(actor, "create webhook", _target(webhook), project=project, after=_state(webhook))
    return webhook, secret


@transaction.atomic
def change_webhook(
    webhook: Webhook,
    *,
    url: str | None = None,
    events: Collection[str] | None = None,
    active: bool | None = None,
    actor: User,
) -> Webhook:
    """Change what is given. A paused webhook (`active` is False) is told of no events and sent nothing; what waits is
    sent when it is resumed. Raises WebhookError.
    """
    stored = Webhook.objects.select_for_update(no_key=True, of=("self",)).select_related("project").get(pk=webhook.pk)
    before, stored_before = _state(stored), (stored.url, stored.events, stored.active)
    stored.url = stored.url if url is None else _checked(url)
    stored.events = stored.events if events is None else _ordered(events)
    stored.active = stored.active if active is None else active
    if (stored.url, stored.events, stored.active) != stored_before:
        stored.save(update_fields=["url", "events", "active"])
        record(actor, "change webhook", _target(stored), project=stored.project, before=before, after=_state(stored))
        send_soon()
    return stored


@transaction.atomic
def delete_webhook(webhook: Webhook, *, actor: User) -> None:
    """Delete the webhook with its deliveries; what waits is not sent."""
    record(actor, "delete webhook", _target(webhook), project=webhook.project, before=_state(webhook))
    webhook.delete()


@transaction.atomic
def send_test(webhook: Webhook, *, actor: User) -> WebhookDelivery:
    """Queue a test event. Raises WebhookError if the webhook is paused."""
    _require_active(webhook)
    delivery = store_test(webhook)
    record(actor, "test webhook", _target(webhook), project=webhook.project, after={"id": str(delivery.public_id)})
    return delivery


@transaction.atomic
def send_again(delivery: WebhookDelivery, *, actor: User) -> WebhookDelivery:
    """Queue the delivery again under its id, for another day. Raises WebhookError if the webhook is paused."""
    webhook = delivery.webhook
    _require_active(webhook)
    now = database_now()
    delivery.status, delivery.due_since, delivery.next_attempt_at = WebhookDelivery.Status.WAITING, now, now
    delivery.save(update_fields=["status", "due_since", "next_attempt_at"])
    record(
        actor, "send webhook again", _target(webhook), project=webhook.project, after={"id": str(delivery.public_id)}
    )
    send_soon()
    return delivery


def _require_active(webhook: Webhook) -> None:
    if not webhook.active:
        raise WebhookError("", "The webhook is paused: resume it first.")


def _checked(url: str) -> str:
    try:
        check_url(url.strip())
    except UrlError as error:
        raise WebhookError("url", str(error)) from None
    return url.strip()


def _ordered(events: Collection[str]) -> list[str]:
    if unknown := sorted(set(events) - set(Webhook.Event.values)):
        raise WebhookError("events", f"There is no event {unknown[0]!r}.")
    if not events:
        raise WebhookError("events", "Select one event at least.")
    return [event for event in Webhook.Event.values if event in events]


def _target(webhook: Webhook) -> str:
    return f"webhook:{webhook.public_id}"


def _state(webhook: Webhook) -> dict[str, object]:
    """Return what the audit stores: of the address only the host, because the rest may be a secret."""
    return {"host": httpx2.URL(webhook.url).host, "events": list(webhook.events), "active": webhook.active}
