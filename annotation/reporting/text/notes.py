"""Notes below tables and figures: methods of intervals, samples, ratings in no row, cautions, unrated measures."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from ...i18n.unit_names import counted, unit_words
from ...models import Item
from ..choices import DOCUMENT
from ..data.groups import RATER, WITHIN_SYSTEM
from ..data.responses import MIN_DOCUMENTS
from ..parts import Bounds, Cell, MeasureProportion, Proportion, ScoreEstimate
from ..report import Report
from ..sections.agreement.figures import Agreement, is_by_chance
from ..sections.differences.figures import Comparison
from ..sections.raters.figures import MIN_SECONDS, is_too_fast
from .figure_format import OVERLAP, coefficient, count, duration, methods_used, percent
from .names import Names
from .provenance import choices_in_words

METHODS = ("bca", "korn-graubard")
FEW_CLUSTERS = 10
"""With fewer clusters of the rarer answer the coverage of an interval may be below its level (docs/statistics.md)."""
SEVERAL_VALUES = f"{OVERLAP}, so the rows add up to more than the ratings of these prompts."


def interval_note(figures: Iterable[Mapping[str, Proportion]], cluster: str = "prompt") -> str:
    """Name the methods of the intervals of some cells' measures or shares, as methods differ in their guarantees. Of
    two methods, † marks the second in the table.
    """
    used, clusters = methods_used(figures), unit_words(cluster, 2)
    methods = [f"BCa bootstrap over {clusters}"] if "bca" in used else []
    if "korn-graubard" in used:
        methods.append(f"{'† ' if methods else ''}Korn-Graubard with the effective number of ratings")
    sentences = [f"95 % intervals: {'; '.join(methods)}."] if methods else []
    if "none" in used:
        sentences.append(f"No interval where fewer than 10 {clusters} have an assessed rating.")
    return " ".join(sentences)


def has_intervals(report: Report) -> bool:
    """Return whether some proportion of a system, or of all, has an interval."""
    return not methods_used(cell.measures for cell in (report.overall, *report.systems)).isdisjoint(METHODS)


def raters_note(report: Report) -> str:
    """State which raters the intervals of the proportions are about, and that they take ratings as right; "" without
    intervals.
    """
    if not has_intervals(report):
        return ""
    return (
        "Raters are treated as fixed; the intervals do not generalize to other raters. Rater error is not corrected: "
        "it shifts the proportions, and the intervals do not include this."
    )


def skipped_note(report: Report, unit: str) -> str:
    """State how many items raters were not asked about, by reason; "" where all were rated."""
    skipped = report.data.skipped
    if skipped is None:
        return ""
    if not skipped:
        return "Not asked: no items, although the project skips items marked as likely free of claims."
    items = counted(sum(skipped.values()), unit)
    reasons = ", ".join(f"{Item.ClaimFree(reason).label}: {count(n)}" for reason, n in skipped.items())
    return f"Not asked: {items}, marked by their wording as likely free of claims ({reasons})."


def sample_note(report: Report, unit: str) -> str:
    """State how many items raters were asked about and how these were drawn; "" where they were asked about all."""
    sample = report.data.sample
    if sample is None:
        return ""
    drawn = f"{count(sample.drawn)} of {counted(sample.items, unit)}"
    sample_of = {
        "uniform": f"{drawn}, spread over prompts",
        "responses": f"whole responses, {drawn}",
        "uncertain": f"{drawn}, drawn more often where a judge was unsure",
    }
    note = f"Raters were asked about a random sample of {sample_of[sample.design]}."
    return f"{note} {unequal_sample_note(report)}".strip()


def unequal_sample_note(report: Report) -> str:
    """Warn where items were drawn with unequal probabilities, for which the tables are not weighted; "" otherwise."""
    if report.data.sample is None or report.data.sample.design != "uncertain":
        return ""
    if report.weighted_estimates is not None and report.weighted_estimates.overall is not None:
        return (
            "Publish the estimates “People alone, weighted”, or those with a judge: the proportions, differences and "
            "other figures of ratings are not weighted for these unequal probabilities."
        )
    return (
        "The figures are not weighted for these unequal probabilities and must not be published: use the estimates "
        "with the judge, which are."
    )


def verdicts_note(report: Report) -> str:
    """State how many ratings were given or changed after verdicts of a judge were shown; "" without any."""
    n = report.data.verdict_shown
    if not n:
        return ""
    were, they_count, them = ("was", "It counts", "it") if n == 1 else ("were", "They count", "them")
    return (
        f"{count(n)} of {counted(report.data.ratings, 'rating')} {were} given or changed after the verdict of a judge "
        f"was shown to the rater. {they_count} here; comparisons with judges exclude {them}."
    )


def documents_note(report: Report) -> str:
    """State which unit was sampled, and its limit, where prompts share documents; "" where each prompt has its own
    document, or without intervals.
    """
    documents, alone = report.data.documents, report.data.without_document or 0
    if documents is None or not has_intervals(report):
        return ""
    prompts = f"The {counted(report.data.prompts, 'prompt')} are about {counted(documents, 'document')}"
    limit = "the intervals are about further prompts about these documents, not about further documents."
    if report.method.cluster == DOCUMENT:
        note = (
            f"{prompts}, so documents are the sampling unit: the intervals are about further documents. Intervals by "
            "prompt are about further prompts about these documents."
        )
    elif documents + alone < MIN_DOCUMENTS and not report.chosen_cluster:
        note = f"{prompts}. With fewer than {MIN_DOCUMENTS} documents the sampling unit is the prompt: {limit}"
    else:
        note = f"{prompts}, but the sampling unit is the prompt: {limit}"
    if not alone:
        return note
    count_as = "counts as its own document" if alone == 1 else "count as one document each"
    return f"{note} {counted(alone, 'prompt')} without a document {count_as} ({count(documents + alone)} in total)."


def pairs_note(report: Report, names: Names) -> str:
    """State how to read a table of pairs of systems; "" where systems are rated one by one."""
    if names.unit != "pair":
        return ""
    side = "A pair is reported from the side of the system named first, whichever side raters saw it on."
    sums = "The row of all pairs combines different pairs, so it does not compare two systems."
    return f"{side} {sums}" if len(report.systems) > 1 else side


def breakdown_note(report: Report, key: str) -> str:
    """Describe a breakdown table: methods of intervals, overlapping rows, ratings in no row.

    Older reports show only in their sums that some prompt is in several rows, if at all. How many of their ratings are
    in no row is then unknown, and not stated.
    """
    cells, part = report.by[key], key.removeprefix(WITHIN_SYSTEM)
    in_no_row = report.data.ratings - sum(cell.ratings for cell in cells)
    overlaps = in_no_row < 0 if report.multi_valued is None else part in report.multi_valued
    n = (report.without_value or {}).get(part, 0 if overlaps else max(0, in_no_row))
    ratings = counted(n, "adjudication") if key == RATER else f"{counted(n, 'rating')} of prompts without a value"
    notes = [
        interval_note([cell.measures for cell in cells], report.method.cluster),
        SEVERAL_VALUES if overlaps else "",
        f"{ratings} {'is' if n == 1 else 'are'} in no row." if n else "",
    ]
    return " ".join(filter(None, notes))


def filters_note(report: Report, names: Names) -> str:
    """State which ratings a table was computed from, as it may be pasted without the Methods paragraph, and warn of
    unequal sampling.
    """
    warning = sample_note(report, names.unit) if unequal_sample_note(report) else ""
    return f"{warning} {options_note(report, names)}".strip()


def options_note(report: Report, names: Names) -> str:
    """State with which options a table was computed; "" without any."""
    phrases = choices_in_words(report.filters, report.chosen_cluster, names.unit)
    return f"Computed with options: {'; '.join(phrases)}." if phrases else ""


def unread_warning(report: Report, names: Names) -> str:
    """Say which ratings look as if they were given without reading, by time and by agreement; "" for none."""
    raters = report.raters or ()
    sentences = []
    if seconds := [row.seconds for row in raters if row.seconds is not None and is_too_fast(row)]:
        sentences.append(
            f"The median time per answer of {count(len(seconds))} of {counted(len(raters), 'rater')} is below "
            f"{duration(MIN_SECONDS)}, too short to read (shortest: {duration(min(seconds))})."
        )
    if by_chance := chance_sentence(report.agreement, names):
        sentences.append(by_chance)
    return " ".join([*sentences, "Check some of these answers before you use the figures."]) if sentences else ""


def chance_sentence(agreement: Mapping[str, Agreement], names: Names) -> str:
    """Say that the answers to the first measured question agree little more than by chance; "" where they do."""
    key = names.protocol.first_measured_question.key if names.protocol else next(iter(agreement), "")
    first = agreement.get(key)
    if first is None or not is_by_chance(first):
        return ""
    alpha = coefficient(first.krippendorff_alpha, 3)
    return (
        f"The raters agree little more than by chance: Krippendorff’s alpha {alpha} over "
        f"{counted(first.items, names.unit)}."
    )


def cautions(report: Report, names: Names) -> list[str]:
    notes = (rare_note(report, names), concentration_note(report), narrower_note(report, names))
    return [note for note in notes if note]


def rare_note(report: Report, names: Names) -> str:
    """Name the measures and systems whose rarer answer comes from few clusters; "" without any."""
    cells = _cells_shown(report)
    figures = []
    for key in report.overall.measures:
        systems = []
        for cell in cells:
            # In effect the rarer of hit and miss comes from m² / Σ m_c² clusters, where m_c of its m ratings are of
            # cluster c: for a rare answer that is about m over the design effect.
            measure = cell.measures[key]
            rarer, deff = min(measure.k, measure.n - measure.k), max(1.0, measure.deff or 1.0)
            if measure.method in METHODS and rarer < FEW_CLUSTERS * deff:
                systems.append(cell.system or "all systems")
        if systems:
            where = f" ({', '.join(systems)})" if len(systems) < len(cells) else ""
            figures.append(f"{names.measure(key)}{where}")
    if not figures:
        return ""
    return (
        f"Intervals may be too narrow for {'; '.join(figures)}: the rarer answer comes from few "
        f"{unit_words(report.method.cluster, 2)}, in effect from fewer than {FEW_CLUSTERS}."
    )


def _cells_shown(report: Report) -> Sequence[Cell]:
    return report.systems if len(report.systems) == 1 else [*report.systems, report.overall]


def concentration_note(report: Report) -> str:
    """Name the systems of which one document has more than a quarter of the ratings; "" without any."""
    if not report.concentration:
        return ""
    systems = ", ".join(f"{system} ({percent(share)})" for system, share in report.concentration.items())
    return (
        f"One document has more than a quarter of the ratings of each of these systems: {systems}. Proportions and "
        "differences weight all ratings alike, so they are largely about such a document: compare the averages in "
        "which all responses have equal weight."
    )


def narrower_note(report: Report, names: Names) -> str:
    """Name the figures whose interval by document is narrower than that by prompt, and say why; "" without any."""
    if report.method.cluster != DOCUMENT:
        return ""
    cases = defaultdict(list)
    for cell in _cells_shown(report):
        figures: dict[str, MeasureProportion | ScoreEstimate] = {**cell.measures, **(cell.scores or {})}
        for key, figure in figures.items():
            if _is_narrower(figure):
                cases[names.measure(key)].append(cell.system or names.all_systems)
    for row in report.all_comparisons:
        if _is_narrower(row):
            cases[f"difference in {names.measure(row.measure)}"].append(f"{row.a} − {row.b}")
    if not cases:
        return ""
    narrower = ", ".join(f"{name} ({', '.join(each)})" for name, each in cases.items())
    return (
        f"These intervals are narrower by document than by prompt: {narrower}. Where prompts about one document are no "
        "more alike than others, this happens by chance in about two of five intervals, which are then often too "
        "narrow: quote the wider interval, by prompt."
    )


def _is_narrower(figure: MeasureProportion | ScoreEstimate | Comparison) -> bool:
    by_document, by_prompt = _width(figure), _width(figure.by_prompt)
    return by_document is not None and by_prompt is not None and by_document < by_prompt


def _width(bounds: MeasureProportion | ScoreEstimate | Comparison | Bounds | None) -> float | None:
    return None if bounds is None or bounds.low is None or bounds.high is None else bounds.high - bounds.low


Figure = TypeVar("Figure")


def without_unrated_measures(report: Report) -> tuple[Report, list[str]]:
    """Return the report without unrated measures, and their keys. A report without any rating stays as it is."""
    measures = report.overall.measures
    unrated = [key for key, measure in measures.items() if not measure.n]
    if not unrated or len(unrated) == len(measures):
        return report, []

    def rated(figures: Mapping[str, Figure]) -> dict[str, Figure]:
        return {key: figure for key, figure in figures.items() if key not in unrated}

    def cut(cells: Sequence[Cell]) -> list[Cell]:
        return [replace(cell, measures=rated(cell.measures)) for cell in cells]

    changed = replace(
        report,
        overall=cut([report.overall])[0],
        systems=cut(report.systems),
        by={key: cut(cells) for key, cells in report.by.items()},
        comparisons=[row for row in report.comparisons if row.measure not in unrated],
        ranks=[row for row in report.ranks or () if row.measure not in unrated],
        aggregations=[replace(row, measures=rated(row.measures)) for row in report.aggregations or ()],
        crossed_models=[row for row in report.crossed_models or () if row.measure not in unrated] or None,
    )
    return changed, unrated
