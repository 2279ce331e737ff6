"""Conditions of a protocol, in Python and in SQL.

`show_when`, `require_when`, `counts` and `among` are conditions. A condition holds if each of its questions was
answered with one of its values. `static/js/shared/protocol.js` has the same rule for pages.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Condition(Mapping[str, tuple[str, ...]]):
    """Question key -> values: each named question was answered with one of its values. Empty: always."""

    terms: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def of(cls, mapping: Mapping[str, Iterable[str]]) -> "Condition":
        return cls(tuple((key, tuple(values)) for key, values in mapping.items()))

    def __getitem__(self, key: str) -> tuple[str, ...]:
        return dict(self.terms)[key]

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self.terms)

    def __len__(self) -> int:
        return len(self.terms)

    def __hash__(self) -> int:
        return hash(frozenset(self.terms))

    def as_json(self) -> dict[str, list[str]]:
        return {key: list(values) for key, values in self.terms}


ALWAYS = Condition()


def holds(condition: Mapping[str, Collection[str]], answers: Mapping[str, object]) -> bool:
    """Return whether each question of the condition was answered with one of its values; True for an empty one."""
    return all(answers.get(key) in values for key, values in condition.items())


def as_sql(condition: Mapping[str, Collection[str]], column: str) -> tuple[str, list[str]]:
    """Return `holds` as a PostgreSQL expression over a JSONB column, with its parameters: true or false, never NULL.

    `column` is SQL and must never come from a request. Values are compared as JSON, so that 1 is not "1".
    """
    terms, params = [], []
    for key, values in condition.items():
        encoded_values = [json.dumps(value) for value in values]
        terms.append(f"{column} -> %s::text = ANY (ARRAY[{', '.join(['%s'] * len(encoded_values))}]::jsonb[])")
        params += [key, *encoded_values]
    return (f"COALESCE({' AND '.join(terms)}, FALSE)" if terms else "TRUE"), params
