"""API tokens: keys with which a user's programs sign in."""

from django.db import models
from django.utils.translation import gettext_lazy

from ..site.database_clock import database_now
from .created_at import CreatedAtField
from .projects import Project
from .users import User, digest_of

PREFIX_LENGTH = 12


class ApiToken(models.Model):
    """A key with its user's rights or some of them. Only the SHA-256 of the key is stored."""

    class Scope(models.TextChoices):
        FULL = "full", gettext_lazy("All rights of the user")
        READ = "read", gettext_lazy("Read only")
        RATE = "rate", gettext_lazy("Rate only")
        LEAD = "lead", gettext_lazy("Lead only: projects without rating and administration")
        ADMIN = "admin", gettext_lazy("Administer: the site and its projects, without rating")

    class State(models.TextChoices):
        VALID = "valid", gettext_lazy("Valid")
        EXPIRED = "expired", gettext_lazy("Expired")
        ENDED = "password_changed", gettext_lazy("Ended: password changed")
        REVOKED = "revoked", gettext_lazy("Revoked")

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    digest = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(
        max_length=PREFIX_LENGTH, unique=True, help_text="The start of the key, which lists show; not secret."
    )
    password_digest = models.CharField(
        max_length=64, help_text="`digest_of` the user's password hash: the token ends when the password changes."
    )
    name = models.CharField(max_length=100, blank=True, default="", db_default="", help_text="What it is for.")
    scope = models.CharField(max_length=5, choices=Scope, default=Scope.FULL, db_default=Scope.FULL)
    project = models.ForeignKey(
        Project, models.CASCADE, null=True, blank=True, related_name="+", help_text="The only project it opens."
    )
    created_at = CreatedAtField()
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="To the minute.")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(scope__in=["full", "read", "rate", "lead", "admin"]), name="api_token_scope_valid"
            )
        ]

    def __str__(self) -> str:
        return f"{self.prefix} of {self.user}"

    @property
    def state(self) -> State:
        """Whether the token is valid, and if not, why. A closed account is not considered."""
        if self.revoked_at:
            return self.State.REVOKED
        if self.expires_at and self.expires_at <= database_now():
            return self.State.EXPIRED
        if self.password_digest != digest_of(self.user.password):
            return self.State.ENDED
        return self.State.VALID

    @property
    def is_limited(self) -> bool:
        """Whether the token has fewer rights than its user, or has them for a time only."""
        return self.scope != self.Scope.FULL or self.project_id is not None or self.expires_at is not None
