"""User names: which are valid, and the one place that stores them; names that pages show; finding people by words.

`models.user_names` says whose name a text is.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from unicodedata import normalize

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import Http404

from ..models import User
from ..models.user_names import LONGEST_SPELLING, MAX_NAME_LENGTH, SUFFIX, name_key
from ..pseudonyms import shown_rater

_PATHS = (".", "..")  # as a part of an address they lead to another page


class PersonError(ValueError):
    """The account cannot be created or changed. The message names the reason and the remedy, `field` the input."""

    def __init__(self, message: str, *, field: str = "username"):
        self.field = field
        super().__init__(message)


def valid_username(name: str) -> str:
    """Return the name as an account stores it: with composed characters. Raises PersonError unless it is valid."""
    username = normalize("NFC", name[: LONGEST_SPELLING + 1])
    if max(len(username), len(name_key(username))) > MAX_NAME_LENGTH:
        raise PersonError(f"user name {username[:20]!r}… is too long: use at most {MAX_NAME_LENGTH} characters")
    try:
        UnicodeUsernameValidator()(username)
    except ValidationError:
        raise PersonError(f"user name {name!r}: use letters, digits and @ . + - _ only") from None
    if username in _PATHS:
        raise PersonError(f"user name {name!r}: not possible in a web address; add a letter or a digit")
    return username


def person_named(username: str) -> User:
    """Return the account of this name. Raises Http404."""
    if user := User.objects.named(username):
        return user
    raise Http404("There is no such person.")


def save_name(user: User) -> None:
    """Save an account with a new user name. Raises PersonError unless the name is free, also if another account gets it
    at the same moment.
    """
    has_new_name = not User.objects.filter(pk=user.pk, username=user.username).exists()
    try:
        with transaction.atomic():
            user.save()
            if has_new_name:
                check_free(user.username, user)  # former names have no unique index
    except IntegrityError:
        check_free(user.username, user)
        raise


def check_free(name: str, user: User) -> None:
    """Raise PersonError if an account other than `user` has a spelling of the name, or ever had one: names stay
    reserved for their account, whose audit events and ratings are under them.
    """
    others = User.objects.exclude(pk=user.pk)
    other = others.named(name) or others.in_data([name]).get(name)
    if other is None:
        return
    if name_key(other.username) == name_key(name):
        raise PersonError(
            f"user {other.username!r} has this name already (in upper or lower case): choose another name"
        )
    raise PersonError(
        f"{name!r} was a name of {other.username!r} and stays reserved for this account: choose another name"
    )


def names_to_change() -> list[User]:
    """Return the accounts, older than the rules for names, that need another one: their name is a spelling of another
    account's, or addresses cannot have it.
    """
    people = User.objects.filter(erased_at=None, judge=None)
    return list((people.with_shared_key() | people.filter(username__in=_PATHS)).order_by("username"))


def free_key(key: str) -> None:
    """Let one of the accounts that share the key with a renamed or erased one have it without a suffix."""
    plain = key.partition(SUFFIX)[0]
    sharing = User.objects.filter(name_key__startswith=f"{plain}{SUFFIX}").order_by("-is_active", "-is_superuser", "pk")
    if not User.objects.filter(name_key=plain).exists() and (first := sharing.first()):
        User.objects.filter(pk=first.pk).update(name_key=plain)


class DisplayNames:
    """Display names by user name, read with one query when the first is needed.

    Where two people share a name, each has the user name in parentheses. A user name without an account, or whose
    account has no display name, is returned as it is. Where a name is hidden, it is the pseudonym.
    """

    def __call__(self, username: str) -> str:
        name = shown_rater(username)
        return self._names.get(name, name)

    @cached_property
    def _names(self) -> dict[str, str]:
        is_plain = Q(first_name="", last_name="", original_name=None)
        people = User.objects.exclude(is_plain).only("username", "original_name", "first_name", "last_name")
        shown = {user: str(user) for user in people}
        people_by_name = Counter(shown.values())
        return {
            key: name if people_by_name[name] == 1 else f"{name} ({user.username})"
            for user, name in shown.items()
            for key in (user.name_in_data, user.username)
        }


NAMES = ("username", "first_name", "last_name")


def is_named(words: Iterable[str], prefix: str = "", *, by_address: bool = False) -> Q:
    """Return the condition that each word occurs in a name of the user, or with `by_address` in the e-mail address or
    in the name that the data have of a renamed account.

    `prefix`: where the user is, such as `user__` in a query of memberships. Only admins see these two.
    """
    fields = (*NAMES, "original_name", "email") if by_address else NAMES
    condition = Q()
    for word in words:
        condition &= Q(*((f"{prefix}{field}__icontains", word) for field in fields), _connector=Q.OR)
    return condition
