"""The Agreement paragraph of the Methods: agreement between raters, accuracy on gold, quality alerts."""

from collections.abc import Iterator

from ...i18n.unit_names import counted
from ..report import Report
from ..sections.agreement.figures import ACCURATE_OR_NOT, SEVERITY_SCALE
from ..sections.sensitivity.tables import (
    MAX_SYSTEMS,
    analysis_label,
    exclusion_phrase,
    exclusions_shown,
    within_a_sentence,
)
from ..text.figure_format import agreement_bounds, agreement_value, count, listed, percent
from ..text.names import Names, agreement_of
from .references import GWET, KRIPPENDORFF

MAX_EXCLUSIONS = 4
"""With more analyses without raters, the text has the last, which is without all raters with an alert."""


def agreement_sentences(report: Report, names: Names) -> Iterator[str]:
    """Yield the sentences; none where no item has two raters and nothing is known of them."""
    agreements = []
    for question, agreement in report.agreement.items():
        if agreement.percent is None or not agreement.items:
            continue
        words = []
        for name in ("gwet_ac1", "krippendorff_alpha"):
            value, bounds = agreement.coefficients[name], agreement_bounds(name, agreement)
            interval = f" [{bounds}]" if bounds else ""
            words.append("undefined" if value is None else f"{agreement_value(name, value)}{interval}")
        ordinal = "ordinal " if question == SEVERITY_SCALE else ""
        agreements.append(
            f"{_options(question, names)}, raters agreed in {percent(agreement.percent)} of pairs of ratings, averaged "
            f"over {counted(agreement.items, names.unit)} with two such answers or more (Gwet’s AC1 {words[0]}, "
            f"Krippendorff’s {ordinal}alpha {words[1]})"
        )
    if agreements:
        level = f"{100 * report.method.level:g} %"
        bounds = f", with {level} percentile bootstrap intervals" if agreement_is_resampled(report) else ""
        yield f"Agreement between raters{bounds}: {'; '.join(agreements)}."
        yield f"The coefficients are Gwet’s AC1 ({GWET.citation}) and Krippendorff’s alpha ({KRIPPENDORFF.citation})."
    yield from _gold(report)
    raters = report.raters or ()
    if alerted := [f"{row.rater} ({', '.join(row.flags)})" for row in raters if row.flags]:
        yield f"Quality {'alert' if len(alerted) == 1 else 'alerts'}: {listed(alerted, 'and')}."
    elif len(raters) > 1:
        yield "No rater has a quality alert."
    yield from _shifts(report, names)


def agreement_is_resampled(report: Report) -> bool:
    return any(any((agreement.intervals or {}).values()) for agreement in report.agreement.values())


def _options(question: str, names: Names) -> str:
    if question == ACCURATE_OR_NOT:
        return "on being accurate or not"
    if question == SEVERITY_SCALE:
        return "on severity as a scale (accurate, an issue that is not severe, a severe issue)"
    if names.protocol is None:
        return agreement_of(question, names).lower()
    left_out = names.protocol.left_out(question)
    labels = [option.label for option in names.protocol.question(question).options if option.key not in left_out]
    return f"on the answers {listed(labels, 'or')}"


def _gold(report: Report) -> Iterator[str]:
    shares = [rater.gold for rater in report.raters or () if rater.gold is not None and rater.gold.n]
    if not shares:
        return
    answers = sum(share.n for share in shares)
    pooled = percent(sum(share.k for share in shares) / answers)
    values = sorted(share.value for share in shares if share.value is not None)
    each = f", from {percent(values[0])} to {percent(values[-1])} each" if len(shares) > 1 else ""
    yield (
        f"{counted(len(shares), 'rater')} with gold answers gave the gold answer in {pooled} of {count(answers)}{each}."
    )


def _shifts(report: Report, names: Names) -> Iterator[str]:
    exclusions = exclusions_shown(report)
    if not exclusions or len(report.systems) > MAX_SYSTEMS:
        return
    measure = next(iter(report.overall.measures))
    stated = exclusions if len(exclusions) <= MAX_EXCLUSIONS else exclusions[-1:]
    shifts = "; ".join(
        f"{within_a_sentence(analysis_label(row, names))} {exclusion_phrase(row, measure)}" for row in stated
    )
    yield f"Shift of {names.measure(measure).lower()} for each system: {shifts}."
    if len(stated) < len(exclusions):
        raters = count(len(exclusions) - 1)
        yield f"The shifts without each of these {raters} raters alone are in the table of the sensitivity analyses."
