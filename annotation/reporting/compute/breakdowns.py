"""Divisions of the ratings: by system, by metadata of the prompts, by rater, by week.

A metadata value that is a list counts once in each of its values, so the cells of such a key add up to more than the
ratings; a prompt without a value is in none.
"""

import numpy as np

from ..data.arrays import Indices, indices
from ..data.table import RatingTable
from .cells import CellName, Groups

RATER, WEEK = "rater", "week"
WITHIN_SYSTEM, OF_PROMPTS = "system × ", "prompt's "


def by_system(ratings: RatingTable) -> Groups:
    """Return one cell per system, with shares."""
    cells = [CellName(system=name) for name in ratings.responses.systems]
    system_of = ratings.responses.system_of[ratings.counts.response]
    return Groups(cells, np.arange(len(system_of)), system_of, shares=True)


def by_rater(ratings: RatingTable) -> Groups:
    """Return one cell per rater, over the entries of `ratings.rater_counts`, without adjudications."""
    raters = ratings.rater_counts.rater
    by_raters = np.flatnonzero(raters >= 0)
    return Groups([CellName(value=name) for name in ratings.raters], by_raters, raters[by_raters])


def by_week(ratings: RatingTable) -> Groups:
    """Return one cell per week, over the entries of `ratings.rater_counts`."""
    weeks = ratings.rater_counts.week
    return Groups([CellName(value=week) for week in ratings.weeks], np.arange(len(weeks)), weeks)


def metadata_keys(ratings: RatingTable) -> dict[str, str]:
    """Return {name in the report: metadata key}, in order, of the keys for which some prompt has a value.

    A key that collides with another breakdown of the report gets the prefix `prompt's `.
    """
    return {name_of(key): key for key in ratings.responses.values}


def name_of(key: str) -> str:
    """Return the name of a metadata key in the report; no two keys have the same name."""
    collides = key in (RATER, WEEK) or key.startswith((WITHIN_SYSTEM, OF_PROMPTS))
    return f"{OF_PROMPTS}{key}" if collides else key


def key_of(name: str) -> str:
    """Return the metadata key with this name in the report."""
    return name.removeprefix(OF_PROMPTS)


def multi_valued(ratings: RatingTable) -> list[str]:
    """Return the names of the keys with several values for some prompt, whose cells overlap."""
    by_key = ratings.responses.values.items()
    return [name_of(key) for key, by_prompt in by_key if any(len(values) > 1 for values in by_prompt)]


def without_value(ratings: RatingTable) -> dict[str, int]:
    """Return {name of a key: ratings of prompts without a value} of the keys that some prompt lacks."""
    totals = np.bincount(
        ratings.responses.prompt_of[ratings.counts.response], ratings.counts.n, minlength=len(ratings.responses.prompts)
    )
    missing = {
        name_of(key): int(totals[np.array([not values for values in by_prompt], dtype=bool)].sum())
        for key, by_prompt in ratings.responses.values.items()
    }
    return {name: n for name, n in missing.items() if n}


def by_metadata(ratings: RatingTable, key: str) -> Groups:
    """Return one cell per value of the prompts' metadata `key`."""
    values, entries, value_of = _entries_by_value(ratings, key)
    return Groups([CellName(value=value) for value in values], entries, value_of)


def by_system_and_metadata(ratings: RatingTable, key: str) -> Groups:
    """Return one cell per combination of system and value in the data."""
    values, entries, value_of = _entries_by_value(ratings, key)
    system_of = ratings.responses.system_of[ratings.counts.response[entries]]
    pairs, cell_of = np.unique(system_of * len(values) + value_of, return_inverse=True)
    names = [CellName(ratings.responses.systems[pair // len(values)], values[pair % len(values)]) for pair in pairs]
    return Groups(names, entries, cell_of)


def _entries_by_value(ratings: RatingTable, key: str) -> tuple[list[str], Indices, Indices]:
    """Return the values of a key in order, and the entries repeated for each value of their prompt, with its number."""
    by_prompt = ratings.responses.values[key]
    values = sorted({value for values in by_prompt for value in values})
    number = {value: i for i, value in enumerate(values)}
    numbers = indices(number[value] for values in by_prompt for value in values)
    sizes = indices(map(len, by_prompt))
    prompts = ratings.responses.prompt_of[ratings.counts.response]
    times = sizes[prompts]
    entries = np.repeat(np.arange(len(prompts)), times)
    within = np.arange(len(entries)) - np.repeat(np.cumsum(times) - times, times)
    return values, entries, numbers[(np.cumsum(sizes) - sizes)[prompts[entries]] + within]
