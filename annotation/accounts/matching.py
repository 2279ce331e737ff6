"""Find people by words of their names."""

from collections.abc import Iterable

from django.db.models import Q

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
