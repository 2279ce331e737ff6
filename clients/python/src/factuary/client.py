"""The client: a site, and what the user of the token may reach."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Self

import httpx2

from .connection import Connection, Query
from .datasets import Datasets
from .errors import FactuaryError
from .generation import GenerationTemplate
from .jobs import JobState
from .people import People
from .projects import Projects
from .records import Rows, decode
from .tokens import Token

TOKEN, ADDRESS = "FACTUARY_TOKEN", "FACTUARY_URL"
"""Environment variables."""


@dataclass(frozen=True)
class ProtocolVersion:
    """A stored version of a protocol."""

    slug: str
    version: str
    title: str
    sha256: str
    created_at: datetime


@dataclass(frozen=True)
class FullProtocolVersion(ProtocolVersion):
    """A version with its text."""

    toml: str
    definition: Mapping[str, Any]


@dataclass(frozen=True)
class AuditEvent:
    """Who changed what. `actor` is None for a command."""

    id: int
    at: datetime
    actor: str | None
    action: str
    target: str
    project: str | None
    before: Any
    after: Any


@dataclass(frozen=True)
class JudgeVersion:
    """A version of a judge of the site, as `NAME@N`, with its configuration and without its key."""

    judge: str
    created_at: datetime
    tuning_items: int
    has_key: bool
    rule: str
    base_url: str
    model: str
    key_env: str
    template: str
    temperature: float
    samples: int
    sees: str
    rates: str
    fact_qa: str
    fact_source: str
    precision_only: bool
    max_tokens: int
    logprobs: bool
    timeout: float
    concurrency: int
    requests_per_minute: int | None
    input_price: str | None
    output_price: str | None


class Client:
    """A Factuary site. Use it as a context manager, or call `close`.

    `address` defaults to the environment variable FACTUARY_URL, `token` to FACTUARY_TOKEN. `timeout` is that of one
    attempt, in seconds.
    """

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
        self._connection = Connection(address, token, timeout=timeout, transport=transport)

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the network connections."""
        self.close()

    def close(self) -> None:
        """Close the network connections."""
        self._connection.close()

    @property
    def datasets(self) -> Datasets:
        """The data sets."""
        return Datasets(self._connection)

    @property
    def projects(self) -> Projects:
        """The projects."""
        return Projects(self._connection)

    @property
    def people(self) -> People:
        """The accounts of people. For admins."""
        return People(self._connection)

    def protocols(self) -> Rows[ProtocolVersion]:
        """Return the versions of all protocols."""
        return Rows(self._connection, "protocols/", ProtocolVersion, {})

    def protocol(self, slug: str, version: str) -> FullProtocolVersion:
        """Return a version of a protocol with its text."""
        return decode(FullProtocolVersion, self._connection.get(f"protocols/{slug}/{version}/"))

    def store_protocol(self, toml: str) -> FullProtocolVersion:
        """Store a version of a protocol. ConflictError if the version is stored with another text."""
        return decode(FullProtocolVersion, self._connection.post("protocols/", {"toml": toml}))

    def judges(self) -> Iterator[JudgeVersion]:
        """Yield all versions of all judges. For admins."""
        for row in self._connection.get("judges/")["judges"]:
            yield decode(JudgeVersion, row)

    def create_judge(self, name: str, **configuration: Any) -> str:
        """Create a judge, or its next version, and return it as `NAME@N`. The configuration is that of `create_judge`.

        The same configuration as the newest version returns that version. For admins.
        """
        return str(self._connection.post("judges/", {"name": name, **configuration})["judge"])

    def generation_templates(self) -> Rows[GenerationTemplate]:
        """Return all versions of the templates with which responses are generated. For admins."""
        return Rows(self._connection, "generation-templates/", GenerationTemplate, {})

    def save_generation_template(
        self, name: str, text: str, *, context: str = "document", answer_form: str = "text"
    ) -> GenerationTemplate:
        """Save a template, or its next version, and return it. For admins.

        `context`: `document`, `passages` or `none`. `answer_form`: `text`, or `steps` for type, steps and answer.
        """
        body = {"name": name, "text": text, "context": context, "answer_form": answer_form}
        return decode(GenerationTemplate, self._connection.post("generation-templates/", body))

    def tokens(self) -> tuple[Token, ...]:
        """Return the user's tokens that are not revoked."""
        return tuple(decode(Token, row) for row in self._connection.get("tokens/")["tokens"])

    def create_token(
        self, name: str = "", *, scope: str = "full", project: str | None = None, days: int | None = None
    ) -> tuple[Token, str]:
        """Create a token and return it with its key, which the site shows only in this answer."""
        row = self._connection.post("tokens/", {"name": name, "scope": scope, "project": project, "days": days})
        return decode(Token, row), str(row["key"])

    def revoke_token(self, token: Token | str) -> None:
        """Revoke a token of the user, by its prefix."""
        self._connection.delete(f"tokens/{token.prefix if isinstance(token, Token) else token}/")

    def jobs(self, *, state: str | None = None, kind: str | None = None) -> Rows[JobState]:
        """Return all jobs of the site, the newest first. For admins."""
        return Rows(self._connection, "jobs/", JobState, {"state": state, "kind": kind})

    def audit(
        self,
        *,
        project: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        target: str | None = None,
    ) -> Rows[AuditEvent]:
        """Return who changed what, the newest first. For admins."""
        query = {"project": project, "actor": actor, "action": action, "target": target}
        return Rows(self._connection, "audit/", AuditEvent, query)

    def request(
        self, method: str, path: str, *, query: Query | None = None, json: Mapping[str, Any] | None = None
    ) -> Any:
        """Send a request that has no method here and return the JSON of the answer. `path` is below /api/v1/."""
        answer = self._connection.send(method, path, query=query, json=json)
        return answer.json() if answer.content else None
