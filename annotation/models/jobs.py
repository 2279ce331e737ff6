"""Background jobs and the files that they read."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from .created_at import CreatedAtField


class Upload(models.Model):
    """An uploaded file that a job will read."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    file = models.FileField(upload_to="uploads/%Y/%m/")
    name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    uploaded_at = CreatedAtField()

    def __str__(self) -> str:
        return self.name


class Job(models.Model):
    """A background job: its parameters, progress and result. It is safe to run twice.

    The worker updates `heartbeat_at`; a running job without a recent heartbeat is queued again.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "Queued"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"
        CANCELLED = "cancelled", "Canceled"

    OPEN = (State.QUEUED, State.RUNNING)
    """States of a job that has not ended."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=40)
    project = models.ForeignKey("annotation.Project", models.CASCADE, null=True, blank=True, related_name="jobs")
    uploads = models.ManyToManyField(Upload, blank=True, related_name="jobs")
    params = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True, blank=True)
    message = models.CharField(max_length=300, blank=True, help_text="What it is doing, for people.")
    problems = models.JSONField(default=list, blank=True, help_text="Why it failed: a line each.")
    result = models.JSONField(null=True, blank=True)
    report = models.ForeignKey("annotation.Report", models.SET_NULL, null=True, blank=True, related_name="+")
    attempts = models.PositiveSmallIntegerField(default=0)
    kills = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Attempts that ended with their worker and came no further than the others."
    )
    least_left = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="What the attempt that came furthest had left when its worker was killed."
    )
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    request_id = models.CharField(
        max_length=36, blank=True, default="", db_default="", help_text="The request that created it, in the log."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed", "cancelled"]),
                name="job_state_valid",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running"], ended_at__isnull=True)
                | Q(state__in=["done", "failed", "cancelled"], ended_at__isnull=False),
                name="job_ended_at_matches_state",
            ),
        ]
        indexes = [
            models.Index(fields=["heartbeat_at"], condition=Q(state__in=["queued", "running"]), name="open_jobs")
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.state}"
