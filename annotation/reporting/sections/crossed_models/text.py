"""What tables and notes say about the crossed random-effects models of a report."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from ....i18n.unit_names import counted, unit_words
from ....stats.crossed_model import MIN_RATINGS
from ....stats.crossed_results import LARGE_VARIANCE
from ...report import Report
from ...text.figure_format import count, listed
from ...text.names import Names
from .figures import MAX_RATERS, MAX_RATINGS, CrossedModel, OddsRatio, VarianceComponent

FEW_RATERS = 5
"""With fewer raters the variance between raters is hardly known."""
REASONS = {
    "too few ratings": "there are fewer than %(least)s assessed ratings",
    "too many ratings": "a model is fitted to at most %(most)s ratings by at most %(raters)s raters",
    "separation": "all or none of the ratings of %(systems)s count, so its odds cannot be estimated",
    "no grouping": "there are fewer than two raters, and nothing else that groups ratings",
    "no convergence": "the search for the estimates did not converge",
    "unlimited variance": "the Laplace approximation of the likelihood gives a variance no limit, so it cannot be estimated",
}
SAMPLED = ("rater", "prompt", "document")
"""The groupings that a study samples; responses and items belong to the prompts."""
ONE_LEVEL, ONE_RATING_EACH, SAME_AS = "one level", "one rating each", "same as "


def question(report: Report, names: Names) -> str:
    """Return what the models answer, by the random effects that they have; "" where none is fitted."""
    groupings = groupings_of([model for model in report.crossed_models or () if model.components])
    if not groupings:
        return ""
    research_question = "Do the systems differ for these raters only, or for raters in general?"
    sentence = (
        "The figures above treat raters as fixed; this logistic model treats %(groupings)s as "
        "samples (random effects, systems fixed), so its intervals generalize to %(populations)s "
        "like these, if these do not differ in how they treat the systems (random intercepts only)."
    )
    words = [unit_words(names.unit if each == "item" else each, 2) for each in groupings]
    values = {"groupings": listed(words, "and"), "populations": populations(groupings)}
    return f"{research_question} {sentence % values}" if "rater" in groupings else sentence % values


def groupings_of(models: Sequence[CrossedModel]) -> list[str]:
    """Return the random effects of the models of ratings, or of those of majorities where there are no others."""
    of_ratings = [model for model in models if not model.is_of_majorities]
    return list(dict.fromkeys(row.grouping for model in of_ratings or models for row in model.components))


def populations(groupings: Sequence[str]) -> str:
    """Return what a model with these random effects is about in general: raters, prompts and documents."""
    sampled = [key for key in SAMPLED if key in groupings] or [groupings[0]]
    return listed([unit_words(key, 2) for key in sampled], "and")


def measure_label(model: CrossedModel, names: Names) -> str:
    """Name the measure of a model, and its answers where they are majorities."""
    label = names.measure(model.measure)
    return f"{label} (majority of raters)" if model.is_of_majorities else label


def odds_ratio_rows(report: Report) -> list[tuple[CrossedModel, OddsRatio]]:
    """Return each odds ratio with its model."""
    return [(model, row) for model in report.crossed_models or () for row in model.odds_ratios]


def component_rows(report: Report) -> list[tuple[CrossedModel, VarianceComponent]]:
    """Return each variance with its model."""
    return [(model, row) for model in report.crossed_models or () for row in model.components]


def is_reliable(model: CrossedModel) -> bool:
    """Return whether no variance is so large that the Laplace approximation fails."""
    return all(row.variance <= LARGE_VARIANCE for row in model.components)


def grouping(component: str, names: Names) -> str:
    """Name a grouping: its item is the protocol's unit."""
    return unit_words(names.unit if component == "item" else component)


def notes(report: Report, names: Names) -> list[str]:
    """Return sentences about the models: those of majorities, not fitted or singular, what they lack, few raters."""
    models = report.crossed_models or ()
    return [
        *of_majorities(models, names, names.measure),
        *(_not_fitted(model, report, names) for model in models if model.status == "not fitted"),
        *(_singular(model, names) for model in models if model.status == "singular"),
        *(_large(model, names) for model in models if not is_reliable(model)),
        *(without_separated(model, names.measure(model.measure)) for model in models if is_without_systems(model)),
        *_dropped(models, names),
        *_few_raters(models),
    ]


