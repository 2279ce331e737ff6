"""Agreement of raters, question by question.

An answer that no measure includes, such as "can't assess", is missing, not a category: raters who could not judge a
sentence did not disagree about it. `accurate_or_not` is the first measured question under the measure `accurate`.
`severity_scale` orders accurate, an issue that is not severe and a severe issue: its alpha is the ordinal one.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Annotated

import msgspec
import numpy as np
from msgspec import UNSET, Meta, UnsetType

from ....protocols import Measure, Protocol, Question
from ....stats import agreement as coefficients
from ....stats.disagreement import NONE, Aspect, disagreement
from ....stats.intervals import closed_form
from ....stats.proportions import count_table, ratio
from ....stats.raters import pair_agreement, pair_counts
from ...data.arrays import MISSING, Indices, SmallNumbers, indices
from ...data.groups import LEVEL, Cells, Mask
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
        """The coefficients by name, in the order of the tables."""
        return {
            "percent": self.percent,
            "fleiss_kappa": self.fleiss_kappa,
            "gwet_ac1": self.gwet_ac1,
            "krippendorff_alpha": self.krippendorff_alpha,
        }


class Disagreement(Part, frozen=True):
    """An item that raters disagree on, by imported ids, with the count of each option; most disagreement first."""

    prompt: str
    response: str
    against: str | None
    unit: str
    item: Count
    system: str
    text: Annotated[str, Meta(description="Its first 300 characters.")]
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
CHUNK_SIZE = 20_000  # ratings processed together
MAX_CHANCE_ALPHA, MIN_SHARED_ITEMS = 0.1, 50
"""Krippendorff's alpha below the first, over at least as many items with two labels or more, is called chance."""


@dataclass(frozen=True)
class Labels:
    """One labeling of the ratings: `by_answers[a]` is the label of the a-th distinct set of answers, or MISSING.

    `ordered`: the categories are a scale, so Krippendorff's alpha is the ordinal one.
    """

    key: str
    categories: list[str]
    by_answers: Indices
    ordered: bool = False


@dataclass(frozen=True)
class Confusion:
    """The counts of two labels of one item by two raters: unordered pairs `pairs[a][b]` for a <= b, and 0 for a > b."""

    categories: list[str]
    pairs: list[list[int]]


@dataclass(frozen=True)
class Bootstrap:
    """Parameters of the resampled intervals."""

    resamples: int
    seed: int


def agreement_fields(study: Study) -> Fields:
    """Return agreement on the raters' own answers, adjudicated or not. The time for pairs of raters grows with the
    pairs of ratings of one item, so they are in slow reports only, like the intervals.
    """
    ratings, choices = study.by_raters, study.choices
    pairs = rater_pairs(ratings, study.cells) if study.is_slow else {}
    bootstrap = Bootstrap(choices.resamples, choices.seed) if study.is_slow else None
    by_question = agreement(ratings, study.cells, bootstrap)
    return {
        "agreement": {
            key: msgspec.structs.replace(part, rater_pairs=pairs.get(key)) for key, part in by_question.items()
        }
    }


def agreement(ratings: RatingTable, cells: Cells, bootstrap: Bootstrap | None) -> dict[str, Agreement]:
    """Compute agreement question by question; without `bootstrap` every interval is None."""
    return {labels.key: _agreement(ratings, labels, bootstrap) for labels in all_labels(cells)}


def is_by_chance(agreement: Agreement) -> bool:
    """Return whether the raters agree little more than by chance."""
    alpha = agreement.krippendorff_alpha
    return alpha is not None and alpha < MAX_CHANCE_ALPHA and agreement.items >= MIN_SHARED_ITEMS


def confusions(ratings: RatingTable, cells: Cells) -> dict[str, Confusion]:
    """Count which labels raters confuse, question by question."""
    return {labels.key: _confusion(_counts(ratings, labels), labels) for labels in all_labels(cells)}


def all_labels(cells: Cells) -> Iterator[Labels]:
    """Yield each choice question of the protocol; `accurate_or_not` where it has a measure `accurate`, and
    `severity_scale` where it also asks whether an issue is severe.
    """
    for question in cells.protocol.questions:
        if question.kind == "choice":
            yield labels_of(question, cells)
    for measure in cells.protocol.measures:
        if measure.key == ACCURATE:
            yield accurate_or_not(measure, cells)
            yield from _severity_scale(measure, cells)


def labels_of(question: Question, cells: Cells) -> Labels:
    """Return the labels of one question; options that no measure includes are missing."""
    left_out = cells.protocol.left_out(question.key)
    categories = [key for key in question.option_keys if key not in left_out]
    number = {key: i for i, key in enumerate(categories)}
    return Labels(
        question.key,
        categories,
        indices(number.get(answers.get(question.key, ""), MISSING) for answers in cells.answers),
    )


