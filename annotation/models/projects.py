"""Projects and protocol versions."""

from functools import lru_cache
from typing import Any

import pgtrigger
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from .. import protocols
from ..i18n.protocol_translation import translate_protocol
from ..protocols.analysis_plan import NARROWEST, WIDEST
from .created_at import CreatedAtField

MAX_PREFETCH = 10  # responses that a rater's page keeps besides the current one


class ProtocolVersion(models.Model):
    """A stored version of a protocol. The row never changes: a changed protocol is another version."""

    slug = models.SlugField(max_length=80)
    version = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    source = models.TextField(help_text="The TOML file, byte for byte.")
    sha256 = models.CharField(max_length=64, unique=True)
    created_at = CreatedAtField()

    class Meta:
        ordering = ["slug", "created_at"]
        constraints = [models.UniqueConstraint(fields=["slug", "version"], name="unique_protocol_version")]
        triggers = [pgtrigger.Protect(name="protocol_version_is_immutable", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"{self.title} {self.version}"

    @property
    def definition(self) -> protocols.Protocol:
        """The protocol, parsed from `source`."""
        return _definition(self.source)

    @property
    def translated(self) -> protocols.Protocol:
        """The protocol in the reader's language: for pages, not for storage, exports or the API."""
        return translate_protocol(self.definition)


@lru_cache(maxsize=64)
def _definition(source: str) -> protocols.Protocol:
    return protocols.load(source)


class Project(models.Model):
    """One evaluation: a data set, its responses, one pinned protocol version, raters and an overlap."""

    class SamplingDesign(models.TextChoices):
        """How the items are drawn that raters are asked about; empty: they are asked about all."""

        UNIFORM = "uniform", "Spread over prompts"
        RESPONSES = "responses", "Whole responses"
        UNCERTAIN = "uncertain", "More where the judge is unsure"

    class VerdictVisibility(models.TextChoices):
        NEVER = "never", "Never"
        AFTER = "after", "After the response is finished"
        BEFORE = "before", "Before the answer, as suggestions"

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    dataset = models.ForeignKey("annotation.Dataset", models.PROTECT, related_name="projects")
    protocol = models.ForeignKey(ProtocolVersion, models.PROTECT, related_name="projects")
    # The settings; what they mean, and who may change them when, is declared in projects/project_settings.py.
    overlap = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1), MaxValueValidator(100)])
    target_half_width = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(NARROWEST), MaxValueValidator(WIDEST)]
    )
    suggestions = models.BooleanField(default=True)
    prefetch_limit = models.PositiveSmallIntegerField(
        default=8,
        db_default=8,
        db_column="ahead",
        validators=[MinValueValidator(1), MaxValueValidator(MAX_PREFETCH)],
    )
    skips_claim_free = models.BooleanField(default=False, db_default=False)
    verdict_visibility = models.CharField(
        max_length=6,
        choices=VerdictVisibility,
        default=VerdictVisibility.NEVER,
        db_default=VerdictVisibility.NEVER,
    )
    shown_judge = models.ForeignKey("annotation.Judge", models.PROTECT, null=True, blank=True, related_name="+")
    hides_raters = models.BooleanField(default=False, db_default=False)
    pass_mark = models.FloatField(
        default=0.8, db_default=0.8, validators=[MinValueValidator(0.01), MaxValueValidator(1)]
    )
    tries = models.PositiveSmallIntegerField(
        default=2, db_default=2, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    gold_every = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(2), MaxValueValidator(1000)]
    )
    least_gold = models.FloatField(null=True, blank=True, validators=[MinValueValidator(0.01), MaxValueValidator(1)])
    fewest_gold = models.PositiveSmallIntegerField(
        default=10, db_default=10, validators=[MinValueValidator(1), MaxValueValidator(1000)]
    )
    shows_decisions = models.BooleanField(default=False, db_default=False)

    seed = models.BigIntegerField(default=1, help_text="Fixes the random order of the work.")
    sampling_design = models.CharField(
        max_length=9,
        choices=SamplingDesign,
        blank=True,
        default="",
        db_default="",
        help_text="How the items are drawn that raters are asked about; empty: they are asked about all.",
    )
    sample_size = models.PositiveIntegerField(null=True, blank=True, help_text="How many items are drawn.")
    sampling_judge = models.ForeignKey(
        "annotation.Judge",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Whose verdicts say where it is unsure, for the design uncertain.",
    )
    archived_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when nobody rates in it any more. It can be read and exported."
    )
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="annotation.Membership", related_name="projects")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = CreatedAtField()

    role: str
    """The requesting user's role, "lead" or "rater". Not stored: set by `access.project_for`."""
    locked_membership: Any = None
    """The requesting user's membership, locked and annotated with `has_gates`, or None. Set by `access.project_for`."""

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(overlap__gte=1, overlap__lte=100), name="overlap_between_1_and_100"),
            models.CheckConstraint(
                condition=Q(target_half_width__isnull=True) | Q(target_half_width__gt=0, target_half_width__lte=0.5),
                name="target_half_width_valid",
            ),
            models.CheckConstraint(
                condition=Q(prefetch_limit__gte=1, prefetch_limit__lte=MAX_PREFETCH), name="ahead_between_1_and_10"
            ),
            models.CheckConstraint(condition=Q(pass_mark__gte=0, pass_mark__lte=1), name="pass_mark_between_0_and_1"),
            models.CheckConstraint(
                condition=Q(verdict_visibility="never")
                | Q(verdict_visibility__in=["after", "before"], shown_judge__isnull=False),
                name="shown_verdicts_have_judge",
            ),
            models.CheckConstraint(condition=Q(gold_every=None) | Q(gold_every__gte=2), name="gold_every_at_least_2"),
            models.CheckConstraint(
                condition=Q(least_gold=None) | Q(least_gold__gt=0, least_gold__lte=1), name="least_gold_between_0_and_1"
            ),
            models.CheckConstraint(
                condition=Q(sampling_design="", sample_size=None, sampling_judge=None)
                | Q(sampling_design__in=["uniform", "responses"], sample_size__gte=1, sampling_judge=None)
                | Q(sampling_design="uncertain", sample_size__gte=1, sampling_judge__isnull=False),
                name="sampling_design_valid",
            ),
        ]

    def __str__(self) -> str:
        return self.title
