"""The accounts of a site, for admins, and API tokens."""

from collections.abc import Iterator

from . import records
from .records import Person, ProjectOfPerson  # noqa: F401 -- as in earlier versions
from .records import PersonWithLink as NewPerson  # noqa: F401 -- its earlier name
from .resources import Resource, Rows


class People(Resource):
    """The accounts of people."""

    def __iter__(self) -> Iterator[records.Person]:
        return iter(self.find())

    def find(self, words: str = "", *, active: bool | None = None) -> Rows[records.Person]:
        """Return the accounts whose names or email address contain each of the words."""
        return self._rows(records.Person, find=words or None, active=active)

    def get(self, username: str) -> records.Person:
        """Return an account. Raises NotFoundError."""
        return self._get(records.Person, f"{username}/")

    def create(self, username: str, *, email: str = "", admin: bool = False) -> records.PersonWithLink:
        """Create an account. Its owner sets the password with the `link`, which the site shows only once."""
        return self._write(records.PersonWithLink, "POST", username=username, email=email, admin=admin)

    def change(self, username: str, *, active: bool) -> records.Person:
        """Close an account (`active=False`), which ends its tokens and sessions, or open it again."""
        return self._write(records.Person, "PATCH", f"{username}/", active=active)

    def rename(self, username: str, new_name: str) -> records.Person:
        """Give an account another user name. Reports, exports and data hashes keep the first one."""
        return self._write(records.Person, "PATCH", f"{username}/", username=new_name)

    def password_link(self, username: str) -> str:
        """Make a link with which the person sets a password once. Needs a token without limits."""
        return str(self._json("POST", f"{username}/link/")["link"])

    def tokens(self, username: str) -> tuple[records.Token, ...]:
        """Return the person's tokens that are not revoked."""
        return self._get(records.Tokens, f"{username}/tokens/").tokens

    def revoke_token(self, username: str, token: records.Token | str) -> None:
        """Revoke a token of the person, by its prefix."""
        self._json("DELETE", f"{username}/tokens/{prefix_of(token)}/")


def prefix_of(token: records.Token | str) -> str:
    """Return the prefix of a token, by which the API names it."""
    return token.prefix if isinstance(token, records.Token) else token
