"""Notes below tables and figures: methods of intervals, ratings in no row, choices."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
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
from .figure_format import coefficient, count, duration, method_mark, methods_used, percent
from .names import Names
from .provenance import choices_in_words

METHODS = ("bca", "korn-graubard")
FEW_CLUSTERS = 10
"""With fewer clusters of the rarer answer the coverage of an interval may be below its level (docs/statistics.md)."""
SEVERAL_VALUES = (
    "A prompt with several values counts once in each value, so the rows add up to more than the "
    "ratings of these prompts."
)


def interval_note(figures: Collection[Mapping[str, Proportion]], cluster: str = "prompt") -> str:
    """Name the methods of the intervals of some cells' measures or shares, as methods differ in their guarantees."""
    used, clusters = methods_used(figures), {"clusters": unit_words(cluster, 2)}
    words = {
        "bca": (("BCa bootstrap over %(clusters)s") % clusters),
        "korn-graubard": "Korn-Graubard with the effective number of ratings",
    }
    named = [f"{method_mark(method, figures)} {words[method]}".strip() for method in METHODS if method in used]
    note = f"95 % intervals: {'; '.join(named)}." if named else ""
    too_few = ("No interval where fewer than 10 %(clusters)s have an assessed rating.") % clusters
    return f"{note} {too_few}".strip() if "none" in used else note


def raters_note(report: Report) -> str:
    """State which raters the intervals of the proportions are about, and that they take ratings as right; "" without
    intervals.
    """
    if not methods_used(cell.measures for cell in (report.overall, *report.systems)) & set(METHODS):
        return ""
    return (
        "Raters are treated as fixed; the intervals do not generalize to other raters. Rater error is not corrected: "
        "it shifts the proportions, and the intervals do not include this."
    )


def tie_note(report: Report, unit: str) -> str:
    """State how many items tie with the last of the list of disagreements; "" where none is missing from it."""
    tie = report.disagreement_tie
    if tie is None:
        return ""
    sentence = (
        "%(items)s with the lowest disagreement of this list are tied; %(shown)s of them are shown, in the order of "
        "their ids."
    )
    return sentence % {"items": counted(tie.items, unit), "shown": count(tie.shown)}


def skipped_note(report: Report, unit: str) -> str:
    """State how many items raters were not asked about, by reason; "" where all were rated."""
    skipped = report.data.skipped
    if skipped is None:
        return ""
    total = counted(sum(skipped.values()), unit)
    if not skipped:
        return "Not asked: no items, although the project skips items marked as likely free of claims."
    reasons = ", ".join(f"{Item.ClaimFree(reason).label}: {count(n)}" for reason, n in skipped.items())
    sentence = "Not asked: %(items)s, marked by their wording as likely free of claims (%(reasons)s)."
    return sentence % {"items": total, "reasons": reasons}


def sample_note(report: Report, unit: str) -> str:
    """State how many items raters were asked about and how these were drawn; "" where they were asked about all."""
    sample = report.data.sample
    if sample is None:
        return ""
    sentences = {
        "uniform": "Raters were asked about a random sample of %(drawn)s of %(items)s, spread over prompts.",
        "responses": "Raters were asked about a random sample of whole responses, %(drawn)s of %(items)s.",
        "uncertain": (
            "Raters were asked about a random sample of %(drawn)s of %(items)s, drawn more often where a judge was "
            "unsure."
        ),
    }
    values = {"drawn": count(sample.drawn), "items": counted(sample.items, unit)}
    return f"{sentences[sample.design]} {unequal_sample_note(report)}".strip() % values


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
    sentence = (
        "%(n)s of %(ratings)s was given or changed after the verdict of a judge was shown to the rater. It counts "
        "here; comparisons with judges exclude it."
        if n == 1
        else "%(n)s of %(ratings)s were given or changed after the verdict of a judge was shown to the rater. They count "
        "here; comparisons with judges exclude them."
    )
    return sentence % {"n": count(n), "ratings": counted(report.data.ratings, "rating")}


