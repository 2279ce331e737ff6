"""Queries that Django composes once: at a rater's request, composing the SQL takes longer than running it.

A composed query is a queryset with parameters in place of values. Use it where each request of a rater runs the query,
as measured by `python -m benchmarks serving`; an ordinary queryset is easier to read everywhere else.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection, transaction
from django.db.models import Model, QuerySet, Value
from django.db.models.query import ModelIterable, get_related_populators

M = TypeVar("M", bound=Model)
_related_populators: Any = get_related_populators  # its type is that of another version of Django
SqlValue = Any  # str, int, UUID, datetime, …: what psycopg adapts


@dataclass(frozen=True)
class _Parameter:
    """Stands for the value at this index of a call."""

    index: int


@dataclass(frozen=True)
class _Composed:
    """The SQL, its parameters, and where the columns of a row belong."""

    sql: str
    parameters: tuple[Any, ...]
    locks_rows: bool
    model: type[Model]
    attributes: list[str]
    first_column: int
    related: list[Any]
    annotations: dict[str, int]
    converters: dict[int, Any]


class ComposedQuery(Generic[M]):
    """Run `compose`, a function of `parameters` expressions that returns a queryset of models, with other values.

    The queryset may use `select_related`, `annotate`, `select_for_update` and slices, but not `prefetch_related` or
    `values`. A value is sent as it is, without the conversion of a field, and is never None: SQL for NULL differs.
    """

    def __init__(self, compose: Callable[..., QuerySet[M]], parameters: int):
        self._compose, self._parameters = compose, parameters

    def all(self, *values: SqlValue) -> list[M]:
        """Return the rows as instances. Raises TransactionManagementError if rows are locked outside a transaction."""
        composed = self._composed
        if composed.locks_rows and not connection.in_atomic_block:
            raise transaction.TransactionManagementError("rows can be locked in a transaction only")
        sent = [values[each.index] if isinstance(each, _Parameter) else each for each in composed.parameters]
        with connection.cursor() as cursor:
            cursor.execute(composed.sql, sent)
            return list(_instances(composed, cursor.fetchall()))

    def first(self, *values: SqlValue) -> M | None:
        """Return the first row as an instance, or None. The queryset should be limited to one row."""
        return next(iter(self.all(*values)), None)

    @cached_property
    def _composed(self) -> _Composed:
        queryset: Any = self._compose(*(Value(_Parameter(index)) for index in range(self._parameters)))
        if queryset._prefetch_related_lookups or queryset._iterable_class is not ModelIterable:
            raise TypeError("a composed query returns models, without prefetched objects")
        compiler = queryset.query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        columns = compiler.klass_info["select_fields"]
        fields = [column for column, _sql, _alias in compiler.select]
        return _Composed(
            sql=sql,
            parameters=tuple(parameters),
            locks_rows=queryset.query.select_for_update,
            model=compiler.klass_info["model"],
            attributes=[field.target.attname for field in fields[columns[0] : columns[-1] + 1]],
            first_column=columns[0],
            related=_related_populators(compiler.klass_info, compiler.select, connection.alias),
            annotations=compiler.annotation_col_map or {},
            converters=compiler.get_converters(fields),
        )


def _instances(composed: _Composed, rows: list[Any]) -> Iterator[Any]:
    """Yield the instances of rows, as Django's ModelIterable does."""
    first, last = composed.first_column, composed.first_column + len(composed.attributes)
    for row in rows:
        values = _converted(composed, row) if composed.converters else row
        instance = composed.model.from_db(connection.alias, composed.attributes, values[first:last])
        for populator in composed.related:
            populator.populate(values, instance)
        for name, column in composed.annotations.items():
            setattr(instance, name, values[column])
        yield instance


def _converted(composed: _Composed, row: Any) -> list[Any]:
    values = list(row)
    for column, (converters, expression) in composed.converters.items():
        for convert in converters:
            values[column] = convert(values[column], expression, connection)
    return values
