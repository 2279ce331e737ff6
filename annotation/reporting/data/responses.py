"""The rated responses of a table: their prompts, systems and clusters, numbered in the order of imported ids."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...stats.intervals import MIN_CLUSTERS
from ..choices import AUTO, DOCUMENT, PROMPT
from .arrays import Indices, Mask, indices

FEWER_DOCUMENTS = 0.8
"""Documents are the sampling unit if there are fewer than this share of the number of prompts …"""
MIN_DOCUMENTS = MIN_CLUSTERS
"""… and at least this many of them."""

Metadata = Mapping[str, object]
"""Metadata key to the value that the file gave: any JSON."""


@dataclass(frozen=True)
class RatedPrompt:
    """A prompt's imported id, metadata, and the imported id of its document."""

    key: str
    metadata: Metadata
    document: str | None


@dataclass(frozen=True)
class RatedResponse:
    """A response with ratings, or a pair of responses: `key` and `against` are their imported ids.

    `system` is the name in the report, `made_by` the response's own system. `is_turned`: the report names the
    opponent's system first, as a pair of systems is in one order whatever the order of the responses is.
    """

    prompt: RatedPrompt
    key: str
    against: str | None
    system: str
    made_by: str
    is_turned: bool = False

    @property
    def sort_key(self) -> tuple[str, str, str]:
        return self.prompt.key, self.key, self.against or ""


def name_of_pair(first: str, second: str, *, has_sides: bool) -> tuple[str, bool]:
    """Return the name of a pair of systems, `heron vs tern`, and whether the second one is first in it: where the sides
    of a pair can change places, the name is in alphabetical order.
    """
    is_turned = has_sides and second < first
    return (f"{second} vs {first}" if is_turned else f"{first} vs {second}"), is_turned


@dataclass(frozen=True)
class Responses:
    """The responses (or pairs) of a table, in the order of imported ids, with their prompts, systems and clusters.

    `cluster`: the sampling unit, prompts or documents. `prompts`: imported ids in order; by prompt: `metadata`,
    `documents` (imported ids) and `cluster_of`, a number below `clusters`. `systems`: names in order. By response,
    shape (responses,): `rated`, `prompt_of`, `system_of`, `turned`.
    """

    rated: list[RatedResponse]
    cluster: str
    prompts: list[str]
    metadata: list[Metadata]
    documents: list[str | None]
    cluster_of: Indices
    clusters: int
    systems: list[str]
    prompt_of: Indices
    system_of: Indices
    turned: Mask

    @classmethod
    def number(cls, rated: list[RatedResponse], cluster: str) -> "Responses":
        prompts = _prompts_of(rated)
        cluster = sampling_unit(prompts, cluster)
        systems = sorted({response.system for response in rated})
        prompt_number = {prompt.key: number for number, prompt in enumerate(prompts)}
        system_number = {name: number for number, name in enumerate(systems)}
        names = [_cluster_name(prompt, cluster) for prompt in prompts]
        cluster_number = {name: number for number, name in enumerate(sorted(set(names)))}
        return cls(
            rated=rated,
            cluster=cluster,
            prompts=[prompt.key for prompt in prompts],
            metadata=[prompt.metadata for prompt in prompts],
            documents=[prompt.document for prompt in prompts],
            cluster_of=indices(cluster_number[name] for name in names),
            clusters=len(cluster_number),
            systems=systems,
            prompt_of=indices(prompt_number[response.prompt.key] for response in rated),
            system_of=indices(system_number[response.system] for response in rated),
            turned=np.array([response.is_turned for response in rated], dtype=bool),
        )

    def __len__(self) -> int:
        return len(self.rated)

    def sum_by_cluster(self, by_prompt: Indices) -> Indices:
        """Return the sums of rows of numbers by prompt, (rows, prompts), over the prompts of each cluster."""
        sums = [np.bincount(self.cluster_of, weights=row, minlength=self.clusters) for row in by_prompt]
        return np.array(sums, dtype=np.int64).reshape(len(by_prompt), self.clusters)

    @property
    def document_count(self) -> int:
        """The number of documents; a prompt without one is a unit of its own."""
        return count_documents(_prompts_of(self.rated))

    @property
    def shared_documents(self) -> int | None:
        """The number of documents, for a report's `data`; None if there are about as many as prompts."""
        documents = {document for document in self.documents if document is not None}
        units = len(documents) + self.documents.count(None)
        are_few = bool(documents) and units < FEWER_DOCUMENTS * len(self.prompts)
        return len(documents) if are_few else None

    def has_cluster(self, choice: str) -> bool:
        """Return whether the clusters are those of this choice."""
        return self.cluster == sampling_unit(_prompts_of(self.rated), choice)

    @cached_property
    def values(self) -> dict[str, list[list[str]]]:
        """The values of every prompt, for each metadata key, in order, of which some prompt has a value."""
        keys = sorted({key for metadata in self.metadata for key in metadata})
        columns = {key: [values_of(metadata.get(key)) for metadata in self.metadata] for key in keys}
        return {key: values for key, values in columns.items() if any(values)}


def sampling_unit(prompts: Sequence[RatedPrompt], choice: str) -> str:
    """Return the chosen unit, or by `auto` documents where there are at least MIN_DOCUMENTS and fewer than
    FEWER_DOCUMENTS × prompts, else prompts. A prompt without a document is a unit of its own.
    """
    if choice != AUTO:
        return choice
    return DOCUMENT if MIN_DOCUMENTS <= count_documents(prompts) < FEWER_DOCUMENTS * len(prompts) else PROMPT


def count_documents(prompts: Iterable[RatedPrompt]) -> int:
    """Return the number of documents of these prompts; a prompt without a document is a unit of its own."""
    return len({_cluster_name(prompt, DOCUMENT) for prompt in prompts})


def _prompts_of(rated: Iterable[RatedResponse]) -> list[RatedPrompt]:
    return list({response.prompt.key: response.prompt for response in rated}.values())


def values_of(value: object) -> list[str]:
    """Return the values under which a prompt counts: distinct, as text, in order; none for null, "" and []."""
    values = value if isinstance(value, list) else [value]
    return sorted(
        {
            single if isinstance(single, str) else json.dumps(single, sort_keys=True, ensure_ascii=False)
            for single in values
            if single not in (None, "", [], {})
        }
    )


def canonical_json(value: object) -> str:
    """Return JSON text that is the same for the same data."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def hash_lines(rows: Iterable[object]) -> str:
    """Return the SHA-256 of rows, each as a line of canonical JSON."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(canonical_json(row).encode() + b"\n")
    return digest.hexdigest()


def _cluster_name(prompt: RatedPrompt, cluster: str) -> tuple[bool, str]:
    """Return the sort key of a cluster: documents by id, then prompts without a document, each a cluster."""
    if cluster == DOCUMENT and prompt.document is not None:
        return False, prompt.document
    return True, prompt.key