def documents_note(report: Report) -> str:
    """State which unit was sampled, and its limit, where prompts share documents; "" where each prompt has its own
    document, or without intervals.
    """
    documents, prompts = report.data.documents, report.data.prompts
    drawn = methods_used(cell.measures for cell in (report.overall, *report.systems)) & set(METHODS)
    if documents is None or not drawn:
        return ""
    values = {
        "prompts": counted(prompts, "prompt"),
        "documents": counted(documents, "document"),
        "fewest": MIN_DOCUMENTS,
    }
    if report.method.cluster == DOCUMENT:
        sentence = (
            "The %(prompts)s are about %(documents)s, so documents are the sampling unit: the intervals are about "
            "further documents. Intervals by prompt are about further prompts about these documents."
        )
    elif documents + (report.data.without_document or 0) < MIN_DOCUMENTS and not report.chosen_cluster:
        sentence = (
            "The %(prompts)s are about %(documents)s. With fewer than %(fewest)s documents the sampling unit is "
            "the prompt: the intervals are about further prompts about these documents, not about further documents."
        )
    else:
        sentence = (
            "The %(prompts)s are about %(documents)s, but the sampling unit is the prompt: the intervals are about "
            "further prompts about these documents, not about further documents."
        )
    alone = report.data.without_document
    return f"{sentence % values} {_without_document(documents, alone)}" if alone else sentence % values


def _without_document(documents: int, prompts: int) -> str:
    """State how prompts without a document count among the units."""
    sentence = (
        "%(n)s prompt without a document counts as its own document (%(units)s in total)."
        if prompts == 1
        else "%(n)s prompts without a document count as one document each (%(units)s in total)."
    )
    return sentence % {"n": count(prompts), "units": count(documents + prompts)}


def pairs_note(report: Report, names: Names) -> str:
    """State how to read a table of pairs of systems; "" where systems are rated one by one."""
    if names.unit != "pair":
        return ""
    side = "A pair is reported from the side of the system named first, whichever side raters saw it on."
    sums = "The row of all pairs combines different pairs, so it does not compare two systems."
    return f"{side} {sums}" if len(report.systems) > 1 else side


def rare_note(report: Report, names: Names) -> str:
    """Name the measures and systems whose rarer answer comes from few clusters; "" without any."""
    systems = report.systems
    cells = systems if len(systems) == 1 else [*systems, report.overall]
    figures = []
    for key in report.overall.measures:
        system_names = [cell.system or "all systems" for cell in cells if _is_of_few(cell.measures[key])]
        where = f" ({', '.join(system_names)})" if len(system_names) < len(cells) else ""
        figures += [f"{names.measure(key)}{where}"] if system_names else []
    if not figures:
        return ""
    sentence = (
        "Intervals may be too narrow for %(figures)s: the rarer answer comes from few %(clusters)s, in effect from "
        "fewer than %(few)s."
    )
    clusters = unit_words(report.method.cluster, 2)
    return sentence % {"figures": "; ".join(figures), "clusters": clusters, "few": FEW_CLUSTERS}


def _is_of_few(measure: MeasureProportion) -> bool:
    """Return whether the rarer of hit and miss comes from fewer than FEW_CLUSTERS in effect: m² / Σ m_c² where m_c of
    its m ratings are of cluster c, which for a rare answer is about m over the design effect.
    """
    rarer = min(measure.k, measure.n - measure.k)
    return measure.method in METHODS and rarer < FEW_CLUSTERS * max(1.0, measure.deff or 1.0)


def agreement_note(cluster: str = "prompt") -> str:
    """Describe the coefficients of a table of agreement."""
    sentence = (
        "Options excluded from every proportion are treated as missing labels; only items with two "
        "or more labels are used, so fewer than were rated. Intervals, where given, are 95 %% "
        "percentile bootstrap intervals over %(clusters)s; for percent agreement, Korn-Graubard "
        "intervals where raters agree on all items or on none. On the severity scale, alpha is "
        "ordinal."
    )
    return sentence % {"clusters": unit_words(cluster, 2)}


def breakdown_note(report: Report, key: str) -> str:
    """Describe a breakdown table: methods of intervals, overlapping rows, ratings in no row."""
    parts = [
        interval_note([cell.measures for cell in report.by[key]], report.method.cluster),
        SEVERAL_VALUES if overlaps(report, key) else "",
        _in_no_row(report, key),
    ]
    return " ".join(filter(None, parts))


def overlaps(report: Report, key: str) -> bool:
    """Return whether some prompt is in several rows; older reports show that only in their sums, if at all."""
    if report.multi_valued is not None:
        return key.removeprefix(WITHIN_SYSTEM) in report.multi_valued
    return bool(_in_rows(report, key) > report.data.ratings)


def _in_no_row(report: Report, key: str) -> str:
    """State how many ratings have no value, or how many adjudications are in no rater's row. In older reports with
    overlapping rows the number is unknown, and the note empty.
    """
    rest = 0 if overlaps(report, key) else max(0, report.data.ratings - _in_rows(report, key))
    n = (report.without_value or {}).get(key.removeprefix(WITHIN_SYSTEM), rest)
    if not n:
        return ""
    sentence = (
        ("%(n)s adjudication is in no row." if n == 1 else "%(n)s adjudications are in no row.")
        if key == RATER
        else (
            "%(n)s rating of prompts without a value is in no row."
            if n == 1
            else "%(n)s ratings of prompts without a value are in no row."
        )
    )
    return sentence % {"n": count(n)}


