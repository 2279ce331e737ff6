"""Agreement of raters, question by question.

An answer that no measure includes, such as "can't assess", is missing, not a category: raters who could not judge a
sentence did not disagree about it. `accurate_or_not` is the first measured question under the measure `accurate`.
`severity_scale` orders accurate, an issue that is not severe and a severe issue: its alpha is the ordinal one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Annotated, Self

import numpy as np
from msgspec import UNSET, Meta, UnsetType, convert
from msgspec.structs import replace

from ....stats import agreement as coefficients
from ....stats.disagreement import Aspect, disagreement
from ....stats.intervals import closed_form
from ....stats.proportions import count_table, ratio
from ....stats.raters import pair_agreement, pair_counts
from ...data.arrays import MISSING, Indices, occurring
from ...data.groups import LEVEL, Cells
from ...data.study import Study
from ...data.table import UNITS, RatingTable
from ...parts import Count, Fields, Fraction, Part


class RaterPair(Part, frozen=True):
    """Two raters on the items that both rated."""

    a: str
    b: str
    items: Count
    percent: Fraction | None
    ac1: float | None


class Agreement(Part, frozen=True):
    """Agreement of the raters on items with two labels or more."""

    items: Count
    raters: Count
    percent: Fraction | None
    fleiss_kappa: float | None
    gwet_ac1: float | None
    krippendorff_alpha: float | None
    intervals: Mapping[str, tuple[float, float] | None] | None
    rater_pairs: Sequence[RaterPair] | UnsetType | None = UNSET

    @property
    def coefficients(self) -> dict[str, float | None]:
        return {name: getattr(self, name) for name in REPORTED}


class NamedItem(Part, frozen=True):
    """An item by imported ids."""

    prompt: str
    response: str
    against: str | None
    unit: str
    item: Count
    system: str
    text: Annotated[str, Meta(description="Its first 300 characters.")]

    @classmethod
    def of(cls, table: RatingTable, number: int, texts: Mapping[int, str], figures: Mapping[str, object]) -> Self:
        """Return the item of this number with its figures; `texts`: by database id."""
        items, text = table.items, texts[int(table.items.item_id[number])]
        response = table.responses.rated[items.response[number]]
        named = {
            "prompt": response.prompt.key,
            "response": response.key,
            "against": response.against,
            "unit": UNITS[items.unit[number] - 1],
            "item": int(items.position[number]),
            "system": response.system,
            "text": text if len(text) <= MAX_TEXT_LENGTH else f"{text[:MAX_TEXT_LENGTH].rstrip()}…",
        }
        return convert(named | {**figures}, cls)


class Disagreement(NamedItem, frozen=True):
    """An item that raters disagree on, by imported ids, with the count of each option; most disagreement first."""

    disagreement: Annotated[float, Meta(extra_json_schema={"minimum": 0})]
    ratings: Count
    assessed: Count
    options: Mapping[str, Count]
    questions: Mapping[str, Mapping[str, Count]]


class DisagreementTie(Part, frozen=True):
    """The items with the same disagreement and number of ratings as the last of the list: `shown` of `items`."""

    items: Count
    shown: Count


REPORTED = ("percent", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha")
ACCURATE_OR_NOT, ACCURATE = "accurate_or_not", "accurate"
SEVERITY_SCALE, SEVERITY = "severity_scale", "severity"
NOT_SEVERE, SEVERE = "not_severe", "severe"
MAX_CHANCE_ALPHA, MIN_SHARED_ITEMS = 0.1, 50
"""Krippendorff's alpha below the first, over at least as many items with two labels or more, is called chance."""
MAX_RATERS = 60
"""With more raters a report has no pairs: the table would be longer than the report."""
MAX_ITEMS = 20
"""Items with most disagreement in a report."""
MAX_TEXT_LENGTH = 300
"""Code points of an item's text; a longer one ends with an ellipsis."""
COUNTS_PER_CHUNK = 100_000  # numbers in one table of items × answers: 1 MB, and as much again in each of its copies


@dataclass(frozen=True)
class Labels:
    """One labeling of the ratings: `by_answers[a]` is the label of the a-th distinct set of answers, or MISSING.

    `ordered`: the categories are a scale, so Krippendorff's alpha is the ordinal one.
    """

    key: str
    categories: list[str]
    by_answers: Indices
    ordered: bool = False

    def count(self, ratings: RatingTable) -> Indices:
        """Count the raters who gave each item each label: shape (items, labels)."""
        by_item, shape = ratings.item_counts, (len(ratings.items), len(self.categories))
        return count_table(by_item.item, self.by_answers[by_item.answer], shape, by_item.n)


