"""Why a table lacks a figure or an interval: one note, the same below a table of a page and of a file."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ...i18n.unit_names import unit_words
from ..choices import PROMPT
from ..parts import Bounds, Cell, Share
from ..report import Report
from ..sections.aggregations.figures import MIN_ITEMS, MIN_RATERS, MIN_RATINGS_EACH, by_measure
from ..sections.agreement.figures import Agreement
from ..sections.differences.figures import Comparison
from ..sections.differences.significance import comparisons_shown, without_unreliable_bounds
from ..sections.differences.text import Gap, gaps_in_words
from ..sections.raters.figures import RaterQuality
from ..sections.sensitivity.figures import BY_CLUSTER, DAWID_SKENE, RESPONSES_EQUAL, SensitivityAnalysis
from ..sections.sensitivity.text import analysis_label, columns_shown, shown_analyses, within_a_sentence
from .figure_format import COEFFICIENTS
from .names import Names, agreement_of

ALWAYS_DEFINED = ("percent", "gwet_ac1")  # where two raters share an item


def missing_note(table: str, report: Report, names: Names) -> str:
    """Return what the table of this name (in files) lacks, and why; "" where it lacks nothing."""
    gaps = _GAPS.get(table)
    return gaps_in_words(gaps(report, names)) if gaps else ""


def undefined_note(figures: Iterable[Mapping[str, Share]]) -> str:
    """Return why proportions of a table are undefined; "" where none is."""
    is_undefined = any(p.value is None for each in figures for p in each.values())
    return gaps_in_words([Gap(_no_assessed_rating(), has_value=False)] if is_undefined else [])


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
        return _few_with_two_answers(agreement, unit, cluster)
    if value == 1:
        return f"all raters agree, so nothing varies from {unit_words(cluster)} to {unit_words(cluster)}"
    if name in ALWAYS_DEFINED:
        return "it is the same in every resample"
    return "it is undefined in too many resamples, or the same in all"


def _few_with_two_answers(agreement: Agreement, unit: str, cluster: str) -> str:
    words = {"unit": unit_words(unit), "clusters": unit_words(cluster, 2)}
    if agreement.items < 10 or agreement.percent in (0, 1):  # of 0 and 1 the exact bounds need 10 clusters alone
        return ("fewer than 10 %(clusters)s have a %(unit)s with two answers") % words
    return (
        "fewer than 10 %(clusters)s have a %(unit)s with two answers, or agreement is the same in every resample"
    ) % words


def has_resampled_agreement(report: Report) -> bool:
    """Return whether the intervals of agreement were computed, which a live report leaves out."""
    return any(
        part.rater_pairs is not None or any((part.intervals or {}).values()) for part in report.agreement.values()
    )


def _agreement(report: Report, names: Names) -> Iterator[Gap]:
    resampled = has_resampled_agreement(report)
    return agreement_gaps(report.agreement, names, report.method.cluster, resampled=resampled)


def agreement_gaps(
    agreements: Mapping[str, Agreement], names: Names, cluster: str, *, resampled: bool
) -> Iterator[Gap]:
    """Yield what the table of agreement lacks; `resampled`: intervals were computed."""
    for key, part in agreements.items():
        reasons = {
            name: agreement_reason(name, part, names.unit, cluster, resampled=resampled) for name in COEFFICIENTS
        }
        gaps = {name: (reason, part.coefficients[name] is not None) for name, reason in reasons.items() if reason}
        if len(gaps) == len(COEFFICIENTS) and len(set(gaps.values())) == 1:
            yield Gap(*gaps["percent"], agreement_of(key, names))
        else:
            for name, gap in gaps.items():
                yield Gap(*gap, agreement_of(key, names), COEFFICIENTS[name])


def dawid_skene_reason(unit: str) -> str:
    """Return what Dawid and Skene's estimate needs and lacks."""
    return (
        f"Dawid and Skene’s model takes at least {MIN_ITEMS} {unit_words(unit, 2)} with two answers or more, by at least {MIN_RATERS} "
        f"raters who gave on average {MIN_RATINGS_EACH} of these answers"
    )


def _model_interval_reason(cluster: str) -> str:
    return f"fewer than 10 {unit_words(cluster, 2)} have a rating, or there are too many answers to resample the model"


def _aggregations(report: Report, names: Names) -> Iterator[Gap]:
    with_models = any(p.dawid_skene for row in report.aggregations or () for p in row.measures.values())
    for measure, system, p in by_measure(report.aggregations or ()):
        row, model = system or names.all_systems, p.dawid_skene
        if p.pooled is None:
            yield Gap(_no_assessed_rating(), False)
            continue
        if p.majority.value is None:
            yield Gap("every vote is tied", False, "Majority vote", row)
        if names.better(measure) != "lower":
            yield Gap("it is given for measures that are better the lower", False, "Responses with any")
        if with_models and model is None:
            yield Gap(dawid_skene_reason(names.unit), False, "Dawid-Skene", row)
        if model is not None and model.low is None:
            yield Gap(_model_interval_reason(report.method.cluster), True, "Dawid-Skene", row)


