"""Notes on differences between systems: their intervals, the test that p is from, the least possible p."""

from collections.abc import Sequence

from ...i18n.unit_names import counted, unit_words
from ...stats.swap_tests import MAX_EXACT
from ..compute.comparisons import SIGNIFICANCE_LEVEL
from ..compute.significance import clusters_in_common, has_enough, lacks_an_interval
from ..report import Comparison
from .figure_format import p_value


def difference_intervals(comparisons: Sequence[Comparison], cluster: str) -> str:
    """State how intervals of differences were computed and where they are missing; "" without differences.

    Older reports, which have no method, have linearized intervals.
    """
    used = {row.method or "t" for row in comparisons if row.low is not None}
    clusters = {"clusters": unit_words(cluster, 2)}
    ways = {
        "bca": (("BCa bootstrap over %(clusters)s with the resamples of the proportions") % clusters),
        "t": "t bounds of the linearized difference of two ratios",
        "mover": (
            (
                "where a share is 0 or 100 %% or the difference does not vary between %(clusters)s, MOVER from the "
                "Korn-Graubard intervals of the two shares"
            )
            % clusters
        ),
    }
    phrases = ["; elsewhere ".join(way for method, way in ways.items() if method in used)] if used else []
    without = [row for row in comparisons if lacks_an_interval(row)]
    if not all(map(has_enough, without)):
        some = "none where two systems have fewer than 10 %(clusters)s in common"
        none = "none, as the systems have fewer than 10 %(clusters)s in common"
        phrases.append((some if phrases else none) % clusters)
    if any(map(has_enough, without)):
        phrases.append(("none where the difference does not vary between %(clusters)s") % clusters)
    if used and len({(row.a, row.b) for row in comparisons}) > 1:
        phrases.append("each is for one pair alone, not adjusted for the number of pairs")
    return "; ".join(phrases)


def least_p_note(comparisons: Sequence[Comparison], cluster: str) -> str:
    """State the least possible adjusted p where so few clusters are in common that no swap test can be significant."""
    tested = [row for row in comparisons if row.p is not None]
    if not tested:
        return ""
    clusters = min(clusters_in_common(row) for row in tested)
    pairs = max(sum(row.measure == comparison.measure for row in tested) for comparison in tested)
    least = min(1.0, pairs * 2.0 ** (1 - clusters))
    if least < SIGNIFICANCE_LEVEL:
        return ""
    sentence = (
        (
            "With %(clusters)s, no p below %(p)s is possible after adjusting for %(pairs)s pairs, "
            "whatever the difference."
        )
        if pairs > 1
        else "With %(clusters)s, no p below %(p)s is possible, whatever the difference."
    )
    return sentence % {"clusters": counted(clusters, cluster), "p": p_value(least), "pairs": pairs}


def swap_test_note(comparisons: Sequence[Comparison], cluster: str, *, studentized: bool) -> str:
    """Name the test that p is from, and that p is adjusted; reports before 0.8 are not `studentized`."""
    clusters = {"clusters": unit_words(cluster, 2), "most": MAX_EXACT}
    if not studentized:
        sentence = "p from swapping the systems within %(clusters)s, adjusted over all pairs of a measure (Holm)."
        return sentence % clusters
    sentence = (
        "p from %(test)s, which swaps the systems within %(clusters)s and compares the difference over its standard "
        "error (studentized); adjusted over all pairs of a measure (Holm)."
    )
    return sentence % {**clusters, "test": _test(comparisons) % clusters}


def _test(comparisons: Sequence[Comparison]) -> str:
    exact = {row.swaps is None for row in comparisons if row.p is not None}
    if exact == {True}:
        return "an exact permutation test"
    if True in exact:
        return "a permutation test (exact on up to %(most)s %(clusters)s, else with random swaps)"
    return "a permutation test with random swaps"


def comparison_note(comparisons: Sequence[Comparison], cluster: str = "prompt", *, studentized: bool = False) -> str:
    """Describe the figures of a table of differences."""
    sentence = (
        "Differences of unrounded shares, in percentage points, on the prompts that both systems have an assessed "
        "rating for."
    )
    return f"{sentence} {inference_note(comparisons, cluster, studentized=studentized)}"


def inference_note(comparisons: Sequence[Comparison], cluster: str, *, studentized: bool) -> str:
    """Describe the intervals and tests of a table of differences."""
    how = difference_intervals(comparisons, cluster)
    sentences = [
        f"95 % intervals: {how}." if how else "",
        swap_test_note(comparisons, cluster, studentized=studentized),
        least_p_note(comparisons, cluster),
    ]
    return " ".join(filter(None, sentences))
