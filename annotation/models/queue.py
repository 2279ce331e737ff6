"""Sheets, their slots, the raters' assignments, reservations and exclusions.

A sheet has as many slots as the project's overlap, and a slot has at most one holder, so a response cannot have more
than K raters. An assignment links a rater and a sheet permanently: when a lease expires and another rater leases the
slot, the assignment and its answers stay, and count only if the same rater finishes them.
"""

import uuid

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import CharField, Func, Q

from ..site.database_clock import database_now
from .created_at import CreatedAtField
from .data_changes import PROJECT, record_changes


def sql_word(word: str) -> Func:
    """Return a word, such as a role, for a condition: a generic plan, one for all parameters, then knows how rare its
    rows are, and may use a partial index. Raises ValueError for anything but a word.
    """
    if not word.isidentifier():
        raise ValueError(word)
    return Func(template=f"'{word}'", output_field=CharField())


REOPENING = "factuary.reopening"
"""A setting of the transaction in which a lead reopens finished work; triggers forbid it elsewhere."""


class Purpose(models.TextChoices):
    """The purpose of a sheet, and of an assignment when it was leased. Only assignments for work count."""

    WORK = "work", "Work"
    TRAINING = "training", "Training"
    QUALIFICATION = "qualification", "Qualification"
    GOLD = "gold", "Hidden gold"


_INDEXED = ~Q(purpose=Purpose.WORK)
NOT_WORK = ~Q(purpose=sql_word(Purpose.WORK.value))
"""Condition on sheets and assignments for other purposes than work; it matches the partial indexes."""


class Sheet(models.Model):
    """The unit of a rater's work: one response with its items, or a pair of responses to one prompt."""

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="sheets")
    response = models.ForeignKey("annotation.Response", models.PROTECT, related_name="sheets")
    against = models.ForeignKey("annotation.Response", models.PROTECT, null=True, blank=True, related_name="+")
    document = models.ForeignKey("annotation.Document", models.PROTECT, null=True, blank=True, related_name="+")
    rank = models.BigIntegerField(help_text="Where the sheet comes in the project's random order.")
    purpose = models.CharField(
        max_length=13,
        choices=Purpose,
        default=Purpose.WORK,
        db_default=Purpose.WORK,
        help_text="What those who get it from now on get it for. Only work has slots for the overlap.",
    )

    class Meta:
        ordering = ["rank"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "response", "against"], name="unique_sheet", nulls_distinct=False
            ),
            models.CheckConstraint(condition=Q(purpose__in=Purpose.values), name="sheet_purpose_valid"),
        ]
        indexes = [models.Index(fields=["project", "purpose"], condition=_INDEXED, name="sheets_not_work")]

    def __str__(self) -> str:
        return f"sheet {self.pk}"


