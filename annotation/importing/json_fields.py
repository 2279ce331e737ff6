"""Reading the fields of one JSON object, and rejecting values that PostgreSQL cannot store."""

from typing import Any

from .problems import BadRecord, did_you_mean, echo

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


class Part(tuple[Any, ...]):
    """The name of a part of a file in messages: a function and its values. It is called only for a message: files have
    many parts, of which a tuple is made in the least time.
    """

    __slots__ = ()

    def __str__(self) -> str:
        words, *values = self
        return str(words(*values))


_FIELD, _KEY = "'{}' of {}".format, "a key of {}".format
_NUMBERED, _TEXT = "{} {} of {}".format, "text {} in '{}' of {}".format


def named(key: str, whole: object) -> Part:
    """Return the name of the field `key` of an object."""
    return Part((_FIELD, key, whole))


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
            check_text(key, Part((_KEY, label)))
            check_value(inner, label, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            check_value(inner, label, depth + 1)
    elif isinstance(value, int | float) and not abs(value) <= MAX_NUMBER:
        raise BadRecord(f"{label} contains a number that is too large to be stored")
    return value


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
        return check_text(self.get(key, str, default), Part((_FIELD, key, self.label)))

    def needed_text(self, key: str) -> str:
        """Return a required, non-blank text."""
        text = self.text(key)
        if text and not text.strip():
            raise BadRecord(f"'{key}' of {self.label} contains only whitespace")
        if not text:
            raise self._missing(key)
        return text

    def id(self, key: str, *, needed: bool = True) -> str:
        """Return an id of at most 200 characters; "" if it is absent and not required."""
        text = check_id(self.get(key, str, ""), Part((_FIELD, key, self.label)))
        if needed and not text:
            raise self._missing(key)
        return text

    def _missing(self, key: str) -> BadRecord:
        return BadRecord(f"{self.label} has no '{key}'" + did_you_mean([key], self.value))

    def objects(self, key: str, noun: object) -> list["Fields"]:
        """Return a list of objects."""
        return [self.numbered(value, noun, n) for n, value in enumerate(self.get(key, list, []), 1)]

    def numbered(self, value: object, noun: object, n: int) -> "Fields":
        """Return the n-th part of this object, which is an object too."""
        return Fields(value, Part((_NUMBERED, noun, n, self.label)))

    def texts(self, key: str) -> list[str]:
        """Return a list of texts; null becomes ""."""
        texts = [("" if text is None else text) for text in self.get(key, list, [])]
        for n, text in enumerate(texts, 1):
            label = Part((_TEXT, n, key, self.label))
            if not isinstance(text, str):
                raise BadRecord(f"{label} must be a text, but is {kind_of(text)}")
            check_text(text, label)
        return texts

    def object(self, key: str) -> dict[str, Any]:
        """Return any object that can be stored."""
        value: dict[str, Any] = check_value(self.get(key, dict, {}), Part((_FIELD, key, self.label)))
        return value


def check_id(text: str, label: object) -> str:
    """Return `text` as an id or a name. Raise BadRecord."""
    check_text(text, label)
    if len(text) > MAX_ID_LENGTH:
        raise BadRecord(f"{label} has {len(text)} characters; the limit is {MAX_ID_LENGTH}")
    if text != text.strip():
        raise BadRecord(f"{label} is {echo(text)}: whitespace at its ends is most likely a mistake; remove it")
    return text
