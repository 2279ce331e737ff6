"""The members of a project."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from .connection import Connection
from .records import Rows, decode


@dataclass(frozen=True)
class Member:
    """A member. `username` is a pseudonym in a project that hides raters."""

    username: str
    name: str
    role: str
    created_at: datetime | None
    paused_at: datetime | None
    pause_reason: str


@dataclass(frozen=True)
class Invitation:
    """An invited person. `link` sets the password of a new account where the site sends no email."""

    username: str
    previous_role: str
    mailed: bool | None
    link: str


class Members:
    """The members of a project."""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection, self._project = connection, f"projects/{project}/"

    def __iter__(self) -> Iterator[Member]:
        """Yield the members."""
        return iter(Rows(self._connection, f"{self._project}members/", Member, {}))

    def get(self, username: str) -> Member:
        """Return a member. Raises NotFoundError."""
        return decode(Member, self._connection.get(self._path(username)))

    def add(self, username: str, *, role: str = "rater") -> Member:
        """Add a person with an account, or change the role: `rater` or `lead`."""
        return decode(Member, self._connection.put(self._path(username), {"role": role}))

    def remove(self, username: str) -> None:
        """Remove a member; the ratings stay."""
        self._connection.delete(self._path(username))

    def replace(self, username: str, successor: str, *, move_reservations: bool = True) -> None:
        """Replace a rater: the successor takes what the rater has not finished."""
        body = {"successor": successor, "move_reservations": move_reservations}
        self._connection.post(f"{self._path(username)}replace/", body)

    def invite(self, people: Mapping[str, str] | Sequence[str], *, role: str = "rater") -> tuple[Invitation, ...]:
        """Invite people, all or none: user names, or user name to email address for new accounts."""
        emails = people if isinstance(people, Mapping) else dict.fromkeys(people, "")
        body = {"role": role, "people": [{"username": name, "email": email} for name, email in emails.items()]}
        answer = self._connection.post(f"{self._project}invitations/", body)
        return tuple(decode(Invitation, each) for each in answer["invitations"])

    def _path(self, username: str) -> str:
        return f"{self._project}members/{username}/"
