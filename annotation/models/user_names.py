"""Whose name a text is: one rule for sign-in, imports, the API, invitations and identity providers.

Spellings that differ in case, width or composed characters alone are one name: they have the same key, and no two
accounts have one key. The exact spelling is found first. Accounts that shared a key before there were keys keep their
names; all but one have a suffix in their keys, so only their exact spelling finds them, until an admin renames them.
"""

from typing import Any
from unicodedata import normalize

from django.db import models
from django.db.models.functions import Coalesce

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
