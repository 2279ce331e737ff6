"""Requests to what stands below one path of the API, and lists that are read page by page."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .connection import Connection, Query
from .decoding import decode, encode, fields_of
from .jobs import Job, JobState

if TYPE_CHECKING:
    import datasets
    import pandas

T = TypeVar("T")
PAGE = 500
"""Rows of a request."""


class Resource:
    """What stands below a path of the API, `_path`. Paths of requests are below it."""

    _connection: Connection
    _parent: str

    def __init__(self, connection: Connection, path: str) -> None:
        self._connection, self._parent = connection, path

    @property
    def _path(self) -> str:
        return self._parent

    def _decode(self, record: type[T], answer: Any) -> T:
        """Return the record of an answer; one with methods sends its requests below the path of this resource."""
        if issubclass(record, RecordWithMethods):
            return decode(record, answer, _connection=self._connection, _parent=self._path)
        return decode(record, answer)

    def _rows(self, record: type[T], path: str = "", /, **query: Any) -> "Rows[T]":
        return Rows(self, self._path + path, record, query)

    def _get(self, record: type[T], path: str = "", /, **query: Any) -> T:
        return self._decode(record, self._json("GET", path, query=query))

    def _write(self, record: type[T], method: str, path: str = "", /, **body: Any) -> T:
        return self._decode(record, self._json(method, path, json=body or None))

    def _start(self, load: Callable[[JobState], T], path: str = "", /, **body: Any) -> Job[T]:
        """Start a job; `load` returns its result."""
        return Job(self._connection, self._json("POST", path, json=body or None)["id"], load)

    def _bytes(self, path: str) -> bytes:
        return self._connection.send("GET", self._path + path).content

    def _json(self, method: str, path: str = "", **content: Any) -> Any:
        return self._connection.json(method, self._path + path, **content)


R = TypeVar("R", bound=Resource)


class Below(Generic[R]):
    """A resource below the path of the one that has it."""

    def __init__(self, kind: type[R], path: str) -> None:
        self._kind, self._path = kind, path

    def __get__(self, resource: Resource, _kind: object) -> R:
        return self._kind(resource._connection, resource._path + self._path)


@dataclass(frozen=True, kw_only=True)
class RecordWithMethods(Resource):
    """A record of the API that sends requests about itself."""

    _connection: Connection = field(repr=False, compare=False)
    _parent: str = field(repr=False, compare=False)


def check_options(kind: Any, options: Mapping[str, Any]) -> None:
    """Raise TypeError for a name that is no key of the TypedDict: the site ignores fields that it does not know."""
    if unknown := [name for name in options if name not in kind.__annotations__]:
        raise TypeError(f"there is no option {unknown[0]!r}; there are {', '.join(kind.__annotations__)}")


class Rows(Generic[T]):
    """The rows of a list, requested page by page while they are iterated over. Each iteration requests them anew."""

    def __init__(self, resource: Resource, path: str, record: type[T], query: Query) -> None:
        self._resource, self._path, self._record, self._query = resource, path, record, query

    def __iter__(self) -> Iterator[T]:
        """Yield the rows in the order of the site."""
        path: str | None = self._path
        query: Query | None = {"limit": PAGE, **self._query}
        while path is not None:
            page = self._resource._connection.json("GET", path, query=query)
            for row in page["results"]:
                yield self._resource._decode(self._record, row)
            path, query = page["next"], None

    def __repr__(self) -> str:
        """Name the list without requesting it."""
        return f"<rows of {self._path}>"

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return all rows as dictionaries."""
        return [encode(row) for row in self]

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