class Assignment(models.Model):
    """A rater's work on a sheet. It is a lease while it holds one of the sheet's slots."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="assignments")
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="assignments")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="assignments")
    purpose = models.CharField(
        max_length=13,
        choices=Purpose,
        default=Purpose.WORK,
        db_default=Purpose.WORK,
        help_text="What it was taken for.",
    )
    taken_at = models.DateTimeField()
    released_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sheet", "rater"], name="unique_assignment"),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True) | Q(released_at__isnull=True),
                name="assignment_finished_xor_released",
            ),
            models.CheckConstraint(condition=Q(purpose__in=Purpose.values), name="assignment_purpose_valid"),
        ]
        indexes = [
            models.Index(fields=["project", "rater", "-taken_at"], name="assignments_by_rater"),
            models.Index(
                fields=["rater", "project"], condition=Q(finished_at__isnull=True), name="unfinished_by_rater"
            ),
            models.Index(fields=["project", "rater"], condition=_INDEXED, name="assignments_not_work"),
        ]

    def __str__(self) -> str:
        return f"{self.rater_id} on sheet {self.sheet_id}"


class Slot(models.Model):
    """One of a sheet's K slots: free, leased (holder and expiry) or finished.

    Project, document and rank repeat the sheet's, so that one index finds the next free slot; reserved slots have ranks
    below zero (see queue/slots.py), so that the search skips them. A finished slot that is offered to its holder again
    (see queue/reoffers.py) is open for this rater only, and its ratings count. A slot for one rater's training,
    qualification or hidden gold has no project, so queries for a project's slots do not include it; nor has a finished
    slot of an excluded response (see queue/exclusion.py).
    """

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="slots")
    k = models.PositiveSmallIntegerField()
    project = models.ForeignKey("annotation.Project", models.CASCADE, null=True, blank=True, related_name="slots")
    document = models.ForeignKey("annotation.Document", models.PROTECT, null=True, blank=True, related_name="+")
    rank = models.BigIntegerField()
    holder = models.OneToOneField(Assignment, models.PROTECT, null=True, blank=True, related_name="slot")
    expires_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    was_finished_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was finished, while it is offered to its holder again."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sheet", "k"], name="unique_slot_number"),
            models.CheckConstraint(
                condition=Q(holder__isnull=True, expires_at__isnull=True, finished_at__isnull=True)
                | Q(holder__isnull=False, expires_at__isnull=False),
                name="slot_free_leased_or_finished",
            ),
            models.CheckConstraint(
                condition=Q(was_finished_at__isnull=True) | Q(holder__isnull=False, finished_at__isnull=True),
                name="reoffered_slot_has_holder",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "rank", "k"], condition=Q(finished_at__isnull=True), name="open_slots"),
            models.Index(
                fields=["project", "document", "rank", "k"],
                condition=Q(finished_at__isnull=True),
                name="open_slots_by_document",
            ),
            models.Index(fields=["expires_at"], condition=Q(was_finished_at__isnull=False), name="reoffered_slots"),
        ]
        triggers = [
            pgtrigger.Protect(
                name="finished_slot_is_final",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "COALESCE(OLD.finished_at, OLD.was_finished_at) IS NOT NULL"
                    " AND (COALESCE(NEW.finished_at, NEW.was_finished_at) IS NULL"
                    " OR NEW.holder_id IS DISTINCT FROM OLD.holder_id)"
                    f" AND current_setting('{REOPENING}', true) IS DISTINCT FROM 'on'"
                ),
            ),
            pgtrigger.Trigger(
                name="holder_on_same_sheet",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("holder_id", "sheet_id"),
                condition=pgtrigger.Condition("NEW.holder_id IS NOT NULL"),
                func="""
                    IF NOT EXISTS (
                        SELECT FROM annotation_assignment a WHERE a.id = NEW.holder_id AND a.sheet_id = NEW.sheet_id
                    ) THEN
                        RAISE EXCEPTION 'slot %: its holder % is of another sheet', NEW.id, NEW.holder_id;
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"slot {self.k} of sheet {self.sheet_id}"

    @property
    def is_expired(self) -> bool:
        """Whether the lease has expired, so that another rater can lease the slot."""
        return self.finished_at is None and self.expires_at is not None and self.expires_at < database_now()


class Reservation(models.Model):
    """A sheet reserved for a rater: while a sheet has reservations, the queue gives it to no other rater."""

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="reservations")
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="reservations")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="reservations")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = CreatedAtField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sheet", "rater"], name="unique_reservation")]
        indexes = [models.Index(fields=["project", "rater"], name="reservations_by_rater")]

    def __str__(self) -> str:
        return f"sheet {self.sheet_id} for {self.rater_id}"


def _record_exclusion(name: str, operation: pgtrigger.Operation, rows: str) -> pgtrigger.Trigger:
    """Record a change of the project's data: reports also state the excluded responses that nobody has rated."""
    new, old = (rows, None) if rows == "new_rows" else (None, rows)
    return pgtrigger.Trigger(
        name=name,
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=operation,
        referencing=pgtrigger.Referencing(new=new, old=old),
        func=f"{record_changes(PROJECT, 'project_id', f'SELECT project_id FROM {rows}')}; RETURN NULL;",  # noqa: S608 - constants
    )


class Exclusion(models.Model):
    """A sheet that a lead has excluded: it gets no more work, and its ratings stay stored and do not count.

    Triggers of ratings enforce the latter.
    """

    sheet = models.OneToOneField(Sheet, models.CASCADE, related_name="exclusion")
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="exclusions")
    reason = models.CharField(max_length=200)
    excluded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    excluded_at = CreatedAtField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="exclusion_reason_required")]
        triggers = [
            _record_exclusion("record_exclusion", pgtrigger.Insert, "new_rows"),
            _record_exclusion("record_inclusion", pgtrigger.Delete, "old_rows"),
        ]

    def __str__(self) -> str:
        return f"sheet {self.sheet_id}: {self.reason}"


def is_excluded_sql(project: str, response: str, against: str) -> str:
    """Return the SQL condition that the sheet of these ids, SQL expressions, is excluded."""
    return f"""EXISTS (
        SELECT FROM annotation_exclusion exclusion JOIN annotation_sheet excluded ON excluded.id = exclusion.sheet_id
        WHERE exclusion.project_id = {project} AND excluded.response_id = {response}
            AND excluded.against_id IS NOT DISTINCT FROM {against}
    )"""  # noqa: S608 - only names of columns