def accurate_or_not(measure: Measure, cells: Cells) -> Labels:
    """Return the labels for a measure: counted, or only in its denominator."""
    hits, among = cells.masks(measure)
    return Labels(ACCURATE_OR_NOT, [ACCURATE, "not_accurate"], np.where(among, np.where(hits, 0, 1), MISSING))


def _severity_scale(accurate: Measure, cells: Cells) -> Iterator[Labels]:
    """Yield accurate < an issue that is not severe < a severe issue, where the protocol asks for exactly that."""
    options = {question.key: set(question.option_keys) for question in cells.protocol.questions}
    if options.get(SEVERITY) != {NOT_SEVERE, SEVERE}:
        return
    scale = {NOT_SEVERE: 1, SEVERE: 2}
    hits, among = cells.masks(accurate)
    issues = indices(scale.get(answers.get(SEVERITY, ""), MISSING) for answers in cells.answers)
    labels = np.where(among, np.where(hits, 0, issues), MISSING)
    yield Labels(SEVERITY_SCALE, [ACCURATE, NOT_SEVERE, SEVERE], labels, ordered=True)


def _agreement(ratings: RatingTable, labels: Labels, bootstrap: Bootstrap | None) -> Agreement:
    counts = _counts(ratings, labels)
    estimates = coefficients.agreement(counts, ordered=labels.ordered)
    shared = counts.sum(axis=1) > 1
    return Agreement(
        items=int(shared.sum()),
        raters=_raters(ratings, shared, labels),
        percent=estimates.percent,
        fleiss_kappa=estimates.fleiss_kappa,
        gwet_ac1=estimates.gwet_ac1,
        krippendorff_alpha=estimates.krippendorff_ordinal if labels.ordered else estimates.krippendorff_alpha,
        intervals=_intervals(counts, ratings.item_cluster, labels, bootstrap, estimates.percent),
    )


def _raters(ratings: RatingTable, shared: Mask, labels: Labels) -> int:
    """Count the raters who gave a label to one of the `shared` items; stop once every rater did."""
    gave_label, labeled = np.zeros(len(ratings.raters), dtype=bool), labels.by_answers != MISSING
    for start in range(0, len(ratings.item), CHUNK_SIZE):
        part = slice(start, start + CHUNK_SIZE)
        gave_label[ratings.rater[part][shared[ratings.item[part]] & labeled[ratings.answer[part]]]] = True
        if gave_label.all():
            break
    return int(gave_label.sum())


def given_labels(ratings: RatingTable, labels: Labels) -> SmallNumbers:
    """Return the label of every rating, or MISSING."""
    return ratings.expand(labels.by_answers)


def _counts(ratings: RatingTable, labels: Labels) -> Indices:
    """Count the raters who gave each item each label: shape (items, labels)."""
    by_item, shape = ratings.item_counts, (len(ratings.items), len(labels.categories))
    by_rating = labels.by_answers[by_item.answer] if len(labels.by_answers) else by_item.answer
    return count_table(by_item.item, by_rating, shape, by_item.n)


