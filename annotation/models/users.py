"""Users, and their roles in projects."""

import hashlib
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy

from .created_at import CreatedAtField
from .data_changes import RECORD_RENAMED_USER
from .user_names import SUFFIX, NameKeyField, can_be_name, name_key

shown_name: ContextVar[Callable[["User"], str] | None] = ContextVar("shown_name", default=None)
"""How `str` shows people now, set by `pseudonyms`; None: by name."""


class PersonQuerySet(models.QuerySet["User"]):
    """Accounts, looked up by name."""

    def named(self, name: str) -> "User | None":
        """Return the account that has this name now: that of this spelling, or else of its key."""
        if not can_be_name(name):
            return None
        people = list(self.filter(models.Q(username=name) | models.Q(name_key=name_key(name))))
        exact = [person for person in people if person.username == name]
        return next(iter(exact or people), None)

    def in_data(self, names: Iterable[str]) -> "dict[str, User]":
        """Return the account of each name that has one, or ever had it: data may have a former name."""
        keys = {name: name_key(name) for name in names if can_be_name(name)}
        is_named = models.Q(username__in=keys) | models.Q(name_key__in=set(keys.values()))
        people = list(self.filter(is_named | ~models.Q(former_names=[])))  # former names have no stored keys
        renamed = {name: person for person in people for name in person.former_names}
        by_key = {name_key(name): person for name, person in renamed.items()}
        by_key |= {person.name_key: person for person in people}
        exact = renamed | {person.username: person for person in people}
        found = {name: exact.get(name) or by_key.get(key) for name, key in keys.items()}
        return {name: person for name, person in found.items() if person}

    def with_same_key(self, name: str) -> "PersonQuerySet":
        """Return the accounts whose names are spellings of `name`; several only if they are older than keys are."""
        key = name_key(name)
        return self.filter(models.Q(name_key=key) | models.Q(name_key__startswith=f"{key}{SUFFIX}"))

    def with_shared_key(self) -> "PersonQuerySet":
        """Return the accounts that only their exact spelling finds, as another account has the same key."""
        return self.filter(name_key__contains=SUFFIX)


class PersonManager(UserManager["User"]):
    """Accounts, looked up by name."""

    use_in_migrations = False

    def get_by_natural_key(self, username: str | None) -> Any:
        """Return the account of this name. Raises User.DoesNotExist."""
        if user := PersonQuerySet(self.model, using=self._db).named(username or ""):
            return user
        raise self.model.DoesNotExist


_PersonManager = PersonManager.from_queryset(PersonQuerySet)


class User(AbstractUser):
    """A person, or a name that came with imported ratings (then inactive). An admin has `is_superuser`."""

    class Mail(models.TextChoices):
        OFF = "off", gettext_lazy("Off")
        AT_ONCE = "at_once", gettext_lazy("At once, within a minute or two")
        DAILY = "daily", gettext_lazy("Once a day")

    name_key = NameKeyField(
        unique=True, editable=False, default="", help_text="The same for all spellings of the user name."
    )
    original_name = models.CharField(
        max_length=150,
        unique=True,
        null=True,
        blank=True,
        editable=False,
        help_text="The user name before it was changed: data hashes, reports, exports and pseudonyms keep it.",
    )
    former_names = ArrayField(
        models.CharField(max_length=150),
        default=list,
        blank=True,
        editable=False,
        help_text="The user names before it was changed: no other account gets one of them.",
    )
    notification_mail = models.CharField(
        max_length=7, choices=Mail, default=Mail.OFF, db_default=Mail.OFF, help_text="When notifications are mailed."
    )
    mail_language = models.CharField(
        max_length=16, blank=True, default="", db_default="", help_text="Of these mails; empty: the site's."
    )
    erased_at = models.DateTimeField(
        null=True, blank=True, help_text="When the person was erased. The user name is a pseudonym since then."
    )

    acts_as_lead = False
    """Whether the rights of this object end at those of a lead. The API's authentication sets it by the token."""

    objects: ClassVar[_PersonManager] = _PersonManager()

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                condition=models.Q(notification_mail__in=["off", "at_once", "daily"]), name="notification_mail_valid"
            )
        ]
        triggers = [RECORD_RENAMED_USER]

    def __str__(self) -> str:
        name_of = shown_name.get()
        return name_of(self) if name_of else self.own_name

    @property
    def own_name(self) -> str:
        """The full name, or else the user name. Pages show `str(user)`, which may be a pseudonym."""
        return self.get_full_name() or self.username

    @property
    def name_in_data(self) -> str:
        """The user name that reports, exports and data hashes have: that from before the account was renamed."""
        return self.original_name or self.username

    @property
    def audit_targets(self) -> set[str]:
        """The targets of audit events about the account, under each name that it ever had."""
        return {f"user:{name}" for name in (self.username, *self.former_names)}

    @property
    def is_admin(self) -> bool:
        """Whether the user may administer the site, and see the names of hidden raters."""
        return self.leads_all_projects and not self.acts_as_lead

    @property
    def leads_all_projects(self) -> bool:
        """Whether the user has a lead's rights in every project: an admin, also with a token for leading alone."""
        return self.is_active and self.is_superuser

    def check_password(self, raw_password: str | None) -> bool:
        """Return whether the password is right. Django may store a stronger hash of it: API tokens stay valid."""
        previous = self.password
        is_right = super().check_password(raw_password)
        if self.password != previous:
            self.carry_tokens(previous)
        return is_right

    def carry_tokens(self, previous_password: str) -> None:
        """Keep the API tokens valid when the stored hash changes without a change of password."""
        tokens = self.api_tokens.filter(password_digest=digest_of(previous_password))
        tokens.update(password_digest=digest_of(self.password))


def digest_of(text: str) -> str:
    """Return the hexadecimal SHA-256. Keys and password hashes are long and random, so they need no slow hash."""
    return hashlib.sha256(text.encode()).hexdigest()


class Membership(models.Model):
    """A user's role in a project."""

    class Role(models.TextChoices):
        RATER = "rater", gettext_lazy("Rater")
        LEAD = "lead", gettext_lazy("Lead")

    PAUSED = models.Q(role=Role.RATER, paused_at__isnull=False)
    """Condition on memberships of paused raters; a pause has no effect on leads."""

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    created_at = CreatedAtField()
    paused_at = models.DateTimeField(null=True, blank=True, help_text="Since when the rater gets no work.")
    pause_reason = models.TextField(blank=True, default="", db_default="", help_text="What the rater is told.")
    gold_since = models.DateTimeField(
        null=True, blank=True, help_text="Hidden gold finished before this no longer pauses: a lead lifted the pause."
    )
    more_tries = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Tries of the qualification that a lead granted."
    )
    let_in_at = models.DateTimeField(
        null=True, blank=True, help_text="When a lead let the rater in without training and qualification."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="unique_membership"),
            models.CheckConstraint(condition=models.Q(role__in=["rater", "lead"]), name="membership_role_valid"),
        ]

    def __str__(self) -> str:
        return f"{self.user} as {self.role}"
