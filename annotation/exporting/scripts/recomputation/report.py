"""All figures of a report, recomputed part by part in the report's own form."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from . import agreement, crossed, fact_qa, hybrid, items, judge, raters, responses, sensitivity, systems
from .cells import Sample, cell, hundredths_of, largest_of, score_of
from .intervals import Inference
from .study import Figures, Study, cluster_order, item_of, numbered

FEWER_DOCUMENTS = 0.8
MOST_OF_ONE_DOCUMENT = 0.25


def inference_of(study: Study) -> Inference:
    effective = study.inference.get("degrees_of_freedom") == "effective"
    return Inference(study.level, study.resamples, study.seed, effective)


def recompute(study: Study) -> Iterator[tuple[str, Any]]:
    """Yield (part of the report, its recomputed figures); parts and figures that the report lacks are left out."""
    report, inference = study.report, inference_of(study)
    sample = Sample(study, study.counted)
    yield "data", _data(study)
    yield "overall", _with_prompt_bounds(study, ("overall", "", ""), report["overall"], sample, inference)
    yield (
        "systems",
        [
            _with_prompt_bounds(study, ("systems", entry["system"], ""), entry, sample, inference)
            for entry in report["systems"]
        ],
    )
    yield (
        "by",
        {
            name: [cell(sample, (name, entry.get("system", ""), entry["value"]), entry, inference) for entry in cells]
            for name, cells in report["by"].items()
        },
    )
    yield "without_value", {key: _without_value(study, key) for key in report.get("without_value") or {}}
    yield "concentration", _concentration(study)
    yield "comparisons", list(_comparisons(study, report["comparisons"], _tables(study), inference))
    scores = list(_comparisons(study, report.get("score_comparisons") or (), _tables_of_scores(study), inference))
    yield "score_comparisons", [_per_100(study, row) for row in scores]
    if report.get("ranks"):
        yield "ranks", list(_ranks(study, sample, inference))
    if report.get("aggregations"):
        yield "aggregations", [_aggregation(study, row, inference) for row in report["aggregations"]]
    yield "agreement", {key: _agreement(study, key, inference) for key in report["agreement"]}
    disagreements, tie = agreement.disagreements(study)
    yield "disagreements", [_disagreement(study, row) for row in disagreements]
    yield "disagreement_tie", tie
    quality = raters.quality(study, inference) if report.get("raters") else {}
    yield "raters", [{"rater": row["rater"], **quality[row["rater"]]} for row in report.get("raters") or ()]
    yield "correlations", list(_correlations(study, sample, inference))
    yield "responses", list(_responses(study))
    if report.get("crossed_models"):
        yield from _crossed_models(study)
    if "reason" not in report.get("hybrid", {"reason": ""}):
        yield "hybrid", hybrid.hybrid(study, inference)
    if report.get("judge_against_people", {}).get("labels"):
        yield "judge_against_people", judge.judge_against_people(study)
    if report.get("weighted_estimates", {}).get("overall"):
        yield "weighted_estimates", hybrid.weighted_estimates(study, inference)
    yield "fact_qa", list(fact_qa.fact_qa(study, inference))
    yield (
        "sensitivity",
        [_sensitivity(study, row, inference) for row in report.get("sensitivity") or ()],
    )


def _sensitivity(study: Study, row: Figures, inference: Inference) -> Figures:
    recomputed = {"estimates": list(sensitivity.estimates(study, row, inference))}
    if row.get("scores"):
        recomputed["scores"] = list(sensitivity.scores(study, row, inference))
    return recomputed


def _crossed_models(study: Study) -> Iterator[tuple[str, Any]]:
    """Yield the models; nothing without SciPy."""
    try:
        yield "crossed_models", list(crossed.models(study))
    except ModuleNotFoundError:
        return


def _data(study: Study) -> Figures:
    counted = study.counted
    prompts = {row["prompt"] for row in counted}
    recomputed = {
        "ratings": len(counted),
        "assessed": study.report["overall"]["assessed"],
        "prompts": len(prompts),
        "responses": len({(row["response"], row["against"]) for row in counted}),
        "items": len({item_of(row) for row in counted}),
        "raters": len({row["rater"] for row in study.own}),
    }
    documents = {row["document"] for row in counted if row["document"]}
    without = {row["prompt"] for row in counted if not row["document"]}
    if documents and len(documents) + len(without) < FEWER_DOCUMENTS * len(prompts):
        recomputed["documents"] = len(documents)
    return recomputed


def _concentration(study: Study) -> Figures:
    """Return by system the largest share of its ratings that are about one document with several prompts, where it is
    above a quarter.
    """
    prompts = Counter(document for _, document in {(row["prompt"], row["document"]) for row in study.counted})
    by_system: dict[str, Counter[str]] = defaultdict(Counter)
    for row in study.counted:
        by_system[row["report_system"]][row["document"] if prompts[row["document"]] > 1 else ""] += 1
    shares = {
        system: max((n[document] for document in n if document), default=0) / n.total()
        for system, n in by_system.items()
    }
    return {system: share for system, share in shares.items() if share > MOST_OF_ONE_DOCUMENT}


def _with_prompt_bounds(
    study: Study, name: tuple[str, str, str], reported: Figures, sample: Sample, inference: Inference
) -> Figures:
    """Return a cell, with the intervals by prompt where documents are the unit."""
    recomputed = cell(sample, name, reported, inference)
    if study.report["method"]["cluster"] == "document" and study.inference:
        by_prompt = Sample(study, study.counted, by_prompt=True)
        for key, figures in recomputed["measures"].items():
            estimate = by_prompt.proportion(by_prompt.members[name], ("measures", key), inference)
            figures["by_prompt"] = {"low": estimate.low, "high": estimate.high, "method": estimate.method}
        for key, figures in recomputed.get("scores", {}).items():
            score = score_of(by_prompt, by_prompt.members[name], key, inference)
            figures["by_prompt"] = {side: score[side] for side in ("low", "high", "method")}
    return recomputed


def _without_value(study: Study, key: str) -> int:
    """Count the ratings of prompts without a value of a metadata key."""
    return sum(all(name != key for name, _ in study.metadata[row["prompt"]]) for row in study.counted)


def _tables(study: Study) -> Iterator[tuple[str, systems.Table, int]]:
    """Yield (measure or mean, k and n by system and prompt, what one observation adds to n)."""
    names, system, prompts, prompt = _systems_and_prompts(study)
    sample = Sample(study, study.counted)
    shape = (len(names), len(prompts))
    for measure in study.measures:
        hits, among = sample.masks["measures", measure.key]
        k, n = (np.zeros(shape) for _ in range(2))
        np.add.at(k, (system[hits], prompt[hits]), 1)
        np.add.at(n, (system[among], prompt[among]), 1)
        yield measure.key, (k, n), 1
    for mean in study.protocol.get("means", ()):
        if all(0 <= value <= 1 for value in mean.get("values", {}).values()):
            yield mean["key"], _table_of_mean(study, mean["key"], names, prompts), responses.UNIT


def _systems_and_prompts(study: Study) -> tuple[list[str], np.ndarray, list[str], np.ndarray]:
    """Return the systems and the prompts in order, each with the number of every rating's."""
    systems_of_ratings = numbered(row["report_system"] for row in study.counted)
    return *systems_of_ratings, *numbered(row["prompt"] for row in study.counted)


