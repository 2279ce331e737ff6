"""The names under which pages show people whom a report knows by user name."""

from collections import Counter
from functools import cached_property

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
        named = User.objects.exclude(first_name="", last_name="").only("username", "first_name", "last_name")
        names = {user.username: str(user) for user in named}
        people_by_name = Counter(names.values())
        return {
            username: name if people_by_name[name] == 1 else f"{name} ({username})" for username, name in names.items()
        }
