"""The comparisons and ranks of systems."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Annotated, NamedTuple

import msgspec
import numpy as np
from msgspec import UNSET, Meta, UnsetType

from ....models import Item
from ....protocols import is_share
from ....stats.bootstrap import ALIKE
from ....stats.comparisons import PairedDifference, compare_measures, holm
from ....stats.intervals import MIN_CLUSTERS
from ....stats.mover import mover_of_ratios
from ....stats.proportions import ratios
from ....stats.ranking import rank_intervals
from ....stats.swap_tests import MAX_EXACT, simulation_error, swap_ps
from ...choices import Choices
from ...data.arrays import Indices
from ...data.groups import LEVEL
from ...data.study import Study
from ...parts import Bounds, Count, Fields, Fraction, Part, RankNumber
from ..means.figures import UNIT, by_prompt


class Comparison(Part, frozen=True, kw_only=True):
    """Two systems on the same prompts: difference = a - b."""

    a: str
    b: str
    measure: str
    prompts: Count
    difference: float | None
    low: float | None
    high: float | None
    method: Annotated[
        str | None,
        Meta(
            description="Of the interval: `bca`, or `t` where there is too little to resample, or `mover` where a "
            "share is 0 or 1 or the difference does not vary between units; `none` without one."
        ),
    ] = None
    p: Fraction | None
    p_holm: Fraction | None
    swaps: Annotated[
        int | UnsetType | None, Meta(description="Random swaps of the test; null where all were tried.")
    ] = UNSET
    clusters: Annotated[int | None, Meta(description="In common; with fewer than 10, tables show no interval.")] = None
    degrees_of_freedom: Annotated[
        float | UnsetType,
        Meta(
            description="Of a `t` interval over clusters of very unequal sizes (CV² above .5): their effective number "
            "- 1. Absent elsewhere, where they are clusters - 1."
        ),
    ] = UNSET
    by_prompt: Annotated[
        Bounds | None, Meta(description="With prompts as units, where documents are the report's.")
    ] = None


class Rank(Part, frozen=True):
    """The rank of a system on a measure: 1 has the highest value."""

    measure: str
    system: str
    rank: RankNumber | None
    low: RankNumber | None
    high: RankNumber | None


SIGNIFICANCE_LEVEL = 0.05
"""A difference is significant if its p, after Holm's adjustment, is below this."""

NEAR, MORE = 4, 10
MAX_SWAPS = 50_000_000  # swaps × clusters: a quarter of a second


class Table(NamedTuple):
    """k and n of a measure by system and prompt, 0 <= k <= n; an observation adds `unit` to n."""

    key: str
    k: Indices
    n: Indices
    unit: int = 1


def differences_fields(study: Study) -> Fields:
    """Return the comparisons of systems in measures and in scores, and their ranks."""
    return {
        "comparisons": _with_prompt_bounds(study, comparisons),
        "score_comparisons": _with_prompt_bounds(study, score_comparisons) or None,
        "ranks": ranks(study),
    }


def _with_prompt_bounds(study: Study, compare: Callable[[Study], list[Comparison]]) -> list[Comparison]:
    """Return the comparisons of a study; where documents are its sampling units, with bounds by prompt, too."""
    compared = compare(study)
    if study.by_prompt is None:
        return compared
    return [
        msgspec.structs.replace(row, by_prompt=Bounds(other.low, other.high, other.method or "none"))
        for row, other in zip(compared, compare(study.by_prompt), strict=True)
    ]


def comparisons(study: Study) -> list[Comparison]:
    """Compare every pair of systems for every measure and every mean of shares, a < b by name. None if ratings are
    about pairs of systems, or without resamples.

    If documents are the clusters, a pair is still compared on its common prompts; their documents are resampled and
    swapped.
    """
    if study.protocol.unit == Item.Unit.PAIR or not study.choices.resamples:
        return []
    tables = [
        *(Table(measure.key, *study.counts_by_prompt[measure.key]) for measure in study.protocol.measures),
        *(Table(mean.key, *by_prompt(study, mean), UNIT) for mean in study.protocol.means if is_share(mean)),
    ]
    return _compare_tables(tables, study)


def score_comparisons(study: Study) -> list[Comparison]:
    """Compare every pair of systems in every score in the same way; differences are per 100 ratings."""
    scores = {ratio.key: ratio for ratio in study.cells.ratios if ratio.part == "scores"}
    if study.protocol.unit == Item.Unit.PAIR or not scores or not study.choices.resamples:
        return []
    rows = []
    for row in _compare_tables([Table(key, *study.counts_by_prompt[key], s.unit) for key, s in scores.items()], study):
        difference, low, high = scores[row.measure].in_units(row.difference, row.low, row.high)
        rows.append(msgspec.structs.replace(row, difference=difference, low=low, high=high))
    return rows