def _raters(report: Report, names: Names) -> Iterator[Gap]:
    return rater_gaps(report.raters or (), names.unit, report.method.cluster)


def rater_gaps(rows: Sequence[RaterQuality], unit: str, cluster: str) -> Iterator[Gap]:
    """Yield what the table of raters lacks."""
    words = {"unit": unit_words(unit), "units": unit_words(unit, 2), "clusters": unit_words(cluster, 2)}
    agreement = "Agreement with other raters"
    for row in rows:
        if row.gold is None:
            yield Gap((("no rated %(unit)s has a gold answer") % words), False, "Accuracy on gold", row.rater)
        if row.leave_one_out is None:
            reason = ("no other rater answered about the same %(units)s, or the others are tied") % words
            yield Gap(reason, False, agreement, row.rater)
        elif row.leave_one_out.low is None:
            reason = ("fewer than 10 %(clusters)s have a %(unit)s with answers of other raters") % words
            yield Gap(reason, True, agreement, row.rater)
        if row.leniency is None:
            reason = ("no other rater answered about the same %(units)s") % words
            yield Gap(reason, False, "Leniency", row.rater)
        if row.seconds is None:
            yield Gap("no time was recorded", False, "Median time", row.rater)


def _rater_pairs(report: Report, names: Names) -> Iterator[Gap]:
    for part in report.agreement.values():
        if any(pair.percent is None or pair.ac1 is None for pair in part.rater_pairs or ()):
            yield Gap(f"two raters share no assessed {unit_words(names.unit)}", False)


def _options(report: Report, names: Names) -> Iterator[Gap]:
    if any(share.value is None for cell in report.systems for share in (cell.shares or {}).values()):
        yield Gap("no rater answered the question", False)


def _design_effects(report: Report, names: Names) -> Iterator[Gap]:
    for p in chain.from_iterable(cell.measures.values() for cell in (*report.systems, report.overall)):
        if p.value is None:
            yield Gap(_no_assessed_rating(), False)
        elif p.deff is None and p.value in (0, 1):
            yield Gap("all ratings count, or none does", False)
        elif p.deff is None:
            yield Gap((("fewer than two %(clusters)s have an assessed rating") % _clusters(report)), False)


def _ranks(report: Report, names: Names) -> Iterator[Gap]:
    for row in report.ranks or ():
        if row.rank is None:
            yield Gap(_no_assessed_rating(), False)
        elif row.low is None:
            yield Gap(_few(report.method.cluster), True)


def _comparisons(report: Report, names: Names) -> Iterator[Gap]:
    return _difference_gaps(comparisons_shown(report), report.method.cluster)


def _score_comparisons(report: Report, names: Names) -> Iterator[Gap]:
    return _difference_gaps(without_unreliable_bounds(report.score_comparisons or ()), report.method.cluster)


def _difference_gaps(rows: Sequence[Comparison], cluster: str) -> Iterator[Gap]:
    """Yield missing differences and tests; the cell of a missing interval has its reason."""
    for row in rows:
        if row.difference is None:
            yield Gap("two systems have no prompt with assessed ratings of both", False)
        elif row.p is None or row.p_holm is None:
            yield Gap(f"two systems have no {unit_words(cluster)} to swap", False)


def _by_prompt(bounds: Iterable[Bounds | None], reason: str) -> Iterator[Gap]:
    if any(each is None or each.low is None for each in bounds):
        yield Gap(reason, True)


def _systems_by_prompt(report: Report, names: Names) -> Iterator[Gap]:
    cells = (*report.systems, report.overall)
    yield from _by_prompt((p.by_prompt for cell in cells for p in cell.measures.values()), _few(PROMPT))


def _scores_by_prompt(report: Report, names: Names) -> Iterator[Gap]:
    cells = (*report.systems, report.overall)
    yield from _by_prompt((p.by_prompt for cell in cells for p in (cell.scores or {}).values()), _few(PROMPT))


def _comparisons_by_prompt(report: Report, names: Names) -> Iterator[Gap]:
    yield from _by_prompt((row.by_prompt for row in report.comparisons), _few_in_common())


def _score_comparisons_by_prompt(report: Report, names: Names) -> Iterator[Gap]:
    yield from _by_prompt((row.by_prompt for row in report.score_comparisons or ()), _few_in_common())


def _means(report: Report, names: Names) -> Iterator[Gap]:
    for figure in chain.from_iterable((cell.means or {}).values() for cell in _all_cells(report)):
        if figure.value is None:
            yield Gap(f"no {_unit_of_means(names, 1)} has a value", False)
        elif figure.low is None:
            reason = "fewer than 10 %(clusters)s have a value, or all of them have the same mean"
            yield Gap(reason % _clusters(report), True)