def _tables_of_scores(study: Study) -> Iterator[tuple[str, systems.Table, int]]:
    """Yield the same for each score: its hundredths, and the most that its ratings could have."""
    names, system, prompts, prompt = _systems_and_prompts(study)
    for score in study.protocol.get("scores", ()):
        k, n, largest = np.zeros((len(names), len(prompts))), np.zeros((len(names), len(prompts))), largest_of(score)
        for row, cell_of_rating in zip(study.counted, zip(system, prompt, strict=True), strict=True):
            if (hundredths := hundredths_of(score, row)) is not None:
                k[cell_of_rating] += hundredths
                n[cell_of_rating] += largest
        yield score["key"], (k, n), largest


def _per_100(study: Study, row: Figures) -> Figures:
    """Return a comparison of shares of the largest score as one of scores per 100 ratings."""
    largest = next(largest_of(score) for score in study.protocol["scores"] if score["key"] == row["measure"])
    scaled = {key: None if row[key] is None else largest * row[key] for key in ("difference", "low", "high")}
    if by_prompt := row.get("by_prompt"):
        ends = {side: None if by_prompt[side] is None else largest * by_prompt[side] for side in ("low", "high")}
        scaled["by_prompt"] = {**by_prompt, **ends}
    return {**row, **scaled}


