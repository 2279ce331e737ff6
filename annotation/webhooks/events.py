"""Store events for the webhooks of a project, in the transaction of the change that they report.

A project without a webhook costs one statement each. A webhook is locked against deletion until the transaction ends.
"""

import logging
from collections.abc import Iterable, Mapping

from celery import current_app
from django.db import connection, transaction
from kombu.exceptions import OperationalError

from ..models import Assignment, Project, Slot, User, Webhook, WebhookDelivery
from ..site.database_clock import database_now
from ..site.log_settings import WEBHOOK_TASK

Event = Webhook.Event
CELERY_APP = "factuary"
"""The name of the application in tasks/app.py."""

log = logging.getLogger(__name__)

_SUBSCRIBED = """
    SELECT id, events FROM annotation_webhook
    WHERE project_id = %s AND active AND events && %s::varchar[] ORDER BY id FOR KEY SHARE
"""
_LOCK = "SELECT FROM annotation_webhook WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"


def queue_event(
    project: Project, event: Webhook.Event, data: Mapping[str, object], *, rater: User | None = None
) -> None:
    """Store the event for each webhook of the project that selects it. Call it in a transaction.

    `data` has ids and names of things; a person is named by `rater` alone.
    """
    _store(project, event, [pk for pk, _events in _subscribed(project, [event])], data, rater)


def queue_finished_response(assignment: Assignment, *, is_first_time: bool) -> None:
    """Store that the response was finished, and that the project was if no slot of it is open now.

    `is_first_time`: False for a response that was offered again after it was finished.
    """
    project = assignment.project
    ends_slot = is_first_time and assignment.purpose == "work"
    subscribed = _subscribed(project, [Event.RESPONSE_FINISHED, *([Event.PROJECT_FINISHED] if ends_slot else [])])
    if not subscribed:
        return
    sheet = assignment.sheet
    data = {
        "assignment": str(assignment.public_id),
        "response": str(sheet.response.public_id),
        "against": str(sheet.against.public_id) if sheet.against else None,
        "purpose": assignment.purpose,
    }
    webhooks = [pk for pk, events in subscribed if Event.RESPONSE_FINISHED in events]
    _store(project, Event.RESPONSE_FINISHED, webhooks, data, assignment.rater)
    if ends_slot:
        _store_if_finished(project, [pk for pk, events in subscribed if Event.PROJECT_FINISHED in events])


def queue_finished_project(project: Project, *, removed: int) -> None:
    """Store that the project was finished if no slot of it is open: call it at the end of a change that removes open
    slots, with how many it has removed.
    """
    webhooks = [pk for pk, _events in _subscribed(project, [Event.PROJECT_FINISHED])]
    if removed:
        _store_if_finished(project, webhooks)


def _store_if_finished(project: Project, webhooks: list[int]) -> None:
    """Store that the project was finished, if no slot of it is open.

    The webhooks are locked first, so that of two last responses at once the second one sees the first.
    """
    if not webhooks:
        return
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [webhooks])
    slots = Slot.objects.filter(project=project)
    if slots.exists() and not slots.filter(finished_at=None, was_finished_at=None).exists():
        _store(project, Event.PROJECT_FINISHED, webhooks, {}, None)


def _subscribed(project: Project, events: Iterable[str]) -> list[tuple[int, list[str]]]:
    """Return the active webhooks (primary keys with their events) that select one of the events. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_SUBSCRIBED, [project.pk, [str(event) for event in events]])
        return cursor.fetchall()


def _store(
    project: Project, event: str, webhooks: list[int], data: Mapping[str, object], rater: User | None
) -> list[WebhookDelivery]:
    now = database_now()
    payload = {"project": project.slug, **data}
    deliveries = [
        WebhookDelivery(
            webhook_id=webhook,
            event=event,
            payload=payload,
            rater=rater,
            created_at=now,
            due_since=now,
            next_attempt_at=now,
        )
        for webhook in webhooks
    ]
    if deliveries:
        WebhookDelivery.objects.bulk_create(deliveries)
        send_soon()
    return deliveries


def store_test(webhook: Webhook) -> WebhookDelivery:
    """Store a test event for one webhook."""
    [delivery] = _store(webhook.project, WebhookDelivery.TEST, [webhook.pk], {}, None)
    return delivery


def send_soon() -> None:
    """Let a worker send what is due once the transaction has committed. Beat does it a little later in any case."""
    transaction.on_commit(_request_sending, robust=True)


def _request_sending() -> None:
    if current_app.main != CELERY_APP:
        return  # a command, which has not loaded the tasks: beat does it
    try:
        current_app.send_task(WEBHOOK_TASK, retry=False)
    except OperationalError:
        log.exception("webhooks wait: the broker does not answer")
