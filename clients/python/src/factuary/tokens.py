"""API tokens."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Token:
    """An API token without its key. `project` is None if it is not limited to one."""

    prefix: str
    name: str
    scope: str
    project: str | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    validity: str
