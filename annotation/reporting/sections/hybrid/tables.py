"""The estimates from people and a judge, and those of people alone that are weighted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ....i18n.english import localized
from ....i18n.unit_names import counted, unit_words
from ....stats.intervals import MIN_CLUSTERS
from ...methods.references import ACTIVE_INFERENCE, KORN_GRAUBARD, PPI
from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import COEFFICIENT, COUNT, LABEL, PERCENT, POINTS
from ...text.figure_format import count, listed, percent_or_dash
from ...text.names import Names
from ..judge.text import ENOUGH_UNITS, NEARLY_ALL
from .figures import Hybrid, HybridDifference, HybridMeasure, HybridSystem, PeopleAlone, WeightedCell


def weighted(report: Report, names: Names) -> Iterator[Table]:
    weighted = report.weighted_estimates
    if weighted is not None and weighted.overall is not None:
        columns = [
            Column(names.system_head, LABEL),
            Column("Measure", LABEL),
            Column("Weighted estimate", PERCENT, "people alone"),
            Column("Ratings", COUNT),
            Column(f"{report.method.cluster.capitalize()}s", COUNT),
        ]
        rows = [
            Row(
                [
                    cell.system or names.all_systems,
                    names.measure(key),
                    Figure(measure.value, measure.low, measure.high, n=measure.n),
                    measure.n,
                    measure.units,
                ],
                {"system": cell.system or "", "key": key},
            )
            for cell in (*weighted.systems, weighted.overall)
            for key, measure in cell.measures.items()
        ]
        yield Table("weighted_estimates", "People alone, weighted", columns, rows, weighted_note(report, names))
        title = "Differences between systems, people alone, weighted"
        yield _differences("weighted_comparisons", title, weighted.comparisons, names)


def tables(report: Report, names: Names) -> Iterator[Table]:
    hybrid = report.hybrid
    if hybrid is not None:
        columns = [
            Column(names.system_head, LABEL),
            Column("Measure", LABEL),
            Column("People and judge", PERCENT, "people and judge"),
            Column("People alone", PERCENT, "people alone"),
            Column("Judge alone (not an estimate)", PERCENT, "judge alone"),
            Column("λ", COEFFICIENT, "lambda"),
            Column("Ratings of people", COUNT),
            Column("Judged", COUNT),
        ]
        rows = [
            Row(
                [
                    cell.system or names.all_systems,
                    names.measure(key),
                    Figure(measure.value, measure.low, measure.high, n=measure.human.n),
                    Figure(measure.human.value, measure.human.low, measure.human.high, n=measure.human.n),
                    Figure(measure.judge_alone, n=measure.n_judge),
                    Figure(measure.lambda_),
                    measure.human.n,
                    measure.n_judge,
                ],
                {"system": cell.system or "", "value": hybrid.judge, "key": key},
            )
            for cell in (*hybrid.systems, *([hybrid.overall] if hybrid.overall else []))
            for key, measure in cell.measures.items()
        ]
        title, note = f"People and judge: {hybrid.judge}", hybrid_note(report, names)
        yield Table("hybrid", title, columns, rows, note, is_shown_empty=True)
        title = f"Differences between systems, people and judge: {hybrid.judge}"
        yield _differences("hybrid_comparisons", title, hybrid.comparisons, names)


def _differences(key: str, title: str, differences: Sequence[HybridDifference], names: Names) -> Table:
    columns = [Column("Measure", LABEL), Column("Systems", LABEL), Column("Difference, points", POINTS, "difference")]
    rows = [
        Row(
            [
                names.measure(row.measure),
                f"{row.a} − {row.b}",
                Figure(row.difference, row.low, row.high, after="" if row.low is not None else "(no interval)"),
            ],
            {"system": row.a, "value": row.b, "key": row.measure},
        )
        for row in differences
    ]
    return Table(key, title, columns, rows)


def with_half_width(estimate: HybridMeasure | PeopleAlone) -> str:
    """Format an estimate and half the width of its interval: 87.4 ± 3.9 %."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return percent_or_dash(estimate.value)
    return localized(f"{100 * estimate.value:.1f} ± {50 * (estimate.high - estimate.low):.1f} %")


