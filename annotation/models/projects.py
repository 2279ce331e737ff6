"""One evaluation, and the protocol version it is pinned to."""

from functools import lru_cache

import pgtrigger
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from .. import protocols


class ProtocolVersion(models.Model):
    """A protocol as it was loaded. The row never changes: a changed protocol is another version."""

    slug = models.SlugField(max_length=80)
    version = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    source = models.TextField(help_text="The TOML file, byte for byte.")
    sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["slug", "created_at"]
        constraints = [models.UniqueConstraint(fields=["slug", "version"], name="one_protocol_a_version")]
        triggers = [pgtrigger.Protect(name="protocol_version_is_immutable", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"{self.title} {self.version}"

    @property
    def definition(self) -> protocols.Protocol:
        """The protocol, read from `source`."""
        return _definition(self.source)


@lru_cache(maxsize=64)
def _definition(source: str) -> protocols.Protocol:
    return protocols.load(source)


class Project(models.Model):
    """A data set, the responses under test, one pinned protocol version, raters and an overlap."""

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    dataset = models.ForeignKey("annotation.Dataset", models.PROTECT, related_name="projects")
    protocol = models.ForeignKey(ProtocolVersion, models.PROTECT, related_name="projects")
    overlap = models.PositiveSmallIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text="How many raters read each response.",
    )
    seed = models.BigIntegerField(default=1, help_text="Fixes the random order of the work.")
    target_half_width = models.FloatField(
        null=True,
        blank=True,
        validators=[MinValueValidator(0.001), MaxValueValidator(0.5)],
        help_text="How wide an interval may be on either side, as a share: what the planner aims at.",
    )
    suggestions = models.BooleanField(
        default=True,
        help_text="Whether raters are shown likely passages of the article. They may lead raters, so they can be off.",
    )
    archived_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when nobody rates in it any more. It can be read and exported."
    )
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="annotation.Membership", related_name="projects")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    role: str
    """What whoever asked is in it, "lead" or "rater". Not stored: `access.project_for` says it."""

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(overlap__gte=1, overlap__lte=100), name="overlap_is_1_to_100"),
            models.CheckConstraint(
                condition=Q(target_half_width__isnull=True) | Q(target_half_width__gt=0, target_half_width__lte=0.5),
                name="target_half_width_is_a_share",
            ),
        ]

    def __str__(self) -> str:
        return self.title
