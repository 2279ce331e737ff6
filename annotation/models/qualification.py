"""Attempts at training and qualification, and raters' replies to adjudications."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from .queue import Purpose


class Attempt(models.Model):
    """A rater's attempt at a project's training or qualification.

    Its outcome is stored when it ends, because the next attempt deletes the answers.
    """

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="attempts")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="attempts")
    purpose = models.CharField(max_length=13, choices=Purpose)
    number = models.PositiveSmallIntegerField(help_text="From 1.")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    right = models.PositiveIntegerField(default=0, help_text="Items answered as the gold answer is.")
    items = models.PositiveIntegerField(default=0, help_text="Items answered that had a gold answer.")
    passed = models.BooleanField(default=False)

    class Meta:
        ordering = ["project", "rater", "purpose", "number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "rater", "purpose", "number"], name="unique_attempt_number"),
            models.UniqueConstraint(
                fields=["project", "rater", "purpose"], condition=Q(ended_at=None), name="one_open_attempt"
            ),
            models.CheckConstraint(
                condition=Q(purpose__in=[Purpose.TRAINING, Purpose.QUALIFICATION]), name="attempt_purpose_valid"
            ),
            models.CheckConstraint(condition=Q(right__lte=models.F("items")), name="attempt_right_at_most_items"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.number} of {self.rater_id}"


class Reply(models.Model):
    """A rater's one reply to the adjudication of an item that they had rated."""

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="replies")
    item = models.ForeignKey("annotation.Item", models.PROTECT, related_name="replies")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="replies")
    agrees = models.BooleanField()
    comment = models.TextField(blank=True)
    decided = models.JSONField(help_text="The answers of the decision that was replied to.")
    answers = models.JSONField(help_text="The rater's own at that time.")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at"]
        constraints = [models.UniqueConstraint(fields=["project", "item", "rater"], name="unique_reply")]

    def __str__(self) -> str:
        return f"{self.rater_id} on the decision about item {self.item_id}"
