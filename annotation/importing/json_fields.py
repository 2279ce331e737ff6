"""Reading the fields of one JSON object, and rejecting values that PostgreSQL cannot store."""

from typing import Any

from .column_names import did_you_mean
from .problems import BadRecord, echo

MAX_ID_LENGTH = 200
MAX_NUMBER = 10**300
DEEPEST = 50

_NAMES = {
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
}
THE_ROW, THE_LINE = "the row", "the line"


class Named:
    """The name of a part of a file in messages. It is formatted only for a message: files have many parts."""

    __slots__ = ("key", "whole")

    def __init__(self, key: str, whole: object):
        self.key, self.whole = key, whole

    def __str__(self) -> str:
        return f"'{self.key}' of {self.whole}"


class Key:
    """A key of an object, formatted like `Named`."""

    __slots__ = ("whole",)

    def __init__(self, whole: object):
        self.whole = whole

    def __str__(self) -> str:
        return f"a key of {self.whole}"


class Numbered:
    """A numbered part, formatted like `Named`."""

    __slots__ = ("label", "n", "whole")

    def __init__(self, noun: object, n: int, whole: object):
        self.label, self.n, self.whole = noun, n, whole

    def __str__(self) -> str:
        return f"{self.label} {self.n} of {self.whole}"


def kind_of(value: object) -> str:
    """Return the type of a JSON value, in words."""
    return "null" if value is None else str(_NAMES.get(type(value), type(value).__name__))


def check_text(text: str, label: object) -> str:
    """Return `text` if it can be stored. Raise BadRecord."""
    if "\x00" in text:
        raise BadRecord(f"{label} contains a NUL character, at character {text.index(chr(0)) + 1}; remove it")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadRecord(
            f"{label} contains half of a surrogate pair, at character {error.start + 1}; remove it, or write "
            "both halves"
        ) from None
    return text


def check_value(value: Any, label: object, depth: int = 0) -> Any:
    """Return `value` if it can be stored as JSON. Raise BadRecord."""
    if depth > DEEPEST:
        raise BadRecord(f"{label} is nested too deeply; the limit is {DEEPEST} levels")
    if isinstance(value, str):
        check_text(value, label)
    elif isinstance(value, dict):
        for key, inner in value.items():
            check_text(key, Key(label))
            check_value(inner, label, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            check_value(inner, label, depth + 1)
    elif isinstance(value, int | float) and not abs(value) <= MAX_NUMBER:
        raise BadRecord(f"{label} contains a number that is too large to be stored")
    return value


class TextIn:
    """One text of a list, formatted like `Named`."""

    __slots__ = ("key", "n", "whole")

    def __init__(self, n: int, key: str, whole: object):
        self.n, self.key, self.whole = n, key, whole

    def __str__(self) -> str:
        return f"text {self.n} in '{self.key}' of {self.whole}"


class Fields:
    """One object. Absent and null are equal; a field of the wrong type raises BadRecord."""

    def __init__(self, value: object, label: object):
        if not isinstance(value, dict):
            raise BadRecord(f"{label} must be an object, but is {kind_of(value)}")
        self.value, self.label = value, label

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """Return the field, or `default` if it is absent."""
        value = self.value.get(key)
        if value is None:
            return default
        if type(value) is not kind:
            raise BadRecord(f"'{key}' of {self.label} must be {_NAMES[kind]}, but is {kind_of(value)}")
        return value

    def text(self, key: str, default: str = "") -> str:
        return check_text(self.get(key, str, default), Named(key, self.label))

    def needed_text(self, key: str) -> str:
        """Return a required, non-blank text."""
        text = self.text(key)
        if not text.strip():
            if text:
                raise BadRecord(f"'{key}' of {self.label} contains only whitespace")
            raise BadRecord((f"{self.label} has no '{key}'") + did_you_mean([key], self.value))
        return text

    def id(self, key: str, *, needed: bool = True) -> str:
        """Return an id of at most 200 characters; "" if it is absent and not required."""
        text = check_id(self.get(key, str, ""), Named(key, self.label))
        if needed and not text:
            missing = f"{self.label} has no '{key}'"
            raise BadRecord(missing + did_you_mean([key], self.value))
        return text

    def objects(self, key: str, noun: object) -> list["Fields"]:
        """Return a list of objects."""
        return [Fields(value, Numbered(noun, n, self.label)) for n, value in enumerate(self.get(key, list, []), 1)]

    def texts(self, key: str) -> list[str]:
        """Return a list of texts; null becomes ""."""
        texts = [("" if text is None else text) for text in self.get(key, list, [])]
        for n, text in enumerate(texts, 1):
            label = TextIn(n, key, self.label)
            if not isinstance(text, str):
                raise BadRecord(f"{label} must be a text, but is {kind_of(text)}")
            check_text(text, label)
        return texts

    def object(self, key: str) -> dict[str, Any]:
        """Return any object that can be stored."""
        value: dict[str, Any] = check_value(self.get(key, dict, {}), Named(key, self.label))
        return value


def check_id(text: str, label: object) -> str:
    """Return `text` as an id or a name. Raise BadRecord."""
    check_text(text, label)
    if len(text) > MAX_ID_LENGTH:
        raise BadRecord(f"{label} has {len(text)} characters; the limit is {MAX_ID_LENGTH}")
    if text != text.strip():
        raise BadRecord(f"{label} is {echo(text)}: whitespace at its ends is most likely a mistake; remove it")
    return text
