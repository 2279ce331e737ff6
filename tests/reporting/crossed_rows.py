"""Ratings for crossed models."""

import random

from tests.cast import ACCURATE, SEVERE
from tests.reporting.project_rows import Row
from tests.stats.crossed_ratings import SDS, draw

STUDY = draw(logits=(1.0, 2.0), documents=5, prompts=15, items=2, raters=4, overlap=3)
SYSTEMS = ("heron", "plover")
TRUTH = draw(
    SDS | {"item": 0.0, "rater": 0.0}, (1.0, 2.0), documents=8, prompts=40, items=3, raters=1, overlap=1, seed=5
)


def ratings_of_accurate_raters() -> list[tuple[int, ...]]:
    """Return the rows of TRUTH, each rated by two or three of three raters, who err now and then."""
    drawn = random.Random(7)
    return [
        ((not hit if drawn.random() < 0.03 else hit), *row, item, rater)
        for hit, *row, item, _ in TRUTH
        for rater in range(2 + item % 4 // 3)
    ]


def study_rows(study: list[tuple[int, ...]] = STUDY, items: int = 2) -> list[Row]:
    return [
        Row(f"q{prompt:02}", SYSTEMS[system], f"rater{rater}", ACCURATE if hit else SEVERE, item % items)
        for hit, system, _, prompt, _, item, rater in study
    ]


def rows_of_accurate_raters() -> list[Row]:
    return study_rows(ratings_of_accurate_raters(), items=3)
