"""The estimates of people alone that are weighted for unequal probabilities, in words."""

from collections.abc import Iterator

from ...i18n.unit_names import counted, unit_words
from ...stats.intervals import MIN_CLUSTERS
from ..report import Report
from .figure_format import count
from .hybrid import with_half_width
from .names import Names
from .references import ACTIVE_INFERENCE, KORN_GRAUBARD


def weighted_sentences(report: Report, names: Names) -> Iterator[str]:
    """Yield a sentence for each measure over all systems; none without estimates."""
    weighted = report.weighted_estimates
    if weighted is None or weighted.overall is None:
        return
    sentence = "%(measure)s: %(estimate)s, from %(ratings)s of people in %(units)s."
    for key, measure in weighted.overall.measures.items():
        yield sentence % {
            "measure": names.measure(key),
            "estimate": with_half_width(measure),
            "ratings": counted(measure.n, "rating"),
            "units": counted(measure.units, report.method.cluster),
        }


def weighted_note(report: Report, names: Names) -> str:
    """State how the estimates are weighted and what they assume, or why there are none; "" where none are needed."""
    weighted = report.weighted_estimates
    if weighted is None:
        return ""
    if weighted.overall is None:
        return f"No weighted estimates: {weighted.reason or ''}."
    sentence = (
        "Each rating counts 1/π, where π is the probability with which its item was drawn: so the estimates are about "
        "all %(items)s. No interval where fewer than %(fewest)s %(clusters)s have an assessed rating."
    )
    values = {
        "items": counted(weighted.overall.items, names.unit),
        "fewest": MIN_CLUSTERS,
        "clusters": unit_words(report.method.cluster, 2),
    }
    unfinished = (
        "Of %(drawn)s in the sample, %(rated)s have a rating: the estimates assume that these are a random part of the "
        "sample of their system."
    )
    overall = weighted.overall
    counts = {"drawn": counted(overall.drawn, names.unit), "rated": count(overall.rated)}
    sentences = [sentence % values, unfinished % counts if overall.rated < overall.drawn else ""]
    return " ".join(filter(None, sentences))


def weighted_methods(report: Report, names: Names) -> str:
    """Return the sentences of the Methods; "" without estimates."""
    weighted = report.weighted_estimates
    if weighted is None or weighted.overall is None:
        return ""
    sentence = (
        "Items were drawn with unequal probabilities (%(active)s). Proportions of people alone were also estimated "
        "with weights, the inverse of these probabilities, as a ratio over %(clusters)s with Korn-Graubard bounds "
        "(%(korn)s) on the effective number of ratings."
    )
    values = {
        "active": ACTIVE_INFERENCE.citation,
        "clusters": unit_words(report.method.cluster, 2),
        "korn": KORN_GRAUBARD.citation,
    }
    return " ".join([sentence % values, *weighted_sentences(report, names)])