def hybrid_sentences(report: Report, names: Names) -> Iterator[str]:
    """Yield a sentence for each measure over all systems; none without estimates."""
    hybrid = report.hybrid
    if hybrid is None or hybrid.overall is None:
        return
    for key, measure in hybrid.overall.measures.items():
        people = measure.human
        yield (
            f"{names.measure(key)}: {with_half_width(measure)}, from {counted(people.n, 'rating')} of people in "
            f"{counted(people.units, report.method.cluster)} and judge {hybrid.judge} on "
            f"{counted(measure.n_judge, names.unit)}; people alone {with_half_width(people)}; the judge alone "
            f"{percent_or_dash(measure.judge_alone)} (not an estimate)."
        )


def hybrid_note(report: Report, names: Names) -> str:
    """Return the note below a table: warnings, then as `hybrid_how`."""
    return " ".join(filter(None, [*hybrid_warnings(report, names), hybrid_how(report, names)]))


def hybrid_how(report: Report, names: Names) -> str:
    """State how the estimates are computed and what they assume, or why there are none; "" without a judge."""
    hybrid = report.hybrid
    if hybrid is None:
        return ""
    if hybrid.reason is not None:
        return f"No estimates with judge {hybrid.judge}: {hybrid.reason}."
    how = (
        f"λ is the weight of the judge, from 0 (people alone) to 1. No interval where fewer than {MIN_CLUSTERS} "
        f"{unit_words(report.method.cluster, 2)} have an assessed rating. The judge alone is not an estimate: no "
        "rating of a person corrects it."
    )
    return " ".join([how, *_conditions(hybrid, names)])


def hybrid_methods(report: Report, names: Names) -> str:
    """Return the sentences of the Methods; "" without estimates."""
    hybrid = report.hybrid
    if hybrid is None or hybrid.overall is None:
        return ""
    method = (
        f"Proportions were also estimated from people and a judge ({hybrid.judge}) by prediction-powered inference "
        f"({PPI.citation}) for a ratio over {unit_words(report.method.cluster, 2)}, with the probabilities of the "
        f"sample ({ACTIVE_INFERENCE.citation}), one weight λ of the judge for each system and measure, and "
        f"Korn-Graubard bounds ({KORN_GRAUBARD.citation}) on the effective number of ratings."
    )
    sentences = [*hybrid_sentences(report, names), *_conditions(hybrid, names), *hybrid_warnings(report, names)]
    return " ".join([method, *sentences])


def _conditions(hybrid: Hybrid, names: Names) -> Iterator[str]:
    """Yield as which model the endpoint of the judge answered, and what is assumed of what is not used."""
    if hybrid.returned_model:
        yield f"The endpoint of judge {hybrid.judge} answered as model {hybrid.returned_model}."
    if hybrid.fingerprints:
        fingerprints = ", ".join(f"{name} × {count(n)}" for name, n in hybrid.fingerprints.items())
        yield f"System fingerprints of its verdicts: {fingerprints}."
    if hybrid.overall is not None and hybrid.overall.rated < hybrid.overall.drawn:
        yield _unfinished(hybrid.overall, names)
    if hybrid.verdict_shown:
        yield (
            "1 rating is not used here, because a verdict was shown to its rater before."
            if hybrid.verdict_shown == 1
            else f"{count(hybrid.verdict_shown)} ratings are not used here, because verdicts were shown to their "
            "raters before."
        )
        yield (
            "The estimates assume that which ratings these are does not depend on the answers. Where raters change "
            "answers that differ from the verdict, it does, and the estimates move toward the judge."
        )
    if hybrid.tuned:
        yield (
            f"Not used: {counted(hybrid.tuned, names.unit)} that tuned the judge's prompt. The estimates assume that "
            "these are a random part of what was drawn of their system, and of what was not drawn."
        )


def _unfinished(cell: HybridSystem | WeightedCell, names: Names) -> str:
    """State the assumption about drawn items without a rating."""
    return (
        f"Of {counted(cell.drawn, names.unit)} in the sample, {count(cell.rated)} have a rating: the estimates assume "
        "that these are a random part of the sample of their system."
    )


def weighted_sentences(report: Report, names: Names) -> Iterator[str]:
    """Yield a sentence for each measure over all systems; none without estimates."""
    weighted = report.weighted_estimates
    if weighted is None or weighted.overall is None:
        return
    for key, measure in weighted.overall.measures.items():
        yield (
            f"{names.measure(key)}: {with_half_width(measure)}, from {counted(measure.n, 'rating')} of people in "
            f"{counted(measure.units, report.method.cluster)}."
        )


