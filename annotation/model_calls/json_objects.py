"""Find the JSON objects in a text, which may stand between sentences. Pure Python; the time grows with the length."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

_START = re.compile(r'\{\s*"')
_EFFORT = 20
"""Characters that are read per character of the text, where many objects begin and none ends."""
_COUNTED = 50
"""An error counts the lines before its position: 50 characters take as long as reading one."""
_LAST_TOKEN = re.compile(r"[-+.\w]*\s*(?:[`~]+\s*)?\Z")


@dataclass(frozen=True)
class FoundObject:
    """A complete object that is in no other complete one. `repeated`: one of the reader's keys that it has twice with
    different values, or "". `is_part`: it is in the beginning of an object that is broken further on.
    """

    value: Mapping[str, object]
    start: int
    end: int
    repeated: str = ""
    is_part: bool = False


@dataclass(frozen=True)
class BrokenObject:
    """What begins as an object and is none. `end`: as far as it can be read; the end of the text where it is cut, or
    nothing after it is read.
    """

    start: int
    end: int
    problem: str


class ObjectReader:
    """Reads objects at positions of one text. `keys`: those that an object must not have twice."""

    def __init__(self, text: str, keys: Collection[str] = ()):
        self._text, self._effort = text, _EFFORT * len(text) + 1_000_000
        self._keys, self._repeated = keys, ""
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object)

    def read(self, start: int) -> FoundObject | BrokenObject:
        """Return the object that begins at `start`, where there is a brace."""
        self._repeated = ""
        if self._effort <= 0:
            return BrokenObject(start, len(self._text), "Its JSON is invalid: too many objects are broken.")
        try:
            value, end = self._decoder.raw_decode(self._text, start)
        except RecursionError:
            self._effort -= 1_000_000
            return BrokenObject(start, len(self._text), "Its JSON is nested too deeply.")
        except ValueError as error:  # not of the decoder: a number is too long
            end = error.pos if isinstance(error, json.JSONDecodeError) else len(self._text)
            self._effort -= end - start + end // _COUNTED
            is_cut = str(error).startswith("Unterminated string") or _LAST_TOKEN.match(self._text, end)
            return BrokenObject(start, len(self._text) if is_cut else end, f"Its JSON is invalid: {error}.")
        return FoundObject(value, start, end, self._repeated)

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        value: dict[str, object] = {}
        for key, each in pairs:
            if key in self._keys and key in value and value[key] != each:
                self._repeated = key
            value[key] = each
        return value


def find_objects(text: str, keys: Collection[str] = ()) -> Iterator[FoundObject | BrokenObject]:
    """Yield the objects in the text and what begins as one, in order. Empty ones are left out."""
    reader, position, broken_until = ObjectReader(text, keys), 0, 0
    while match := _START.search(text, position):
        found = reader.read(match.start())
        if isinstance(found, BrokenObject):
            broken_until = max(broken_until, found.end)
            position = match.start() + 1
            yield found
        else:
            position = found.end
            yield FoundObject(found.value, found.start, found.end, found.repeated, found.end <= broken_until)
