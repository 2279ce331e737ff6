"""The Inference paragraph of the Methods: the sampling unit, intervals, comparisons, resamples and planning."""

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET

from ...i18n.unit_names import unit_words
from ...protocols.analysis_plan import PLANNED
from ...stats.dawid_skene_bootstrap import MAX_RESAMPLES
from ...stats.interval_choice import ENOUGH_CLUSTERS, ENOUGH_EVENTS
from ...stats.intervals import MIN_CLUSTERS
from ...stats.swap_tests import MAX_EXACT
from ..choices import DOCUMENT
from ..data.responses import MIN_DOCUMENTS
from ..planning.plans import half_widths
from ..provenance_record import PlanCheck, Provenance
from ..report import Report
from ..sections.analysis_plan.tables import topic_name, values_in_words
from ..sections.differences.significance import (
    TestFamily,
    comparisons_shown,
    detectable_differences,
    nothing_in_common,
    without_unreliable_bounds,
)
from ..sections.differences.text import (
    difference_intervals,
    family_in_words,
    family_test,
    has_own_family,
    least_p_note,
    tests_in_words,
)
from ..sections.fact_qa.tables import fact_qa_methods
from ..sections.hybrid.tables import hybrid_methods, weighted_methods
from ..sections.judge.text import judge_methods
from ..sections.metrics.tables import metrics_methods
from ..sections.scores.tables import methods_of_scores
from ..sections.sensitivity.tables import within_a_sentence
from ..text.figure_format import count, listed, methods_used, points_range
from ..text.names import Names
from ..text.notes import concentration_note, documents_note, has_intervals, raters_note
from .agreement import agreement_is_resampled
from .design import DAY, DIGEST
from .references import CHUNG_ROMANO, EFRON, HOLM, KORN_GRAUBARD, ZOU_DONNER


def inference_sentences(report: Report, names: Names, record: Provenance | None = None) -> Iterator[str]:
    if has_intervals(report):
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


def _intervals(report: Report) -> Iterator[str]:
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


def comparison_sentences(report: Report, record: Provenance | None = None) -> Iterator[str]:
    if not report.comparisons:
        return
    if nothing_in_common(report):
        yield "Systems were not compared in pairs, as no two of them have assessed ratings for the same prompt."
        return
    cluster = report.method.cluster
    clusters = unit_words(cluster, 2)
    yield "Systems were compared in pairs on the prompts that both have assessed ratings for;"
    if bounds := difference_intervals(comparisons_shown(report), cluster):
        yield f"intervals of differences: {bounds};"
    if swaps_are_drawn(report):
        usual = report.method.resamples
        more = {row.swaps for row in report.all_comparisons if isinstance(row.swaps, int) and row.swaps > usual}
        swaps = f"{count(usual)} random"
        if more:
            swaps += f" ({count(max(more))} where that left p close to .05 in doubt)"
        if any(row.swaps is None for row in report.all_comparisons):
            swaps += f" (all, where {MAX_EXACT} {clusters} or fewer are in common)"
        yield f"p values are two-sided and come from {swaps} swaps of the two systems within {clusters}."
    else:
        yield (
            "p values are two-sided and come from an exact permutation test, which swaps the two systems within "
            f"{clusters}."
        )
    if report.is_studentized:
        yield (
            "The test statistic is studentized: the difference of the two proportions over its standard error, "
            f"linearized and clustered, recomputed for every swap ({CHUNG_ROMANO.citation})."
        )
    else:
        yield "The test statistic is the difference of the two proportions."
    if any(row.method == "mover" for row in without_unreliable_bounds(report.all_comparisons)):
        yield f"For MOVER see {ZOU_DONNER.citation}."
    if report.score_comparisons:
        yield "Scores were compared in the same way, each as its share of the largest possible score."
    adjusted = f"p values are adjusted by Holm’s method ({HOLM.citation})"
    pairs, plan = _pairs_of_a_measure(report), record.plan if record else None
    if plan is not None and has_own_family(plan):
        yield (
            f"{adjusted}; the planned family is {family_in_words(plan)} ({tests_in_words(plan.family_size)}). Those of "
            "tables and figures are adjusted over the pairs of systems of a measure only."
        )
    elif pairs > 1:
        yield (
            f"{adjusted}; the family is the {count(pairs)} pairs of systems of a measure, separately for each measure."
        )
    elif pairs:
        yield "Each measure has one test, so p values are not adjusted."
    yield least_p_note(report.comparisons, cluster)