def _in_rows(report: Report, key: str) -> int:
    return sum(cell.ratings for cell in report.by[key])


def filters_note(report: Report, names: Names) -> str:
    """State which ratings a table was computed from, as it may be pasted without the Methods paragraph, and warn of
    unequal sampling.
    """
    warning = sample_note(report, names.unit) if unequal_sample_note(report) else ""
    return " ".join(filter(None, (warning, options_note(report, names))))


def options_note(report: Report, names: Names) -> str:
    """State with which options a table was computed; "" without any."""
    phrases = choices_in_words(report.filters, report.chosen_cluster, names.unit)
    return f"Computed with options: {'; '.join(phrases)}." if phrases else ""


def cautions(report: Report, names: Names) -> list[str]:
    """Return the sentences that apply to the proportions and differences of a report."""
    return [
        sentence
        for sentence in (rare_note(report, names), concentration_note(report), narrower_note(report, names))
        if sentence
    ]


def unread_warning(report: Report, names: Names) -> str:
    """Say which ratings look as if they were given without reading, by time and by agreement; "" for none."""
    seconds = [row.seconds for row in report.raters or () if row.seconds is not None and is_too_fast(row)]
    sentences = [chance_sentence(report.agreement, names)]
    if seconds:
        too_fast = (
            "The median time per answer of %(n)s of %(raters)s is below %(least)s, too short to read "
            "(shortest: %(time)s)."
        )
        values = {
            "n": count(len(seconds)), "raters": counted(len(report.raters or ()), "rater"),
            "least": duration(MIN_SECONDS), "time": duration(min(seconds)),
        }  # fmt: skip
        sentences.insert(0, too_fast % values)
    if not any(sentences):
        return ""
    return " ".join(filter(None, [*sentences, "Check some of these answers before you use the figures."]))


def chance_sentence(agreement: Mapping[str, Agreement], names: Names) -> str:
    """Say that the answers to the first measured question agree little more than by chance; "" where they do."""
    key = names.protocol.first_measured_question.key if names.protocol else next(iter(agreement), "")
    first = agreement.get(key)
    if first is None or not is_by_chance(first):
        return ""
    sentence = "The raters agree little more than by chance: Krippendorff’s alpha %(alpha)s over %(items)s."
    return sentence % {"alpha": coefficient(first.krippendorff_alpha, 3), "items": counted(first.items, names.unit)}


def concentration_note(report: Report) -> str:
    """Name the systems of which one document has more than a quarter of the ratings; "" without any."""
    if not report.concentration:
        return ""
    sentence = (
        "One document has more than a quarter of the ratings of each of these systems: %(systems)s. Proportions and "
        "differences weight all ratings alike, so they are largely about such a document: compare the averages in "
        "which all responses have equal weight."
    )
    systems = [f"{system} ({percent(share)})" for system, share in report.concentration.items()]
    return sentence % {"systems": ", ".join(systems)}


def narrower_note(report: Report, names: Names) -> str:
    """Name the figures whose interval by document is narrower than that by prompt, and say why; "" without any."""
    if report.method.cluster != DOCUMENT:
        return ""
    cells = report.systems if len(report.systems) == 1 else [*report.systems, report.overall]
    systems, pairs = defaultdict(list), defaultdict(list)
    for cell in cells:
        figures: dict[str, MeasureProportion | ScoreEstimate] = {**cell.measures, **(cell.scores or {})}
        for key, figure in figures.items():
            if _is_narrower(figure):
                systems[names.measure(key)].append(cell.system or names.all_systems)
    for row in (*report.comparisons, *(report.score_comparisons or ())):
        if _is_narrower(row):
            pairs[f"difference in {names.measure(row.measure)}"].append(f"{row.a} − {row.b}")
    narrower = [f"{name} ({', '.join(cases)})" for name, cases in (*systems.items(), *pairs.items())]
    if not narrower:
        return ""
    sentence = (
        "These intervals are narrower by document than by prompt: %(figures)s. Where prompts about one document are no "
        "more alike than others, this happens by chance in about two of five intervals, which are then often too "
        "narrow: quote the wider interval, by prompt."
    )
    return sentence % {"figures": ", ".join(narrower)}


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
