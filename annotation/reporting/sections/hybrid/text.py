"""The estimates from people and a judge in words: the sentence of each measure, the notes, and the Methods."""

from collections.abc import Iterator

from ....i18n.numbers import localized
from ....i18n.unit_names import counted, unit_words
from ....stats.intervals import MIN_CLUSTERS
from ...methods.references import ACTIVE_INFERENCE, KORN_GRAUBARD, PPI
from ...report import Report
from ...text.figure_format import count, percent_or_dash
from ...text.names import Names
from ..judge.text import hybrid_warnings
from .figures import Hybrid, HybridMeasure, PeopleAlone


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
    sentence = (
        "%(measure)s: %(estimate)s, from %(ratings)s of people in %(units)s and judge %(judge)s on %(items)s; people "
        "alone %(people)s; the judge alone %(judge_alone)s (not an estimate)."
    )
    for key, measure in hybrid.overall.measures.items():
        yield (
            sentence
            % {
                "measure": names.measure(key),
                "estimate": with_half_width(measure),
                "ratings": counted(measure.human.n, "rating"),
                "units": counted(measure.human.units, report.method.cluster),
                "judge": hybrid.judge,
                "items": counted(measure.n_judge, names.unit),
                "people": with_half_width(measure.human),
                "judge_alone": percent_or_dash(measure.judge_alone),
            }
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
    sentence = (
        "λ is the weight of the judge, from 0 (people alone) to 1. No interval where fewer than %(fewest)s "
        "%(clusters)s have an assessed rating. The judge alone is not an estimate: no rating of a person corrects it."
    )
    values = {"fewest": MIN_CLUSTERS, "clusters": unit_words(report.method.cluster, 2)}
    notes = [_answered_as(hybrid), _unfinished(hybrid, names), *_excluded(hybrid, names)]
    return " ".join(filter(None, [sentence % values, *notes]))


def hybrid_methods(report: Report, names: Names) -> str:
    """Return the sentences of the Methods; "" without estimates."""
    hybrid = report.hybrid
    if hybrid is None or hybrid.overall is None:
        return ""
    sentence = (
        "Proportions were also estimated from people and a judge (%(judge)s) by prediction-powered inference (%(ppi)s) "
        "for a ratio over %(clusters)s, with the probabilities of the sample (%(active)s), one weight λ of the judge "
        "for each system and measure, and Korn-Graubard bounds (%(korn)s) on the effective number of ratings."
    )
    values = {
        "judge": hybrid.judge,
        "clusters": unit_words(report.method.cluster, 2),
        "ppi": PPI.citation,
        "active": ACTIVE_INFERENCE.citation,
        "korn": KORN_GRAUBARD.citation,
    }
    notes = [_answered_as(hybrid), _unfinished(hybrid, names), *_excluded(hybrid, names)]
    sentences = [sentence % values, *hybrid_sentences(report, names), *notes, *hybrid_warnings(report, names)]
    return " ".join(filter(None, sentences))


def _answered_as(hybrid: Hybrid) -> str:
    """State as which model the judge's endpoint answered, and with which system fingerprints."""
    sentences = []
    if hybrid.returned_model:
        model = "The endpoint of judge %(judge)s answered as model %(model)s."
        sentences.append(model % {"judge": hybrid.judge, "model": hybrid.returned_model})
    if hybrid.fingerprints:
        fingerprints = "System fingerprints of its verdicts: %(fingerprints)s."
        counts = ", ".join(f"{name} × {count(n)}" for name, n in hybrid.fingerprints.items())
        sentences.append(fingerprints % {"fingerprints": counts})
    return " ".join(sentences)


def _unfinished(hybrid: Hybrid, names: Names) -> str:
    """State the assumption about drawn items without a rating; "" where all have one."""
    if hybrid.overall is None or not hybrid.is_unfinished:
        return ""
    sentence = (
        "Of %(drawn)s in the sample, %(rated)s have a rating: the estimates assume that these are a random part of the "
        "sample of their system."
    )
    return sentence % {"drawn": counted(hybrid.overall.drawn, names.unit), "rated": count(hybrid.overall.rated)}


def _excluded(hybrid: Hybrid, names: Names) -> list[str]:
    tuned = (
        "Not used: %(items)s that tuned the judge's prompt. The estimates assume that these are a random part of what "
        "was drawn of their system, and of what was not drawn."
    )
    return [_verdict_shown(hybrid), tuned % {"items": counted(hybrid.tuned, names.unit)} if hybrid.tuned else ""]


def _verdict_shown(hybrid: Hybrid) -> str:
    n = hybrid.verdict_shown
    if not n:
        return ""
    sentence = (
        "%(n)s rating is not used here, because a verdict was shown to its rater before."
        if n == 1
        else "%(n)s ratings are not used here, because verdicts were shown to their raters before."
    )
    assumed = (
        "The estimates assume that which ratings these are does not depend on the answers. Where raters change answers "
        "that differ from the verdict, it does, and the estimates move toward the judge."
    )
    return f"{sentence % {'n': count(n)}} {assumed}"


def weighted_sentences(report: Report, names: Names) -> Iterator[str]:
    """Yield a sentence for each measure over all systems; none without estimates."""
    weighted = report.weighted_estimates
    if weighted is None or weighted.overall is None:
        return
    sentence = "%(measure)s: %(estimate)s, from %(ratings)s of people in %(units)s."
    for key, measure in weighted.overall.measures.items():
        yield sentence % {
            "measure": names.measure(key),
            "estimate": with_half_width(measure),
            "ratings": counted(measure.n, "rating"),
            "units": counted(measure.units, report.method.cluster),
        }


def weighted_note(report: Report, names: Names) -> str:
    """State how the estimates are weighted and what they assume, or why there are none; "" where none are needed."""
    weighted = report.weighted_estimates
    if weighted is None:
        return ""
    if weighted.overall is None:
        return f"No weighted estimates: {weighted.reason or ''}."
    sentence = (
        "Each rating counts 1/π, where π is the probability with which its item was drawn: so the estimates are about "
        "all %(items)s. No interval where fewer than %(fewest)s %(clusters)s have an assessed rating."
    )
    values = {
        "items": counted(weighted.overall.items, names.unit),
        "fewest": MIN_CLUSTERS,
        "clusters": unit_words(report.method.cluster, 2),
    }
    unfinished = (
        "Of %(drawn)s in the sample, %(rated)s have a rating: the estimates assume that these are a random part of the "
        "sample of their system."
    )
    overall = weighted.overall
    counts = {"drawn": counted(overall.drawn, names.unit), "rated": count(overall.rated)}
    sentences = [sentence % values, unfinished % counts if overall.rated < overall.drawn else ""]
    return " ".join(filter(None, sentences))


def weighted_methods(report: Report, names: Names) -> str:
    """Return the sentences of the Methods; "" without estimates."""
    weighted = report.weighted_estimates
    if weighted is None or weighted.overall is None:
        return ""
    sentence = (
        "Items were drawn with unequal probabilities (%(active)s). Proportions of people alone were also estimated "
        "with weights, the inverse of these probabilities, as a ratio over %(clusters)s with Korn-Graubard bounds "
        "(%(korn)s) on the effective number of ratings."
    )
    values = {
        "active": ACTIVE_INFERENCE.citation,
        "clusters": unit_words(report.method.cluster, 2),
        "korn": KORN_GRAUBARD.citation,
    }
    return " ".join([sentence % values, *weighted_sentences(report, names)])
