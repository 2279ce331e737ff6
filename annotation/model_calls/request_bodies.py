"""The body of a request, in the form that the endpoint accepts, and the key of its answer in the cache."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from ..models.model_calls import ModelConfiguration
from .replies import Reply

Messages = list[dict[str, str]]
Schema = Mapping[str, object]
"""A JSON schema of an answer."""

JSON_SCHEMA, JSON_OBJECT, TEXT = FORMATS = ("json_schema", "json_object", "text")
"""From the strictest to the plainest: the next one is used where the endpoint refuses one."""
MAX_TOKENS, MAX_COMPLETION_TOKENS = "max_tokens", "max_completion_tokens"
"""Names of the limit of an answer: newer models of OpenAI accept the second alone."""
_REFUSALS = ("response_format", "json_schema", "json_object", "schema", "structured", "grammar")


class RequestBody(TypedDict, total=False):
    """What is sent to an endpoint, without its key."""

    model: str
    messages: Messages
    temperature: float
    max_tokens: int
    max_completion_tokens: int
    response_format: Mapping[str, object]
    logprobs: bool


@dataclass
class Dialect:
    """What the endpoint accepts, found out by its first answers. `is_confirmed`: it has accepted a request."""

    response_format: str = JSON_SCHEMA
    limit_name: str = MAX_TOKENS
    is_confirmed: bool = False

    @property
    def form(self) -> tuple[str, str]:
        """What distinguishes bodies of the same messages."""
        return self.response_format, self.limit_name

    def note_refusal(self, reply: Reply, form: tuple[str, str]) -> bool:
        """Return whether the request, sent in this form, must be repeated in another form."""
        sent_format, limit_name = form
        if reply.http_status not in (400, 404, 415, 422, 501):
            return False
        if limit_name == MAX_TOKENS and MAX_COMPLETION_TOKENS in reply.error:
            self.limit_name = MAX_COMPLETION_TOKENS
            return True
        if sent_format == TEXT or not any(word in reply.error.lower() for word in _REFUSALS):
            return False
        if self.response_format == sent_format:
            self.response_format = FORMATS[FORMATS.index(sent_format) + 1]
        return True


def request_body(
    configuration: ModelConfiguration, schema: Schema | None, messages: Messages, form: tuple[str, str]
) -> RequestBody:
    """Return the body. The key of the endpoint is not in it. Without a schema the answer is a plain text."""
    response_format, limit_name = form
    body: RequestBody = {
        "model": configuration.model,
        "messages": messages,
        "temperature": configuration.temperature,
    }
    if limit_name == MAX_TOKENS:
        body["max_tokens"] = configuration.max_tokens
    else:
        body["max_completion_tokens"] = configuration.max_tokens
    if schema and response_format == JSON_SCHEMA:
        json_schema = {"name": "rating", "strict": True, "schema": schema}
        body["response_format"] = {"type": JSON_SCHEMA, "json_schema": json_schema}
    elif schema and response_format == JSON_OBJECT:
        body["response_format"] = {"type": JSON_OBJECT}
    if configuration.requests_logprobs:
        body["logprobs"] = True
    return body


def cache_key(configuration: ModelConfiguration, body: RequestBody, sample: int) -> str:
    """Return the SHA-256 of all that the answer depends on: address, body and number of the sample."""
    values = {MAX_TOKENS if name == MAX_COMPLETION_TOKENS else name: value for name, value in body.items()}
    text = json.dumps(
        [configuration.base_url, values, sample], sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
