"""One request to an endpoint with the API of OpenAI, through its client, without the client's own retries.

The key is in the client alone: neither requests as they are stored nor errors contain it. Whatever an endpoint sends,
and however slowly, a reply takes no more memory than `MAX_REPLY_SIZE` asks for and no more time than the timeout.
"""

import asyncio
import json
import math
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from email.utils import parsedate_to_datetime

import httpx2
import openai

from ..models.model_calls import MAX_TOKENS, ModelCall, ModelConfiguration
from ..site.bounded_replies import BoundedTransport, ReplyTooLarge
from .reasoning import separated_message
from .replies import MAX_ANSWER_LENGTH, MAX_ERROR_LENGTH, NOT_AN_ANSWER, Reply, cleaned, shortened, storable, tokens_in
from .request_bodies import RequestBody

MAX_REPLY_SIZE = 5_000_000
"""Bytes of a reply, decompressed: several times an answer of 64,000 tokens with their log-probabilities."""
MAX_BODY_IN_ERROR = 500
"""Characters of a body without an answer that its error quotes."""
MAX_STORED_BODY = 500_000
"""Characters of an answer that is stored as JSON; of a longer one the text alone is."""
MIN_SECRET_LENGTH = 8
"""Shorter keys are placeholders such as `none`, which may be words of an answer."""
NO_KEY = "none"  # the client needs a key; endpoints on one's own machines often do not
_NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
_USED_HEADERS = ("retry-after", "x-request-id")
_parsing = threading.Lock()  # a hostile body of 5 MB takes 40 times its size while it is parsed: one at a time


class _EndpointTransport(BoundedTransport):
    """Passes on only those headers that are used: cookies, character sets and addresses of redirects are the endpoint's
    to choose.
    """

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        reply = await super().handle_async_request(request)
        body = reply.content
        if location := reply.headers.get("location"):
            body = f"The endpoint redirects to {location}".encode("utf-8", "replace")
        headers = {name: reply.headers[name] for name in _USED_HEADERS if name in reply.headers}
        return httpx2.Response(reply.status_code, headers=headers, content=body)


class Endpoint:
    """A client for the endpoint of a judge or generator. Several threads use it at once.

    Requests run in an event loop of its own, where a time limit holds for all of a reply: that of a socket holds for
    each read, and a byte now and then keeps it from ever ending.
    """

    def __init__(self, configuration: ModelConfiguration, key: str):
        self._key, self._seconds = key, configuration.timeout
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=configuration.concurrency)
        transport = _EndpointTransport(httpx2.URL(configuration.base_url), MAX_REPLY_SIZE, limits=limits)
        self._client = openai.AsyncOpenAI(
            api_key=key or NO_KEY,
            base_url=configuration.base_url,
            max_retries=0,
            # A connection that takes longer is a request that was never sent, not an answer that was lost.
            timeout=httpx2.Timeout(self._seconds, connect=self._seconds / 2),
            http_client=httpx2.AsyncClient(transport=transport),
        )
        self._completions = self._client.chat.completions.with_raw_response  # loads modules: not within a time limit
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="endpoint", daemon=True)
        self._thread.start()

    def ask(self, body: RequestBody) -> Reply:
        """Send one request and return the reply; it raises nothing."""
        start = time.monotonic()
        try:
            reply = self._read(body, *asyncio.run_coroutine_threadsafe(self._send(body), self._loop).result())
        except openai.APIStatusError as error:
            text = self._without_key(error.response.text or str(error))
            pause = _retry_after(error.response.headers.get("retry-after", ""))
            reply = Reply(ModelCall.State.FAILED, http_status=error.status_code, error=text, retry_after=pause)
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            state = ModelCall.State.FAILED if isinstance(cause, _NEVER_SENT) else ModelCall.State.LOST
            reply = Reply(state, error=self._without_key(f"{type(cause).__name__}: {cause}"))
        except ReplyTooLarge as error:
            reply = Reply(ModelCall.State.LOST, error=str(error), is_final=True)
        except TimeoutError:
            reply = Reply(ModelCall.State.LOST, error=f"no complete reply within {self._seconds:g} s")
        except Exception as error:
            reply = Reply(ModelCall.State.LOST, error=self._without_key(f"{type(error).__name__}: {error}"))
        return replace(reply, seconds=time.monotonic() - start)

    def close(self) -> None:
        """End the requests that wait for a reply, and close the connections."""
        if not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    async def _send(self, body: RequestBody) -> tuple[str, int]:
        """Return the text and the status of the reply."""
        async with asyncio.timeout(self._seconds):
            raw = await self._completions.create(**body)  # type: ignore[call-overload]  # formats are mappings here
        return raw.content.decode("utf-8", "replace"), raw.status_code

    async def _end(self) -> None:
        waiting = asyncio.all_tasks() - {asyncio.current_task()}
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await self._client.close()

    def _read(self, request: RequestBody, text: str, status: int) -> Reply:
        with _parsing:
            reply = _read_answer(request, text, status, self._key if len(self._key) >= MIN_SECRET_LENGTH else "")
        if reply is None:
            error = f"{NOT_AN_ANSWER}{shortened(self._without_key(text), MAX_BODY_IN_ERROR)}"
            return Reply(ModelCall.State.LOST, http_status=status, error=error)
        return reply

    def _without_key(self, text: str) -> str:
        text = text.replace(self._key, "…") if self._key else text
        return shortened(storable(text), MAX_ERROR_LENGTH)


def _read_answer(request: RequestBody, text: str, status: int, key: str) -> Reply | None:
    """Return the answer in the body, None if there is none. It was lost then: the endpoint may have charged for it."""
    try:
        received = json.loads(text)
        body = cleaned(received, key)
        choice = body["choices"][0]
        message = separated_message(choice["message"])
        tokens = tokens_in(choice)
        reply = Reply(
            ModelCall.State.ANSWERED,
            message.answer,
            status,
            tokens=tokens,
            model=_text_field(body, "model", 200),
            fingerprint=_text_field(body, "system_fingerprint", 200).replace(" ", "_"),
            finish_reason=_text_field(choice, "finish_reason", 50),
            reasoning=shortened(message.reasoning, MAX_ANSWER_LENGTH),
        )
        if key and key in "".join(token for token, _logprob in tokens_in(received["choices"][0])):
            choice.pop("logprobs")  # tokens spell the key in parts
        usage = body.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        prompt_tokens = _token_number(usage, "prompt_tokens", 10_000 + 4 * len(json.dumps(request)))
        completion_tokens = _token_number(usage, "completion_tokens", MAX_TOKENS)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return replace(
        reply,
        text=shortened(reply.text, MAX_ANSWER_LENGTH),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        body=body if len(text) <= MAX_STORED_BODY else {"left_out": f"{len(text)} characters"},
    )


def _text_field(values: Mapping[str, object], field: str, length: int) -> str:
    value = values.get(field)
    return value[:length] if isinstance(value, str) else ""


def _token_number(usage: Mapping[str, object], name: str, most: int) -> int | None:
    """Return the number of tokens; None if it is missing, or cannot be true."""
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most else None


def _retry_after(value: str) -> float | None:
    """Return the seconds that the header Retry-After names, or its date."""
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (TypeError, ValueError, OverflowError, OSError):
            return None
    return None if math.isnan(seconds) else max(seconds, 0.0)
