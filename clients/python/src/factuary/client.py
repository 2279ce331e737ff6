"""The client: a site, and what the user of the token may reach."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, Self

import httpx2

from . import records
from .connection import Connection, Query
from .datasets import Datasets
from .errors import FactuaryError
from .jobs import JobState
from .people import People, prefix_of
from .projects import Projects
from .records import AuditEvent, FullProtocolVersion, ProtocolVersion  # noqa: F401 -- as in earlier versions
from .records import SiteJudge as JudgeVersion  # noqa: F401 -- its earlier name
from .resources import Below, Resource, Rows

TOKEN, ADDRESS = "FACTUARY_TOKEN", "FACTUARY_URL"
"""Environment variables."""


class Client(Resource):
    """A Factuary site. Use it as a context manager, or call `close`.

    `address` defaults to the environment variable FACTUARY_URL, `token` to FACTUARY_TOKEN. `timeout` is that of one
    attempt, in seconds.
    """

    datasets = Below(Datasets, "datasets/")
    projects = Below(Projects, "projects/")
    people = Below(People, "people/")

    def __init__(
        self,
        address: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        address, token = address or os.environ.get(ADDRESS, ""), token or os.environ.get(TOKEN, "")
        if not address.startswith(("http://", "https://")):
            raise FactuaryError(f"the address {address!r} does not begin with https:// (or set {ADDRESS})")
        if not token:
            raise FactuaryError(f"there is no token: set {TOKEN}, or pass token=")
        if not (token.isascii() and token.isprintable()):
            raise FactuaryError(f"the token has characters that no token has: copy it again into {TOKEN}")
        super().__init__(Connection(address, token, timeout=timeout, transport=transport), "")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the network connections."""
        self._connection.close()

    def protocols(self) -> Rows[records.ProtocolVersion]:
        """Return the versions of all protocols."""
        return self._rows(records.ProtocolVersion, "protocols/")

    def protocol(self, slug: str, version: str) -> records.FullProtocolVersion:
        """Return a version of a protocol with its text."""
        return self._get(records.FullProtocolVersion, f"protocols/{slug}/{version}/")

    def store_protocol(self, toml: str) -> records.FullProtocolVersion:
        """Store a version of a protocol. ConflictError if the version is stored with another text."""
        return self._write(records.FullProtocolVersion, "POST", "protocols/", toml=toml)

    def judges(self) -> Iterator[records.SiteJudge]:
        """Yield all versions of all judges. For admins."""
        return iter(self._get(records.SiteJudges, "judges/").judges)

    def create_judge(self, name: str, **configuration: Any) -> str:
        """Create a judge, or its next version, and return it as `NAME@N`. The configuration is that of `create_judge`.

        The same configuration as the newest version returns that version. For admins.
        """
        return str(self._json("POST", "judges/", json={"name": name, **configuration})["judge"])

    def generation_templates(self) -> Rows[records.GenerationTemplate]:
        """Return all versions of the templates with which responses are generated. For admins."""
        return self._rows(records.GenerationTemplate, "generation-templates/")

    def save_generation_template(
        self, name: str, text: str, *, context: str = "document", answer_form: str = "text"
    ) -> records.GenerationTemplate:
        """Save a template, or its next version, and return it. For admins.

        `context`: `document`, `passages` or `none`. `answer_form`: `text`, or `steps` for type, steps and answer.
        """
        body = {"name": name, "text": text, "context": context, "answer_form": answer_form}
        return self._write(records.GenerationTemplate, "POST", "generation-templates/", **body)

    def tokens(self) -> tuple[records.Token, ...]:
        """Return the user's tokens that are not revoked."""
        return self._get(records.Tokens, "tokens/").tokens

    def create_token(
        self, name: str = "", *, scope: str = "full", project: str | None = None, days: int | None = None
    ) -> tuple[records.Token, str]:
        """Create a token and return it with its key, which the site shows only in this answer."""
        body = {"name": name, "scope": scope, "project": project, "days": days}
        token = self._json("POST", "tokens/", json=body)
        return self._decode(records.Token, token), str(token["key"])

    def revoke_token(self, token: records.Token | str) -> None:
        """Revoke a token of the user, by its prefix."""
        self._json("DELETE", f"tokens/{prefix_of(token)}/")

    def jobs(self, *, state: str | None = None, kind: str | None = None) -> Rows[JobState]:
        """Return all jobs of the site, the newest first. For admins."""
        return self._rows(JobState, "jobs/", state=state, kind=kind)

    def audit(
        self,
        *,
        project: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        target: str | None = None,
    ) -> Rows[records.AuditEvent]:
        """Return who changed what, the newest first. For admins."""
        query = {"project": project, "actor": actor, "action": action, "target": target}
        return self._rows(records.AuditEvent, "audit/", **query)

    def request(
        self, method: str, path: str, *, query: Query | None = None, json: Mapping[str, Any] | None = None
    ) -> Any:
        """Send a request that has no method here and return the JSON of the answer. `path` is below /api/v1/."""
        return self._connection.json(method, path, query=query, json=json)
