"""Build the report.

It contains no time, no project and no database id, and its parts are in a fixed order, so the same data, protocol and
choices give the same bytes in any database.
"""

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import numpy as np

from .. import __version__
from ..jobs import Progress
from ..judging.fact_scores import judges_with_scores
from ..models import Project
from ..rating.counting import count_excluded
from ..rating.question_language import count_question_languages
from ..site.database_snapshot import one_snapshot
from .choices import AUTO, DEFAULT, Choices
from .data import groups as breakdowns
from .data.groups import LEVEL, Cells, Groups, cells_of, one_group
from .data.judge_answers import ItemTexts
from .data.project_items import skipped_items
from .data.report_input import ReportInput, read_counts, read_report_input
from .data.response_scores import read_fact_scores, read_scores_of_rated
from .data.sample import sample_of
from .data.table import Counts, RatingTable
from .parts import (
    EFFECTIVE,
    PEOPLE_ALONE,
    STUDENTIZED,
    Cell,
    ExcludedResponses,
    Inference,
    ReportData,
    ReportMethod,
    ReportProtocol,
    ReportSoftware,
)
from .report import SCHEMA, Report
from .sections.aggregations.figures import aggregations
from .sections.agreement.figures import Agreement, Bootstrap, agreement, disagreements, rater_pairs
from .sections.crossed_models.figures import CrossedModel, crossed_models
from .sections.differences.figures import Comparison, Rank, comparisons, ranks
from .sections.fact_qa.figures import fact_qa_figures, without_verdict_shown
from .sections.hybrid.figures import Hybrid, hybrid_part, weighted_part
from .sections.judge.comparison import judge_summary
from .sections.judge.input import JudgeInput
from .sections.means.figures import correlation_rows, response_rows
from .sections.metrics.figures import metrics_against_people
from .sections.proportions.figures import PromptUnits, concentration
from .sections.raters.figures import raters_of
from .sections.scores.figures import cells_with_scores, score_comparisons
from .sections.sensitivity.figures import Study, exclusions, sensitivity, with_scores

STEPS = 8  # of freezing: seven here, then the figures


