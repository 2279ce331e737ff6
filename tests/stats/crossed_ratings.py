"""Ratings drawn from a crossed random-effects model, the same in every version of Python and NumPy."""

import math
import random
from collections.abc import Sequence
from itertools import count

import numpy as np

from annotation.stats.crossed_model import Ratings

COLUMNS = ("hit", "system", "document", "prompt", "response", "item", "rater")
SDS = {"document": 0.9, "prompt": 0.8, "response": 0.8, "item": 1.0, "rater": 0.7}
NONE = dict.fromkeys(SDS, 0.0)
LOGITS = (1.6, 0.8, 2.2)


def draw(
    sds: dict[str, float] = SDS,
    logits: Sequence[float] = LOGITS,
    *,
    documents: int = 12,
    prompts: int = 48,
    items: int = 4,
    raters: int = 8,
    overlap: int = 4,
    seed: int = 1,
) -> list[tuple[int, ...]]:
    """Return rows of COLUMNS: every system answers every prompt with `items` items, each rated by `overlap` raters."""
    drawn = random.Random(seed)
    effects = {name: [_normal(drawn) * sd for _ in range(10_000)] for name, sd in sds.items()}
    responses, numbers, rows = count(), count(), []
    for prompt in range(prompts):
        for system, logit in enumerate(logits):
            response, first = next(responses), int(drawn.random() * raters)
            for item in (next(numbers) for _ in range(items)):
                for rater in ((first + k) % raters for k in range(overlap)):
                    levels = (prompt % documents, prompt, response, item, rater)
                    total = logit + sum(effects[name][n] for name, n in zip(COLUMNS[2:], levels, strict=True))
                    rows.append((int(drawn.random() < 1 / (1 + math.exp(-total))), system, *levels))
    return rows


def ratings_of(rows: Sequence[tuple[int, ...]]) -> Ratings:
    hit, system, *levels = np.array(rows).T
    return Ratings.of(hit, system, int(system.max()) + 1, dict(zip(COLUMNS[2:], levels, strict=True)))


def _normal(drawn: random.Random) -> float:
    return sum(drawn.random() for _ in range(12)) - 6
