"""What an endpoint replied. This module does not load the client, which takes half a second and 30 MB."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import REASONING_ALONE, InvalidAnswer, WithheldAnswer

LENGTH, CONTENT_FILTER = "length", "content_filter"
"""Values of `finish_reason`: the answer was cut, or withheld."""

NOT_AN_ANSWER = "not an answer: "
"""Before the body of a reply with a status of success without an answer of a model, in its error."""
MAX_ANSWER_LENGTH = 500_000
"""Characters of an answer that is read and stored."""
MAX_ERROR_LENGTH = 2_000
"""Characters of an error, or of the problem of a result, that are stored."""
MAX_LOGPROB = 0.01
"""A log-probability is at most 0; some endpoints round."""


@dataclass(frozen=True)
class Reply:
    """What came back for one request. `state` is answered, failed (an error that is not charged) or lost.

    `text`: the answer without its `reasoning`. `tokens`: text and log-probability of each token of the answer, if the
    endpoint gave them. `body`: the whole answer as it is stored. `model`, `fingerprint` and `finish_reason` are empty
    where the endpoint does not name them. `is_final`: the same request would have no better reply.
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
    body: dict[str, Any] | None = None
    model: str = ""
    fingerprint: str = ""
    reasoning: str = ""
    finish_reason: str = ""
    is_final: bool = False

    @property
    def is_no_answer(self) -> bool:
        """Whether the status says success, but the body is no answer of a model: a web page, for example."""
        return self.error.startswith(NOT_AN_ANSWER)


def shortened(text: str, length: int) -> str:
    """Return the text, cut after `length` characters with a mark that says how many follow."""
    return text if len(text) <= length else f"{text[:length]}… [{len(text) - length:,} more characters]"


def storable(text: str) -> str:
    """Return the text without what PostgreSQL cannot store: NUL and halves of surrogate pairs."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def cleaned(value: Any, key: str) -> Any:
    """Return a value of JSON that PostgreSQL can store, with `key` replaced everywhere if it is not empty."""
    if isinstance(value, str):
        return storable(value.replace(key, "…") if key else value)
    if isinstance(value, dict):
        return {cleaned(name, key): cleaned(each, key) for name, each in value.items()}
    if isinstance(value, list):
        return [cleaned(each, key) for each in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def check_is_whole(answer: str, reasoning: str, finish_reason: str, max_tokens: int) -> None:
    """Raise InvalidAnswer for an answer that was cut after `max_tokens`, or in its reasoning, and WithheldAnswer for a
    withheld one.
    """
    if finish_reason == LENGTH:
        raise InvalidAnswer(f"It was cut, because it has more than {max_tokens} tokens (finish_reason: {LENGTH}).")
    if finish_reason == CONTENT_FILTER:
        raise WithheldAnswer(f"The endpoint's filter withheld the answer (finish_reason: {CONTENT_FILTER}).")
    if reasoning and not answer.strip():
        raise InvalidAnswer(REASONING_ALONE)


def tokens_in(choice: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Return the tokens of the answer with their log-probabilities; none if one is no log-probability."""
    try:
        content = choice["logprobs"]["content"] or []
        tokens = [(str(token["token"]), float(token["logprob"])) for token in content]
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
        return []
    return tokens if all(math.isfinite(logprob) and logprob <= MAX_LOGPROB for _token, logprob in tokens) else []
