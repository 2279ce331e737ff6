"""Notifications: what has happened that a person should know."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy


class Notification(models.Model):
    """An event for its recipient, with the row that it is about.

    While it is unread, the same event again adds to `count` and renews `created_at`; there is no second row.
    `mailed_at`: when it was mailed, or when it was decided not to be.
    """

    class Kind(models.TextChoices):
        ASSIGNED = "assigned", gettext_lazy("Responses assigned")
        REOPENED = "reopened", gettext_lazy("Responses reopened")
        ADJUDICATED = "adjudicated", gettext_lazy("Answers adjudicated")
        ANSWERED = "answered", gettext_lazy("Question answered")
        ASKED = "asked", gettext_lazy("Questions of raters")
        DISPUTED = "disputed", gettext_lazy("Adjudications disputed")
        ALERT = "alert", gettext_lazy("Quality alert of a rater")
        PAUSED = "paused", gettext_lazy("Rater paused")
        FAILED = "failed", gettext_lazy("Qualification not passed")
        TARGET = "target", gettext_lazy("Precision target reached")
        JOB = "job", gettext_lazy("Job ended")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications")
    kind = models.CharField(max_length=12, choices=Kind)
    project = models.ForeignKey("annotation.Project", models.CASCADE, null=True, blank=True, related_name="+")
    question = models.ForeignKey("annotation.RaterQuestion", models.CASCADE, null=True, blank=True, related_name="+")
    job = models.ForeignKey("annotation.Job", models.CASCADE, null=True, blank=True, related_name="+")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    count = models.PositiveIntegerField(default=1, help_text="Events of this kind since it was last read.")
    created_at = models.DateTimeField(help_text="When the latest of them happened.")
    read_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["recipient", "kind", "project", "question", "job", "rater"],
                condition=Q(read_at=None),
                nulls_distinct=False,
                name="unique_unread_notification",
            ),
            models.CheckConstraint(
                condition=Q(
                    kind__in=[
                        "assigned",
                        "reopened",
                        "adjudicated",
                        "answered",
                        "asked",
                        "disputed",
                        "alert",
                        "paused",
                        "failed",
                        "target",
                        "job",
                    ]
                ),
                name="notification_kind_valid",
            ),
            models.CheckConstraint(
                condition=Q(project__isnull=False) | Q(kind="job"), name="only_jobs_have_no_project"
            ),
            models.CheckConstraint(condition=Q(count__gte=1), name="notification_count_at_least_1"),
        ]
        indexes = [models.Index(fields=["recipient", "-created_at"], name="notifications_by_recipient")]

    def __str__(self) -> str:
        return f"{self.kind} for {self.recipient_id}"
