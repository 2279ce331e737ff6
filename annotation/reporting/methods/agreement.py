"""The Agreement paragraph of the Methods: agreement between raters, accuracy on gold, quality alerts."""

from collections.abc import Iterator

from ...i18n.numbers import localized
from ...i18n.unit_names import counted
from ..report import Report
from ..sections.agreement.figures import ACCURATE_OR_NOT, SEVERITY_SCALE, Agreement
from ..sections.sensitivity.text import (
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

DERIVED = {
    ACCURATE_OR_NOT: "on being accurate or not",
    SEVERITY_SCALE: "on severity as a scale (accurate, an issue that is not severe, a severe issue)",
}


def agreement_text(report: Report, names: Names) -> str:
    """Return the paragraph; "" where no item has two raters and nothing is known of them."""
    about_raters = (_gold(report), _alerts(report), _shifts(report, names))
    sentences = [agreement_sentence(report, names), _citations(report), *about_raters]
    return " ".join(sentence for sentence in sentences if sentence)


def _citations(report: Report) -> str:
    if not any(agreement.percent is not None and agreement.items for agreement in report.agreement.values()):
        return ""
    sentence = "The coefficients are Gwet’s AC1 (%(gwet)s) and Krippendorff’s alpha (%(krippendorff)s)."
    return sentence % {"gwet": GWET.citation, "krippendorff": KRIPPENDORFF.citation}


def _gold(report: Report) -> str:
    """State the accuracy of the raters on gold answers; "" without any."""
    shares = [rater.gold for rater in report.raters or () if rater.gold is not None and rater.gold.n]
    if not shares:
        return ""
    right, answers = sum(share.k for share in shares), sum(share.n for share in shares)
    values = sorted(share.value for share in shares if share.value is not None)
    sentence = (
        "%(n)s rater with gold answers gave the gold answer in %(share)s of %(answers)s."
        if len(shares) == 1
        else "%(n)s raters with gold answers gave the gold answer in %(share)s of %(answers)s, from %(low)s to %(high)s "
        "each."
    )
    return sentence % {
        "n": count(len(shares)),
        "share": percent(right / answers),
        "answers": count(answers),
        "low": percent(values[0]),
        "high": percent(values[-1]),
    }


def _alerts(report: Report) -> str:
    """Name the raters with a quality alert; state that there is none where raters were compared."""
    if not report.raters:
        return ""
    alerted = [f"{row.rater} ({', '.join(str(flag) for flag in row.flags)})" for row in report.raters if row.flags]
    if not alerted:
        return "No rater has a quality alert." if len(report.raters) > 1 else ""
    sentence = "Quality alert: %(raters)s." if len(alerted) == 1 else "Quality alerts: %(raters)s."
    return sentence % {"raters": listed(alerted, "and")}


def _shifts(report: Report, names: Names) -> str:
    """State how far the first measure of each system moves without the raters with an alert; "" without any."""
    exclusions = exclusions_shown(report)
    if not exclusions or len(report.systems) > MAX_SYSTEMS:
        return ""
    measure = next(iter(report.overall.measures))
    sentence = "Shift of %(measure)s for each system: %(parts)s."
    stated = exclusions if len(exclusions) <= MAX_EXCLUSIONS else exclusions[-1:]
    parts = [f"{within_a_sentence(analysis_label(row, names))} {exclusion_phrase(row, measure)}" for row in stated]
    text = sentence % {"measure": names.measure(measure).lower(), "parts": "; ".join(parts)}
    if len(stated) == len(exclusions):
        return text
    alone = "The shifts without each of these %(n)s raters alone are in the table of the sensitivity analyses."
    return f"{text} {alone % {'n': count(len(exclusions) - 1)}}"


def level_of(report: Report) -> str:
    """Return the level of the report's intervals: 95 %."""
    return localized(f"{100 * report.method.level:g} %")


def agreement_sentence(report: Report, names: Names) -> str:
    """State the agreement on each question; "" where no item has two raters."""
    parts = list(_agreements(report, names))
    sentence = (
        "Agreement between raters, with %(level)s percentile bootstrap intervals: %(parts)s."
        if agreement_is_resampled(report)
        else "Agreement between raters: %(parts)s."
    )
    return sentence % {"level": level_of(report), "parts": "; ".join(parts)} if parts else ""


def agreement_is_resampled(report: Report) -> bool:
    """Return whether any coefficient has an interval: these come from resamples."""
    return any(any((agreement.intervals or {}).values()) for agreement in report.agreement.values())


def _agreements(report: Report, names: Names) -> Iterator[str]:
    for question, agreement in report.agreement.items():
        if agreement.percent is not None and agreement.items:
            sentence = (
                (
                    "%(asked)s, raters agreed in %(percent)s of pairs of ratings, averaged over %(items)s with two "
                    "such answers or more (Gwet’s AC1 %(ac1)s, Krippendorff’s ordinal alpha %(alpha)s)"
                )
                if question == SEVERITY_SCALE
                else (
                    "%(asked)s, raters agreed in %(percent)s of pairs of ratings, averaged over %(items)s with two "
                    "such answers or more (Gwet’s AC1 %(ac1)s, Krippendorff’s alpha %(alpha)s)"
                )
            )
            yield sentence % {
                "asked": _asked_about(question, names),
                "percent": percent(agreement.percent),
                "items": counted(agreement.items, names.unit),
                "ac1": _with_bounds(agreement, "gwet_ac1"),
                "alpha": _with_bounds(agreement, "krippendorff_alpha"),
            }


def _asked_about(key: str, names: Names) -> str:
    """Return the options that an agreement is about, without those that are missing labels."""
    if key in DERIVED:
        return DERIVED[key]
    if names.protocol is None:
        return agreement_of(key, names).lower()
    left_out = names.protocol.left_out(key)
    option_labels = [option.label for option in names.protocol.question(key).options if option.key not in left_out]
    return f"on the answers {listed(option_labels, 'or')}"


def _with_bounds(agreement: Agreement, name: str) -> str:
    coefficient = agreement.coefficients[name]
    if coefficient is None:
        return "undefined"
    value, bounds = agreement_value(name, coefficient), agreement_bounds(name, agreement)
    return f"{value} [{bounds}]" if bounds else value
