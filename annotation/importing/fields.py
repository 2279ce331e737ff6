"""Reading one object of a file field by field, and refusing what PostgreSQL could not store."""

from typing import Any

from .problems import Broken, echo

LONGEST_ID = 200
LARGEST_NUMBER = 10**300
DEEPEST = 50

_NAMES = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    return "null" if value is None else _NAMES.get(type(value), type(value).__name__)


def check_text(text: str, what: str) -> str:
    """`text`, if it can be stored. Raises Broken."""
    if "\x00" in text:
        raise Broken(f"{what} holds a NUL character, at character {text.index(chr(0)) + 1}; take it out")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Broken(
            f"{what} holds half of a surrogate pair, at character {error.start + 1}; take it out, or write both halves"
        ) from None
    return text


def check_value(value: Any, what: str, depth: int = 0) -> Any:
    """`value`, if all of it can be stored as JSON. Raises Broken."""
    if depth > DEEPEST:
        raise Broken(f"{what} is nested too deeply; at most {DEEPEST} levels are taken")
    if isinstance(value, str):
        check_text(value, what)
    elif isinstance(value, dict):
        for key, inner in value.items():
            check_text(key, f"a key of {what}")
            check_value(inner, what, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            check_value(inner, what, depth + 1)
    elif isinstance(value, int | float) and not abs(value) <= LARGEST_NUMBER:
        raise Broken(f"{what} holds a number that is too large to be stored")
    return value


class Fields:
    """One object. Absent and null are the same; a field of another kind is Broken, never guessed at."""

    def __init__(self, value: object, what: str):
        if not isinstance(value, dict):
            raise Broken(f"{what} must be an object, and is {kind_of(value)}")
        self.value, self.what = value, what

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """The field if it is there; `default` if not."""
        found = self.value.get(key)
        if found is None:
            return default
        if type(found) is not kind:
            raise Broken(f"'{key}' of {self.what} must be {_NAMES[kind]}, and is {kind_of(found)}")
        return found

    def text(self, key: str, default: str = "") -> str:
        return check_text(self.get(key, str, default), f"'{key}' of {self.what}")

    def needed_text(self, key: str) -> str:
        """A text that must be there and hold more than white space."""
        text = self.text(key)
        if not text.strip():
            raise Broken(f"{self.what} has no '{key}'" if not text else f"'{key}' of {self.what} is white space only")
        return text

    def id(self, key: str, *, needed: bool = True) -> str:
        """An id of at most 200 characters; empty if it is absent and not needed."""
        found = check_id(self.get(key, str, ""), f"'{key}' of {self.what}")
        if needed and not found:
            raise Broken(f"{self.what} has no '{key}'")
        return found

    def objects(self, key: str, what: str) -> list["Fields"]:
        """A list of objects."""
        return [Fields(value, f"{what} {n} of {self.what}") for n, value in enumerate(self.get(key, list, []), 1)]

    def texts(self, key: str) -> list[str]:
        """A list of texts; a null in it is an empty text."""
        found = [("" if text is None else text) for text in self.get(key, list, [])]
        for n, text in enumerate(found, 1):
            if not isinstance(text, str):
                raise Broken(f"text {n} in '{key}' of {self.what} must be a text, and is {kind_of(text)}")
            check_text(text, f"text {n} in '{key}' of {self.what}")
        return found

    def object(self, key: str) -> dict[str, Any]:
        """Any object that can be stored."""
        found: dict[str, Any] = check_value(self.get(key, dict, {}), f"'{key}' of {self.what}")
        return found


def check_id(text: str, what: str) -> str:
    """`text` as an id or a name. Raises Broken."""
    check_text(text, what)
    if len(text) > LONGEST_ID:
        raise Broken(f"{what} has {len(text)} characters; at most {LONGEST_ID} are taken")
    if text != text.strip():
        raise Broken(f"{what} is {echo(text)}: white space at its ends is most likely a mistake; take it off")
    return text
