"""Compare a judge with people on a project's items: the computation behind `compare_judge` and the judge card."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import msgspec
import numpy as np

from ....i18n.english import in_english
from ....models import Judge, Project
from ....site.database_transactions import one_snapshot
from ...choices import DEFAULT, Choices
from ...data.arrays import MISSING, indices
from ...data.groups import LEVEL
from ...data.judge_answers import Comparable, JudgeAnswer, judges_of, read_judge_answers, tuning_items, without_tuned
from ...data.project_items import skipped_items
from ...data.sample import NoFrame, weighted_ratings
from ...data.study import Study, read_study
from ...parts import Fields, ReportMethod, ReportProtocol
from ...text.names import Names
from . import accuracy, stability
from .figures import (
    FingerprintAccuracy,
    JudgeAgainstPeople,
    JudgeComparison,
    JudgeCost,
    JudgeDescription,
    RunAccuracy,
    SampleWeights,
)
from .input import JudgeLabels, UnitTables
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
        return _comparison(read_study(project, replace(choices, judge=judge.label), is_slow=True))


def judge_fields(study: Study) -> Fields:
    """Return the chosen judge against people, in frozen reports also against its other versions; None without a judge,
    or with one that has rated nothing here.
    """
    has_rated = False
    if study.choices.judge:
        with suppress(NoFrame):  # there is no such judge
            has_rated = bool(study.judge_answers.rows or study.judge_answers.failed)
    return {"judge_against_people": summarize(_comparison(study)) if has_rated else None}


def summarize(comparison: JudgeComparison) -> JudgeAgainstPeople:
    names = [name for name in JudgeAgainstPeople.__struct_fields__ if name not in ("judge", "version")]
    same = {name: getattr(comparison, name) for name in names}
    return JudgeAgainstPeople(judge=comparison.judge.name, version=comparison.judge.version, **same)


def _comparison(study: Study) -> JudgeComparison:
    """Return the comparison of the judge and people; answers of other versions take three queries for each."""
    project, judge, choices, pinned = study.project, study.judge, study.choices, study.project.protocol
    compared = study.comparable(study.by_raters)
    sample, rows = weighted_ratings(project, compared.ratings), compared.answers.rows
    table = sample.ratings
    labels = JudgeLabels.from_rows(table.with_turned_answers(), study.cells, rows, sample.weight)
    tables = labels.unit_tables(labels.reference, labels.judged, len(labels.options))
    match = accuracy.label_figures(tables, choices)
    item_ids, every_item = table.items.item_id.tolist(), np.ones(len(table.items), dtype=bool)
    words = {item_id: len(text.split()) for item_id, text in study.texts.read(item_ids).items()}
    responses = {response.key for response in study.by_raters.responses.rated}
    others = judges_of(project).filter(name=judge.name).exclude(pk=judge.pk) if study.is_slow else ()
    other_answers = [without_tuned(read_judge_answers(each, project), tuning_items(each)) for each in others]
    costs = [row.cost for row in rows if row.cost is not None]
    systems, system = table.responses.systems, table.responses.system_of[table.items.response]
    by_run = stability.accuracies_by(labels, [row.run for row in rows])
    by_fingerprint = stability.accuracies_by(labels, [row.fingerprints for row in rows])
    comparison = JudgeComparison(
        schema=SCHEMA,
        judge=_description(judge),
        protocol=ReportProtocol(pinned.slug, pinned.version, pinned.sha256),
        method=ReportMethod(LEVEL, table.responses.cluster, choices.resamples, choices.seed),
        items=int(labels.compared.sum()),
        verdicts=len(rows) + compared.tuned + len(compared.answers.failed),
        left_out=_left_out(labels, compared),
        excluded={
            "tuned": compared.tuned,
            "failed": len(compared.answers.failed),
            "verdict_shown": compared.verdict_shown,
            "adjudications_verdict_shown": compared.adjudications_verdict_shown,
            "not_drawn": sample.not_drawn,
            "skipped": sum((skipped_items(project, responses) or {}).values()),
        },
        notes=list(_notes(labels, rows)),
        weights=_weights(labels, tables),
        labels=labels.options,
        confusion=tables.counts.sum(axis=0).tolist(),
        accuracy=match.accuracy,
        kappa=match.kappa,
        kappa_quadratic=match.kappa_quadratic,
        macro_f1=match.macro_f1,
        intervals=match.intervals,
        detection=accuracy.detections(labels, choices),
        human_ceiling=accuracy.human_ceiling(labels, choices),
        alternative_annotator=accuracy.alternative_annotator(labels),
        calibration=accuracy.judge_calibration(labels),
        measures=accuracy.rate_differences(labels, every_item),
        by={
            "system": [accuracy.group_of(labels, name, system == n) for n, name in enumerate(systems)],
            "length": accuracy.groups_by_quarter(labels, indices(words[item_id] for item_id in item_ids)),
            "position": accuracy.groups_by_quarter(labels, table.items.position + 1),
            "time": accuracy.groups_by_quarter(labels, stability.verdict_order(labels)),
        },
        own_model=accuracy.own_model(labels, judge.model),
        order=stability.order_bias(labels),
        consistency=stability.sample_consistency(pinned.definition, rows),
        versions=[stability.version_drift(labels, compared.answers, other) for other in other_answers],
        runs=[RunAccuracy(n, *figures) for n, (_, figures) in enumerate(by_run, start=1)],
        cost_usd=JudgeCost(sum(costs), sum(costs) / len(costs)) if costs else JudgeCost(None, None),
        differing_items=accuracy.differing_items(labels, study.texts.read),
        fingerprints=tuple(FingerprintAccuracy(name, *figures) for name, figures in by_fingerprint),
    )
    use = in_english(judge_use)(comparison, Names(pinned.definition))
    return msgspec.structs.replace(comparison, use=use)


def _description(judge: Judge) -> JudgeDescription:
    if judge.rule:
        return JudgeDescription(judge.label, judge.version, judge.rule, None, None, None, None, None, None)
    return JudgeDescription(
        judge.label,
        judge.version,
        None,
        judge.model,
        hashlib.sha256(judge.template.encode()).hexdigest(),
        judge.context,
        judge.request_unit,
        judge.samples,
        judge.temperature,
        judge.returned_model,
    )


def _left_out(labels: JudgeLabels, compared: Comparable) -> dict[str, int]:
    """Return how many verdicts are not compared, by reason; each has one."""
    answers = compared.answers
    has_verdict = labels.row != MISSING
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


def _weights(labels: JudgeLabels, tables: UnitTables) -> SampleWeights | None:
    """Return the weights of the compared items; None where all are equal."""
    weight = labels.weights(labels.compared)
    if weight is None:
        return None
    if not len(weight):
        return SampleWeights(None, None, 0.0, tables.counts.sum(axis=0).tolist())
    total = float(weight.sum())
    effective = total**2 / float(np.dot(weight, weight))
    shares = tables.sums.sum(axis=0) / total
    return SampleWeights(float(weight.min()), float(weight.max()), effective, shares.tolist())
