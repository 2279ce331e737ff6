"""Compare a judge with people on a project's items: the computation behind `compare_judge` and the judge card."""

import hashlib
from collections.abc import Sequence

import numpy as np
from django.utils.translation import gettext_noop

from ..models import Judge, Project
from ..site.database_snapshot import one_snapshot
from .choices import DEFAULT, Choices
from .compute import judge_figures, judge_groups, judge_stability
from .compute.cells import LEVEL, cells_of
from .compute.judge_labels import JudgeLabels
from .data.arrays import MISSING, Indices, indices
from .data.comparable import Comparable, comparable
from .data.item_texts import read_item_texts
from .data.report_input import ReportInput, read_report_input
from .data.verdicts import JudgeAnswer, JudgeAnswers, judges_of, read_judge_answers
from .report import ReportMethod, ReportProtocol
from .report_parts.judge_comparison import JudgeComparison, JudgeCost, JudgeDescription, VersionDrift

SCHEMA = "factuary-judge-comparison/1"
UNEQUAL_SAMPLE = gettext_noop(
    "Items were drawn more often where a judge was unsure. The figures are not weighted for these unequal "
    "probabilities: they are not about all items, and must not be published as the quality of the judge."
)


def compare_judge(project: Project, judge: Judge, choices: Choices = DEFAULT) -> JudgeComparison:
    """Return the judge against the people's ratings that the report of these choices counts."""
    with one_snapshot():
        data, answers = read_report_input(project, choices), read_judge_answers(judge, project)
        versions = judges_of(project).filter(name=judge.name).exclude(pk=judge.pk)
        others = [read_judge_answers(version, project) for version in versions]
        return _comparison(data, comparable(project, data.by_raters, answers), others, choices)


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
    )


def _comparison(
    data: ReportInput, compared: Comparable, others: Sequence[JudgeAnswers], choices: Choices
) -> JudgeComparison:
    table, answers, pinned = compared.ratings, compared.answers, data.project.protocol
    labels = JudgeLabels.of(table, cells_of(pinned.definition, table), answers.rows)
    tables = judge_figures.confusion_tables(labels)
    match = judge_figures.label_figures(tables, choices)
    return JudgeComparison(
        schema=SCHEMA,
        judge=describe(answers.judge),
        protocol=ReportProtocol(pinned.slug, pinned.version, pinned.sha256),
        method=ReportMethod(LEVEL, table.responses.cluster, choices.resamples, choices.seed),
        items=int(labels.compared.sum()),
        verdicts=len(answers.rows) + compared.tuned + len(answers.failed),
        left_out=_left_out(labels, compared),
        excluded={"tuned": compared.tuned, "saw_verdict": compared.saw_verdict},
        notes=[UNEQUAL_SAMPLE] if data.project.sampling_design == Project.SamplingDesign.UNCERTAIN else [],
        labels=labels.options,
        confusion=tables.sum(axis=0).tolist(),
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
            "length": judge_groups.groups_by_quarter(labels, _word_counts(table.items.item_id.tolist())),
            "position": judge_groups.groups_by_quarter(labels, table.items.position + 1),
        },
        own_model=judge_groups.own_model(labels, answers.judge.model),
        consistency=judge_stability.sample_consistency(pinned.definition, answers.rows),
        versions=[_drift(labels, other) for other in others],
        runs=judge_stability.run_accuracies(labels, answers.rows),
        cost_usd=_cost(answers.rows),
        differing_items=judge_figures.differing_items(labels, answers.rows, read_item_texts),
    )


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


def _drift(labels: JudgeLabels, other: JudgeAnswers) -> VersionDrift:
    return judge_stability.version_drift(other.judge.label, labels, labels.of_judge(other.rows))


def _word_counts(item_ids: list[int]) -> Indices:
    texts = read_item_texts(item_ids)
    return indices(len(texts[item_id].split()) for item_id in item_ids)


def _cost(rows: Sequence[JudgeAnswer]) -> JudgeCost:
    costs = [row.cost for row in rows if row.cost is not None]
    total = sum(costs) if costs else None
    return JudgeCost(total, None if total is None else total / len(costs))
