"""A project's guidelines, raters' questions to the leads, and bookmarks."""

import uuid

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from .created_at import CreatedAtField


class GuidelineVersion(models.Model):
    """A published version of a project's guidelines. The row never changes: new guidelines are another version.

    `number` counts the project's versions from 1. `examples` is `{question: {option: Markdown}}`.
    """

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="guidelines")
    number = models.PositiveIntegerField()
    text = models.TextField(blank=True, help_text="Markdown.")
    examples = models.JSONField(default=dict, blank=True)
    note = models.CharField(max_length=300, blank=True, help_text="What is new, in a line for the raters.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = CreatedAtField()

    class Meta:
        ordering = ["project_id", "number"]
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="unique_guideline_number")]
        triggers = [
            pgtrigger.Protect(
                name="guideline_version_is_immutable",
                operation=pgtrigger.UpdateOf("project_id", "number", "text", "examples", "note", "made_at"),
            )
        ]

    def __str__(self) -> str:
        return f"guidelines {self.number} of project {self.project_id}"


class RaterQuestion(models.Model):
    """A rater's question or reported split of an item, with the leads' answer.

    Only the asker and the leads see it. A published answer is shown to all raters of the project without the asker's
    name. `seen_at`: when the asker read the answer.
    """

    class Kind(models.TextChoices):
        QUESTION = "question", gettext_lazy("Question")
        SPLIT = "split", gettext_lazy("Sentence-boundary error")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="rater_questions")
    item = models.ForeignKey("annotation.Item", models.PROTECT, related_name="rater_questions")
    asker = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="rater_questions")
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.QUESTION)
    text = models.TextField(blank=True)
    asked_at = CreatedAtField()
    answer = models.TextField(blank=True)
    is_published = models.BooleanField(default=False)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-asked_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["question", "split"]), name="rater_question_kind_valid"),
            models.CheckConstraint(condition=Q(kind="split") | ~Q(text=""), name="question_text_required"),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=True, answer="", is_published=False, seen_at__isnull=True)
                | (Q(answered_at__isnull=False) & ~Q(answer="")),
                name="answer_text_and_time_required",
            ),
        ]
        indexes = [
            models.Index(fields=["project"], condition=Q(answered_at__isnull=True), name="open_rater_questions"),
            models.Index(fields=["project", "item"], name="rater_questions_by_item"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.asker_id} about item {self.item_id}"


class Bookmark(models.Model):
    """A bookmarked item of a rater's sheet: the rater is unsure about it, or the guidelines have changed."""

    class Reason(models.TextChoices):
        UNSURE = "unsure", gettext_lazy("Flagged for later")
        GUIDELINES = "guidelines", gettext_lazy("The guidelines have changed")

    assignment = models.ForeignKey("annotation.Assignment", models.CASCADE, related_name="bookmarks")
    item = models.ForeignKey("annotation.Item", models.CASCADE, related_name="bookmarks")
    reason = models.CharField(max_length=10, choices=Reason, default=Reason.UNSURE)
    created_at = CreatedAtField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "item"], name="unique_bookmark"),
            models.CheckConstraint(condition=Q(reason__in=["unsure", "guidelines"]), name="bookmark_reason_valid"),
        ]

    def __str__(self) -> str:
        return f"{self.reason}: item {self.item_id}"
