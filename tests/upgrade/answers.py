"""The shape of an answer of the site: what a page that reads it relies on, without the values."""

import json
import re
from typing import Any

PART = re.compile(r'data-part="([a-z-]+)"')
WORK = re.compile(r'<script id="work" type="application/json">(.*?)</script>', re.DOTALL)


def shape_of(content_type: str, body: bytes) -> Any:
    """Return the keys and types of JSON; of a page its parts and the shape of its work; else the content type."""
    if "json" in content_type:
        return json_shape(json.loads(body)) if body else None
    if "html" not in content_type:
        return content_type.split(";")[0]
    text = body.decode()
    work = WORK.search(text)
    return {"parts": sorted(set(PART.findall(text))), "work": json_shape(json.loads(work[1])) if work else None}


def json_shape(value: Any) -> Any:
    """Return a dict of shapes by key, a list with the shape of its first entry, or the name of a type."""
    if isinstance(value, dict):
        return {key: json_shape(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [json_shape(entry) for entry in value[:1]]
    return type(value).__name__


def missing_from(before: Any, now: Any, path: str = "answer") -> list[str]:
    """Return what `before` has and `now` lacks. New keys are allowed, so is an empty list, and null for any type."""
    if isinstance(before, dict):
        if not isinstance(now, dict):
            return [f"{path} is {now}"]
        lacking = [f"{path}.{key} is missing" for key in before if key not in now]
        pairs = [(before[key], now[key], f"{path}.{key}") for key in before if key in now]
        return lacking + [line for pair in pairs for line in missing_from(*pair)]
    if isinstance(before, list) and isinstance(now, list):
        if path.endswith(".parts"):
            return [f"{path}: {name} is missing" for name in before if name not in now]
        return missing_from(before[0], now[0], f"{path}[0]") if before and now else []
    return [] if before == now or "NoneType" in (before, now) else [f"{path} is {now}, was {before}"]
