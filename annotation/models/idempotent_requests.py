"""Requests of programs that are stored with their answers, so that a repeated request is carried out once."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


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
