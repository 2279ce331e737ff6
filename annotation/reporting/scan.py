"""What the tally cannot answer: who rated, and which sentence. One pass over the covering index of the ratings."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import TextField
from django.db.models.functions import Cast

from ..models import Project, User
from ..rating.counting import counted_ratings
from .tallies import Entries, Indices, Tallies, canonical, indices

CHUNK = 5_000


@dataclass(frozen=True)
class Scan:
    """One entry a rating: `items[i]`, `raters[i]`, `answers[i]` (number in `Tallies.answers`).

    `prompt_of` gives the prompt of each item and `item_ids` its database id; `names` are the raters' user names, in
    order.
    """

    items: Indices
    raters: Indices
    answers: Indices
    prompt_of: Indices
    item_ids: Indices
    names: list[str]

    def entries(self) -> Entries:
        """The ratings as entries of one rating each."""
        return Entries(self.prompt_of[self.items], self.answers, np.ones(len(self.items), dtype=np.int64))


def scan(project: Project, tallies: Tallies) -> Scan:
    """Every counted rating of `project`: two queries."""
    numbers = {canonical(answers): number for number, answers in enumerate(tallies.answers)}
    items: dict[int, int] = {}
    prompt_of, counts, answers, raters = [], [], [], []
    for item, prompt, choices, given_by in _rows(project):
        if item not in items:
            items[item] = len(items)
            prompt_of.append(tallies.prompt_ids[prompt])
        counts.append((items[item], len(given_by)))
        answers.append(numbers[choices])
        raters += given_by
    sizes = indices(size for _, size in counts)
    names, rank = _names(raters)
    return Scan(
        items=np.repeat(indices(item for item, _ in counts), sizes),
        raters=indices(map(rank.__getitem__, raters)),
        answers=np.repeat(indices(answers), sizes),
        prompt_of=indices(prompt_of),
        item_ids=indices(items),
        names=names,
    )


def _rows(project: Project) -> Iterator[tuple[int, int, str, list[int]]]:
    """(item, prompt, choices, raters who chose them), grouped in the database: few rows, each decoded once."""
    texts: dict[str, str] = {}
    grouped = (
        counted_ratings(project)
        .order_by()
        .values_list("item_id", "item__response__prompt_id", Cast("choices", TextField()))
        .annotate(given_by=ArrayAgg("rater_id"))
    )
    for item, prompt, text, given_by in grouped.iterator(chunk_size=CHUNK):
        if text not in texts:
            texts[text] = _canonical_text(text)
        yield item, prompt, texts[text], given_by


def _canonical_text(text: str) -> str:
    return canonical(json.loads(text))


def _names(raters: list[int]) -> tuple[list[str], dict[int, int]]:
    """User names in order, and the number of each rater by database id."""
    found = sorted(User.objects.filter(pk__in=set(raters)).values_list("username", "pk"))
    return [name for name, _ in found], {pk: number for number, (_, pk) in enumerate(found)}
