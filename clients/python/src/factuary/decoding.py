"""Frozen dataclasses from JSON, and JSON from them."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar

from .errors import AnswerError

T = TypeVar("T")
_fields: dict[type[Any], dict[str, Any]] = {}


def decode(record: type[T], data: Any, **more: Any) -> T:
    """Return the record that a JSON object describes. `more`: fields that are not in the JSON.

    Members that the record has no field for are ignored: a newer site may send some. Raises AnswerError where one is
    missing that has no default.
    """
    if not isinstance(data, Mapping):
        raise AnswerError(f"{record.__name__}: an object is expected, not {data!r:.60}")
    values = {name: _value(kind, data[name]) for name, kind in fields_of(record).items() if name in data}
    try:
        return record(**values, **more)
    except TypeError as error:
        raise AnswerError(f"{record.__name__}: {error}") from None


def fields_of(record: type[Any]) -> dict[str, Any]:
    """Return the public fields of a record with their types."""
    if record not in _fields:  # a list has thousands of rows of one record
        kinds = typing.get_type_hints(record)
        names = [field.name for field in dataclasses.fields(record)]
        _fields[record] = {name: kinds[name] for name in names if not name.startswith("_")}
    return _fields[record]


def _value(kind: Any, value: Any) -> Any:
    """Return a JSON value as the type of its field."""
    if value is None:
        return None
    if typing.get_origin(kind) is types.UnionType:
        return _value(next(each for each in typing.get_args(kind) if each is not types.NoneType), value)
    if typing.get_origin(kind) is tuple:
        return tuple(_value(typing.get_args(kind)[0], each) for each in value)
    if kind is datetime:
        return datetime.fromisoformat(value)
    return decode(kind, value) if isinstance(kind, type) and dataclasses.is_dataclass(kind) else value


def encode(value: Any) -> Any:
    """Return a record as a dictionary, and a tuple as a list."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: encode(getattr(value, name)) for name in fields_of(type(value))}
    return [encode(each) for each in value] if isinstance(value, tuple) else value
