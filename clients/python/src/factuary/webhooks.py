"""The webhooks of a project, and their deliveries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from .connection import Connection
from .records import Rows, decode


@dataclass(frozen=True)
class Webhook:
    """A webhook. A paused one (`active` is False) is sent nothing."""

    id: str
    url: str
    events: tuple[str, ...]
    active: bool
    created_at: datetime


@dataclass(frozen=True)
class NewWebhook(Webhook):
    """A new webhook with its secret, which the site shows only once."""

    secret: str


@dataclass(frozen=True)
class Delivery:
    """One event for one webhook: `status` is `waiting`, `delivered` or `failed`."""

    id: str
    event: str
    status: str
    attempts: int
    created_at: datetime
    attempted_at: datetime | None
    next_attempt_at: datetime | None
    last_status: int | None
    last_error: str


class Webhooks:
    """The webhooks of a project."""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection, self._path = connection, f"projects/{project}/webhooks/"

    def __iter__(self) -> Iterator[Webhook]:
        """Yield the webhooks."""
        return iter(Rows(self._connection, self._path, Webhook, {}))

    def create(self, url: str, events: Sequence[str]) -> NewWebhook:
        """Create a webhook for these events, such as `report.frozen`. Its secret is returned only now."""
        return decode(NewWebhook, self._connection.post(self._path, {"url": url, "events": list(events)}))

    def change(
        self, webhook: str, *, url: str | None = None, events: Sequence[str] | None = None, active: bool | None = None
    ) -> Webhook:
        """Change what is given of the webhook with this id; `active=False` pauses it."""
        given = {"url": url, "events": events and list(events), "active": active}
        body = {name: value for name, value in given.items() if value is not None}
        return decode(Webhook, self._connection.patch(f"{self._path}{webhook}/", body))

    def delete(self, webhook: str) -> None:
        """Delete the webhook with this id, and its deliveries."""
        self._connection.delete(f"{self._path}{webhook}/")

    def test(self, webhook: str) -> Delivery:
        """Send a test event to the webhook with this id."""
        return decode(Delivery, self._connection.post(f"{self._path}{webhook}/test/"))

    def deliveries(self, webhook: str) -> Rows[Delivery]:
        """Return the deliveries of the webhook with this id, the newest first."""
        return Rows(self._connection, f"{self._path}{webhook}/deliveries/", Delivery, {})

    def send_again(self, webhook: str, delivery: str) -> Delivery:
        """Send a delivery again, under its id."""
        return decode(Delivery, self._connection.post(f"{self._path}{webhook}/deliveries/{delivery}/send/"))