def of_majorities(models: Iterable[CrossedModel], names: Names, label: Callable[[str], str]) -> Iterator[str]:
    """Yield what the models of majorities are fitted to, why, and what they are about; `label` names a measure."""
    measures: dict[tuple[int, int, str], list[str]] = {}
    for model in models:
        if model.is_of_majorities:
            key = model.ratings, model.undecided or 0, populations(groupings_of([model]))
            measures.setdefault(key, []).append(label(model.measure))
    for (answers, ties, about), labels in measures.items():
        sentence = (
            "The model of %(measures)s has one answer per %(unit)s, the majority of raters (%(answers)s, %(n)s tie "
            "excluded), because the likelihood of single ratings cannot be estimated by the Laplace approximation "
            "(its variance between %(units)s is above %(largest)s or without limit). It is about %(populations)s "
            "like these, not about raters in general."
            if ties == 1
            else "The model of %(measures)s has one answer per %(unit)s, the majority of raters (%(answers)s, %(n)s ties "
            "excluded), because the likelihood of single ratings cannot be estimated by the Laplace approximation "
            "(its variance between %(units)s is above %(largest)s or without limit). It is about %(populations)s "
            "like these, not about raters in general."
        )
        yield sentence % {
            "measures": listed(labels, "and"),
            "unit": unit_words(names.unit),
            "units": unit_words(names.unit, 2),
            "largest": LARGE_VARIANCE,
            "answers": counted(answers, names.unit),
            "n": count(ties),
            "populations": about,
        }


def _not_fitted(model: CrossedModel, report: Report, names: Names) -> str:
    return f"{names.measure(model.measure)}: no model is fitted, because {reason_not_fitted(model, report)}."


def reason_not_fitted(model: CrossedModel, report: Report) -> str:
    """Return why there is no model, as a clause."""
    values = {
        "least": count(MIN_RATINGS),
        "most": count(MAX_RATINGS),
        "raters": count(MAX_RATERS),
        "systems": _separated(model.measure, report),
    }
    return ((REASONS[model.reason]) % values) if model.reason in REASONS else (model.reason or "")


def _separated(measure: str, report: Report) -> str:
    figures = ((cell.system or "", cell.measures[measure]) for cell in report.systems)
    systems = [system for system, share in figures if share.n and share.k in (0, share.n)]
    return listed(systems, "and") if systems else "a system"


def is_without_systems(model: CrossedModel) -> bool:
    """Return whether a fitted model lacks systems of the report."""
    return bool(model.separated) and model.status != "not fitted"


def without_separated(model: CrossedModel, measure: str) -> str:
    """State the systems that are not in a model because all or none of their ratings count."""
    sentence = (
        "%(measure)s: the model excludes %(systems)s, all or none of whose ratings count, so the "
        "odds cannot be estimated."
    )
    return sentence % {"measure": measure, "systems": listed(list(model.separated or ()), "and")}


def _singular(model: CrossedModel, names: Names) -> str:
    zero = [grouping(row.grouping, names) for row in model.components if row.singular]
    with_cause = (
        "%(measure)s: singular fit, the variance of %(groupings)s is estimated as 0 (there is too little data to tell "
        "it from 0)."
    )
    without_cause = "%(measure)s: singular fit, the variance of %(groupings)s is estimated as 0."
    sentence = with_cause if is_reliable(model) else without_cause
    return sentence % {"measure": names.measure(model.measure), "groupings": listed(zero, "and")}


def _large(model: CrossedModel, names: Names) -> str:
    large = [grouping(row.grouping, names) for row in model.components if row.variance > LARGE_VARIANCE]
    sentence = (
        "%(measure)s: the variance of %(groupings)s is above %(largest)s, where the Laplace approximation fails, so "
        "that the model’s odds ratios are not reliable; its proportions are not shown."
    )
    return sentence % {
        "measure": names.measure(model.measure), "groupings": listed(large, "and"), "largest": LARGE_VARIANCE,
    }  # fmt: skip


def _dropped(models: Iterable[CrossedModel], names: Names) -> Iterator[str]:
    """Yield what models lack: each sentence once, with its measures unless it is about all."""
    models = list(models)
    measures: dict[str, list[str]] = {}
    for model in models:
        if model.dropped:
            words = [f"{grouping(key, names)} ({_reason(why, names)})" for key, why in model.dropped.items()]
            measures.setdefault(", ".join(words), []).append(names.measure(model.measure))
    for lacking, labels in measures.items():
        where = f" ({', '.join(labels)})" if len(labels) < len(models) else ""
        yield f"Not a random effect{where}: {lacking}."


def _reason(why: str, names: Names) -> str:
    if why.startswith(SAME_AS):
        return f"one for each {grouping(why.removeprefix(SAME_AS), names)}"
    return {ONE_LEVEL: "only one", ONE_RATING_EACH: "one rating each"}.get(why, why)


def _few_raters(models: Iterable[CrossedModel]) -> Iterator[str]:
    raters = [row.levels for model in models for row in model.components if row.grouping == "rater"]
    if raters and min(raters) < FEW_RATERS:
        sentence = (
            "With only %(raters)s the variance between raters is poorly estimated, and an interval about "
            "raters in general is likely too narrow."
        )
        yield sentence % {"raters": counted(min(raters), "rater")}