def _confusion(counts: Indices, labels: Labels) -> Confusion:
    pairs = np.triu(counts.T @ counts, 1) + np.diag((counts * (counts - 1) // 2).sum(axis=0))
    return Confusion(labels.categories, pairs.tolist())


def _intervals(
    counts: Indices, clusters: Indices, labels: Labels, bootstrap: Bootstrap | None, percent: float | None
) -> dict[str, tuple[float, float] | None]:
    if bootstrap is None:
        return dict.fromkeys(REPORTED)
    intervals = coefficients.agreement_intervals(
        counts,
        clusters,
        resamples=bootstrap.resamples,
        seed=bootstrap.seed,
        level=LEVEL,
        ordered=labels.ordered,
    )
    alpha = "krippendorff_ordinal" if labels.ordered else "krippendorff_alpha"
    reported = {name: intervals[alpha if name == "krippendorff_alpha" else name] for name in REPORTED}
    if reported["percent"] is None and percent in (0, 1):
        reported["percent"] = _exact_bounds(counts, clusters, agree=percent == 1)
    return reported


def _exact_bounds(counts: Indices, clusters: Indices, *, agree: bool) -> tuple[float, float] | None:
    """Return Korn and Graubard's bounds of the agreement where raters agree on all items or on none, so that resamples
    do not vary; None with fewer than 10 clusters.
    """
    n = np.bincount(clusters[counts.sum(axis=1) > 1])
    bounds = closed_form(ratio(n if agree else np.zeros_like(n), n), LEVEL)
    return None if bounds.low is None or bounds.high is None else (bounds.low, bounds.high)


MAX_RATERS = 60
"""With more raters a report has no pairs: the table would be longer than the report."""


def rater_pairs(ratings: RatingTable, cells: Cells) -> dict[str, list[RaterPair]]:
    """Return {question: its pairs}, a < b by name, with the items that both gave a label; pairs that share none are
    left out.

    `ac1` is None where it is 0/0. Empty lists with more than MAX_RATERS raters.
    """
    few = len(ratings.raters) <= MAX_RATERS
    return {labels.key: _pairs(ratings, labels) if few else [] for labels in all_labels(cells)}


def _pairs(ratings: RatingTable, labels: Labels) -> list[RaterPair]:
    categories = len(labels.categories)
    tables = pair_counts(ratings.item, ratings.rater, given_labels(ratings, labels), categories)
    return [RaterPair(ratings.raters[a], ratings.raters[b], *pair_agreement(tables[a, b])) for a, b in sorted(tables)]


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


def agreement_details(study: Study) -> AgreementDetails:
    """Return agreement among the raters' own answers, without intervals."""
    ratings, cells = study.by_raters, study.cells
    return AgreementDetails(
        sha256=study.sha256,
        ratings=len(ratings.item),
        items=len(ratings.items),
        raters=ratings.raters,
        agreement=agreement(ratings, cells, None),
        confusions=confusions(ratings, cells),
        pairs=rater_pairs(ratings, cells),
    )


MAX_ITEMS = 20
"""Items in a report."""
MAX_TEXT_LENGTH = 300
"""Code points of an item's text; a longer one ends with an ellipsis."""
COUNTS_PER_CHUNK = 100_000  # numbers in one table of items × answers: 1 MB, and as much again in each of its copies


def disagreements(
    ratings: RatingTable, cells: Cells, read_texts: Callable[[list[int]], dict[int, str]]
) -> tuple[list[Disagreement], DisagreementTie | None]:
    """Return the MAX_ITEMS items with the largest scores of `stats.disagreement`, and the tie of the last one with
    items that are not among them. Equal scores are ordered by the number of raters, then by imported ids. `read_texts`
    returns the texts of items by their ids.
    """
    equals: Counter[tuple[int, ...]] = Counter()
    worst = nsmallest(MAX_ITEMS, _disputed_items(ratings, cells, equals))
    texts = read_texts(ratings.items.item_id[[item for *_, item in worst]].tolist())
    rows = []
    for score, _, item in worst:
        response = ratings.responses.rated[ratings.items.response[item]]
        rows.append(
            Disagreement(
                prompt=response.prompt.key,
                response=response.key,
                against=response.against,
                unit=UNITS[ratings.items.unit[item] - 1],
                item=int(ratings.items.position[item]),
                system=response.system,
                text=beginning(texts[int(ratings.items.item_id[item])]),
                disagreement=-score / 100,
                **cells.counts(_answer_counts(ratings, item, item + 1, len(cells.answers))[0]),
            )
        )
    return rows, _tie(rows, equals)


def _tie(rows: list[Disagreement], equals: Counter[tuple[int, ...]]) -> DisagreementTie | None:
    """Return the tie of the last item with items that are not in `rows`; None without one."""
    if not rows:
        return None
    last = rows[-1]
    listed = sum((row.disagreement, row.ratings) == (last.disagreement, last.ratings) for row in rows)
    items = equals[-round(100 * last.disagreement), -last.ratings]
    return DisagreementTie(items=items, shown=listed) if items > listed else None


def _disputed_items(ratings: RatingTable, cells: Cells, equals: Counter[tuple[int, ...]]) -> Iterator[list[int]]:
    """Yield −score, −raters and number of the items whose ratings differ, in batches of items, without those that
    cannot be among the MAX_ITEMS first. Count all of them in `equals`, by −score and −raters.
    """
    aspects, width = _aspects(cells), len(cells.answers)
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


def _aspects(cells: Cells) -> list[Aspect]:
    """Return the aspects in which two ratings are compared: every choice question, and every measure."""
    return [
        *_question_aspects(cells.protocol, cells.answers),
        *(_measure_aspect(*cells.masks(m)) for m in cells.protocol.measures),
    ]


def _question_aspects(protocol: Protocol, answers: list[dict[str, str]]) -> Iterator[Aspect]:
    for question in protocol.questions:
        if question.kind == "choice":
            number = {key: i for i, key in enumerate(question.option_keys)}
            options = indices(number.get(of_item.get(question.key, ""), NONE) for of_item in answers)
            yield Aspect(options, none_differs=True)


def _measure_aspect(hits: Mask, among: Mask) -> Aspect:
    return Aspect(np.where(among, hits.astype(np.int64), NONE), none_differs=False)


def beginning(text: str) -> str:
    """Return the first characters of an item's text."""
    return text if len(text) <= MAX_TEXT_LENGTH else f"{text[:MAX_TEXT_LENGTH].rstrip()}…"
