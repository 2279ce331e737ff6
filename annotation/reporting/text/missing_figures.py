"""Why a table lacks a figure or an interval: one note, the same below a table of a page and of a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...i18n.unit_names import unit_words
from ..choices import PROMPT
from ..parts import Bounds, Coefficient, MeanEstimate, ScoreEstimate
from ..report import Report
from ..sections.aggregations.figures import MIN_ITEMS, MIN_RATERS, MIN_RATINGS_EACH, by_measure
from ..sections.agreement.figures import Agreement
from ..sections.differences.figures import Comparison
from ..sections.differences.significance import comparisons_shown, without_unreliable_bounds
from ..sections.differences.text import Gap, gaps_in_words
from ..sections.sensitivity.figures import (
    BY_CLUSTER,
    DAWID_SKENE,
    RESPONSES_EQUAL,
    SensitivityEstimate,
    SensitivityScore,
)
from ..sections.sensitivity.tables import analysis_label, columns_shown, shown_analyses, within_a_sentence
from .figure_format import COEFFICIENTS
from .names import Names, agreement_of

ALWAYS_DEFINED = ("percent", "gwet_ac1")  # where two raters share an item
NO_ASSESSED_RATING = "there is no assessed rating"


def missing_note(table: str, report: Report, names: Names) -> str:
    """Return what the table of this name (in files) lacks, and why; "" where it lacks nothing."""
    return gaps_in_words(_gaps(table, report, names))


def _gaps(table: str, report: Report, names: Names) -> Iterator[Gap]:
    """Yield what a table lacks; nothing for the tables of proportions, whose note on intervals says it."""
    cluster, cells = report.method.cluster, [*report.systems, report.overall]
    clusters, all_cells = unit_words(cluster, 2), [*cells, *(cell for each in report.by.values() for cell in each)]
    sheet = names.protocol.sheet_unit if names.protocol else "response"
    match table:
        case "agreement":
            resampled = has_resampled_agreement(report)
            yield from agreement_gaps(report.agreement, names, report.method.cluster, resampled=resampled)
        case "aggregations":
            yield from _aggregations(report, names)
        case "raters":
            yield from _raters(report, names)
        case "sensitivity":
            yield from _sensitivity(report, names)
        case "comparisons":
            yield from _differences(comparisons_shown(report), cluster)
        case "score_comparisons":
            yield from _differences(without_unreliable_bounds(report.score_comparisons or ()), cluster)
        case "systems_by_prompt":
            yield from _bounds((p.by_prompt for cell in cells for p in cell.measures.values()), _few(PROMPT))
        case "scores_by_prompt":
            yield from _bounds((p.by_prompt for cell in cells for p in (cell.scores or {}).values()), _few(PROMPT))
        case "comparisons_by_prompt" | "score_comparisons_by_prompt":
            rows = report.comparisons if table == "comparisons_by_prompt" else report.score_comparisons or ()
            reason = "two systems have fewer than 10 prompts in common, or their difference does not vary between them"
            yield from _bounds((row.by_prompt for row in rows), reason)
        case "means":
            undefined = f"no {unit_words(sheet)} has a value"
            no_interval = f"fewer than 10 {clusters} have a value, or all of them have the same mean"
            for cell in all_cells:
                yield from _estimates((cell.means or {}).values(), undefined, no_interval)
        case "scores":
            for cell in all_cells:
                yield from _estimates((cell.scores or {}).values(), NO_ASSESSED_RATING, _few(cluster))
        case "correlations":
            undefined = (
                f"fewer than two {unit_words(sheet, 2)} have both values, or one of the two values does not vary"
            )
            no_interval = "the report is live: intervals of correlations are computed when it is frozen"
            if has_resampled_agreement(report):
                no_interval = (
                    f"fewer than 10 {clusters} have both values, or there are too many pairs of values to resample"
                )
            for row in report.correlations or ():
                yield from _estimates(row.coefficients.values(), undefined, no_interval)
        case "ranks":
            for rank in report.ranks or ():
                if rank.rank is None:
                    yield Gap(NO_ASSESSED_RATING, has_value=False)
                elif rank.low is None:
                    yield Gap(_few(cluster), has_value=True)
        case "design_effects":
            for p in (p for cell in cells for p in cell.measures.values()):
                if p.value is None:
                    yield Gap(NO_ASSESSED_RATING, has_value=False)
                elif p.deff is None and p.value in (0, 1):
                    yield Gap("all ratings count, or none does", has_value=False)
                elif p.deff is None:
                    yield Gap(f"fewer than two {clusters} have an assessed rating", has_value=False)
        case "options":
            if any(share.value is None for cell in report.systems for share in (cell.shares or {}).values()):
                yield Gap("no rater answered the question", has_value=False)
        case "rater_pairs":
            pairs = [pair for part in report.agreement.values() for pair in part.rater_pairs or ()]
            if any(pair.percent is None or pair.ac1 is None for pair in pairs):
                yield Gap(f"two raters share no assessed {unit_words(names.unit)}", has_value=False)
        case "odds_ratios":
            ratios = [row for model in report.crossed_models or () for row in model.odds_ratios]
            if any(row.low is None or row.p is None or row.p_holm is None for row in ratios):
                yield Gap("the model gives no standard error", has_value=False)
        case "marginal_proportions":
            marginal = [row for model in report.crossed_models or () for row in model.marginal]
            if any(row.low is None for row in marginal):
                yield Gap("the model gives no standard error", has_value=True)
            pooled = [p for cell in report.systems for p in cell.measures.values()]
            if marginal and any(p.low is None and p.value is not None for p in pooled):
                yield Gap(_few(cluster), has_value=True, figure="Pooled")


def _few(cluster: str) -> str:
    return f"fewer than 10 {unit_words(cluster, 2)} have an assessed rating"


def _estimates(
    estimates: Iterable[MeanEstimate | ScoreEstimate | Coefficient], undefined: str, no_interval: str
) -> Iterator[Gap]:
    for estimate in estimates:
        if estimate.value is None:
            yield Gap(undefined, has_value=False)
        elif estimate.low is None:
            yield Gap(no_interval, has_value=True)


def _bounds(intervals: Iterable[Bounds | None], reason: str) -> Iterator[Gap]:
    if any(interval is None or interval.low is None for interval in intervals):
        yield Gap(reason, has_value=True)


def _differences(rows: Sequence[Comparison], cluster: str) -> Iterator[Gap]:
    """Yield missing differences and tests; the cell of a missing interval has its reason."""
    for row in rows:
        if row.difference is None:
            yield Gap("two systems have no prompt with assessed ratings of both", has_value=False)
        elif row.p is None or row.p_holm is None:
            yield Gap(f"two systems have no {unit_words(cluster)} to swap", has_value=False)


def agreement_gaps(
    agreements: Mapping[str, Agreement], names: Names, cluster: str, *, resampled: bool
) -> Iterator[Gap]:
    """Yield what the table of agreement lacks; `resampled`: intervals were computed."""
    for key, part in agreements.items():
        label = agreement_of(key, names)
        reasons = {
            name: agreement_reason(name, part, names.unit, cluster, resampled=resampled) for name in COEFFICIENTS
        }
        gaps = {name: (reason, part.coefficients[name] is not None) for name, reason in reasons.items() if reason}
        if len(gaps) == len(COEFFICIENTS) and len(set(gaps.values())) == 1:
            yield Gap(*gaps["percent"], label)
        else:
            yield from (Gap(*gap, label, COEFFICIENTS[name]) for name, gap in gaps.items())


def has_resampled_agreement(report: Report) -> bool:
    """Return whether the intervals of agreement were computed, which a live report leaves out."""
    return any(
        part.rater_pairs is not None or any((part.intervals or {}).values()) for part in report.agreement.values()
    )


def agreement_reason(name: str, agreement: Agreement, unit: str, cluster: str, *, resampled: bool) -> str:
    """Return why one of COEFFICIENTS is undefined, or has no interval; "" where it has one.

    `resampled`: intervals were computed, as for frozen reports.
    """
    value, intervals = agreement.coefficients[name], agreement.intervals or {}
    if not agreement.items:
        return f"no {unit_words(unit)} has two answers"
    if value is None:
        return "all answers are the same, so chance alone would agree as often"
    if intervals.get(name):
        return ""
    if not resampled:
        return "intervals of agreement are computed when a report is frozen"
    if not any(intervals.values()):
        few = f"fewer than 10 {unit_words(cluster, 2)} have a {unit_words(unit)} with two answers"
        # The exact bounds of 0 and 1 need nothing but 10 clusters.
        is_for_few = agreement.items < 10 or agreement.percent in (0, 1)
        return few if is_for_few else f"{few}, or agreement is the same in every resample"
    if value == 1:
        return f"all raters agree, so nothing varies from {unit_words(cluster)} to {unit_words(cluster)}"
    if name in ALWAYS_DEFINED:
        return "it is the same in every resample"
    return "it is undefined in too many resamples, or the same in all"


def _aggregations(report: Report, names: Names) -> Iterator[Gap]:
    with_models = any(p.dawid_skene for row in report.aggregations or () for p in row.measures.values())
    for measure, system, p in by_measure(report.aggregations or ()):
        row, model = system or names.all_systems, p.dawid_skene
        if p.pooled is None:
            yield Gap(NO_ASSESSED_RATING, has_value=False)
            continue
        if p.majority.value is None:
            yield Gap("every vote is tied", False, "Majority vote", row)
        if names.better(measure) != "lower":
            yield Gap("it is given for measures that are better the lower", False, "Responses with any")
        if with_models and model is None:
            yield Gap(_dawid_skene_reason(names.unit), False, "Dawid-Skene", row)
        if model is not None and model.low is None:
            yield Gap(_model_interval_reason(report.method.cluster), True, "Dawid-Skene", row)


def _dawid_skene_reason(unit: str) -> str:
    """Return what Dawid and Skene's estimate needs and lacks."""
    return (
        f"Dawid and Skene’s model takes at least {MIN_ITEMS} {unit_words(unit, 2)} with two answers or more, by at "
        f"least {MIN_RATERS} raters who gave on average {MIN_RATINGS_EACH} of these answers"
    )


