"""Audit events: who changed what."""

import pgtrigger
from django.conf import settings
from django.db import models

from .created_at import CreatedAtField


class AuditEvent(models.Model):
    """One change of a target with its states before and after. Append-only."""

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_constraint=False,
    )
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=200, help_text="The kind of thing and its name, such as project:june.")
    project = models.ForeignKey(
        "annotation.Project", models.DO_NOTHING, null=True, blank=True, related_name="+", db_constraint=False
    )
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    at = CreatedAtField()

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["project", "-at"], name="audit_by_project")]
        triggers = [pgtrigger.Protect(name="audit_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.action} {self.target}"
