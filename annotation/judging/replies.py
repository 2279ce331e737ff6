"""What an endpoint replied. This module does not load the client, which takes half a second and 30 MB."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Reply:
    """The outcome of one request. `state` is answered, failed (an error that is not charged) or lost.

    `tokens`: text and log-probability of each token of the answer, if the endpoint gave them.
    """

    state: str
    text: str = ""
    http_status: int | None = None
    error: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    retry_after: float | None = None
    seconds: float = 0.0
    tokens: list[tuple[str, float]] = field(default_factory=list)


def storable(text: str) -> str:
    """Return the text without what PostgreSQL cannot store: NUL and halves of surrogate pairs."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")
