"""The ways in which a report divides the ratings: by system, by what is known of the prompts, by rater, by week.

A metadata value that is a list counts once in each of its values, so the cells of such a key add up to more than the
ratings; a prompt without a value is in none.
"""

import numpy as np

from ..data.arrays import Indices, indices
from ..data.table import RatingTable
from .cells import Groups

RATER, WEEK = "rater", "week"
WITHIN_SYSTEM, OF_PROMPTS = "system × ", "prompt's "


def by_system(ratings: RatingTable) -> Groups:
    """One cell a system, with shares."""
    cells = [{"system": name} for name in ratings.responses.systems]
    of = ratings.responses.system_of[ratings.counts.response]
    return Groups(cells, np.arange(len(of)), of, shares=True)


def by_rater(ratings: RatingTable) -> Groups:
    """One cell a rater, over the entries of `ratings.rater_counts`; adjudications are in none."""
    raters = ratings.rater_counts.rater
    own = np.flatnonzero(raters >= 0)
    return Groups([{"value": name} for name in ratings.raters], own, raters[own])


def by_week(ratings: RatingTable) -> Groups:
    """One cell a week, over the entries of `ratings.rater_counts`."""
    weeks = ratings.rater_counts.week
    return Groups([{"value": week} for week in ratings.weeks], np.arange(len(weeks)), weeks)


def metadata_keys(ratings: RatingTable) -> dict[str, str]:
    """{name in the report: metadata key}, in order, of the keys for which some prompt has a value.

    A key that is called as something else in the report gets `prompt's ` before it.
    """
    return {name_of(key): key for key in ratings.responses.values}


def name_of(key: str) -> str:
    """What the report calls a metadata key. No two keys have one name."""
    taken = key in (RATER, WEEK) or key.startswith((WITHIN_SYSTEM, OF_PROMPTS))
    return f"{OF_PROMPTS}{key}" if taken else key


def key_of(name: str) -> str:
    """The metadata key that the report calls so."""
    return name.removeprefix(OF_PROMPTS)


def multi_valued(ratings: RatingTable) -> list[str]:
    """The names of the keys of which some prompt has several values, so that their cells overlap."""
    return [name_of(key) for key, found in ratings.responses.values.items() if any(len(values) > 1 for values in found)]


def without_value(ratings: RatingTable) -> dict[str, int]:
    """{name of a key: ratings of prompts without a value}, of the keys that lack one somewhere."""
    by_prompt = np.bincount(
        ratings.responses.prompt_of[ratings.counts.response], ratings.counts.n, minlength=len(ratings.responses.prompts)
    )
    missing = {
        name_of(key): int(by_prompt[np.array([not values for values in found], dtype=bool)].sum())
        for key, found in ratings.responses.values.items()
    }
    return {name: n for name, n in missing.items() if n}


def by_metadata(ratings: RatingTable, key: str) -> Groups:
    """One cell a value of the prompts' metadata `key`."""
    values, entries, of = _valued(ratings, key)
    return Groups([{"value": value} for value in values], entries, of)


def by_system_and_metadata(ratings: RatingTable, key: str) -> Groups:
    """One cell a system and value that occur together."""
    values, entries, of = _valued(ratings, key)
    system_of = ratings.responses.system_of[ratings.counts.response[entries]]
    pairs, cells = np.unique(system_of * len(values) + of, return_inverse=True)
    names = [
        {"system": ratings.responses.systems[pair // len(values)], "value": values[pair % len(values)]}
        for pair in pairs
    ]
    return Groups(names, entries, cells)


def _valued(ratings: RatingTable, key: str) -> tuple[list[str], Indices, Indices]:
    """The values of a key in order, and the entries repeated once for each value of their prompt, with its number."""
    by_prompt = ratings.responses.values[key]
    values = sorted({value for found in by_prompt for value in found})
    number = {value: at for at, value in enumerate(values)}
    numbers = indices(number[value] for found in by_prompt for value in found)
    sizes = indices(len(found) for found in by_prompt)
    prompts = ratings.responses.prompt_of[ratings.counts.response]
    times = sizes[prompts]
    entries = np.repeat(np.arange(len(prompts)), times)
    within = np.arange(len(entries)) - np.repeat(np.cumsum(times) - times, times)
    return values, entries, numbers[(np.cumsum(sizes) - sizes)[prompts[entries]] + within]