def _compare_tables(tables: Sequence[Table], study: Study) -> list[Comparison]:
    """Compare every pair of systems in each of these tables; the difference is that of k / n."""
    responses, choices = study.ratings.responses, study.choices
    pairs = list(combinations(range(len(responses.systems)), 2))
    rows = [(table, *pair) for table in tables for pair in pairs]
    on_common = []  # k and n of two systems by cluster, (2, clusters), over the prompts with assessed ratings of both
    for table, a, b in rows:
        common = (table.n[a] > 0) & (table.n[b] > 0)
        k, n = (responses.sum_by_cluster(side[[a, b]] * common) for side in (table.k, table.n))
        on_common.append((k, n))
    compared = compare_measures(
        on_common,
        resamples=study.cells.resamples,
        level=LEVEL,
        draws=choices.resamples,
        seed=choices.seed,
        units=[table.unit for table, *_ in rows],
    )
    differences = [
        _with_bounds(difference, counts, table.unit)
        for (difference,), counts, (table, *_) in zip(compared, on_common, rows, strict=True)
    ]
    tests = _test_pairs(differences, on_common, choices, len(pairs))
    return [
        Comparison(
            a=responses.systems[a],
            b=responses.systems[b],
            measure=table.key,
            prompts=int(((table.n[a] > 0) & (table.n[b] > 0)).sum()),
            difference=difference.difference,
            low=difference.low,
            high=difference.high,
            method=difference.method,
            p=p,
            p_holm=p_holm,
            swaps=swaps,
            clusters=difference.clusters,
            degrees_of_freedom=UNSET
            if difference.method != "t" or difference.degrees in (None, difference.clusters - 1)
            else difference.degrees,
        )
        for (table, a, b), difference, (p, p_holm, swaps) in zip(rows, differences, tests, strict=True)
    ]


def _with_bounds(difference: PairedDifference, counts: tuple[Indices, Indices], unit: int) -> PairedDifference:
    """Return MOVER's bounds for a difference whose own miss a part of the variation: it does not vary between clusters,
    or one of the shares is 0 or 1, whose standard error is 0. With fewer than 10 clusters it stays as it is.
    """
    one_sided = difference.value_a in (0, 1) or difference.value_b in (0, 1)
    varies = difference.se is None or difference.se >= ALIKE
    if difference.clusters < MIN_CLUSTERS or (varies and not one_sided):
        return difference
    a, b = ratios(*counts)
    bounds = mover_of_ratios(a, b, LEVEL, unit)
    return replace(difference, low=bounds.low, high=bounds.high, method=bounds.method)


def _test_pairs(
    differences: list[PairedDifference], counts: list[tuple[Indices, Indices]], choices: Choices, pairs: int
) -> Iterator[tuple[float | None, float | None, int | None]]:
    """Return p, p adjusted over the `pairs` of a measure, and the swaps drawn at random (None: all) of each difference.

    Significance must not depend on the seed: if the adjusted p lies within NEAR simulation errors of .05, that pair is
    tested again with MORE times as many swaps, unless these would take too long.
    """
    ps = [difference.p for difference in differences]
    swaps = [None if difference.clusters <= MAX_EXACT else choices.resamples for difference in differences]
    draws, near = MORE * choices.resamples, []
    for i, (difference, adjusted) in enumerate(zip(differences, _adjust_by_holm(ps, pairs), strict=True)):
        if difference.p and adjusted is not None and draws * difference.clusters <= MAX_SWAPS:
            error = simulation_error(difference.p, difference.clusters, choices.resamples) * adjusted / difference.p
            if abs(adjusted - SIGNIFICANCE_LEVEL) < NEAR * error:
                near.append(i)
    shared = [np.stack([k[0], n[0], k[1], n[1]])[:, n[0] > 0] for k, n in (counts[i] for i in near)]
    for i, p in zip(near, swap_ps(shared, draws, choices.seed) if near else [], strict=True):
        ps[i], swaps[i] = p, draws
    return zip(ps, _adjust_by_holm(ps, pairs), swaps, strict=True)


def _adjust_by_holm(ps: list[float | None], pairs: int) -> list[float | None]:
    """Adjust by Holm over the pairs of each measure, which follow one another."""
    return [p for start in range(0, len(ps), pairs or 1) for p in holm(ps[start : start + pairs])]


def ranks(study: Study) -> list[Rank]:
    """Rank the systems: 1 has the highest value; bounds come from the resamples of the proportions.

    No ranks without resamples, or if ratings are about pairs of systems: pairs have no common order.
    """
    if study.protocol.unit == Item.Unit.PAIR or not study.choices.resamples:
        return []
    rows = []
    for measure in study.protocol.measures:
        k, n = study.counts_by_system(measure)
        intervals = rank_intervals(k, n, study.cells.resamples, LEVEL) if len(k) else []
        rows += [
            Rank(measure.key, system, interval.rank, interval.low, interval.high)
            for system, interval in zip(study.ratings.responses.systems, intervals, strict=True)
        ]
    return rows


def best_first(ranks: Sequence[Rank], better: Callable[[str], str]) -> list[Rank]:
    """Return the ranks with 1 for the best value: reversed for measures of which `better` returns `lower`."""
    rows = []
    for row in ranks:
        if row.rank is not None and better(row.measure) == "lower":
            others = [other.rank for other in ranks if other.measure == row.measure and other.rank is not None]
            low, high = (None if end is None else len(others) + 1 - end for end in (row.high, row.low))
            row = Rank(row.measure, row.system, 1 + sum(other > row.rank for other in others), low, high)
        rows.append(row)
    return rows
