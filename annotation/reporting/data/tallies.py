"""The ratings that count, as a report needs them: how many, by response and set of choice answers.

Without filters that ask who rated, how long it took or which item it was, they are read from the tally, so the time
does not grow with the number of raters. What is distinct (prompts, systems, responses, sets of answers) is numbered,
and the counts are index arrays: whatever asks about a rating asks about one of the few sets of answers instead. All is
numbered in the order of imported ids, because resamples are drawn by number and must not depend on the database.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...stats.proportions import SPARSE, distinct_counts

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Entries:
    """Index arrays of equal length: `n[i]` ratings of the response `sources[i]`, whose prompt is in the cluster
    `clusters[i]`, gave the answers `answers[i]`.
    """

    sources: Indices
    clusters: Indices
    answers: Indices
    n: Indices


@dataclass(frozen=True)
class Sources:
    """What was rated, response by response (or pair by pair), in the order of the imported ids.

    `prompts`: imported ids in order; of each `metadata`, the imported id of its document, and `cluster_of`, a number
    below `clusters`; `systems`: names in order. Of each source: `prompt_of`, `system_of`, `keys` (the imported ids of
    response and opponent) and `made_by`, the response's system; a pair of responses is of a pair of systems, and those
    that are `turned` have the opponent's system first. `other_side`: the number of each set of answers when the pair is
    turned round.
    """

    prompts: list[str]
    metadata: list[dict[str, Any]]
    documents: list[str | None]
    cluster_of: Indices
    clusters: int
    systems: list[str]
    keys: list[tuple[str, str | None]]
    made_by: list[str]
    prompt_of: Indices
    system_of: Indices
    turned: NDArray[np.bool_]
    other_side: Indices

    @cached_property
    def values(self) -> dict[str, list[list[str]]]:
        """The values of every prompt, for each metadata key, in order, of which some prompt has a value."""
        keys = sorted({key for metadata in self.metadata for key in metadata})
        found = {key: [values_of(metadata.get(key)) for metadata in self.metadata] for key in keys}
        return {key: values for key, values in found.items() if any(values)}

    def entries(self, sources: Indices, answers: Indices, n: Indices) -> Entries:
        """Entries of these sources, with their clusters and the answers turned as the pair of systems is."""
        return Entries(sources, self.cluster_of[self.prompt_of[sources]], self.as_named(sources, answers), n)

    def as_named(self, sources: Indices, answers: Indices) -> Indices:
        """Stored answers about these sources as answers about the pair of systems in the order of its name."""
        return np.where(self.turned[sources], self.other_side[answers], answers) if self.turned.any() else answers


@dataclass(frozen=True)
class Tallies:
    """The counted ratings of a project under some choices; `answers` are the distinct sets of choice answers."""

    sources: Sources
    answers: list[dict[str, str]]
    entries: Entries

    @property
    def prompts(self) -> list[str]:
        return self.sources.prompts

    @property
    def metadata(self) -> list[dict[str, Any]]:
        return self.sources.metadata

    @property
    def systems(self) -> list[str]:
        return self.sources.systems

    @property
    def responses(self) -> int:
        return len(self.sources.keys)

    @property
    def clusters(self) -> int:
        return self.sources.clusters


def values_of(value: Any) -> list[str]:
    """The values under which a prompt counts: each once, as text, in order; none for null, "" and []."""
    several = value if isinstance(value, list) else [value]
    return sorted({_as_text(one) for one in several if one not in (None, "", [], {})})


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def canonical(value: Any) -> str:
    """JSON text that is the same for the same data."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def indices(values: Iterable[int]) -> Indices:
    return np.fromiter(values, dtype=np.int64)


def distinct(values: Indices) -> Indices:
    """The distinct numbers among `values`, in order."""
    least, below = _range(values)
    return least + distinct_counts(np.subtract(values, least, dtype=np.int64), below)[0]


def numbered(values: Indices) -> tuple[Indices, Indices]:
    """The distinct numbers among `values`, in order, and which of them each is."""
    least, below = _range(values)
    if below > SPARSE * (len(values) + 1):
        found, number = np.unique(values, return_inverse=True)
        return found, number.astype(np.int64)
    places = np.subtract(values, least, dtype=np.int64)
    known = np.bincount(places, minlength=below) > 0
    return least + np.flatnonzero(known), (np.cumsum(known) - 1)[places]


def _range(values: Indices) -> tuple[int, int]:
    """The least of some numbers, and how many there are from it to the largest."""
    least = int(values.min()) if len(values) else 0
    return least, int(values.max(initial=least)) - least + 1


def places(wanted: NDArray[Any], among: NDArray[Any]) -> Indices:
    """Where each of `wanted` is in `among`, which is sorted; -1 for those that are not there."""
    if not len(among):
        return np.full(len(wanted), -1)
    found = np.minimum(np.searchsorted(among, wanted), len(among) - 1)
    return np.where(among[found] == wanted, found, -1)
