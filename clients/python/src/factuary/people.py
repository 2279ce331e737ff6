"""The accounts of a site, for admins."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from .connection import Connection
from .records import Rows, decode
from .tokens import Token


@dataclass(frozen=True)
class ProjectOfPerson:
    """A project of a person, by its slug, with the person's role."""

    project: str
    role: str


@dataclass(frozen=True)
class Person:
    """An account. `tokens`: how many API tokens are not revoked."""

    username: str
    name: str
    email: str
    admin: bool
    active: bool
    erased_at: datetime | None
    last_login: datetime | None
    tokens: int
    second_factor: bool
    projects: tuple[ProjectOfPerson, ...]


@dataclass(frozen=True)
class NewPerson(Person):
    """A new account with the link to set its password, which the site shows only once."""

    link: str


class People:
    """The accounts of people."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __iter__(self) -> Iterator[Person]:
        """Yield all accounts."""
        return iter(self.find())

    def find(self, words: str = "", *, active: bool | None = None) -> Rows[Person]:
        """Return the accounts whose names or email address contain each of the words."""
        return Rows(self._connection, "people/", Person, {"find": words or None, "active": active})

    def get(self, username: str) -> Person:
        """Return an account. Raises NotFoundError."""
        return decode(Person, self._connection.get(f"people/{username}/"))

    def create(self, username: str, *, email: str = "", admin: bool = False) -> NewPerson:
        """Create an account. Its owner sets the password with the `link`."""
        body = {"username": username, "email": email, "admin": admin}
        return decode(NewPerson, self._connection.post("people/", body))

    def change(self, username: str, *, active: bool) -> Person:
        """Close an account (`active=False`), which ends its tokens and sessions, or open it again."""
        return decode(Person, self._connection.patch(f"people/{username}/", {"active": active}))

    def rename(self, username: str, new_name: str) -> Person:
        """Give an account another user name. Reports, exports and data hashes keep the first one."""
        return decode(Person, self._connection.patch(f"people/{username}/", {"username": new_name}))

    def password_link(self, username: str) -> str:
        """Make a link with which the person sets a password once. Needs a token without limits."""
        return str(self._connection.post(f"people/{username}/link/")["link"])

    def tokens(self, username: str) -> tuple[Token, ...]:
        """Return the person's tokens that are not revoked."""
        return tuple(decode(Token, row) for row in self._connection.get(f"people/{username}/tokens/")["tokens"])

    def revoke_token(self, username: str, token: Token | str) -> None:
        """Revoke a token of the person, by its prefix."""
        self._connection.delete(f"people/{username}/tokens/{token.prefix if isinstance(token, Token) else token}/")
