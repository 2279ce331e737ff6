"""The ways in which a report divides the ratings: by system, by what is known of the prompts, by rater.

A metadata value that is a list counts once in each of its values, so the cells of such a key add up to more than the
ratings; a prompt without a value is in none.
"""

import json
from typing import Any

import numpy as np

from .cells import Groups
from .scan import Scan
from .tallies import Indices, Tallies, indices

RATER = "rater"


def by_system(tallies: Tallies) -> Groups:
    """One cell a system."""
    cells = [{"system": name} for name in tallies.systems]
    return Groups(cells, np.arange(len(tallies.system_of)), tallies.system_of)


def by_rater(scan: Scan) -> Groups:
    """One cell a rater, over the entries of `scan`."""
    return Groups([{"value": name} for name in scan.names], np.arange(len(scan.raters)), scan.raters)


def metadata_keys(tallies: Tallies) -> dict[str, str]:
    """{name in the report: metadata key}, in order, of the keys for which some prompt has a value."""
    keys = {key for metadata in tallies.metadata for key, value in metadata.items() if values_of(value)}
    return {f"prompt's {key}" if key == RATER else key: key for key in sorted(keys)}


def by_metadata(tallies: Tallies, key: str) -> Groups:
    """One cell a value of the prompts' metadata `key`."""
    values, entries, of = _valued(tallies, key)
    return Groups([{"value": value} for value in values], entries, of)


def by_system_and_metadata(tallies: Tallies, key: str) -> Groups:
    """One cell a system and value that occur together."""
    values, entries, of = _valued(tallies, key)
    pairs, cells = np.unique(tallies.system_of[entries] * len(values) + of, return_inverse=True)
    names = [{"system": tallies.systems[pair // len(values)], "value": values[pair % len(values)]} for pair in pairs]
    return Groups(names, entries, cells)


def values_of(value: Any) -> list[str]:
    """The values under which a prompt counts: each once, as text, in order; none for null, "" and []."""
    several = value if isinstance(value, list) else [value]
    return sorted({_as_text(one) for one in several if one not in (None, "", [], {})})


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _valued(tallies: Tallies, key: str) -> tuple[list[str], Indices, Indices]:
    """The values of a key in order, and the entries repeated once for each value of their prompt, with its number."""
    by_prompt = [values_of(metadata.get(key)) for metadata in tallies.metadata]
    values = sorted({value for found in by_prompt for value in found})
    number = {value: at for at, value in enumerate(values)}
    found = [(at, number[value]) for at, prompt in enumerate(tallies.entries.prompts) for value in by_prompt[prompt]]
    return values, indices(at for at, _ in found), indices(value for _, value in found)
