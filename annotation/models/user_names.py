"""Whose name a text is: one rule for sign-in, imports, the API, invitations and identity providers.

Spellings that differ in case, width or composed characters alone are one name: they have the same key, and no two
accounts have one key. The exact spelling is found first. Accounts that shared a key before there were keys keep their
names; all but one have a suffix in their keys, so only their exact spelling finds them, until an admin renames them.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from django.contrib.auth.models import UserManager
from django.db import models
from django.db.models.functions import Coalesce

if TYPE_CHECKING:
    from .users import User

MAX_NAME_LENGTH = 150
LONGEST_SPELLING = 4 * MAX_NAME_LENGTH
"""No spelling of a name is longer: Unicode makes at most four characters one."""
SUFFIX = "#"
"""The beginning of a suffix in a key; no user name can have it."""
NAME_IN_DATA = "coalesce(original_name, username)"
"""The same as `name_in_data`, as SQL."""


def can_be_name(text: str) -> bool:
    """Return whether an account may have this name or email address; the database refuses some of the other texts."""
    return len(text) <= LONGEST_SPELLING and text.isprintable()


def name_key(name: str) -> str:
    """Return the key of a name: the same for all its spellings. A text that is too long for a name stays as it is: the
    time of normalizing grows with the square of the length.
    """
    return normalize("NFKC", normalize("NFKC", name).casefold()) if len(name) <= LONGEST_SPELLING else name


def name_in_data(person: str = "") -> Coalesce:
    """Return the expression of the name that reports, exports and hashes have; `person` is a path such as `rater__`."""
    return Coalesce(f"{person}original_name", f"{person}username")


class NameKeyField(models.TextField):
    """The key of the user name, set whenever an account is saved. A suffix stays while the name has the same key."""

    def pre_save(self, model_instance: Any, add: bool) -> str:
        key, stored = name_key(model_instance.get_username()), getattr(model_instance, self.attname)
        if not stored.startswith(f"{key}{SUFFIX}"):
            setattr(model_instance, self.attname, key)
        return str(getattr(model_instance, self.attname))


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
