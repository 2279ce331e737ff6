"""What people and programs did: audit events, requests that may be repeated, failed attempts to sign in."""

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models.functions import Now

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


class IdempotentRequest(models.Model):
    """A request with an idempotency key, and its answer. The row is written in the transaction of the request's work:
    neither of both is ever stored alone.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key_digest = models.CharField(max_length=64, help_text="SHA-256 of the key.")
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of method, address and body.")
    status = models.PositiveSmallIntegerField(default=0, help_text="Of the answer; 0 until the work is done.")
    answer = models.BinaryField(default=b"", help_text="Body and headers, encrypted: an answer may contain a new key.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key_digest"], name="unique_idempotency_key")]

    def __str__(self) -> str:
        return f"{self.key_digest[:8]} of {self.user_id}"


class SignInCounter(models.Model):
    """What was tried from one source within a period. The key is an HMAC: it names neither account nor address."""

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField(default=0)
    wait_until = models.DateTimeField(null=True, blank=True, help_text="No further attempt before this time.")
    expires_at = models.DateTimeField(db_index=True, help_text="When the count is forgotten.")

    def __str__(self) -> str:
        return f"{self.count} attempts of {self.key[:12]}"
