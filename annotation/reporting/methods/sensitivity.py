"""The Sensitivity paragraph of the Methods: other aggregations, other decisions, and the crossed model."""

from collections.abc import Iterator

from ...i18n.numbers import localized
from ...i18n.unit_names import unit_words
from ..report import Report
from ..sections.aggregations.text import MAJORITY, other_aggregations
from ..sections.crossed_models.figures import CrossedModel, OddsRatio
from ..sections.crossed_models.text import (
    groupings_of,
    is_reliable,
    measure_label,
    of_majorities,
    populations,
    reason_not_fitted,
)
from ..sections.differences.text import two_tests
from ..sections.sensitivity.text import sensitivity_sentence
from ..text.figure_format import count, joined_bounds, listed, p_value, percent
from ..text.names import Names
from .references import CROSSED_EFFECTS, DAWID_SKENE

MAX_ODDS_RATIOS = 9  # with more, the text refers to the table
NOT_FITTED = "not fitted"


def sensitivity_text(report: Report, names: Names) -> str:
    """Return the paragraph; "" in a report without any such analysis."""
    sentences = [_aggregations(report, names), sensitivity_sentence(report, names), *_crossed(report, names)]
    return " ".join(sentence for sentence in sentences if sentence)


def _aggregations(report: Report, names: Names) -> str:
    """State how ratings are aggregated, and the values of the other aggregations for the first measure."""
    measures = next((row.measures for row in report.aggregations or () if row.system is None), None)
    if not measures:
        return ""
    first = next(iter(measures))
    others = other_aggregations(measures[first], names.unit)
    if measures[first].pooled is None or not others:
        return ""
    undecided = measures[first].majority.undecided
    undecided_ties = f"({count(undecided)} tie undecided)" if undecided == 1 else f"({count(undecided)} ties undecided)"
    ties = {MAJORITY: f" {undecided_ties}"} if undecided else {}
    ways = listed([f"{percent(value)} {way}{ties.get(way, '')}" for way, value in others.items()], "and")
    sentence = "Instead of %(pooled)s (pooled), %(measure)s would be %(ways)s."
    text = sentence % {"measure": names.measure(first).lower(), "ways": ways, "pooled": percent(measures[first].pooled)}
    cited = f" ({DAWID_SKENE.citation})" if measures[first].dawid_skene else ""
    return text.removesuffix(".") + cited + "."


def _crossed(report: Report, names: Names) -> Iterator[str]:
    """Yield what the crossed models are, their odds ratios, and the measures without one."""
    models = [model for model in report.crossed_models or () if model.status != NOT_FITTED]
    if models:
        yield _model_sentence(models, names)
        yield from of_majorities(models, names, lambda key: names.measure(key).lower())
        yield from _separated(models, names)
        yield _odds_ratios([model for model in models if is_reliable(model)], names)
        yield two_tests(report, names, lambda key: names.measure(key).lower())
        yield from _singular(models, names)
        yield _unreliable([model for model in models if not is_reliable(model)], names)
    reasons: dict[str, list[str]] = {}
    for model in report.crossed_models or ():
        if model.status == NOT_FITTED:
            reasons.setdefault(reason_not_fitted(model, report), []).append(names.measure(model.measure).lower())
    for reason, measures in reasons.items():
        sentence = "The crossed model was not fitted for %(measures)s, because %(reason)s."
        yield sentence % {"measures": listed(measures, "and"), "reason": reason}


def _model_sentence(models: list[CrossedModel], names: Names) -> str:
    groupings = groupings_of(models)
    words = [unit_words(names.unit if grouping == "item" else grouping, 2) for grouping in groupings]
    sentence = (
        "A logistic model with crossed random effects (%(citation)s; systems fixed, %(groupings)s "
        "random; Laplace approximation) generalizes to %(populations)s, if these do not differ in how they treat "
        "the systems: it has random intercepts only."
    )
    values = {"groupings": listed(words, "and"), "populations": populations(groupings)}
    return sentence % {"citation": CROSSED_EFFECTS.citation, **values}


def _odds_ratios(models: list[CrossedModel], names: Names) -> str:
    rows = [(measure_label(model, names), row) for model in models for row in model.odds_ratios]
    if not rows or len(rows) > MAX_ODDS_RATIOS:
        return ""
    parts = "; ".join(_odds_ratio(measure, row) for measure, row in rows)
    return f"Its odds ratios, with p adjusted by Holm’s method over the pairs of a measure: {parts}."


def _separated(models: list[CrossedModel], names: Names) -> Iterator[str]:
    """Yield the systems that a model has not, one sentence per measure."""
    for model in models:
        if model.separated:
            sentence = "The model of %(measure)s excludes %(systems)s, all or none of whose ratings count (separation)."
            systems = listed(list(model.separated), "and")
            yield sentence % {"measure": names.measure(model.measure).lower(), "systems": systems}


def _singular(models: list[CrossedModel], names: Names) -> Iterator[str]:
    """Yield the variances that are estimated as 0, one sentence per measure."""
    for model in models:
        zero = [
            unit_words(names.unit if part.grouping == "item" else part.grouping, 2)
            for part in model.components
            if part.singular
        ]
        if zero:
            sentence = "The fit for %(measure)s is singular: the variance between %(groupings)s is estimated as 0."
            yield sentence % {"measure": names.measure(model.measure).lower(), "groupings": listed(zero, "and")}


def _unreliable(models: list[CrossedModel], names: Names) -> str:
    if not models:
        return ""
    sentence = (
        "For %(measures)s, a variance is so large that the model is not reliable, so its figures are omitted here."
    )
    return sentence % {"measures": listed([names.measure(model.measure).lower() for model in models], "and")}


def _odds_ratio(measure: str, row: OddsRatio) -> str:
    values = {"measure": measure.lower(), "a": row.a, "b": row.b, "ratio": _ratio(row.value)}
    ends = joined_bounds(map(_ratio, (row.low, row.high)))
    bounds = "" if row.low is None or row.high is None else f" [{ends}]"
    return (("%(measure)s, %(a)s to %(b)s %(ratio)s") % values) + bounds + _p(row.p_holm)


def _ratio(value: float | None) -> str:
    return "" if value is None else localized(f"{value:.2f}")


def _p(p: float | None) -> str:
    text = p_value(p)
    return "" if p is None else f" (p {text})" if text.startswith("<") else f" (p = {text})"
