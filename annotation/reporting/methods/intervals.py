"""Sentences of the Methods about the sampling unit, intervals of proportions and resamples."""

from collections.abc import Mapping

from ...i18n.numbers import localized
from ...i18n.unit_names import unit_words
from ...stats.dawid_skene_bootstrap import MAX_RESAMPLES
from ...stats.interval_choice import ENOUGH_CLUSTERS, ENOUGH_EVENTS
from ...stats.intervals import MIN_CLUSTERS
from ..choices import DOCUMENT
from ..data.responses import MIN_DOCUMENTS
from ..parts import MeasureProportion
from ..provenance_record import Provenance
from ..report import Report
from ..sections.fact_qa.text import fact_qa_methods
from ..sections.hybrid.text import hybrid_methods, weighted_methods
from ..sections.judge.text import judge_methods
from ..sections.metrics.text import metrics_methods
from ..sections.scores.text import methods_of_scores
from ..text.figure_format import count, listed, methods_used
from ..text.names import Names
from ..text.notes import concentration_note, documents_note, raters_note
from .agreement import agreement_is_resampled, level_of
from .comparisons import comparisons_text, swaps_are_drawn
from .planning import planning_sentences
from .references import EFRON, KORN_GRAUBARD


def sampling_unit(report: Report) -> str:
    """State the sampling unit, why it is that one, and what the intervals are about; "" without intervals."""
    raters = raters_note(report)
    if not raters:
        return ""
    sentences = [
        documents_note(report) or _unit(report),
        _choice_of_unit(report),
        concentration_note(report),
        raters,
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _unit(report: Report) -> str:
    if report.method.cluster == DOCUMENT:
        return "Documents are the sampling unit, as ratings of prompts about one document are correlated."
    return "Prompts are the sampling unit, as ratings of one prompt are correlated."


def _choice_of_unit(report: Report) -> str:
    """State how the unit was chosen; "" in older reports and where the rule had nothing to choose."""
    if report.chosen_cluster:
        return "This unit was chosen by the analysts."
    if report.inference is None or report.data.documents is None:
        return ""
    sentence = (
        "The unit follows a rule: documents where there are at least %(fewest)s and fewer than 0.8 × the number of "
        "prompts, otherwise prompts."
    )
    return sentence % {"fewest": MIN_DOCUMENTS}


def intervals_text(report: Report) -> str:
    """State every method that the intervals of proportions used, and the precision they have."""
    return " ".join(filter(None, [_intervals(report), _precision(report)]))


def _intervals(report: Report) -> str:
    method, used = report.method, _methods_used(report)
    cited = {"efron": EFRON.citation, "korn": KORN_GRAUBARD.citation}
    values = {"clusters": unit_words(method.cluster, 2), "fewest": MIN_CLUSTERS, **cited}
    if used == {"none"}:
        return ("No intervals are given, as fewer than %(fewest)s %(clusters)s have an assessed rating.") % values
    parts = []
    if "bca" in used:
        words = (
            "BCa bootstrap (%(efron)s) over %(clusters)s where a figure rests on at least %(enough)s %(clusters)s and "
            "%(events)s ratings on either side"
        )
        if report.has_effective_degrees:
            words = (
                "BCa bootstrap (%(efron)s) over %(clusters)s where a figure rests on at least %(enough)s %(clusters)s "
                "of similar size (CV² of their ratings up to .5) and %(events)s ratings on either side"
            )
        parts.append(words % {**values, "enough": ENOUGH_CLUSTERS, "events": ENOUGH_EVENTS})
    if "korn-graubard" in used:
        elsewhere = (
            "Korn-Graubard bounds (%(korn)s) on the effective number of ratings, with %(clusters)s as clusters, "
            "elsewhere"
        )
        alone = "Korn-Graubard bounds (%(korn)s) on the effective number of ratings, with %(clusters)s as clusters"
        parts.append((elsewhere if parts else alone) % values)
    if not parts:
        return ""
    if "none" in used:
        parts.append(("none is given where fewer than %(fewest)s %(clusters)s have an assessed rating") % values)
    return f"Intervals are {level_of(report)}: {'; '.join(parts)}."


def prompt_intervals_text(report: Report) -> str:
    """State how the intervals by prompt are computed, beside those by document; "" where prompts are the unit."""
    cells = (report.overall, *report.systems)
    bounds = [measure.by_prompt for cell in cells for measure in cell.measures.values() if measure.by_prompt]
    differences = [row.by_prompt for row in report.all_comparisons if row.by_prompt]
    words = {
        "bca": "BCa bootstrap over prompts, with as many resamples and the same seed",
        "korn-graubard": "Korn-Graubard bounds with prompts as clusters",
    }
    of_differences = {
        "bca": "BCa bootstrap over prompts",
        "t": "t bounds of the linearized difference",
    }
    parts = [
        ("The intervals by prompt are: %(methods)s.", _named(words, {each.method for each in bounds})),
        (
            "Those of differences by prompt are: %(methods)s.",
            _named(of_differences, {each.method for each in differences}),
        ),
    ]
    return " ".join(sentence % {"methods": listed(names, "or")} for sentence, names in parts if names)


def _named(words: Mapping[str, str], used: set[str]) -> list[str]:
    return [phrase for name, phrase in words.items() if name in used]


def _precision(report: Report) -> str:
    """State the range of the half-widths of the systems' intervals, in points; "" without intervals."""
    bounded = [p for cell in report.systems for p in cell.measures.values() if p.low is not None]
    widths = sorted(map(_half_width, bounded))
    if not widths:
        return ""
    sentence = "The half-widths of the intervals of the systems’ proportions are %(least)s to %(most)s points."
    return sentence % {"least": _points(widths[0]), "most": _points(widths[-1])}


def _half_width(p: MeasureProportion) -> float:
    return ((p.high or 0.0) - (p.low or 0.0)) / 2


def _points(width: float) -> str:
    return localized(f"{100 * width:.1f}")


def _methods_used(report: Report) -> set[str]:
    cells = [report.overall, *report.systems, *(cell for cells in report.by.values() for cell in cells)]
    return methods_used(cell.measures for cell in cells)


def resampled_text(report: Report) -> str:
    """State the number, the unit and the seed of the resamples, which others need to repeat them."""
    method = report.method
    differences = any(row.method == "bca" for row in report.all_comparisons)
    used = {
        "proportions": "bca" in _methods_used(report),
        "scores": "bca" in methods_of_scores(report),
        "differences": differences,
        "agreement": agreement_is_resampled(report),
    }
    resampled_names = [name for name, is_used in used.items() if is_used]
    swaps = swaps_are_drawn(report)
    if not resampled_names:
        return f"Random swaps were drawn with seed {method.seed}." if swaps else ""
    sentence = (
        (
            "The resampled intervals (of %(what)s) come from %(n)s resamples of %(clusters)s, seed %(seed)s as for the "
            "swaps."
        )
        if swaps
        else "The resampled intervals (of %(what)s) come from %(n)s resamples of %(clusters)s, seed %(seed)s."
    )
    text = sentence % {
        "what": listed(resampled_names, "and"),
        "n": count(method.resamples),
        "clusters": unit_words(method.cluster, 2),
        "seed": method.seed,
    }
    return f"{text} {_dawid_skene(report)}" if _has_dawid_skene_intervals(report) else text


def _has_dawid_skene_intervals(report: Report) -> bool:
    """Return whether an estimate by Dawid and Skene's model has an interval."""
    estimates = (measure.dawid_skene for row in report.aggregations or () for measure in row.measures.values())
    return any(each is not None and each.low is not None for each in estimates)


def _dawid_skene(report: Report) -> str:
    """State the intervals of Dawid and Skene's model, which have resamples of their own number."""
    sentence = "Intervals of Dawid and Skene’s model are percentile intervals from at most %(most)s resamples."
    return sentence % {"most": count(min(report.method.resamples, MAX_RESAMPLES))}


def inference_text(report: Report, names: Names, record: Provenance | None = None) -> str:
    """Return the paragraph."""
    sentences = [
        sampling_unit(report),
        intervals_text(report),
        comparisons_text(report, record),
        prompt_intervals_text(report),
        resampled_text(report),
        weighted_methods(report, names),
        hybrid_methods(report, names),
        fact_qa_methods(report),
        judge_methods(report, names),
        metrics_methods(report),
        *(planning_sentences(report, record, names) if record else ()),
    ]
    return " ".join(sentence for sentence in sentences if sentence)
