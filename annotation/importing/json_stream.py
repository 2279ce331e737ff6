"""A streaming JSON parser: one value after another, from a file that is never whole in memory.

The standard library's decoder reads a window of the text that grows until it contains the next value. (The streaming
parser yajl, used through ijson, silently replaces unpaired surrogates by question marks and does not report the line of
an error; this parser is also twice as fast.)
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NoReturn

from .input_files import MAX_RECORD_SIZE, MEGABYTE, FileReader
from .problems import BadRecord, Problems, echo

_SPACE = re.compile(r"[ \t\r\n]*")
_FIRST_MEMBER = re.compile(r'\{[ \t\r\n]*"((?:[^"\\]|\\.)*)"[ \t\r\n]*:[ \t\r\n]*(\S)')
_FIRST_ELEMENT = re.compile(r"\[[ \t\r\n]*(\S)")
_SCALAR = re.compile(r"([^\s,\]}]+)[\s,\]}]")
_TURNS = ("messages", "conversation", "conversations")  # lists of which each is one record
_NEAR_THE_END = 12  # the longest token that can look wrong because it is cut off: -Infinity, \uXXXX


def parse(text: str, *, nan_as_null: bool = False) -> Any:
    """Return the one value in `text`. Raise BadRecord with the position. `nan_as_null`: NaN and Infinity, which Python
    programs write though JSON has none, become None."""
    try:
        return json.loads(text, object_pairs_hook=_each_key_once, parse_constant=_constants(nan_as_null))
    except json.JSONDecodeError as error:
        if _is_cut_off(error, text):
            raise BadRecord("this ends in the middle of a value; it is truncated") from None
        raise BadRecord(f"this is not valid JSON: {error.msg}, at character {error.colno}") from None
    except RecursionError:
        raise BadRecord("brackets are nested too deeply") from None
    except BadRecord:
        raise
    except ValueError:
        raise BadRecord("a number has more digits than can be stored") from None


def read_values(file_reader: FileReader, problems: Problems, *, nan_as_null: bool = False) -> Iterator[tuple[str, Any]]:
    """Yield location and value of each line, or of each element of the one list that the file is. Invalid lines go to
    `problems`. Raise Refused for an invalid list. `nan_as_null` as in `parse`.
    """
    if file_reader.beginning().startswith(b"["):
        yield from JsonText(file_reader, nan_as_null=nan_as_null).elements()
        return
    is_first = True
    for number, line in file_reader.lines():
        if line.strip():
            try:
                value = parse(line, nan_as_null=nan_as_null)
            except BadRecord as broken:
                if is_first:
                    _refuse_value_on_several_lines(file_reader)
                problems.add(f"{file_reader.name}:{number}", broken)
            else:
                yield f"{file_reader.name}:{number}", value
            is_first = False


def _refuse_value_on_several_lines(file_reader: FileReader) -> None:
    """Raise Refused if the first value of a file of lines does not end in its line, with one message for all of them.
    A value that is cut off, before lines that are none, ends in its line."""
    lines = (line for _number, line in FileReader(file_reader.source).lines() if line.strip())
    _first, following = next(lines, ""), next(lines, "")
    text = JsonText(FileReader(file_reader.source))
    if not following or text.next_character() != "{":
        return
    with suppress(BadRecord):
        if isinstance(parse(following, nan_as_null=True), dict):
            return
    began = text.line
    value = text.value()
    text.next_character()
    if text.line > began and isinstance(value, dict):
        message = (
            "one object is written on several lines; write each record on a line of its own (JSON Lines), or all of "
            "them in one list, [ … ]"
        )
        name, inner = next(iter(value.items())) if len(value) == 1 else ("", None)
        if isinstance(inner, list) and name not in _TURNS:
            message += f"; the list {echo(name)} of this object may be it"
        raise file_reader.refused(message, began)


class JsonText:
    """Reader of the values of one file. `line` is the line of the next value. `nan_as_null` as in `parse`."""

    def __init__(self, file_reader: FileReader, *, nan_as_null: bool = False):
        self._reading, self._pieces = file_reader, file_reader.text()
        self._window, self._at = "", 0
        self.line, self._counted = 1, 0
        self._decoder = json.JSONDecoder(object_pairs_hook=_each_key_once, parse_constant=_constants(nan_as_null))

    def next_character(self) -> str:
        """Return the next character that is not white space, without consuming it; "" at the end of the file."""
        while True:
            if space := _SPACE.match(self._window, self._at):
                self._at = space.end()
            if self._at < len(self._window) or not self._grow():
                self._count_lines()
                return self._window[self._at : self._at + 1]

    def take(self, expected: str) -> None:
        """Consume the next character, which must be `expected`."""
        character = self.next_character()
        if character != expected:
            actual = echo(character) if character else "nothing more"
            self.refuse(f"this is not valid JSON: {echo(expected)} is expected, but there is {actual}")
        self._at += 1

    def value(self) -> Any:
        """Consume the next value: an object, list or string (a bare number could be cut off)."""
        if self.next_character() not in ("{", "[", '"'):
            self.refuse("this is not valid JSON: an object is expected")
        while True:
            try:
                value, self._at = self._decoder.raw_decode(self._window, self._at)
            except json.JSONDecodeError as error:
                near_the_end = error.pos >= len(self._window) - _NEAR_THE_END
                if not ((near_the_end or error.msg.startswith("Unterminated string")) and self._grow()):
                    line = self.line + self._window.count("\n", self._at, error.pos)
                    message = f"this is not valid JSON: {error.msg}"
                    if _is_cut_off(error, self._window):
                        message = "the file ends in the middle of a value; it is truncated"
                    raise self._reading.refused(message, line) from None
            except RecursionError:
                self.refuse("brackets are nested too deeply")
            except BadRecord as error:
                self.refuse(str(error))
            except ValueError:
                self.refuse("a number has more digits than can be stored")
            else:
                return value

    @property
    def location(self) -> str:
        """The file and the line of the next value."""
        return f"{self._reading.name}:{self.line}"

    def elements(self) -> Iterator[tuple[str, Any]]:
        """Yield location and value of each element of the next list; only white space may follow it."""
        yield from self.inner_elements()
        if character := self.next_character():
            self.refuse(f"the list has ended, but {echo(character)} follows")

    def members(self) -> Iterator[tuple[str, str]]:
        """Yield location and text of each key of the next object. Its value comes next and must be consumed before the
        following key."""
        before = "{"
        while before == "{" or self.next_character() != "}":
            self.take(before)
            if before == "{" and self.next_character() == "}":
                break
            before = ","
            self.next_character()
            location, key = self.location, self.value()
            if not isinstance(key, str):
                self.refuse("this is not valid JSON: a key in quotes is expected")
            self.take(":")
            self.next_character()
            yield location, key
        self.take("}")

    def skip(self) -> None:
        """Consume the next value of any type; a list is never whole in memory."""
        if self.next_character() == "[":
            for _element in self.inner_elements(self.any_value):
                pass
        else:
            self.any_value()

    def any_value(self) -> Any:
        """Consume the next value of any type."""
        if self.next_character() in ("{", "[", '"'):
            return self.value()
        while not (match := _SCALAR.match(self._window, self._at)) and self._grow():
            pass
        text = match[1] if match else self._window[self._at :]
        try:
            value = self._decoder.decode(text)
        except (json.JSONDecodeError, BadRecord):
            self.refuse(f"this is not valid JSON: {echo(text)}")
        except ValueError:
            self.refuse("a number has more digits than can be stored")
        self._at += len(text)
        return value

    def inner_elements(self, read: Callable[[], Any] | None = None) -> Iterator[tuple[str, Any]]:
        """Yield location and value of each element of the next list, by default objects; anything may follow it."""
        read, before = read or self.value, "["
        while before == "[" or self.next_character() != "]":
            self.take(before)
            if before == "[" and self.next_character() == "]":
                break
            before = ","
            self.next_character()
            yield self.location, read()
        self.take("]")

    def first_member(self) -> tuple[str, str]:
        """Return the first key of the object that comes next, as it is written, and the first character of its value.

        Nothing is consumed. Both are empty for an empty object and for other values.
        """
        while not (match := _FIRST_MEMBER.match(self._window, self._at)):
            if len(self._window) - self._at > MEGABYTE or not self._grow():
                return "", ""
        return match[1], match[2]

    def first_of_element(self) -> str:
        """Return the first character of the first element of the list that comes next, "]" of an empty one. Nothing is
        consumed."""
        while not (match := _FIRST_ELEMENT.match(self._window, self._at)):
            if not self._grow():
                return ""
        return match[1]

    def refuse(self, message: str) -> NoReturn:
        """Raise Refused with the current line."""
        raise self._reading.refused(message, self.line)

    def _grow(self) -> bool:
        """Double the rest of the window; return False at the end of the file."""
        unread = self._window[self._at :]
        if len(unread) > MAX_RECORD_SIZE:
            self.refuse(f"one record is longer than {MAX_RECORD_SIZE // MEGABYTE} MB")
        pieces, grown = [unread], 0
        size = max(1, min(len(unread), MAX_RECORD_SIZE + 1 - len(unread)))
        while grown < size and (piece := next(self._pieces, None)) is not None:
            pieces.append(piece)
            grown += len(piece)
        if grown:
            self._count_lines()
            self._window, self._at, self._counted = "".join(pieces), 0, 0
        return grown > 0

    def _count_lines(self) -> None:
        self.line += self._window.count("\n", self._counted, self._at)
        self._counted = self._at


def _is_cut_off(error: json.JSONDecodeError, text: str) -> bool:
    """Return whether `text` is invalid only because it ends too early."""
    return error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip())


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadRecord(f"an object has the key {echo(twice)} twice; keep one")
    return mapping


def _constants(nan_as_null: bool) -> Callable[[str], None]:
    """Return what the decoder calls for NaN and Infinity."""

    def constant(name: str) -> None:
        if not nan_as_null:
            raise BadRecord(f"{name} is not JSON; write null, or omit the field")

    return constant
