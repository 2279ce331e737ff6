"""What tables and notes say about the crossed random-effects models of a report."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from ....i18n.unit_names import counted, unit_words
from ....stats.crossed_model import MIN_RATINGS
from ....stats.crossed_results import LARGE_VARIANCE
from ...report import Report
from ...text.figure_format import count, listed
from ...text.names import Names
from .figures import MAX_RATERS, MAX_RATINGS, CrossedModel

FEW_RATERS = 5
"""With fewer raters the variance between raters is hardly known."""
SAMPLED = ("rater", "prompt", "document")
"""The groupings that a study samples; responses and items belong to the prompts."""
SAME_AS = "same as "


def question(report: Report, names: Names) -> str:
    """Return what the models answer, by the random effects that they have; "" where none is fitted."""
    groupings = groupings_of([model for model in report.crossed_models or () if model.components])
    if not groupings:
        return ""
    samples = listed([unit_words(names.unit if each == "item" else each, 2) for each in groupings], "and")
    sentence = (
        f"The figures above treat raters as fixed; this logistic model treats {samples} as samples (random effects, "
        f"systems fixed), so its intervals generalize to {populations(groupings)} like these, if these do not differ "
        "in how they treat the systems (random intercepts only)."
    )
    if "rater" not in groupings:
        return sentence
    return f"Do the systems differ for these raters only, or for raters in general? {sentence}"


def groupings_of(models: Sequence[CrossedModel]) -> list[str]:
    of_ratings = [model for model in models if not model.is_of_majorities]
    return list(dict.fromkeys(row.grouping for model in of_ratings or models for row in model.components))


def populations(groupings: Sequence[str]) -> str:
    """Return what a model with these random effects is about in general: raters, prompts and documents."""
    sampled = [key for key in SAMPLED if key in groupings] or [groupings[0]]
    return listed([unit_words(key, 2) for key in sampled], "and")


def measure_label(model: CrossedModel, names: Names) -> str:
    label = names.measure(model.measure)
    return f"{label} (majority of raters)" if model.is_of_majorities else label


def is_reliable(model: CrossedModel) -> bool:
    return all(row.variance <= LARGE_VARIANCE for row in model.components)


def grouping(component: str, names: Names) -> str:
    """Name a grouping: its item is the protocol's unit."""
    return unit_words(names.unit if component == "item" else component)


def notes(report: Report, names: Names) -> list[str]:
    models = [(model, names.measure(model.measure)) for model in report.crossed_models or ()]
    not_fitted, singular, large, separated = [], [], [], []
    for model, measure in models:
        if model.status == "not fitted":
            not_fitted.append(f"{measure}: no model is fitted, because {reason_not_fitted(model, report)}.")
        elif model.separated:
            separated.append(
                f"{measure}: the model excludes {listed(list(model.separated), 'and')}, all or none of whose ratings "
                "count, so the odds cannot be estimated."
            )
        if model.status == "singular":
            zero = listed([grouping(row.grouping, names) for row in model.components if row.singular], "and")
            cause = " (there is too little data to tell it from 0)" if is_reliable(model) else ""
            singular.append(f"{measure}: singular fit, the variance of {zero} is estimated as 0{cause}.")
        if not is_reliable(model):
            groupings = [grouping(row.grouping, names) for row in model.components if row.variance > LARGE_VARIANCE]
            large.append(
                f"{measure}: the variance of {listed(groupings, 'and')} is above {LARGE_VARIANCE}, where the Laplace "
                "approximation fails, so that the model’s odds ratios are not reliable; its proportions are not shown."
            )
    sentences = [
        *of_majorities(report.crossed_models or (), names, names.measure),
        *not_fitted,
        *singular,
        *large,
        *separated,
        *_dropped(models, names),
    ]
    raters = [row.levels for model, _ in models for row in model.components if row.grouping == "rater"]
    if raters and min(raters) < FEW_RATERS:
        sentences.append(
            f"With only {counted(min(raters), 'rater')} the variance between raters is poorly estimated, and an "
            "interval about raters in general is likely too narrow."
        )
    return sentences


def of_majorities(models: Iterable[CrossedModel], names: Names, label: Callable[[str], str]) -> Iterator[str]:
    """Yield what the models of majorities are fitted to, why, and what they are about; `label` names a measure."""
    labels = defaultdict(list)
    for model in models:
        if model.is_of_majorities:
            ties = "1 tie" if model.undecided == 1 else f"{count(model.undecided or 0)} ties"
            labels[
                f"has one answer per {unit_words(names.unit)}, the majority of raters "
                f"({counted(model.ratings, names.unit)}, {ties} excluded), because the likelihood of single ratings "
                f"cannot be estimated by the Laplace approximation (its variance between {unit_words(names.unit, 2)} "
                f"is above {LARGE_VARIANCE} or without limit). It is about {populations(groupings_of([model]))} like "
                "these, not about raters in general."
            ].append(label(model.measure))
    yield from (f"The model of {listed(measures, 'and')} {predicate}" for predicate, measures in labels.items())


def reason_not_fitted(model: CrossedModel, report: Report) -> str:
    """Return why there is no model, as a clause."""
    shares = {cell.system or "": cell.measures[model.measure] for cell in report.systems}
    separated = [system for system, share in shares.items() if share.n and share.k in (0, share.n)]
    systems = listed(separated, "and") or "a system"
    reasons = {
        "too few ratings": f"there are fewer than {MIN_RATINGS} assessed ratings",
        "too many ratings": (
            f"a model is fitted to at most {count(MAX_RATINGS)} ratings by at most {count(MAX_RATERS)} raters"
        ),
        "separation": f"all or none of the ratings of {systems} count, so its odds cannot be estimated",
        "no grouping": "there are fewer than two raters, and nothing else that groups ratings",
        "no convergence": "the search for the estimates did not converge",
        "unlimited variance": (
            "the Laplace approximation of the likelihood gives a variance no limit, so it cannot be estimated"
        ),
    }
    reason = model.reason or ""
    return reasons.get(reason, reason)


def _dropped(models: Sequence[tuple[CrossedModel, str]], names: Names) -> Iterator[str]:
    """Yield what models lack: each sentence once, with its measures unless it is about all."""
    reasons = {"one level": "only one", "one rating each": "one rating each"}
    measures: dict[str, list[str]] = {}
    for model, measure in models:
        lacking = []
        for key, reason in (model.dropped or {}).items():
            why = reasons.get(reason, reason)
            if reason.startswith(SAME_AS):
                why = f"one for each {grouping(reason.removeprefix(SAME_AS), names)}"
            lacking.append(f"{grouping(key, names)} ({why})")
        if lacking:
            measures.setdefault(", ".join(lacking), []).append(measure)
    for groupings, labels in measures.items():
        where = f" ({', '.join(labels)})" if len(labels) < len(models) else ""
        yield f"Not a random effect{where}: {groupings}."
