"""Compare a judge with people on a project's items: the computation behind `compare_judge` and the judge card."""

import hashlib
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from ....i18n.english import in_english
from ....judging.judges import Configuration
from ....models import Judge, Project
from ....site.database_snapshot import one_snapshot
from ...choices import DEFAULT, Choices
from ...data.arrays import MISSING, Indices, indices
from ...data.groups import LEVEL, cells_of
from ...data.judge_answers import (
    Comparable,
    ItemTexts,
    JudgeAnswer,
    JudgeAnswers,
    adjudicated_after_verdicts,
    comparable,
    judges_of,
    ratings_verdict_shown,
    read_judge_answers,
    tuning_items,
    without_tuned,
)
from ...data.project_items import skipped_items
from ...data.report_input import ReportInput, read_report_input
from ...data.sample import NoFrame, WeightedRatings, weighted_ratings
from ...parts import ReportMethod, ReportProtocol
from ...text.names import Names
from . import detection as judge_figures
from . import detection as judge_groups
from . import stability as judge_order
from . import stability as judge_stability
from .figures import JudgeAgainstPeople, JudgeComparison, JudgeCost, JudgeDescription, SampleWeights, VersionDrift
from .input import JudgeInput, JudgeLabels, UnitTables
from .text import ENOUGH_UNITS, FEW_UNITS, NEARLY_ALL, ONE_ANSWER, judge_use

SCHEMA = "factuary-judge-comparison/1"
WEIGHTED = (
    "Items were drawn more often where a judge was unsure. All figures are weighted by the inverse of the probability "
    "with which an item was drawn, so that they are about all items; counts are not weighted."
)
SEVERAL_FINGERPRINTS = (
    "The endpoint named several system fingerprints: what runs the model changed while the judge rated, though not the "
    "name of the model. Compare the accuracy by fingerprint."
)


def compare_judge(project: Project, judge: Judge, choices: Choices = DEFAULT) -> JudgeComparison:
    """Return the judge against the people's ratings that the report of these choices counts."""
    with one_snapshot():
        data, answers = read_report_input(project, choices), read_judge_answers(judge, project)
        verdict_shown = ratings_verdict_shown(project)
        adjudicated = adjudicated_after_verdicts(project, data.by_raters)
        compared = comparable(data.by_raters, answers, verdict_shown, adjudicated, tuning_items(judge))
        return comparison_of(data, compared, other_versions(project, judge), choices, ItemTexts())


def other_versions(project: Project, judge: Judge) -> list[JudgeAnswers]:
    """Return the answers of the judge's other versions that have rated in the project. Three queries for each."""
    versions = judges_of(project).filter(name=judge.name).exclude(pk=judge.pk)
    return [without_tuned(read_judge_answers(each, project), tuning_items(each)) for each in versions]


def describe(judge: Judge) -> JudgeDescription:
    """Return what the version of a judge is."""
    if judge.rule:
        return JudgeDescription(judge.label, judge.version, judge.rule, None, None, None, None, None, None)
    prompt = hashlib.sha256(judge.template.encode()).hexdigest()
    return JudgeDescription(
        judge.label,
        judge.version,
        None,
        judge.model,
        prompt,
        judge.sees,
        judge.rates,
        judge.samples,
        judge.temperature,
        judge.returned_model,
    )


def comparison_of(
    data: ReportInput, compared: Comparable, others: Sequence[JudgeAnswers], choices: Choices, texts: ItemTexts
) -> JudgeComparison:
    """Return the comparison of the judge and people of `compared`, and with the answers of other versions."""
    sample, answers, pinned = weighted_ratings(data.project, compared.ratings), compared.answers, data.project.protocol
    table = sample.ratings
    labels = JudgeLabels.from_rows(table, cells_of(pinned.definition, table), answers.rows, sample.weight)
    tables = judge_figures.confusion_tables(labels)
    match = judge_figures.label_figures(tables, choices)
    comparison = JudgeComparison(
        schema=SCHEMA,
        judge=describe(answers.judge),
        protocol=ReportProtocol(pinned.slug, pinned.version, pinned.sha256),
        method=ReportMethod(LEVEL, table.responses.cluster, choices.resamples, choices.seed),
        items=int(labels.compared.sum()),
        verdicts=len(answers.rows) + compared.tuned + len(answers.failed),
        left_out=_left_out(labels, compared),
        excluded=_excluded(data, compared, sample),
        notes=list(_notes(labels, answers.rows)),
        weights=_weights(labels, tables),
        labels=labels.options,
        confusion=tables.counts.sum(axis=0).tolist(),
        accuracy=match.accuracy,
        kappa=match.kappa,
        kappa_quadratic=match.kappa_quadratic,
        macro_f1=match.macro_f1,
        intervals=match.intervals,
        detection=judge_figures.detections(labels, choices),
        human_ceiling=judge_figures.human_ceiling(labels, choices),
        alternative_annotator=judge_figures.alternative_annotator(labels),
        calibration=judge_figures.judge_calibration(labels, answers.rows),
        measures=judge_groups.rate_differences(labels, np.ones(len(table.items), dtype=bool)),
        by={
            "system": judge_groups.groups_by_system(labels),
            "length": judge_groups.groups_by_quarter(labels, _word_counts(table.items.item_id.tolist(), texts)),
            "position": judge_groups.groups_by_quarter(labels, table.items.position + 1),
            "time": judge_groups.groups_by_quarter(labels, judge_stability.verdict_order(labels, answers.rows)),
        },
        own_model=judge_groups.own_model(labels, answers.judge.model),
        order=judge_order.order_bias(labels),
        consistency=judge_stability.sample_consistency(pinned.definition, answers.rows),
        versions=[_drift(labels, answers, other) for other in others],
        runs=judge_stability.run_accuracies(labels, answers.rows),
        cost_usd=_cost(answers.rows),
        differing_items=judge_figures.differing_items(labels, answers.rows, texts.read),
        fingerprints=tuple(judge_stability.fingerprint_accuracies(labels, answers.rows)),
    )
    use = in_english(judge_use)(comparison, Names(pinned.definition))
    return msgspec.structs.replace(comparison, use=use)


