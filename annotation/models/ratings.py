"""Ratings and their history.

Answers of people and judges, gold answers and adjudications are all ratings, with different roles. Database triggers
copy every insert, update and delete into an append-only event table. The event of a save is also its receipt: it has
the idempotency key of the request. `choices` and `counted` are what the tally counts; they follow from the answers and
from finishing, so they are not part of the history.
"""

from typing import Any

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.lookups import Exact

from .queue import is_excluded_sql
from .tally import TALLY_TRIGGERS


class IsWord(Exact):
    """Replaces "exact" of the field on which it is registered: `role="rater"` writes the word into the SQL, as
    `sql_word` does. Anything but one word stays a parameter.
    """

    def process_rhs(self, compiler: Any, connection: Any) -> tuple[str, tuple[str | int, ...]]:
        sql, params = super().process_rhs(compiler, connection)
        return (f"'{params[0]}'", ()) if sql == "%s" and str(params[0]).isidentifier() else (sql, params)


LEASE_TRIGGER = pgtrigger.Trigger(
    name="rating_matches_lease",
    when=pgtrigger.Before,
    operation=pgtrigger.Insert | pgtrigger.UpdateOf("assignment_id", "counted", "rater_id", "item_id", "project_id"),
    condition=pgtrigger.Condition("NEW.assignment_id IS NOT NULL"),
    func="""
        IF NOT EXISTS (
            SELECT FROM annotation_assignment a
            JOIN annotation_sheet s ON s.id = a.sheet_id
            JOIN annotation_item i ON i.id = NEW.item_id AND i.response_id = s.response_id
            WHERE a.id = NEW.assignment_id AND a.project_id = NEW.project_id AND a.rater_id = NEW.rater_id
                AND i.against_id IS NOT DISTINCT FROM s.against_id
                AND (NOT NEW.counted OR a.purpose = 'work' AND (a.finished_at IS NOT NULL OR EXISTS (
                    SELECT FROM annotation_slot p WHERE p.holder_id = a.id AND p.was_finished_at IS NOT NULL
                )))
        ) THEN
            RAISE EXCEPTION 'rating of item % by %: assignment % is another''s, of another sheet, no work, or open',
                NEW.item_id, NEW.rater_id, NEW.assignment_id;
        END IF;
        RETURN NEW;
    """,
)
"""A rating under a lease is by its holder and about its sheet. It counts only if the assignment is for work, and is
finished or offered again."""


def _refuse_excluded(name: str, operation: pgtrigger.Operation) -> pgtrigger.Trigger:
    """Return a trigger that refuses ratings that count in excluded responses: one join for a statement of any size."""
    return pgtrigger.Trigger(
        name=name,
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=operation,
        referencing=pgtrigger.Referencing(new="new_rows"),
        func=f"""
            IF EXISTS (
                SELECT FROM new_rows r JOIN annotation_item item ON item.id = r.item_id
                WHERE r.counted AND {is_excluded_sql("r.project_id", "item.response_id", "item.against_id")}
            ) THEN
                RAISE EXCEPTION 'a rating of an excluded response does not count';
            END IF;
            RETURN NULL;
        """,
    )


EXCLUSION_TRIGGERS = [
    _refuse_excluded("refuse_insert_of_excluded", pgtrigger.Insert),
    _refuse_excluded("refuse_update_of_excluded", pgtrigger.Update),
]


@pghistory.track(
    pghistory.InsertEvent(),
    pghistory.UpdateEvent(),
    pghistory.DeleteEvent(),
    append_only=True,
    level=pghistory.Statement,
    exclude=["choices", "counted"],
    obj_field=pghistory.ObjForeignKey(related_name="events", related_query_name="event"),
    context_field=None,  # type: ignore[arg-type]  # none is kept; its type leaves that out
    meta={
        "indexes": [
            models.Index(fields=["item", "rater"], name="history_by_item_rater"),
            models.Index(
                fields=["assignment", "idempotency_key"],
                condition=Q(idempotency_key__gt=""),
                name="receipts_by_idempotency",
            ),
        ],
    },
)
class Rating(models.Model):
    """The answers of one person or judge about one item in one role."""

    class Role(models.TextChoices):
        RATER = "rater", "Rater"
        JUDGE = "judge", "Judge"
        GOLD = "gold", "Gold"
        ADJUDICATOR = "adjudicator", "Adjudicator"

    class Suggestions(models.TextChoices):
        OFF = "off", "None were shown"
        ON = "on", "Some were shown"
        USED = "used", "The rater looked through them or attached one"

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="ratings")
    item = models.ForeignKey("annotation.Item", models.PROTECT, related_name="ratings")
    rater = models.ForeignKey(  # `ratings_by_rater` is its index
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="ratings", db_index=False
    )
    role = models.CharField(max_length=12, choices=Role, default=Role.RATER)
    assignment = models.ForeignKey(
        "annotation.Assignment",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="ratings",
        help_text="The lease under which it was given; empty for an imported rating.",
    )
    answers = models.JSONField(help_text="Question key to answer, hidden questions pruned.")
    choices = models.JSONField(help_text="The choice answers alone, in the protocol's order: what the tally counts.")
    counted = models.BooleanField(default=False, help_text="Set when the lease is finished or the rating imported.")
    comment = models.TextField(blank=True)
    evidence = models.JSONField(
        default=list,
        blank=True,
        help_text="Passages of the article, as `rating.evidence` says; an import may bring others.",
    )
    suggestions = models.CharField(
        max_length=4,
        choices=Suggestions,
        blank=True,
        default="",
        db_default="",
        help_text="Whether passages were suggested to the rater; empty where nobody said.",
    )
    verdict_shown = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Whether verdicts about the response were shown to its author before it was given or changed.",
    )
    guidelines = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Number of the project's guidelines under which it was given, if there were any.",
    )
    seconds = models.FloatField(null=True, blank=True, help_text="Time spent, in seconds.")
    rated_at = models.DateTimeField()
    version = models.PositiveIntegerField(default=1)
    idempotency_key = models.CharField(max_length=200, blank=True)
    request_sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "item", "rater", "role"], name="unique_rating"),
            models.CheckConstraint(
                condition=Q(role__in=["rater", "judge", "gold", "adjudicator"]), name="rating_role_valid"
            ),
            models.CheckConstraint(condition=Q(seconds__isnull=True) | Q(seconds__gte=0), name="seconds_not_negative"),
            models.CheckConstraint(condition=~Q(answers={}), name="rating_answers_required"),
            models.CheckConstraint(condition=Q(counted=False) | Q(role="rater"), name="only_rater_role_counts"),
            models.CheckConstraint(condition=Q(suggestions__in=["", "off", "on", "used"]), name="suggestions_valid"),
        ]
        indexes = [
            models.Index(
                fields=["project", "role", "item"],
                include=["rater", "choices", "counted"],
                name="ratings_by_project",
            ),
            models.Index(fields=["rater", "project"], name="ratings_by_rater"),
            models.Index(fields=["project"], condition=Q(verdict_shown=True), name="ratings_verdict_shown"),
        ]
        triggers = [*TALLY_TRIGGERS, LEASE_TRIGGER, *EXCLUSION_TRIGGERS]

    def __str__(self) -> str:
        return f"{self.rater_id} on item {self.item_id}"


Rating._meta.get_field("role").register_lookup(IsWord)  # replaces "exact"

RatingEvent = Rating.pgh_event_model  # type: ignore[attr-defined]  # added by the decorator