def swaps_are_drawn(report: Report) -> bool:
    """Return whether swaps were drawn at random; older reports, without their number, did so for many prompts."""
    return any(row.prompts > MAX_EXACT if row.swaps is UNSET else bool(row.swaps) for row in report.all_comparisons)


def _pairs_of_a_measure(report: Report) -> int:
    """Return the tests of the measure that has most."""
    return max(Counter(row.measure for row in report.comparisons if row.p is not None).values(), default=0)


def power_sentence(report: Report, record: Provenance, names: Names) -> str:
    """State for each measure the difference that is detected with 80 % power; "" without intervals of differences."""
    family, plan = TestFamily(max(1, _pairs_of_a_measure(report))), record.plan
    if plan is not None and has_own_family(plan):
        planned = frozenset((test.a, test.b, test.measure) for test in plan.tests)
        family = TestFamily(plan.family_size, planned if plan.family == PLANNED else None)
    differences = "; ".join(
        f"{names.measure(measure).lower()} {points_range(values)}"
        for measure, values in detectable_differences(report, family).items()
    )
    if not differences:
        return ""
    return (
        f"With 80 % power, at alpha .05 over the {tests_in_words(family.size)} of the family (Bonferroni’s level, "
        f"Holm’s first step), true differences of at least so many points could be detected: {differences} (from the "
        "half-widths of the differences’ intervals and their degrees of freedom)."
    )


def planning_sentences(report: Report, record: Provenance, names: Names) -> Iterator[str]:
    if record.target is not None:
        yield _target(report, record.target, names)
    yield power_sentence(report, record, names)
    plan = record.plan
    if plan is None:
        yield "No analysis plan was stored in the software before the analysis, which is therefore post hoc."
        return
    yield _check(plan, names)
    if not plan.before_first_rating:
        yield _check(plan.earlier, names) if plan.earlier else "No version of the plan is from before the first rating."
    if has_own_family(plan):
        tests = "; ".join(family_test(test, names) for test in plan.tests if test.p_family is not None)
        yield (
            f"Over the plan’s family ({family_in_words(plan)}, {tests_in_words(plan.family_size)}) Holm’s adjustment "
            f"gives: {tests}."
        )


def _target(report: Report, target: float, names: Names) -> str:
    goal = f"The project’s precision target was a half-width of {100 * target:.1f} points"
    widths = [(row.half_width, row) for row in half_widths(report, target) if row.half_width is not None]
    if not widths:
        return f"{goal}."
    widest, row = max(widths, key=lambda each: each[0])
    met = count(sum(bool(row.met) for _, row in widths))
    noun, verb = ("interval", "reaches") if len(widths) == 1 else ("intervals", "reach")
    return (
        f"{goal}; {met} of {count(len(widths))} {noun} of the systems’ proportions {verb} it, the widest has "
        f"{100 * widest:.1f} points ({names.measure(row.measure).lower()}, {row.system})."
    )


def _check(plan: PlanCheck, names: Names) -> str:
    version = (
        f"version {count(plan.version)} of the analysis plan (SHA-256 {plan.sha256[:DIGEST]}…, stored "
        f"{plan.stored_at[:DAY]}, {'before' if plan.before_first_rating else 'after'} the first rating)"
    )
    if plan.as_planned:
        return f"The analysis follows {version}."
    deviations = []
    for row in plan.deviations:
        planned, actual = (values_in_words(row.topic, values, names) for values in (row.planned, row.actual))
        if row.topic == "without_raters":  # without their names
            planned, actual = count(len(row.planned)), count(len(row.actual))
        deviations.append(f"{within_a_sentence(topic_name(row.topic))} (planned: {planned}; reported: {actual})")
    return f"The analysis deviates from {version} in: {'; '.join(deviations)}."
