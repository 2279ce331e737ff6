"""The Sensitivity paragraph of the Methods: other aggregations, other decisions, and the crossed model."""

from collections import defaultdict
from collections.abc import Iterator

from ...i18n.unit_names import unit_words
from ..report import Report
from ..sections.aggregations.tables import MAJORITY, other_aggregations
from ..sections.crossed_models.text import (
    groupings_of,
    is_reliable,
    measure_label,
    of_majorities,
    populations,
    reason_not_fitted,
)
from ..sections.differences.text import two_tests
from ..sections.sensitivity.tables import sensitivity_sentence
from ..text.figure_format import count, listed, p_with_sign, percent
from ..text.names import Names
from .references import CROSSED_EFFECTS, DAWID_SKENE

MAX_ODDS_RATIOS = 9  # with more, the text refers to the table
NOT_FITTED = "not fitted"


def sensitivity_sentences(report: Report, names: Names) -> Iterator[str]:
    yield _aggregations(report, names)
    yield sensitivity_sentence(report, names)
    yield from _crossed_models(report, names)
    measures_by_reason = defaultdict(list)
    for model in report.crossed_models or ():
        if model.status == NOT_FITTED:
            measures_by_reason[reason_not_fitted(model, report)].append(names.measure(model.measure).lower())
    for reason, measures in measures_by_reason.items():
        yield f"The crossed model was not fitted for {listed(measures, 'and')}, because {reason}."


def _aggregations(report: Report, names: Names) -> str:
    measures = next((row.measures for row in report.aggregations or () if row.system is None), None)
    if not measures:
        return ""
    key, measure = next(iter(measures.items()))
    others = other_aggregations(measure, names.unit)
    if measure.pooled is None or not others:
        return ""
    undecided = measure.majority.undecided
    ties = f" ({count(undecided)} {'tie' if undecided == 1 else 'ties'} undecided)" if undecided else ""
    ways = [f"{percent(value)} {way}{ties if way == MAJORITY else ''}" for way, value in others.items()]
    cited = f" ({DAWID_SKENE.citation})" if measure.dawid_skene else ""
    return (
        f"Instead of {percent(measure.pooled)} (pooled), {names.measure(key).lower()} would be "
        f"{listed(ways, 'and')}{cited}."
    )


def _crossed_models(report: Report, names: Names) -> Iterator[str]:
    def label(measure: str) -> str:
        return names.measure(measure).lower()

    def plural(grouping: str) -> str:
        return unit_words(names.unit if grouping == "item" else grouping, 2)

    models = [model for model in report.crossed_models or () if model.status != NOT_FITTED]
    if not models:
        return
    groupings = groupings_of(models)
    yield (
        f"A logistic model with crossed random effects ({CROSSED_EFFECTS.citation}; systems fixed, "
        f"{listed([plural(grouping) for grouping in groupings], 'and')} random; Laplace approximation) generalizes to "
        f"{populations(groupings)}, if these do not differ in how they treat the systems: it has random intercepts "
        "only."
    )
    yield from of_majorities(models, names, label)
    for model in models:
        if model.separated:
            systems = listed(list(model.separated), "and")
            yield (
                f"The model of {label(model.measure)} excludes {systems}, all or none of whose ratings count "
                "(separation)."
            )
    ratios = []
    for model in filter(is_reliable, models):
        for row in model.odds_ratios:
            bounds = "" if row.low is None or row.high is None else f" [{row.low:.2f}, {row.high:.2f}]"
            p = "" if row.p_holm is None else f" ({p_with_sign(row.p_holm)})"
            ratios.append(f"{measure_label(model, names).lower()}, {row.a} to {row.b} {row.value:.2f}{bounds}{p}")
    if 0 < len(ratios) <= MAX_ODDS_RATIOS:
        yield f"Its odds ratios, with p adjusted by Holm’s method over the pairs of a measure: {'; '.join(ratios)}."
    yield two_tests(report, names, label)
    for model in models:
        if zero := [plural(part.grouping) for part in model.components if part.singular]:
            yield (
                f"The fit for {label(model.measure)} is singular: the variance between {listed(zero, 'and')} is "
                "estimated as 0."
            )
    if unreliable := [label(model.measure) for model in models if not is_reliable(model)]:
        yield (
            f"For {listed(unreliable, 'and')}, a variance is so large that the model is not reliable, so its figures "
            "are omitted here."
        )
