"""The names under which pages show people whom a report knows by user name."""

from collections import Counter
from functools import cached_property

from django.db.models import Q

from ..models import User
from ..pseudonyms import shown_rater


class DisplayNames:
    """Display names by user name, read with one query when the first is needed.

    Where two people share a name, each has the user name in parentheses. A user name without an account, or whose
    account has no display name, is returned as it is. Where a name is hidden, it is the pseudonym.
    """

    def __call__(self, username: str) -> str:
        """Return the display name of the person with this user name."""
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
