"""Reading the fields of one JSON object, and rejecting values that PostgreSQL cannot store."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .column_names import did_you_mean
from .problems import BadRecord, echo

MAX_ID_LENGTH = 200
MAX_NUMBER = 10**300
DEEPEST = 50

_NAMES = {
    str: gettext_lazy("a text"),
    bool: gettext_lazy("true or false"),
    int: gettext_lazy("a number"),
    float: gettext_lazy("a number"),
    list: gettext_lazy("a list"),
    dict: gettext_lazy("an object"),
}
THE_ROW, THE_LINE = gettext_lazy("the row"), gettext_lazy("the line")


class Named:
    """The name of a part of a file in messages. It is formatted only for a message: files have many parts."""

    __slots__ = ("key", "whole")

    def __init__(self, key: str, whole: object):
        self.key, self.whole = key, whole

    def __str__(self) -> str:
        return _("'%(key)s' of %(whole)s") % {"key": self.key, "whole": self.whole}


class Key:
    """A key of an object, formatted like `Named`."""

    __slots__ = ("whole",)

    def __init__(self, whole: object):
        self.whole = whole

    def __str__(self) -> str:
        return _("a key of %(whole)s") % {"whole": self.whole}


class Numbered:
    """A numbered part, formatted like `Named`."""

    __slots__ = ("label", "n", "whole")

    def __init__(self, noun: object, n: int, whole: object):
        self.label, self.n, self.whole = noun, n, whole

    def __str__(self) -> str:
        return _("%(what)s %(n)s of %(whole)s") % {"what": self.label, "n": self.n, "whole": self.whole}


def kind_of(value: object) -> str:
    """Return the type of a JSON value, in words."""
    return "null" if value is None else str(_NAMES.get(type(value), type(value).__name__))


def check_text(text: str, label: object) -> str:
    """Return `text` if it can be stored. Raise BadRecord."""
    if "\x00" in text:
        raise BadRecord(
            _("%(what)s contains a NUL character, at character %(position)s; remove it")
            % {"what": label, "position": text.index(chr(0)) + 1}
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadRecord(
            _("%(what)s contains half of a surrogate pair, at character %(position)s; remove it, or write both halves")
            % {"what": label, "position": error.start + 1}
        ) from None
    return text


def check_value(value: Any, label: object, depth: int = 0) -> Any:
    """Return `value` if it can be stored as JSON. Raise BadRecord."""
    if depth > DEEPEST:
        raise BadRecord(
            _("%(what)s is nested too deeply; the limit is %(deepest)s levels") % {"what": label, "deepest": DEEPEST}
        )
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
        raise BadRecord(_("%(what)s contains a number that is too large to be stored") % {"what": label})
    return value


class TextIn:
    """One text of a list, formatted like `Named`."""

    __slots__ = ("key", "n", "whole")

    def __init__(self, n: int, key: str, whole: object):
        self.n, self.key, self.whole = n, key, whole

    def __str__(self) -> str:
        return _("text %(n)s in '%(key)s' of %(whole)s") % {"n": self.n, "key": self.key, "whole": self.whole}


class Fields:
    """One object. Absent and null are equal; a field of the wrong type raises BadRecord."""

    def __init__(self, value: object, label: object):
        if not isinstance(value, dict):
            raise BadRecord(
                _("%(what)s must be an object, but is %(value)s") % {"what": label, "value": kind_of(value)}
            )
        self.value, self.label = value, label

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """Return the field, or `default` if it is absent."""
        value = self.value.get(key)
        if value is None:
            return default
        if type(value) is not kind:
            raise BadRecord(
                _("'%(key)s' of %(what)s must be %(names)s, but is %(found)s")
                % {"key": key, "what": self.label, "names": _NAMES[kind], "found": kind_of(value)}
            )
        return value

    def text(self, key: str, default: str = "") -> str:
        return check_text(self.get(key, str, default), Named(key, self.label))

    def needed_text(self, key: str) -> str:
        """Return a required, non-blank text."""
        text = self.text(key)
        if not text.strip():
            names = {"what": self.label, "key": key}
            if text:
                raise BadRecord(_("'%(key)s' of %(what)s contains only whitespace") % names)
            raise BadRecord(_("%(what)s has no '%(key)s'") % names + did_you_mean([key], self.value))
        return text

    def id(self, key: str, *, needed: bool = True) -> str:
        """Return an id of at most 200 characters; "" if it is absent and not required."""
        text = check_id(self.get(key, str, ""), Named(key, self.label))
        if needed and not text:
            missing = _("%(what)s has no '%(key)s'") % {"what": self.label, "key": key}
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
                raise BadRecord(_("%(what)s must be a text, but is %(kind)s") % {"what": label, "kind": kind_of(text)})
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
        raise BadRecord(
            _("%(what)s has %(text)s characters; the limit is %(longest_id)s")
            % {"what": label, "text": len(text), "longest_id": MAX_ID_LENGTH}
        )
    if text != text.strip():
        raise BadRecord(
            _("%(what)s is %(text)s: whitespace at its ends is most likely a mistake; remove it")
            % {"what": label, "text": echo(text)}
        )
    return text
