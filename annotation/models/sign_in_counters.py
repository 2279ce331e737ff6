"""Counters of failed attempts to sign in."""

from django.db import models


class SignInCounter(models.Model):
    """What was tried from one source within a period. The key is an HMAC: it names neither account nor address."""

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField(default=0)
    wait_until = models.DateTimeField(null=True, blank=True, help_text="No further attempt before this time.")
    expires_at = models.DateTimeField(db_index=True, help_text="When the count is forgotten.")

    def __str__(self) -> str:
        return f"{self.count} attempts of {self.key[:12]}"