def _notes(labels: JudgeLabels, rows: Sequence[JudgeAnswer]) -> Iterator[str]:
    if labels.weight is not None:
        yield WEIGHTED
    judged = np.bincount(labels.judged[labels.compared], minlength=1)
    if judged.any() and judged.max() >= NEARLY_ALL * judged.sum():
        yield ONE_ANSWER
    if 0 < len(np.unique(labels.people.item_cluster[labels.compared])) < ENOUGH_UNITS:
        yield FEW_UNITS
    if len({row.fingerprints for row in rows} - {""}) > 1:
        yield SEVERAL_FINGERPRINTS


def _left_out(labels: JudgeLabels, compared: Comparable) -> dict[str, int]:
    """Return how many verdicts are not compared, by reason; each has one."""
    answers = compared.answers
    has_verdict = labels.judge.row != MISSING
    is_assessed, has_label = labels.counts.any(axis=1), labels.judged != MISSING
    reasons = {
        "tuned": compared.tuned,
        "failed": len(answers.failed),
        "not_rated": len(answers.rows) - int(has_verdict.sum()),
        "judge_cannot_assess": int((has_verdict & ~has_label).sum()),
        "people_cannot_assess": int((has_verdict & has_label & ~is_assessed).sum()),
        "tied": int((has_verdict & has_label & is_assessed & (labels.reference == MISSING)).sum()),
    }
    return {reason: n for reason, n in reasons.items() if n}


def _excluded(data: ReportInput, compared: Comparable, sample: WeightedRatings) -> dict[str, int]:
    responses = {response.key for response in data.by_raters.responses.rated}
    return {
        "tuned": compared.tuned,
        "failed": len(compared.answers.failed),
        "verdict_shown": compared.verdict_shown,
        "adjudications_verdict_shown": compared.adjudications_verdict_shown,
        "not_drawn": sample.not_drawn,
        "skipped": sum((skipped_items(data.project, responses) or {}).values()),
    }


def _weights(labels: JudgeLabels, tables: UnitTables) -> SampleWeights | None:
    """Return the weights of the compared items; None where all are equal."""
    weight = labels.weights(labels.compared)
    if weight is None or tables.weights is None:
        return None
    if not len(weight):
        return SampleWeights(None, None, 0.0, tables.counts.sum(axis=0).tolist())
    total = float(weight.sum())
    shares = tables.weights.sum(axis=0) / total
    effective = total**2 / float(np.dot(weight, weight))
    return SampleWeights(float(weight.min()), float(weight.max()), effective, shares.tolist())


def _drift(labels: JudgeLabels, answers: JudgeAnswers, other: JudgeAnswers) -> VersionDrift:
    is_repetition = Configuration.of(answers.judge) == Configuration.of(other.judge)
    return judge_stability.version_drift(labels, answers.rows, other, is_repetition=is_repetition)


def _word_counts(item_ids: list[int], texts: ItemTexts) -> Indices:
    by_id = texts.read(item_ids)
    return indices(len(by_id[item_id].split()) for item_id in item_ids)


def _cost(rows: Sequence[JudgeAnswer]) -> JudgeCost:
    costs = [row.cost for row in rows if row.cost is not None]
    total = sum(costs) if costs else None
    return JudgeCost(total, None if total is None else total / len(costs))


def judge_summary(read: JudgeInput, texts: ItemTexts, *, with_versions: bool) -> JudgeAgainstPeople | None:
    """Compare the chosen judge with people, and `with_versions` with its other versions; None without a judge, or with
    one that has rated nothing here.
    """
    if not read.choices.judge:
        return None
    try:
        answers = read.answers
    except NoFrame:
        return None
    if not (answers.rows or answers.failed):
        return None
    others = other_versions(read.project, read.judge) if with_versions else []
    compared = read.comparable(read.data.by_raters)
    return summarize(comparison_of(read.data, compared, others, read.choices, texts))


def summarize(comparison: JudgeComparison) -> JudgeAgainstPeople:
    """Return the figures of a whole comparison that are in a report."""
    same = {
        name: getattr(comparison, name)
        for name in JudgeAgainstPeople.__struct_fields__
        if name not in ("judge", "version")
    }
    return JudgeAgainstPeople(judge=comparison.judge.name, version=comparison.judge.version, **same)
