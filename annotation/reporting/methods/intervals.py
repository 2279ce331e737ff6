"""The Inference paragraph of the Methods: the sampling unit, intervals, comparisons, resamples and planning."""

from collections.abc import Iterator

from ...i18n.unit_names import unit_words
from ...stats.dawid_skene_bootstrap import MAX_RESAMPLES
from ...stats.interval_choice import ENOUGH_CLUSTERS, ENOUGH_EVENTS
from ...stats.intervals import MIN_CLUSTERS
from ..choices import DOCUMENT
from ..data.responses import MIN_DOCUMENTS
from ..provenance_record import Provenance
from ..report import Report
from ..sections.fact_qa.text import fact_qa_methods
from ..sections.hybrid.text import hybrid_methods, weighted_methods
from ..sections.judge.text import judge_methods
from ..sections.metrics.text import metrics_methods
from ..sections.scores.text import methods_of_scores
from ..text.figure_format import count, listed, methods_used
from ..text.names import Names
from ..text.notes import concentration_note, documents_note, has_intervals, raters_note
from .agreement import agreement_is_resampled
from .comparisons import comparison_sentences, swaps_are_drawn
from .record import planning_sentences
from .references import EFRON, KORN_GRAUBARD


def inference_sentences(report: Report, names: Names, record: Provenance | None = None) -> Iterator[str]:
    if has_intervals(report):
        yield from _sampling_unit(report)
    yield from _intervals(report)
    yield from comparison_sentences(report, record)
    yield from _intervals_by_prompt(report)
    yield from _resamples(report)
    yield weighted_methods(report, names)
    yield hybrid_methods(report, names)
    yield fact_qa_methods(report)
    yield judge_methods(report, names)
    yield metrics_methods(report)
    if record:
        yield from planning_sentences(report, record, names)


def _sampling_unit(report: Report) -> Iterator[str]:
    """Yield the unit, how it was chosen unless the report is older, and what the intervals are about."""
    if documents := documents_note(report):
        yield documents
    elif report.method.cluster == DOCUMENT:
        yield "Documents are the sampling unit, as ratings of prompts about one document are correlated."
    else:
        yield "Prompts are the sampling unit, as ratings of one prompt are correlated."
    if report.chosen_cluster:
        yield "This unit was chosen by the analysts."
    elif report.inference is not None and report.data.documents is not None:
        yield (
            f"The unit follows a rule: documents where there are at least {MIN_DOCUMENTS} and fewer than 0.8 × the "
            "number of prompts, otherwise prompts."
        )
    yield concentration_note(report)
    yield raters_note(report)


def _intervals(report: Report) -> Iterator[str]:
    """Yield every method that the intervals of proportions used, and the range of the systems' half-widths."""
    used, clusters = _methods_used(report), unit_words(report.method.cluster, 2)
    too_few = f"fewer than {MIN_CLUSTERS} {clusters} have an assessed rating"
    if used == {"none"}:
        yield f"No intervals are given, as {too_few}."
    methods = []
    if "bca" in used:
        alike = " of similar size (CV² of their ratings up to .5)" if report.has_effective_degrees else ""
        methods.append(
            f"BCa bootstrap ({EFRON.citation}) over {clusters} where a figure rests on at least {ENOUGH_CLUSTERS} "
            f"{clusters}{alike} and {ENOUGH_EVENTS} ratings on either side"
        )
    if "korn-graubard" in used:
        elsewhere = ", elsewhere" if methods else ""
        methods.append(
            f"Korn-Graubard bounds ({KORN_GRAUBARD.citation}) on the effective number of ratings, with {clusters} as "
            f"clusters{elsewhere}"
        )
    if methods:
        none = f"; none is given where {too_few}" if "none" in used else ""
        yield f"Intervals are {100 * report.method.level:g} %: {'; '.join(methods)}{none}."
    proportions = [p for cell in report.systems for p in cell.measures.values()]
    widths = [(p.high - p.low) / 2 for p in proportions if p.low is not None and p.high is not None]
    if widths:
        yield (
            f"The half-widths of the intervals of the systems’ proportions are {100 * min(widths):.1f} to "
            f"{100 * max(widths):.1f} points."
        )


def _methods_used(report: Report) -> set[str]:
    cells = [report.overall, *report.systems, *(cell for cells in report.by.values() for cell in cells)]
    return methods_used(cell.measures for cell in cells)


def _intervals_by_prompt(report: Report) -> Iterator[str]:
    """Yield how the intervals by prompt are computed, beside those by document; nothing where prompts are the unit."""
    cells = (report.overall, *report.systems)
    of_proportions = {p.by_prompt.method for cell in cells for p in cell.measures.values() if p.by_prompt}
    words = {
        "bca": "BCa bootstrap over prompts, with as many resamples and the same seed",
        "korn-graubard": "Korn-Graubard bounds with prompts as clusters",
    }
    if methods := [words[method] for method in words if method in of_proportions]:
        yield f"The intervals by prompt are: {listed(methods, 'or')}."
    of_differences = {row.by_prompt.method for row in report.all_comparisons if row.by_prompt}
    words = {"bca": "BCa bootstrap over prompts", "t": "t bounds of the linearized difference"}
    if methods := [words[method] for method in words if method in of_differences]:
        yield f"Those of differences by prompt are: {listed(methods, 'or')}."


def _resamples(report: Report) -> Iterator[str]:
    """Yield the number, the unit and the seed of the resamples, which others need to repeat them."""
    method, has_swaps = report.method, swaps_are_drawn(report)
    is_resampled = {
        "proportions": "bca" in _methods_used(report),
        "scores": "bca" in methods_of_scores(report),
        "differences": any(row.method == "bca" for row in report.all_comparisons),
        "agreement": agreement_is_resampled(report),
    }
    resampled = [name for name, is_used in is_resampled.items() if is_used]
    if not resampled:
        if has_swaps:
            yield f"Random swaps were drawn with seed {method.seed}."
        return
    yield (
        f"The resampled intervals (of {listed(resampled, 'and')}) come from {count(method.resamples)} resamples of "
        f"{unit_words(method.cluster, 2)}, seed {method.seed}{' as for the swaps' if has_swaps else ''}."
    )
    estimates = (measure.dawid_skene for row in report.aggregations or () for measure in row.measures.values())
    if any(estimate is not None and estimate.low is not None for estimate in estimates):
        most = count(min(method.resamples, MAX_RESAMPLES))
        yield f"Intervals of Dawid and Skene’s model are percentile intervals from at most {most} resamples."