@dataclass(frozen=True)
class Confusion:
    """The counts of two labels of one item by two raters: unordered pairs `pairs[a][b]` for a <= b, and 0 for a > b."""

    categories: list[str]
    pairs: list[list[int]]


@dataclass(frozen=True)
class AgreementDetails:
    """Current agreement by question: the coefficients, confused labels, and pairs of raters."""

    sha256: str
    ratings: int
    items: int
    raters: list[str]
    agreement: dict[str, Agreement]
    confusions: dict[str, Confusion]
    pairs: dict[str, list[RaterPair]]


def agreement_fields(study: Study) -> Fields:
    """Return agreement on the raters' own answers, adjudicated or not. The time for pairs of raters grows with the
    pairs of ratings of one item, so they are in slow reports only, like the intervals.
    """
    by_question = {labels.key: _agreement(study, labels, resampled=study.is_slow) for labels in all_labels(study.cells)}
    pairs = rater_pairs(study) if study.is_slow else {}
    return {"agreement": {key: replace(part, rater_pairs=pairs.get(key)) for key, part in by_question.items()}}


def agreement_details(study: Study) -> AgreementDetails:
    ratings, agreement, confusions = study.by_raters, {}, {}
    for labels in all_labels(study.cells):
        agreement[labels.key] = _agreement(study, labels, resampled=False)
        counts = labels.count(ratings)
        pairs = np.triu(counts.T @ counts, 1) + np.diag((counts * (counts - 1) // 2).sum(axis=0))
        confusions[labels.key] = Confusion(labels.categories, pairs.tolist())
    return AgreementDetails(
        sha256=study.sha256,
        ratings=len(ratings.item),
        items=len(ratings.items),
        raters=ratings.raters,
        agreement=agreement,
        confusions=confusions,
        pairs=rater_pairs(study),
    )


def is_by_chance(agreement: Agreement) -> bool:
    alpha = agreement.krippendorff_alpha
    return alpha is not None and alpha < MAX_CHANCE_ALPHA and agreement.items >= MIN_SHARED_ITEMS


def all_labels(cells: Cells) -> Iterator[Labels]:
    """Yield each choice question of the protocol; `accurate_or_not` where it has a measure `accurate`, and
    `severity_scale` where it also asks whether an issue is severe.
    """
    options = {question.key: question.option_keys for question in cells.protocol.questions if question.kind == "choice"}
    for key, keys in options.items():
        categories = [option for option in keys if option not in cells.protocol.left_out(key)]
        yield Labels(key, categories, cells.answer_numbers(key, categories))
    for measure in cells.protocol.measures:
        if measure.key == ACCURATE:
            hits, among = cells.masks(measure)
            yield Labels(ACCURATE_OR_NOT, [ACCURATE, "not_accurate"], np.where(among, ~hits, MISSING))
            if set(options.get(SEVERITY, ())) == {NOT_SEVERE, SEVERE}:
                scale = [ACCURATE, NOT_SEVERE, SEVERE]
                labels = np.where(hits, 0, cells.answer_numbers(SEVERITY, scale))
                yield Labels(SEVERITY_SCALE, scale, np.where(among, labels, MISSING), ordered=True)


def _agreement(study: Study, labels: Labels, *, resampled: bool) -> Agreement:
    """Compute the agreement in these labels; every interval is None where they are not resampled."""
    ratings, counts = study.by_raters, labels.count(study.by_raters)
    estimates = coefficients.agreement(counts, ordered=labels.ordered)
    alpha = "krippendorff_ordinal" if labels.ordered else "krippendorff_alpha"
    intervals: dict[str, tuple[float, float] | None] = dict.fromkeys(REPORTED)
    if resampled:
        drawn = coefficients.agreement_intervals(
            counts,
            ratings.item_cluster,
            resamples=study.choices.resamples,
            seed=study.choices.seed,
            level=LEVEL,
            ordered=labels.ordered,
        )
        intervals = {name: drawn[alpha if name == "krippendorff_alpha" else name] for name in REPORTED}
        if intervals["percent"] is None and estimates.percent in (0, 1):
            # Raters agree on all items or on none, so resamples do not vary; None with fewer than 10 clusters.
            n = np.bincount(ratings.item_cluster[counts.sum(axis=1) > 1])
            bounds = closed_form(ratio(n * int(estimates.percent), n), LEVEL)
            intervals["percent"] = None if bounds.low is None or bounds.high is None else (bounds.low, bounds.high)
    shared = counts.sum(axis=1) > 1
    has_label = shared[ratings.item] & (labels.by_answers != MISSING)[ratings.answer]
    return Agreement(
        items=int(shared.sum()),
        raters=int(occurring(ratings.rater[has_label], len(ratings.raters)).sum()),
        percent=estimates.percent,
        fleiss_kappa=estimates.fleiss_kappa,
        gwet_ac1=estimates.gwet_ac1,
        krippendorff_alpha=getattr(estimates, alpha),
        intervals=intervals,
    )


def rater_pairs(study: Study) -> dict[str, list[RaterPair]]:
    """Return {question: its pairs}, a < b by name, with the items that both gave a label; pairs that share none are
    left out.

    `ac1` is None where it is 0/0. Empty lists with more than MAX_RATERS raters.
    """
    ratings = study.by_raters
    pairs: dict[str, list[RaterPair]] = {}
    for labels in all_labels(study.cells):
        pairs[labels.key] = []
        if len(ratings.raters) <= MAX_RATERS:
            label_of_rating = ratings.expand(labels.by_answers)
            tables = pair_counts(ratings.item, ratings.rater, label_of_rating, len(labels.categories))
            for (a, b), table in sorted(tables.items()):
                pairs[labels.key].append(RaterPair(ratings.raters[a], ratings.raters[b], *pair_agreement(table)))
    return pairs


def disagreements(study: Study) -> tuple[list[Disagreement], DisagreementTie | None]:
    """Return the MAX_ITEMS items with the largest scores of `stats.disagreement`, and the tie of the last one with
    items that are not among them. Equal scores are ordered by the number of raters, then by imported ids.
    """
    ratings, cells = study.by_raters, study.cells
    equals: Counter[tuple[int, ...]] = Counter()
    worst = nsmallest(MAX_ITEMS, _disputed_items(ratings, cells, equals))
    if not worst:
        return [], None
    texts = study.texts.read(ratings.items.item_id[[item for *_, item in worst]].tolist())
    rows = []
    for score, _, item in worst:
        counts = cells.counts(_answer_counts(ratings, item, item + 1, len(cells.answers))[0])
        rows.append(Disagreement.of(ratings, item, texts, {"disagreement": -score / 100, **counts}))
    last = worst[-1][:2]
    items, listed = equals[tuple(last)], sum(each[:2] == last for each in worst)
    return rows, DisagreementTie(items=items, shown=listed) if items > listed else None


def _disputed_items(ratings: RatingTable, cells: Cells, equals: Counter[tuple[int, ...]]) -> Iterator[list[int]]:
    """Yield −score, −raters and number of the items whose ratings differ, in batches of items, without those that
    cannot be among the MAX_ITEMS first. Count all of them in `equals`, by −score and −raters.

    Ratings are compared in every choice question, and in every measure.
    """
    width, choice = len(cells.answers), [each for each in cells.protocol.questions if each.kind == "choice"]
    aspects = [Aspect(cells.answer_numbers(each.key, each.option_keys), none_differs=True) for each in choice]
    for hits, among in map(cells.masks, cells.protocol.measures):
        aspects.append(Aspect(np.where(among, hits.astype(np.int64), MISSING), none_differs=False))
    step = max(1, COUNTS_PER_CHUNK // max(1, width))
    for start in range(0, len(ratings.items), step):
        counts = _answer_counts(ratings, start, min(start + step, len(ratings.items)), width)
        differ = np.flatnonzero(np.count_nonzero(counts, axis=1) > 1)
        scores, raters = disagreement(counts[differ], aspects), counts[differ].sum(axis=1)
        disputed = np.stack([-scores, -raters, start + differ], axis=1)[scores > 0]
        keys, numbers = np.unique(disputed[:, :2], axis=0, return_counts=True)
        equals.update({tuple(key): n for key, n in zip(keys.tolist(), numbers.tolist(), strict=True)})
        yield from disputed[np.lexsort(disputed.T[::-1])[:MAX_ITEMS]].tolist()


def _answer_counts(ratings: RatingTable, start: int, stop: int, answers: int) -> Indices:
    """Count ratings by item, from `start` to `stop`, and set of answers."""
    by_item = ratings.item_counts
    part = slice(*np.searchsorted(by_item.item, [start, stop]))
    return count_table(by_item.item[part] - start, by_item.answer[part], (stop - start, answers), by_item.n[part])
