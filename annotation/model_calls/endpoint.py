"""One request to an endpoint with the API of OpenAI, through its client, without the client's own retries.

The key is in the client alone: neither requests as they are stored nor errors contain it.
"""

import json
import time
from dataclasses import replace
from typing import Any

import httpx2
import openai

from ..models.model_calls import ModelCall, ModelConfiguration
from .replies import NOT_AN_ANSWER, Reply, cleaned, storable

MAX_ERROR_LENGTH = 2_000
MAX_BODY_IN_ERROR = 500
"""Characters of a body without an answer that its error quotes."""
MAX_STORED_BODY = 500_000
"""Characters of an answer that is stored as JSON; of a longer one the text alone is."""
MIN_SECRET_LENGTH = 8
"""Shorter keys are placeholders such as `none`, which may be words of an answer."""
NO_KEY = "none"  # the client needs a key; endpoints on one's own machines often do not
_NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


class Endpoint:
    """A client for the endpoint of a judge or generator. Several threads use it at once."""

    def __init__(self, configuration: ModelConfiguration, key: str):
        self._key = key
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=configuration.concurrency)
        self._http = httpx2.Client(limits=limits, timeout=configuration.timeout)
        self._client = openai.OpenAI(
            api_key=key or NO_KEY,
            base_url=configuration.base_url,
            max_retries=0,
            timeout=configuration.timeout,
            http_client=self._http,
        )

    def ask(self, body: dict[str, Any]) -> Reply:
        """Send one request and return the reply; it raises nothing."""
        start = time.monotonic()
        try:
            reply = self._ask(body)
        except openai.APIStatusError as error:
            reply = self._status_error_reply(error)
        except openai.APIConnectionError as error:
            reply = self._connection_error_reply(error)
        except Exception as error:
            reply = Reply(ModelCall.State.LOST, error=self._without_key(f"{type(error).__name__}: {error}"))
        return replace(reply, seconds=time.monotonic() - start)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _ask(self, body: dict[str, Any]) -> Reply:
        raw = self._client.chat.completions.with_raw_response.create(**body)
        reply = _read_answer(raw.text, raw.status_code, self._key if len(self._key) >= MIN_SECRET_LENGTH else "")
        if reply is None:
            error = f"{NOT_AN_ANSWER}{self._without_key(raw.text)[:MAX_BODY_IN_ERROR]}"
            return Reply(ModelCall.State.LOST, http_status=raw.status_code, error=error)
        return reply

    def _status_error_reply(self, error: openai.APIStatusError) -> Reply:
        text = self._without_key(error.response.text or str(error))
        seconds = _retry_after(error.response.headers)
        return Reply(ModelCall.State.FAILED, http_status=error.status_code, error=text, retry_after=seconds)

    def _connection_error_reply(self, error: openai.APIConnectionError) -> Reply:
        """Return a failed request if it was never sent, a lost one otherwise."""
        cause = error.__cause__ or error
        state = ModelCall.State.FAILED if isinstance(cause, _NEVER_SENT) else ModelCall.State.LOST
        return Reply(state, error=self._without_key(f"{type(cause).__name__}: {cause}"))

    def _without_key(self, text: str) -> str:
        text = text.replace(self._key, "…") if self._key else text
        return storable(text)[:MAX_ERROR_LENGTH]


def _read_answer(text: str, status: int, key: str) -> Reply | None:
    """Return the answer in the body, None if there is none. It was lost then: the endpoint may have charged for it."""
    try:
        received = json.loads(text)
        body = cleaned(received, key)
        choice = body["choices"][0]
        message = choice["message"]
        usage = body.get("usage") or {}
        reply = Reply(
            ModelCall.State.ANSWERED,
            message.get("content") or message.get("refusal") or "",
            status,
            prompt_tokens=_token_number(usage.get("prompt_tokens")),
            completion_tokens=_token_number(usage.get("completion_tokens")),
            tokens=_tokens(choice),
            model=_text_field(body, "model", 200),
            fingerprint=_text_field(body, "system_fingerprint", 200).replace(" ", "_"),
            finish_reason=_text_field(choice, "finish_reason", 50),
        )
        if not isinstance(reply.text, str):
            return None
        if key and key in "".join(token for token, _logprob in _tokens(received["choices"][0])):
            choice.pop("logprobs")  # tokens spell the key in parts
        return replace(reply, body=body if len(text) <= MAX_STORED_BODY else {"left_out": f"{len(text)} characters"})
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def _text_field(values: dict[str, Any], field: str, length: int) -> str:
    value = values.get(field)
    return value[:length] if isinstance(value, str) else ""


def _token_number(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value < 2**31 else None


def _tokens(choice: dict[str, Any]) -> list[tuple[str, float]]:
    content = (choice.get("logprobs") or {}).get("content") or []
    return [(str(token["token"]), float(token["logprob"])) for token in content]


def _retry_after(headers: Any) -> float | None:
    """Return the seconds that the header Retry-After names, or its date."""
    from email.utils import parsedate_to_datetime

    value = headers.get("retry-after", "").strip()
    try:
        return max(float(value), 0.0)
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError):
        return None
