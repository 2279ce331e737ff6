"""The outputs of 0.7.1 under `fixtures/0.7.1`, and their comparison with the outputs of this version."""

import json
import lzma
import re
from typing import Any

from tests.upgrade.studies import RECORDED

SOFTWARE = re.compile(r'"software": \{[^}]*\}')
VERSION = re.compile(r"(?i)factuary \d+\.\d+\.\d+|numpy \d+\.\d+\.\d+")


def outputs_of(study: str) -> dict[str, str]:
    """Return what 0.7.1 wrote for each output command of a study."""
    stored = lzma.decompress((RECORDED / "reports" / f"{study}.json.xz").read_bytes())
    outputs: dict[str, str] = json.loads(stored)
    return outputs


def without_software(text: str) -> str:
    """Return an output without the versions of the software that wrote it."""
    return VERSION.sub("", SOFTWARE.sub('"software": {}', text))


def first_difference(before: str, now: str) -> str | None:
    """Return where two outputs first differ: the path of a key in JSON, else the line; None where they are equal."""
    before, now = without_software(before), without_software(now)
    if before == now:
        return None
    if before.startswith("{\n"):
        return first_different_key(json.loads(before), json.loads(now)) or "the JSON is written in another way"
    lines, lines_now = before.split("\n"), now.split("\n")
    number = next((n for n, pair in enumerate(zip(lines, lines_now, strict=False)) if pair[0] != pair[1]), -1)
    if number < 0:
        return f"{len(lines)} lines in 0.7.1, {len(lines_now)} now"
    return f"line {number + 1}: {lines[number][:300]!r} in 0.7.1, {lines_now[number][:300]!r} now"


def first_different_key(before: Any, now: Any, path: str = "report") -> str | None:
    """Return the path of the first value that differs, with both values; None where none does. Order counts."""
    if isinstance(before, dict) and isinstance(now, dict):
        if list(before) != list(now):
            return f"{path} has the keys {list(before)} in 0.7.1, {list(now)} now"
        pairs = [(f"{path}.{key}", before[key], now[key]) for key in before]
    elif isinstance(before, list) and isinstance(now, list):
        if len(before) != len(now):
            return f"{path} has {len(before)} entries in 0.7.1, {len(now)} now"
        pairs = [(f"{path}[{n}]", *pair) for n, pair in enumerate(zip(before, now, strict=True))]
    else:
        is_equal = type(before) is type(now) and before == now
        return None if is_equal else f"{path} is {before!r} in 0.7.1, {now!r} now"
    lines = (first_different_key(*values, path=inner) for inner, *values in pairs)
    return next(filter(None, lines), None)
