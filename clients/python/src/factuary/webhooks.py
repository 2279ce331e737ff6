"""The webhooks of a project, and their deliveries."""

from collections.abc import Iterator, Sequence

from . import records
from .records import CreatedWebhook as NewWebhook  # noqa: F401 -- its earlier name
from .records import Delivery, Webhook  # noqa: F401 -- as in earlier versions
from .resources import Resource, Rows


class Webhooks(Resource):
    """The webhooks of a project."""

    def __iter__(self) -> Iterator[records.Webhook]:
        return iter(self._rows(records.Webhook))

    def create(self, url: str, events: Sequence[str]) -> records.CreatedWebhook:
        """Create a webhook for these events, such as `report.frozen`. Its secret is returned only now."""
        return self._write(records.CreatedWebhook, "POST", url=url, events=list(events))

    def change(
        self, webhook: str, *, url: str | None = None, events: Sequence[str] | None = None, active: bool | None = None
    ) -> records.Webhook:
        """Change what is given of the webhook with this id; `active=False` pauses it."""
        changes = {"url": url, "events": events and list(events), "active": active}
        body = {name: value for name, value in changes.items() if value is not None}
        return self._write(records.Webhook, "PATCH", f"{webhook}/", **body)

    def delete(self, webhook: str) -> None:
        """Delete the webhook with this id, and its deliveries."""
        self._json("DELETE", f"{webhook}/")

    def test(self, webhook: str) -> records.Delivery:
        """Send a test event to the webhook with this id."""
        return self._write(records.Delivery, "POST", f"{webhook}/test/")

    def deliveries(self, webhook: str) -> Rows[records.Delivery]:
        """Return the deliveries of the webhook with this id, the newest first."""
        return self._rows(records.Delivery, f"{webhook}/deliveries/")

    def send_again(self, webhook: str, delivery: str) -> records.Delivery:
        """Send a delivery again, under its id."""
        return self._write(records.Delivery, "POST", f"{webhook}/deliveries/{delivery}/send/")
