"""Results computed from ratings: the tally, frozen reports and their links, exported files."""

import uuid

import pgtrigger
from django.conf import settings
from django.db import models

from .created_at import CreatedAtField


class Tally(models.Model):
    """The number of ratings of a response with the same choice answers. Triggers maintain it; reports read it."""

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
    """A frozen report: the exact bytes of its JSON and the hash of its data. The row never changes."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="reports")
    document = models.TextField(help_text="The report's JSON, byte for byte.")
    data_sha256 = models.CharField(max_length=64)
    figures = models.JSONField(default=dict, blank=True, help_text="SVG by name.")
    provenance = models.JSONField(
        default=dict, blank=True, help_text="`reporting.provenance_record`; empty for reports frozen before it existed."
    )
    frozen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_constraint=False,
    )
    frozen_at = CreatedAtField()

    class Meta:
        ordering = ["-frozen_at", "-id"]
        triggers = [pgtrigger.Protect(name="report_is_immutable", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"report {self.public_id}"


class ReportLink(models.Model):
    """A link with which anyone can read one frozen report until it is revoked. Only its key's SHA-256 is stored."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    report = models.ForeignKey(Report, models.CASCADE, related_name="links")
    digest = models.CharField(max_length=64, unique=True)
    with_names = models.BooleanField(default=False, help_text="Raters by name; else under their pseudonyms.")
    note = models.CharField(max_length=200, blank=True, help_text="Who it was made for.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = CreatedAtField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return f"link to {self.report_id}"


class Export(models.Model):
    """A file that a job has exported. It is deleted after a week and can be exported again."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="exports")
    job = models.OneToOneField("annotation.Job", models.CASCADE, null=True, blank=True, related_name="export")
    kind = models.CharField(max_length=40)
    file = models.FileField(upload_to="exports/%Y/%m/")
    name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = CreatedAtField()

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return self.name