def _scores(report: Report, names: Names) -> Iterator[Gap]:
    for figure in chain.from_iterable((cell.scores or {}).values() for cell in _all_cells(report)):
        if figure.value is None:
            yield Gap(_no_assessed_rating(), False)
        elif figure.low is None:
            yield Gap(_few(report.method.cluster), True)


def _correlations(report: Report, names: Names) -> Iterator[Gap]:
    for figure in chain.from_iterable(row.coefficients.values() for row in report.correlations or ()):
        if figure.value is None:
            reason = "fewer than two %(units)s have both values, or one of the two values does not vary"
            yield Gap(reason % {"units": _unit_of_means(names, 2)}, False)
        elif figure.low is None and has_resampled_agreement(report):
            reason = "fewer than 10 %(clusters)s have both values, or there are too many pairs of values to resample"
            yield Gap(reason % _clusters(report), True)
        elif figure.low is None:
            yield Gap("the report is live: intervals of correlations are computed when it is frozen", True)


def _sensitivity(report: Report, names: Names) -> Iterator[Gap]:
    columns = columns_shown(report)
    for row in shown_analyses(report):
        for score in row.scores or ():
            if score.system in columns and score.low is None:
                reason = _analysis_reason(row, score.value is not None, report, names)
                figure = f"{names.measure(score.measure)}, {within_a_sentence(analysis_label(row, names))}"
                yield Gap(reason, score.value is not None, figure, score.system or names.all_systems)
        for each in row.estimates:
            if each.system in columns and each.low is None:
                reason = _analysis_reason(row, each.value is not None, report, names)
                yield Gap(
                    reason, each.value is not None, analysis_label(row, names), each.system or names.all_systems
                )  # fmt: skip


def _analysis_reason(row: SensitivityAnalysis, has_value: bool, report: Report, names: Names) -> str:
    cluster = next((cluster for cluster, name in BY_CLUSTER.items() if name == row.analysis), report.method.cluster)
    if row.analysis == DAWID_SKENE:
        return _model_interval_reason(cluster) if has_value else dawid_skene_reason(names.unit)
    if not has_value:
        return _no_assessed_rating()
    if row.analysis == RESPONSES_EQUAL:
        reason = "fewer than 10 %(clusters)s have an assessed rating, or all of them have the same mean"
        return reason % {"clusters": unit_words(cluster, 2)}
    return _few(cluster)


def _odds_ratios(report: Report, names: Names) -> Iterator[Gap]:
    for model in report.crossed_models or ():
        if any(row.low is None or row.p is None or row.p_holm is None for row in model.odds_ratios):
            yield Gap("the model gives no standard error", False)


def _marginal_proportions(report: Report, names: Names) -> Iterator[Gap]:
    rows = [row for model in report.crossed_models or () for row in model.marginal]
    pooled = [p for cell in report.systems for p in cell.measures.values()]
    if any(row.low is None for row in rows):
        yield Gap("the model gives no standard error", True)
    if rows and any(p.low is None and p.value is not None for p in pooled):
        yield Gap(_few(report.method.cluster), True, "Pooled")


def _unit_of_means(names: Names, n: int) -> str:
    return unit_words(names.protocol.sheet_unit if names.protocol else "response", n)


def _all_cells(report: Report) -> Iterable[Cell]:
    return chain(report.systems, [report.overall], *report.by.values())


def _no_assessed_rating() -> str:
    return "there is no assessed rating"


def _few(cluster: str) -> str:
    return f"fewer than 10 {unit_words(cluster, 2)} have an assessed rating"


def _few_in_common() -> str:
    return "two systems have fewer than 10 prompts in common, or their difference does not vary between them"


def _clusters(report: Report) -> dict[str, str]:
    return {"clusters": unit_words(report.method.cluster, 2)}


_GAPS: dict[str, Callable[[Report, Names], Iterable[Gap]]] = {
    "options": _options,
    "comparisons": _comparisons,
    "systems_by_prompt": _systems_by_prompt,
    "comparisons_by_prompt": _comparisons_by_prompt,
    "scores_by_prompt": _scores_by_prompt,
    "score_comparisons_by_prompt": _score_comparisons_by_prompt,
    "ranks": _ranks,
    "aggregations": _aggregations,
    "agreement": _agreement,
    "rater_pairs": _rater_pairs,
    "raters": _raters,
    "design_effects": _design_effects,
    "means": _means,
    "correlations": _correlations,
    "scores": _scores,
    "score_comparisons": _score_comparisons,
    "sensitivity": _sensitivity,
    "odds_ratios": _odds_ratios,
    "marginal_proportions": _marginal_proportions,
}
"""What each table lacks, by its name in files; of the proportions the note on intervals says it."""
