"""Send what the outbox has, at least once and always under the same id.

A worker claims a row by a transaction of its own before it sends: if it is killed, the row is due again a minute later.
Every row is due again after a failure, twice as long after its event as before and at most four hours later, until a
day has passed.
"""

import json
import logging
import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest, Now

from ..models import WebhookDelivery
from ..pseudonyms import Pseudonyms
from ..site.database_clock import database_now
from ..site.secret_key import cipher
from .addresses import NotSent
from .sending import post, signed_headers

Problem, Status = WebhookDelivery.Problem, WebhookDelivery.Status
CIPHER_PURPOSE = "webhooks"
CLAIM_DURATION = timedelta(seconds=60)  # longer than any attempt
FIRST_RETRY = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(hours=4)
RETRIED_FOR = timedelta(days=1)
RUN_SECONDS = 20.0  # after which a run starts no further attempt, so that other tasks get the worker
PROBLEMS_WITHOUT_ANSWER = (Problem.TIMEOUT, Problem.UNREACHABLE, Problem.CERTIFICATE, Problem.NAME)

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome:
    """The end of an attempt: the status of the answer, None without one, and the problem, None if it arrived."""

    status: int | None = None
    problem: WebhookDelivery.Problem | None = None


def send_due() -> int:
    """Send what is due. Return the number of attempts. Several workers may do it at once."""
    end, attempts = time.monotonic() + RUN_SECONDS, 0
    while time.monotonic() < end and (delivery := _claim()):
        _record(delivery, _attempt(delivery))
        attempts += 1
    return attempts


@transaction.atomic
def _claim() -> WebhookDelivery | None:
    """Return the delivery that is due for the longest time, claimed for this worker."""
    now = database_now()
    due = WebhookDelivery.objects.filter(status=Status.WAITING, webhook__active=True, next_attempt_at__lte=Now())
    rows = due.select_related("webhook__project", "rater").select_for_update(skip_locked=True, of=("self",))
    delivery = rows.order_by("next_attempt_at", "pk").first()
    if delivery:
        delivery.attempts += 1
        delivery.attempted_at, delivery.next_attempt_at = now, now + CLAIM_DURATION
        delivery.save(update_fields=["attempts", "attempted_at", "next_attempt_at"])
    return delivery


def _attempt(delivery: WebhookDelivery) -> Outcome:
    """Send the delivery once."""
    body = body_of(delivery)
    try:
        secret = cipher(CIPHER_PURPOSE).decrypt(delivery.webhook.encrypted_secret.encode()).decode()
        headers = signed_headers(secret, str(delivery.public_id), int(database_now().timestamp()), body)
        headers |= {"content-type": "application/json", "user-agent": "Factuary-Webhooks"}
        status = post(delivery.webhook.url, body, headers)
    except InvalidToken:
        return Outcome(problem=Problem.SECRET)
    except NotSent as error:
        return Outcome(problem=error.problem)
    if 200 <= status < 300:
        return Outcome(status)
    return Outcome(status, Problem.REDIRECT if 300 <= status < 400 else Problem.STATUS)


def body_of(delivery: WebhookDelivery) -> bytes:
    """Return the JSON that is sent. A rater is named by pseudonym in a project that hides raters."""
    project, rater = delivery.webhook.project, delivery.rater
    data = {**delivery.payload, "url": f"{settings.SITE_URL}/projects/{project.slug}/"}
    if rater:
        data["rater"] = Pseudonyms(project).pseudonym(rater.name_in_data) if project.hides_raters else rater.username
    body = {"type": delivery.event, "timestamp": delivery.created_at.isoformat(), "data": data}
    return json.dumps(body, ensure_ascii=False).encode()


@transaction.atomic
def _record(delivery: WebhookDelivery, outcome: Outcome) -> None:
    """Store the outcome, unless a later attempt has begun."""
    now = database_now()
    retry_at = None if outcome.problem is None else next_attempt(delivery.due_since, now)
    if outcome.problem is None:
        status = Status.DELIVERED
    else:
        status = Status.WAITING if retry_at else Status.FAILED
        log.warning("webhook %s: attempt %s: %s", delivery.public_id, delivery.attempts, outcome.problem.value)
    WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts).update(
        status=status,
        last_status=outcome.status,
        last_error=outcome.problem or "",
        next_attempt_at=retry_at or now,
    )
    if retry_at and outcome.problem in PROBLEMS_WITHOUT_ANSWER:
        # The other deliveries to a receiver that does not answer are postponed: each would take the time of a worker.
        others = WebhookDelivery.objects.filter(webhook=delivery.webhook_id, status=Status.WAITING).exclude(
            pk=delivery.pk
        )
        locked = others.select_for_update(skip_locked=True, no_key=True).values_list("pk", flat=True)
        WebhookDelivery.objects.filter(pk__in=list(locked)).update(
            next_attempt_at=Greatest(F("next_attempt_at"), retry_at)
        )


def next_attempt(due_since: datetime, now: datetime) -> datetime | None:
    """Return when a delivery that failed at `now` is sent again; None if it has been tried for a day."""
    elapsed = now - due_since
    return None if elapsed >= RETRIED_FOR else now + min(max(elapsed, FIRST_RETRY), LONGEST_PAUSE)