def build(
    project: Project,
    choices: Choices = DEFAULT,
    *,
    agreement_intervals: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Build the current report under these choices.

    Without `agreement_intervals`, slow figures are None: the intervals of agreement, pairs of raters, Dawid and Skene's
    estimates, crossed random-effects models, and of the sensitivity analyses all but the exclusion of raters with a
    quality alert. With it, as for freezing, every rating is read again. Raises ValueError for choices in which
    `Choices.problems` finds a problem.
    """
    if problems := choices.problems():
        raise ValueError("; ".join(f"{field}: {lines[0]}" for field, lines in problems.items()))
    progress = progress or Progress()
    progress(0, STEPS, "Reading ratings")
    with one_snapshot():
        data = read_report_input(project, choices)
        cells = cells_of(project.protocol.definition, data.table, choices)
        progress(1, STEPS, "Raters")
        raters = raters_of(data, cells)
        read, texts = JudgeInput(data, choices), ItemTexts()
        against_people = judge_summary(read, texts, with_versions=agreement_intervals)
        disputed, tie = disagreements(data.by_raters, cells, texts.read)
        sha256 = data.sha256
        translated = count_question_languages(project)
        combined, weighted = hybrid_part(read, cells), weighted_part(read, cells)
        verdict_shown = int(np.isin(data.by_raters.rating_id, read.verdict_shown).sum())
        fact_scores = [read_fact_scores(project, judge, choices) for judge in judges_with_scores(project)]
        metric_scores = read_scores_of_rated(project, data.table.responses.rated)
    report = _from_counts(
        project, choices, data.table, cells, data.left_out, slow=agreement_intervals, progress=progress
    )
    progress(4, STEPS, "Agreement between raters")
    bootstrap = Bootstrap(choices.resamples, choices.seed) if agreement_intervals else None
    report = msgspec.structs.replace(
        report,
        data=msgspec.structs.replace(
            report.data,
            sha256=sha256,
            items=len(data.table.items),
            raters=len(data.by_raters.raters),
            shown_in_translation=translated or None,
            verdict_shown=verdict_shown or None,
        ),
        inference=_with_judge(report.inference, combined),
        aggregations=aggregations(data.table.with_turned_answers(), cells, slow=agreement_intervals),
        agreement=_agreement(data, cells, bootstrap),
        disagreements=disputed,
        disagreement_tie=tie,
        raters=raters,
    )
    progress(5, STEPS, "Sensitivity")
    analyze = sensitivity if agreement_intervals else exclusions
    study = Study(data.table, cells, choices)
    analyses = with_scores(study, report, analyze(study, report))
    models = _crossed_models(data, cells, progress) if agreement_intervals else None
    rated = without_verdict_shown(report, data.table, cells, read.verdict_shown)
    return msgspec.structs.replace(
        report,
        sensitivity=analyses or None,
        crossed_models=models,
        hybrid=combined,
        fact_qa=[fact_qa_figures(scores, rated, choices) for scores in fact_scores] or None,
        judge_against_people=against_people,
        weighted_estimates=weighted,
        metrics=metrics_against_people(metric_scores, data.table, cells, choices, slow=agreement_intervals),
    )


def build_from_tally(project: Project, choices: Choices = DEFAULT, *, max_draws: int | None = None) -> Report:
    """Build the parts of the report that the tally alone gives; the time does not grow with the ratings of an item.

    Proportions by system and metadata, comparisons and ranks equal those of the full report. If clusters × resamples
    are more than `max_draws`, intervals are closed forms, and there are no comparisons and ranks: `resamples` is 0.
    Parts that need single ratings are empty: agreement, disagreements, raters, aggregations, the data's sha256. Filters
    that the tally cannot apply are ignored.
    """
    applied = choices.from_the_tally()
    with one_snapshot():
        ratings, left_out = read_counts(project, applied)
    if max_draws is not None and ratings.responses.clusters * applied.resamples > max_draws:
        applied = replace(applied, resamples=0)
    cells = cells_of(project.protocol.definition, ratings, applied)
    return _from_counts(project, applied, ratings, cells, left_out, slow=False, progress=Progress())


def build_closed_form(project: Project, choices: Choices = DEFAULT) -> Report:
    """Build the parts that counts by item give, with closed-form intervals: no comparisons and ranks, `resamples` is 0.

    All choices are applied; single ratings are read if the tally cannot apply them.
    """
    applied = replace(choices, resamples=0)
    with one_snapshot():
        if applied.needs_ratings:
            data = read_report_input(project, applied)
            ratings, left_out = data.table, data.left_out
        else:
            ratings, left_out = read_counts(project, applied)
    cells = cells_of(project.protocol.definition, ratings, applied)
    return _from_counts(project, applied, ratings, cells, left_out, slow=False, progress=Progress())


def _from_counts(
    project: Project,
    choices: Choices,
    ratings: RatingTable,
    cells: Cells,
    left_out: dict[str, int],
    *,
    slow: bool,
    progress: Progress,
) -> Report:
    """Build the parts that counts by item give; those that need single ratings are empty."""
    progress(2, STEPS, "Intervals of the proportions")
    overall, systems, by = _proportions(ratings, cells)
    by_prompt = PromptUnits(ratings, cells, choices)
    overall, systems = by_prompt.add_to_cells(overall, systems)
    progress(3, STEPS, "Comparing systems")
    compared, ranked = _comparisons_and_ranks(ratings, cells, choices)
    compared = by_prompt.add_to_comparisons(compared, comparisons)
    scores = score_comparisons(ratings, cells, choices) if choices.resamples else []
    scores = by_prompt.add_to_comparisons(scores, score_comparisons)
    pinned, documents = project.protocol, ratings.responses.shared_documents
    return Report(
        schema=SCHEMA,
        protocol=ReportProtocol(pinned.slug, pinned.version, pinned.sha256),
        software=ReportSoftware(__version__, np.__version__),
        data=ReportData(
            sha256="",
            ratings=int(ratings.counts.n.sum()),
            prompts=len(ratings.responses.prompts),
            responses=len(ratings.responses),
            assessed=overall.assessed,
            left_out=left_out,
            documents=documents,
            without_document=ratings.responses.documents.count(None) or None if documents is not None else None,
            items=None,
            raters=None,
            skipped=skipped_items(project, [response.key for response in ratings.responses.rated]),
            sample=sample_of(project),
            excluded=[ExcludedResponses(row.reason, row.responses, row.ratings) for row in count_excluded(project)]
            or None,
        ),
        method=ReportMethod(LEVEL, ratings.responses.cluster, choices.resamples, choices.seed),
        inference=_inference(choices, compared),
        filters=choices.filters(),
        overall=overall,
        systems=systems,
        by=by,
        multi_valued=breakdowns.multi_valued(ratings),
        without_value=breakdowns.without_value(ratings),
        concentration=concentration(ratings),
        correlations=correlation_rows(ratings, cells, slow=slow) if cells.protocol.means else None,
        responses=response_rows(ratings, cells) if cells.protocol.means else None,
        comparisons=compared,
        score_comparisons=scores or None,
        ranks=ranked,
        aggregations=[],
        agreement={},
        disagreements=[],
        raters=[],
    )


def _inference(choices: Choices, compared: list[Comparison]) -> Inference:
    """Return whether the unit was chosen, which statistic was tested, and the degrees of freedom of the intervals."""
    return Inference(choices.cluster != AUTO, STUDENTIZED if compared else None, EFFECTIVE)


def _with_judge(inference: Inference | None, hybrid: Hybrid | None) -> Inference | None:
    """Return the inference with the rule of λ, where there are estimates with a judge."""
    if inference is None or hybrid is None or hybrid.overall is None:
        return inference
    return msgspec.structs.replace(inference, constant_verdicts=PEOPLE_ALONE)


def _proportions(ratings: RatingTable, cells: Cells) -> tuple[Cell, list[Cell], dict[str, list[Cell]]]:
    """Compute `overall`, `systems` and `by` together; by rater and week only from single ratings."""
    cells.resample(ratings.counts, breakdowns.by_system(ratings))
    breakdowns_by_name = list(_breakdowns(ratings))
    overall, systems, *by = cells_with_scores(
        cells,
        [
            (ratings.counts, one_group(ratings.counts)),
            (ratings.counts, breakdowns.by_system(ratings)),
            *((entries, groups) for _, entries, groups in breakdowns_by_name),
        ],
    )
    names = (name for name, *_ in breakdowns_by_name)
    return overall[0], systems, dict(zip(names, by, strict=True))


def _breakdowns(ratings: RatingTable) -> Iterator[tuple[str, Counts, Groups]]:
    """Yield every metadata key, the raters, the weeks if there are several, then every metadata key within systems."""
    entries, keys = ratings.counts, breakdowns.metadata_keys(ratings)
    for name, key in keys.items():
        yield name, entries, breakdowns.by_metadata(ratings, key)
    if ratings.has_single_ratings:
        by_rater = ratings.counts_by_rater
        yield breakdowns.RATER, by_rater, breakdowns.by_rater(ratings)
        if len(ratings.weeks) > 1:
            yield breakdowns.WEEK, by_rater, breakdowns.by_week(ratings)
    for name, key in keys.items():
        yield f"{breakdowns.WITHIN_SYSTEM}{name}", entries, breakdowns.by_system_and_metadata(ratings, key)


def _comparisons_and_ranks(ratings: RatingTable, cells: Cells, choices: Choices) -> tuple[list[Comparison], list[Rank]]:
    """Compare and rank the systems; not without resamples."""
    if not choices.resamples:
        return [], []
    return comparisons(ratings, cells, choices), ranks(ratings, cells)


def _agreement(data: ReportInput, cells: Cells, bootstrap: Bootstrap | None) -> dict[str, Agreement]:
    """Compute agreement on the raters' own answers, adjudicated or not. The time for pairs of raters grows with the
    pairs of ratings of one item, so they are computed with the intervals.
    """
    pairs = rater_pairs(data.by_raters, cells) if bootstrap else {}
    by_question = agreement(data.by_raters, cells, bootstrap)
    return {key: msgspec.structs.replace(part, rater_pairs=pairs.get(key)) for key, part in by_question.items()}


def _crossed_models(data: ReportInput, cells: Cells, progress: Progress) -> list[CrossedModel]:
    """Fit the models to the raters' own answers, adjudicated or not. A canceled job stops within a fit."""
    message = "Crossed random-effects models"
    return crossed_models(data.by_raters, cells, lambda: progress(6, STEPS, message))