def _model_interval_reason(cluster: str) -> str:
    return f"fewer than 10 {unit_words(cluster, 2)} have a rating, or there are too many answers to resample the model"


def _raters(report: Report, names: Names) -> Iterator[Gap]:
    unit, clusters = unit_words(names.unit), unit_words(report.method.cluster, 2)
    no_other = f"no other rater answered about the same {unit_words(names.unit, 2)}"
    for row in report.raters or ():
        if row.gold is None:
            yield Gap(f"no rated {unit} has a gold answer", False, "Accuracy on gold", row.rater)
        if row.leave_one_out is None:
            yield Gap(f"{no_other}, or the others are tied", False, "Agreement with other raters", row.rater)
        elif row.leave_one_out.low is None:
            reason = f"fewer than 10 {clusters} have a {unit} with answers of other raters"
            yield Gap(reason, True, "Agreement with other raters", row.rater)
        if row.leniency is None:
            yield Gap(no_other, False, "Leniency", row.rater)
        if row.seconds is None:
            yield Gap("no time was recorded", False, "Median time", row.rater)


def _sensitivity(report: Report, names: Names) -> Iterator[Gap]:
    columns, clusters = columns_shown(report), {name: cluster for cluster, name in BY_CLUSTER.items()}
    for row in shown_analyses(report):
        label, cluster = analysis_label(row, names), clusters.get(row.analysis, report.method.cluster)
        undefined, no_interval = NO_ASSESSED_RATING, _few(cluster)
        if row.analysis == DAWID_SKENE:
            undefined, no_interval = _dawid_skene_reason(names.unit), _model_interval_reason(cluster)
        elif row.analysis == RESPONSES_EQUAL:
            no_interval = f"{_few(cluster)}, or all of them have the same mean"
        figures: list[tuple[str, SensitivityScore | SensitivityEstimate]] = [
            (f"{names.measure(score.measure)}, {within_a_sentence(label)}", score) for score in row.scores or ()
        ]
        figures += [(label, estimate) for estimate in row.estimates]
        for name, figure in figures:
            if figure.system in columns and figure.low is None:
                has_value = figure.value is not None
                reason = no_interval if has_value else undefined
                yield Gap(reason, has_value, name, figure.system or names.all_systems)
