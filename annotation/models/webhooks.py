"""Webhooks of projects, and what is sent to them: an outbox whose rows are stored with the events that they report."""

import uuid
from datetime import datetime

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from .created_at import CreatedAtField

MAX_URL_LENGTH = 500


class Webhook(models.Model):
    """An address of another program that is told of events of a project. A paused one is told of none."""

    class Event(models.TextChoices):
        RESPONSE_FINISHED = "response.finished", "Response finished"
        PROJECT_FINISHED = "project.finished", "Project finished"
        TARGET_REACHED = "target.reached", "Precision target reached"
        REPORT_FROZEN = "report.frozen", "Report frozen"
        RATER_FLAGGED = "rater.flagged", "Quality alert of a rater"
        RATER_PAUSED = "rater.paused", "Rater paused"
        JOB_FAILED = "job.failed", "Job failed"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=MAX_URL_LENGTH)
    events = ArrayField(models.CharField(max_length=20, choices=Event))
    encrypted_secret = models.TextField(help_text="The signing secret, encrypted with the site's SECRET_KEY.")
    active = models.BooleanField(default=True, help_text="False: paused.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = CreatedAtField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    events__contained_by=[
                        "response.finished",
                        "project.finished",
                        "target.reached",
                        "report.frozen",
                        "rater.flagged",
                        "rater.paused",
                        "job.failed",
                    ],
                    events__len__gte=1,
                ),
                name="webhook_events_valid",
            )
        ]

    def __str__(self) -> str:
        return self.url

    @property
    def event_labels(self) -> list[str]:
        """The labels of its events, in the order of `Event`."""
        return [str(event.label) for event in self.Event if event in self.events]


class WebhookDelivery(models.Model):
    """One event for one webhook, sent under `public_id` until the receiver accepts it or the time for it is over.

    `payload` names no rater: `rater` is named when it is sent, by pseudonym where the project hides raters.
    """

    TEST = "webhook.test"
    """The event of a test, which no webhook selects."""

    class Status(models.TextChoices):
        WAITING = "waiting", "Waiting"
        DELIVERED = "delivered", "Delivered"
        FAILED = "failed", "Given up"

    class Problem(models.TextChoices):
        STATUS = "status", "The receiver answered with an error"
        REDIRECT = "redirect", "The receiver answered with a redirect, which is not followed"
        TIMEOUT = "timeout", "The receiver did not answer in time"
        UNREACHABLE = "unreachable", "The receiver cannot be reached"
        CERTIFICATE = "certificate", "The certificate of the receiver is not valid"
        NAME = "name", "The host name is not known"
        ADDRESS = "address", "The host is not at a public address, and not in WEBHOOK_ALLOWED_HOSTS"
        URL = "url", "The address is no longer valid"
        SECRET = "secret", "The secret cannot be decrypted with this SECRET_KEY: create the webhook again"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=20)
    payload = models.JSONField(help_text="What the event is about: ids and names.")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    status = models.CharField(max_length=9, choices=Status, default=Status.WAITING)
    created_at = models.DateTimeField(help_text="When the event happened.")
    due_since = models.DateTimeField(help_text="When it happened, or was last requested to be sent again.")
    next_attempt_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    attempted_at = models.DateTimeField(null=True, blank=True, help_text="When it was last sent.")
    last_status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="HTTP status of the last answer.")
    last_error = models.CharField(max_length=11, choices=Problem, blank=True, default="")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "delivered", "failed"]), name="delivery_status_valid"
            )
        ]
        indexes = [
            models.Index(fields=["next_attempt_at"], condition=Q(status="waiting"), name="waiting_deliveries"),
            models.Index(fields=["created_at"], name="deliveries_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.event} for {self.webhook_id}"

    @property
    def shown_next_attempt(self) -> datetime | None:
        """When it is sent next; None unless it waits."""
        return self.next_attempt_at if self.status == self.Status.WAITING else None

    @property
    def event_label(self) -> str:
        """The label of its event."""
        labels = {**dict(Webhook.Event.choices), self.TEST: "Test event"}
        return str(labels.get(self.event, self.event))