def _table_of_mean(study: Study, key: str, names: list[str], prompts: list[str]) -> systems.Table:
    k, n = np.zeros((len(names), len(prompts))), np.zeros((len(names), len(prompts)))
    places = {(row["response"], row["against"]): (row["report_system"], row["prompt"]) for row in study.counted}
    for response, value in responses.values_of(study, key, study.counted).items():
        system, prompt = places[response]
        k[names.index(system), prompts.index(prompt)] += np.rint(value * responses.UNIT)
        n[names.index(system), prompts.index(prompt)] += responses.UNIT
    return k, n


def _comparisons(
    study: Study,
    reported: Sequence[Figures],
    tables: Iterable[tuple[str, systems.Table, int]],
    inference: Inference,
) -> Iterator[Figures]:
    if not reported:
        return
    statistic = study.inference.get("swap_statistic") or systems.BARE
    prompts, _ = numbered(row["prompt"] for row in study.counted)
    cluster_of = {row["prompt"]: row["cluster"] for row in study.counted}
    clusters, number = numbered((cluster_of[prompt] for prompt in prompts), cluster_order)
    for key, table, unit in tables:
        rows = [row for row in reported if row["measure"] == key]
        recomputed = systems.compare(table, number, len(clusters), inference, statistic, unit)
        if any(row.get("by_prompt") for row in rows):
            others = systems.compare(table, np.arange(len(prompts)), len(prompts), inference, None, unit)
            for row, other in zip(recomputed, others, strict=True):
                row["by_prompt"] = {name: other[name] for name in ("low", "high", "method")}
        yield from ({"measure": key, **row} for row in recomputed)


def _ranks(study: Study, sample: Sample, inference: Inference) -> Iterator[Figures]:
    names = [entry["system"] for entry in study.report["systems"]]
    for measure in study.measures:
        sums = [sample.sums(sample.members["systems", name, ""], ("measures", measure.key)) for name in names]
        k, n = (np.stack([pair[side] for pair in sums]) for side in (0, 1))
        for name, rank in zip(names, systems.ranks(k, n, inference), strict=True):
            yield {"measure": measure.key, "system": name, **rank}


def _aggregation(study: Study, row: Figures, inference: Inference) -> Figures:
    return {
        "measures": {
            measure.key: {
                **items.aggregation(study, measure, row["system"]),
                "dawid_skene": _dawid_skene(study, measure.key, row, inference),
            }
            for measure in study.measures
        }
    }


def _dawid_skene(study: Study, key: str, row: Figures, inference: Inference) -> Figures | None:
    measure = next(entry for entry in study.measures if entry.key == key)
    has_interval = "low" in (row["measures"][key]["dawid_skene"] or ())
    return items.dawid_skene(
        study, measure, row["system"], inference if has_interval else replace(inference, resamples=0)
    )


def _agreement(study: Study, key: str, inference: Inference) -> Figures:
    recomputed = agreement.agreement(study, key, inference)
    if study.report["agreement"][key].get("rater_pairs") is not None:
        recomputed["rater_pairs"] = agreement.rater_pairs(study, key)
    return recomputed


def _disagreement(study: Study, row: Figures) -> Figures:
    answers = row.pop("answers")
    first = answers.pop(study.first_question)
    return {**row, "options": first, "questions": answers}


def _correlations(study: Study, sample: Sample, inference: Inference) -> Iterator[Figures]:
    for row in study.report.get("correlations") or ():
        rows = [entry for entry in study.counted if row["system"] in (None, entry["report_system"])]
        x, y = (responses.values_of(study, key, rows) for key in row["between"])
        common = sorted(set(x) & set(y))
        clusters = {
            (entry["response"], entry["against"]): int(number)
            for entry, number in zip(study.counted, sample.cluster, strict=True)
        }
        estimates = responses.correlation(
            np.array([x[response] for response in common]),
            np.array([y[response] for response in common]),
            np.array([clusters[response] for response in common], dtype=np.int64),
            len(sample.clusters),
            inference,
        )
        yield {"key": row["key"], "n": len(common), **estimates}


def _responses(study: Study) -> Iterator[Figures]:
    reported = study.report.get("responses") or ()
    means = {key: responses.values_of(study, key, study.counted) for key in (reported[0]["means"] if reported else ())}
    for row in reported:
        yield {"means": {key: values.get((row["response"], "")) for key, values in means.items()}}
