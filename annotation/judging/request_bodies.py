"""The body of a request, in the form that the endpoint accepts, and the key of its answer in the cache."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from .. import protocols
from ..models import Judge
from .endpoint import Reply
from .prompts import answer_schema

JSON_SCHEMA, JSON_OBJECT, TEXT = FORMATS = ("json_schema", "json_object", "text")
"""From the strictest to the plainest: the next one is used where the endpoint refuses one."""
_REFUSALS = ("response_format", "json_schema", "json_object", "schema", "structured", "grammar")


@dataclass
class Dialect:
    """What the endpoint accepts, found out by its first answers. `is_known`: it has accepted a request."""

    response_format: str = JSON_SCHEMA
    is_known: bool = False

    def learn(self, reply: Reply, used: str) -> bool:
        """Return whether the request, sent in the form `used`, must be repeated in another form."""
        if reply.http_status not in (400, 404, 415, 422, 501) or used == TEXT:
            return False
        if not any(word in reply.error.lower() for word in _REFUSALS):
            return False
        if self.response_format == used:
            self.response_format = FORMATS[FORMATS.index(used) + 1]
        return True


def request_body(
    judge: Judge, protocol: protocols.Protocol, messages: list[dict[str, str]], response_format: str
) -> dict[str, Any]:
    """Return the body. The key of the endpoint is not in it."""
    body: dict[str, Any] = {
        "model": judge.model,
        "messages": messages,
        "temperature": judge.temperature,
        "max_tokens": judge.max_tokens,
    }
    if response_format == JSON_SCHEMA:
        schema = {"name": "rating", "strict": True, "schema": answer_schema(judge, protocol)}
        body["response_format"] = {"type": JSON_SCHEMA, "json_schema": schema}
    elif response_format == JSON_OBJECT:
        body["response_format"] = {"type": JSON_OBJECT}
    if judge.logprobs:
        body["logprobs"] = True
    return body


def cache_key(judge: Judge, body: dict[str, Any], sample: int) -> str:
    """Return the SHA-256 of all that the answer depends on: address, body and number of the sample."""
    text = json.dumps([judge.base_url, body, sample], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