def weighted_note(report: Report, names: Names) -> str:
    """State how the estimates are weighted and what they assume, or why there are none; "" where none are needed."""
    weighted = report.weighted_estimates
    if weighted is None:
        return ""
    overall = weighted.overall
    if overall is None:
        return f"No weighted estimates: {weighted.reason or ''}."
    how = (
        "Each rating counts 1/π, where π is the probability with which its item was drawn: so the estimates are about "
        f"all {counted(overall.items, names.unit)}. No interval where fewer than {MIN_CLUSTERS} "
        f"{unit_words(report.method.cluster, 2)} have an assessed rating."
    )
    return f"{how} {_unfinished(overall, names)}" if overall.rated < overall.drawn else how


def weighted_methods(report: Report, names: Names) -> str:
    """Return the sentences of the Methods; "" without estimates."""
    weighted = report.weighted_estimates
    if weighted is None or weighted.overall is None:
        return ""
    method = (
        f"Items were drawn with unequal probabilities ({ACTIVE_INFERENCE.citation}). Proportions of people alone were "
        "also estimated with weights, the inverse of these probabilities, as a ratio over "
        f"{unit_words(report.method.cluster, 2)} with Korn-Graubard bounds ({KORN_GRAUBARD.citation}) on the effective "
        "number of ratings."
    )
    return " ".join([method, *weighted_sentences(report, names)])


class Verdicts(NamedTuple):
    """The share of verdicts that a measure counts, and the share by people alone; None where not defined."""

    judge: float | None
    people: float | None

    @property
    def are_nearly_alike(self) -> bool:
        return self.judge is not None and not 1 - NEARLY_ALL < self.judge < NEARLY_ALL

    @property
    def hide_a_difference(self) -> bool:
        """Whether all verdicts are alike and people’s answers are not, or nearly all and people’s not nearly."""
        if self.people is None or not self.are_nearly_alike:
            return False
        return self.people != self.judge if self.judge in (0.0, 1.0) else 1 - NEARLY_ALL < self.people < NEARLY_ALL


def hybrid_warnings(report: Report, names: Names) -> Iterator[str]:
    """Yield the warnings about the estimates of a report; none without estimates."""
    hybrid = report.hybrid
    if hybrid is None or hybrid.overall is None:
        return
    verdicts = {
        names.measure(key): Verdicts(measure.judge_alone, measure.human.value)
        for key, measure in hybrid.overall.measures.items()
    }
    fewest = {}  # units behind an interval in which the judge has weight
    for cell in (*hybrid.systems, hybrid.overall):
        units = [each.human.units for each in cell.measures.values() if each.lambda_ and each.low is not None]
        if units:
            fewest[cell.system or names.all_systems] = min(units)
    warnings = one_answer_warning(hybrid.judge, verdicts), few_units_warning(fewest, report.method.cluster)
    yield from filter(None, warnings)


def one_answer_warning(judge: str, verdicts: Mapping[str, Verdicts]) -> str:
    """Warn if the judge gives nearly the same answer to everything, or about some measures, whose names are the keys
    of `verdicts`; "" if not, or without verdicts.
    """
    defined = [each for each in verdicts.values() if each.judge is not None]
    if defined and all(each.are_nearly_alike for each in defined):
        return (
            f"Judge {judge} gives (nearly) the same answer to everything, so its verdicts do not say which items "
            "differ. What it seems to add to people’s ratings is due to chance. Use the estimates of people alone, or "
            "another judge."
        )
    measures = [name for name, each in verdicts.items() if each.hide_a_difference]
    if not measures:
        return ""
    return (
        f"Judge {judge} gives (nearly) the same answer to every item in {listed(measures, 'and')}, so its verdicts "
        "there do not show which items differ. Its weight λ is 0 where all are alike; what it seems to add elsewhere "
        "is due to chance. Use the estimates of people alone for these measures."
    )


def few_units_warning(units: Mapping[str, int], cluster: str) -> str:
    """Warn if the weight of the judge rests on few units with human ratings; `units`: their number by name of the
    estimate. "" if all have enough.
    """
    few = "; ".join(f"{name}: {count(n)}" for name, n in units.items() if n < ENOUGH_UNITS)
    if not few:
        return ""
    clusters = unit_words(cluster, 2)
    return (
        f"Few {clusters} with ratings of people ({few}). With fewer than {ENOUGH_UNITS}, the weight λ of the judge can "
        f"be large by chance, and intervals with the judge too narrow. Have more {clusters} rated, or use the "
        "estimates of people alone."
    )
