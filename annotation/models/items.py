"""Items: the units that are rated."""

import uuid

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy, pgettext_lazy

from .data_changes import PROJECT, RECORD_ITEM_UPDATE, record_changes


class Item(models.Model):
    """A sentence, claim, fact or whole of a response, or a pair of responses.

    `start` and `end` are code points of the raw response. `position` counts all items of a response and unit from 0,
    rated or not, and never changes: an item that was merged or split is retired and new ones are appended.
    """

    class Unit(models.TextChoices):
        SENTENCE = "sentence", "Sentence"
        CLAIM = "claim", "Claim"
        FACT = "fact", "Fact"
        RESPONSE = "response", "Response"
        PAIR = "pair", "Pair"

    class ClaimFree(models.TextChoices):
        """Why an item probably claims nothing: the reasons of `splitting.claim_marks`."""

        QUESTION = "question", pgettext_lazy("kind of item", "question")
        COURTESY = "courtesy", gettext_lazy("courtesy")
        META = "meta", gettext_lazy("about the answer")
        FRAGMENT = "fragment", gettext_lazy("fragment")
        OUTLINE = "outline", gettext_lazy("outline entry")
        ECHO = "echo", gettext_lazy("repeats the prompt")

    BY_HAND = "by hand"  # the splitter of items that a person has split or written

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    response = models.ForeignKey("annotation.Response", models.CASCADE, related_name="items")
    against = models.ForeignKey(
        "annotation.Response", models.CASCADE, null=True, blank=True, related_name="items_against"
    )
    unit = models.CharField(max_length=10, choices=Unit)
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=20, default="sentence")
    rate = models.BooleanField(default=True, help_text="Whether raters are asked about it.")
    claim_free = models.CharField(
        max_length=10,
        choices=ClaimFree,
        blank=True,
        default="",
        db_default="",
        help_text="Why it probably claims nothing; empty if it may, or if it came before such marks.",
    )
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    text = models.TextField()
    splitter = models.CharField(
        max_length=40, blank=True, help_text="Version of the splitter; empty if it came with the data."
    )
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["response_id", "unit", "position"]
        triggers = [RECORD_ITEM_UPDATE]
        constraints = [
            models.UniqueConstraint(
                fields=["response", "against", "unit", "position"],
                name="unique_item_position",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=Q(start__isnull=True, end__isnull=True) | Q(start__lt=F("end")),
                name="item_span_not_empty",
            ),
            models.CheckConstraint(
                condition=Q(unit="pair", against__isnull=False) | (~Q(unit="pair") & Q(against__isnull=True)),
                name="two_responses_only_for_pair",
            ),
            models.CheckConstraint(
                condition=Q(unit__in=["sentence", "claim", "fact", "response", "pair"]),
                name="item_unit_valid",
            ),
            models.CheckConstraint(
                condition=Q(claim_free__in=["", "question", "courtesy", "meta", "fragment", "outline", "echo"]),
                name="item_claim_free_valid",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.unit} {self.position}: {self.text[:60]}"


RECORD_DRAW = pgtrigger.Trigger(
    name="record_draw",
    level=pgtrigger.Statement,
    when=pgtrigger.After,
    operation=pgtrigger.Insert,
    referencing=pgtrigger.Referencing(new="new_rows"),
    func=f"{record_changes(PROJECT, 'project_id', 'SELECT project_id FROM new_rows')}; RETURN NULL;",  # noqa: S608 - constants
)
"""Reports count the sample, so new rows are a change of the project's data."""


class SampledItem(models.Model):
    """An item of the frame: all items from which a project's sample was drawn have a row, drawn or not."""

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="sampled_items")
    item = models.ForeignKey("annotation.Item", models.PROTECT, related_name="+")
    probability = models.FloatField(help_text="With which the design draws the item, above 0 and at most 1.")
    is_drawn = models.BooleanField(help_text="Whether raters are asked about it.")

    class Meta:
        triggers = [RECORD_DRAW]
        constraints = [
            models.UniqueConstraint(fields=["project", "item"], name="unique_sampled_item"),
            models.CheckConstraint(
                condition=Q(probability__gt=0, probability__lte=1), name="sampling_probability_valid"
            ),
        ]
        indexes = [models.Index(fields=["item", "project"], condition=Q(is_drawn=True), name="drawn_items")]

    def __str__(self) -> str:
        return f"item {self.item_id} of {self.project_id}: {self.probability:.3g}"
