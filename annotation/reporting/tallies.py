"""The counted ratings as the report needs them: how many, by system, prompt and set of choice answers.

One query reads the tally joined with response, system and prompt; the ratings themselves are not touched, so the time
does not grow with the number of raters. What is distinct (prompts, systems, sets of answers) is numbered, and the
counts are index arrays: whatever asks about a rating asks about one of the few sets of answers instead. Prompts are
numbered in the order of their imported ids, because resamples are drawn by number and must not depend on the database.
"""

import json
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..models import Project
from ..rating.counting import counted_tallies

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Entries:
    """Index arrays of equal length: `n[i]` ratings of prompt `prompts[i]` gave the answers `answers[i]`."""

    prompts: Indices
    answers: Indices
    n: Indices


@dataclass(frozen=True)
class Tallies:
    """All counted ratings of a project.

    `prompts`: imported ids in order; `metadata`: of each; `systems`: names in order, of which `system_of[i]` made what
    entry i is about; `answers`: the distinct sets of choice answers; `responses`: how many were rated.
    """

    prompts: list[str]
    metadata: list[dict[str, Any]]
    systems: list[str]
    answers: list[dict[str, str]]
    entries: Entries
    system_of: Indices
    responses: int
    prompt_ids: dict[int, int] = field(repr=False)
    """Database id of a prompt -> its number."""


def read_tallies(project: Project) -> Tallies:
    """The counted ratings of `project`, by one query."""
    rows = list(
        counted_tallies(project).values_list(
            "response__prompt_id",
            "response__prompt__key",
            "response__prompt__metadata",
            "response__system__name",
            "against__system__name",
            "response_id",
            "against_id",
            "choices",
            "n",
        )
    )
    prompts = sorted({(key, pk) for pk, key, *_ in rows})
    numbers = {pk: number for number, (_, pk) in enumerate(prompts)}
    metadata = {pk: found for pk, _, found, *_ in rows}
    names = [_system(of, against) for _, _, _, of, against, *_ in rows]
    systems = sorted(set(names))
    answers = Numbered(canonical(row[7]) for row in rows)
    return Tallies(
        prompts=[key for key, _ in prompts],
        metadata=[metadata[pk] for _, pk in prompts],
        systems=systems,
        answers=[json.loads(text) for text in answers.values],
        entries=Entries(
            indices(numbers[row[0]] for row in rows), indices(answers.numbers), indices(row[8] for row in rows)
        ),
        system_of=indices(map({name: number for number, name in enumerate(systems)}.__getitem__, names)),
        responses=len({row[5:7] for row in rows}),
        prompt_ids=numbers,
    )


class Numbered:
    """Values numbered in the order in which they first come: `values[numbers[i]]` is the i-th."""

    def __init__(self, values: Iterable[Hashable]):
        known: dict[Hashable, int] = {}
        self.numbers = [known.setdefault(value, len(known)) for value in values]
        self.values: Sequence[Any] = list(known)


def canonical(value: Any) -> str:
    """JSON text that is the same for the same data."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def indices(values: Iterable[int]) -> Indices:
    return np.fromiter(values, dtype=np.int64)


def _system(of: str, against: str | None) -> str:
    """The name of what was rated: a pair of responses is a pair of systems."""
    return f"{of} vs {against}" if against is not None else of
