"""What is computed from ratings, and the jobs that take long."""

import uuid

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy


class Tally(models.Model):
    """How many ratings of a response have the same choice answers. Kept by triggers; reports read it."""

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="tallies")
    response = models.ForeignKey("annotation.Response", models.CASCADE, related_name="+")
    against = models.ForeignKey("annotation.Response", models.CASCADE, null=True, blank=True, related_name="+")
    unit = models.CharField(max_length=10)
    role = models.CharField(max_length=12)
    counted = models.BooleanField()
    choices = models.JSONField()
    n = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "response", "against", "unit", "role", "counted", "choices"],
                name="unique_tally_key",
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.n} × {self.choices}"


class Report(models.Model):
    """A frozen report: the exact bytes of its JSON and where they came from. The row never changes."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="reports")
    document = models.TextField(help_text="The report's JSON, byte for byte.")
    data_sha256 = models.CharField(max_length=64)
    figures = models.JSONField(default=dict, blank=True, help_text="SVG by name.")
    frozen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_constraint=False,
    )
    frozen_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-frozen_at", "-id"]
        triggers = [pgtrigger.Protect(name="report_is_immutable", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"report {self.public_id}"


class ReportLink(models.Model):
    """An address under which anybody may read one frozen report until it is revoked. Only its key's SHA-256 is kept."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    report = models.ForeignKey(Report, models.CASCADE, related_name="links")
    digest = models.CharField(max_length=64, unique=True)
    with_names = models.BooleanField(default=False, help_text="Raters by name; else under their pseudonyms.")
    note = models.CharField(max_length=200, blank=True, help_text="Who it was made for.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return f"link to {self.report_id}"


class Export(models.Model):
    """A file that a job made to be taken home. It is deleted after a week; it can be made again."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="exports")
    job = models.OneToOneField("annotation.Job", models.CASCADE, null=True, blank=True, related_name="export")
    kind = models.CharField(max_length=40)
    file = models.FileField(upload_to="exports/%Y/%m/")
    name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return self.name


class Upload(models.Model):
    """A file that somebody sent and a job will read."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    file = models.FileField(upload_to="uploads/%Y/%m/")
    name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    uploaded_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Job(models.Model):
    """Long work: what was asked, how far it is, and how it ended. Safe to run twice.

    A worker sets `heartbeat_at` as it goes; a running job whose heart stands still is put back in the queue.
    """

    class State(models.TextChoices):
        QUEUED = "queued", gettext_lazy("Queued")
        RUNNING = "running", gettext_lazy("Running")
        DONE = "done", gettext_lazy("Done")
        FAILED = "failed", gettext_lazy("Failed")
        CANCELLED = "cancelled", gettext_lazy("Cancelled")

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
    report = models.ForeignKey(Report, models.SET_NULL, null=True, blank=True, related_name="+")
    attempts = models.PositiveSmallIntegerField(default=0)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
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
