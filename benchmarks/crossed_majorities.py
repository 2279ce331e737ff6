"""How often the odds ratios of the crossed model of majorities cover the truth, where raters hardly ever err.

Twenty documents have eight prompts each, which three systems answer. Whether a sentence is accurate is drawn from the
logistic model with normal effects of document, prompt and response; its raters, two or three of six, each err in some
of their ratings. `value` of the first figure is the share of 95 % intervals, three in a study, that cover the odds
ratio of the sentences' true answers, `baseline` .95. The second is the share of some of the studies in which the model
of the ratings has no reliable estimate, so that the report has that of the majorities.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.stats.crossed_model import Ratings, crossed_model
from annotation.stats.crossed_results import CrossedFit
from benchmarks._figure import Figure

STUDIES, STUDIES_WITH_RATINGS = 400, 20
DOCUMENTS, PROMPTS_EACH, RATERS = 20, 8, 6
LOGITS = np.array([1.5, 1.0, 2.0])
SD = 0.6
"""Of the effects of documents, prompts and responses each."""

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Setting:
    """The share of wrong ratings, the raters of a sentence, and the sentences of a response."""

    errors: float
    overlap: int
    sentences: int


SETTINGS = (Setting(0.03, 3, 4), Setting(0.03, 2, 4), Setting(0.03, 3, 10), Setting(0.05, 3, 4))


@dataclass(frozen=True)
class Study:
    """Arrays of shape (sentences,): `system` and the levels of document, prompt and response; of shape (sentences,
    overlap): whether a rating is a hit, and its rater.
    """

    system: Indices
    levels: dict[str, Indices]
    hit: NDArray[np.bool_]
    rater: Indices


def run() -> Iterator[Figure]:
    """Yield the coverage of each setting, and how often it is needed."""
    for setting in SETTINGS:
        name = f"{setting.overlap} raters with {setting.errors:.0%} errors, {setting.sentences} sentences a response"
        generator = np.random.default_rng([setting.overlap, setting.sentences, int(1000 * setting.errors)])
        studies = [draw(setting, generator) for _ in range(STUDIES)]
        fits = [model_of_majorities(study) for study in studies]
        covered = [covers(row.low, row.high, row.a, row.b) for fit in fits for row in fit.odds_ratios]
        yield Figure(
            f"coverage of odds ratios of majorities, {name}", float(np.mean(covered)), 0.95, "share", len(fits)
        )
        lacking = [model_of_ratings(study).lacks_inner_variance for study in studies[:STUDIES_WITH_RATINGS]]
        yield Figure(
            f"models of ratings without an estimate, {name}", float(np.mean(lacking)), 0, "share", len(lacking)
        )


def covers(low: float, high: float, a: int, b: int) -> bool:
    return bool(low <= np.exp(LOGITS[a] - LOGITS[b]) <= high)


def model_of_majorities(study: Study) -> CrossedFit:
    lead = 2 * study.hit.sum(axis=1) - study.hit.shape[1]
    decided = lead != 0
    levels = {name: level[decided] for name, level in study.levels.items()}
    return crossed_model(Ratings.of(lead[decided] > 0, study.system[decided], len(LOGITS), levels))


def model_of_ratings(study: Study) -> CrossedFit:
    item = np.repeat(np.arange(len(study.hit)), study.hit.shape[1])
    levels = {name: level[item] for name, level in study.levels.items()} | {"item": item, "rater": study.rater.ravel()}
    return crossed_model(Ratings.of(study.hit.ravel(), study.system[item], len(LOGITS), levels))


def draw(setting: Setting, generator: np.random.Generator) -> Study:
    """Draw whether each sentence is accurate, and what its raters find."""
    response = np.repeat(np.arange(DOCUMENTS * PROMPTS_EACH * len(LOGITS)), setting.sentences)
    system, prompt = response % len(LOGITS), response // len(LOGITS)
    levels = {"document": prompt // PROMPTS_EACH, "prompt": prompt, "response": response}
    effects = [generator.normal(0, SD, level.max() + 1)[level] for level in levels.values()]
    truth = generator.random(len(response)) < 1 / (1 + np.exp(-(LOGITS[system] + np.sum(effects, axis=0))))
    is_wrong = generator.random((len(truth), setting.overlap)) < setting.errors
    rater = np.argsort(generator.random((len(truth), RATERS)), axis=1)[:, : setting.overlap]
    return Study(system, levels, truth[:, None] ^ is_wrong, rater)
