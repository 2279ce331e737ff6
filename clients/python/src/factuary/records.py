"""Frozen dataclasses from JSON, and lists that are read page by page."""

import dataclasses
import types
import typing
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .connection import Connection
from .errors import AnswerError

if TYPE_CHECKING:
    import datasets
    import pandas

T = TypeVar("T")
PAGE = 500
"""Rows of a request."""

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
    if record not in _fields:
        kinds = typing.get_type_hints(record)
        names = [field.name for field in dataclasses.fields(record) if not field.name.startswith("_")]
        _fields[record] = {name: kinds[name] for name in names}
    return _fields[record]


def _value(kind: Any, value: Any) -> Any:
    """Return a JSON value as the type of its field."""
    origin = typing.get_origin(kind)
    if value is None:
        return None
    if origin is types.UnionType:
        return _value(next(each for each in typing.get_args(kind) if each is not types.NoneType), value)
    if origin is tuple:
        return tuple(_value(typing.get_args(kind)[0], each) for each in value)
    if kind is datetime:
        return datetime.fromisoformat(value)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return decode(kind, value)
    return value


class Rows(Generic[T]):
    """The rows of a list, requested page by page while they are iterated over. Each iteration requests them anew."""

    def __init__(
        self, connection: Connection, path: str, record: type[T], query: Mapping[str, Any], **more: Any
    ) -> None:
        self._connection, self._path, self._record, self._query, self._more = connection, path, record, query, more

    def __iter__(self) -> Iterator[T]:
        """Yield the rows in the order of the site."""
        path: str | None = self._path
        query: Mapping[str, Any] | None = {"limit": PAGE, **self._query}
        while path is not None:
            page = self._connection.get(path, query)
            for row in page["results"]:
                yield decode(self._record, row, **self._more)
            path, query = page["next"], None

    def __repr__(self) -> str:
        """Name the list without requesting it."""
        return f"<rows of {self._path}>"

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return all rows as dictionaries."""
        names = fields_of(self._record)
        return [{name: _plain(getattr(row, name)) for name in names} for row in self]

    def to_pandas(self) -> "pandas.DataFrame":
        """Return all rows as a data frame; a member of an object has a column of its own, such as `answers.accuracy`.

        Needs pandas: `pip install factuary-client[pandas]`.
        """
        import pandas

        rows = self.to_dicts()
        return pandas.json_normalize(rows) if rows else pandas.DataFrame(columns=list(fields_of(self._record)))

    def to_dataset(self) -> "datasets.Dataset":
        """Return all rows as a data set of Hugging Face. Needs datasets: `pip install factuary-client[datasets]`."""
        import datasets

        rows = self.to_dicts()
        empty: dict[str, list[Any]] = {name: [] for name in fields_of(self._record)}
        return datasets.Dataset.from_list(rows) if rows else datasets.Dataset.from_dict(empty)


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: _plain(getattr(value, name)) for name in fields_of(type(value))}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
