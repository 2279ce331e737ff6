"""Build the report.

It contains no time, no project and no database id, and its parts are in a fixed order, so the same data, protocol and
choices give the same bytes in any database.
"""

from collections.abc import Collection
from dataclasses import replace

import msgspec
import numpy as np

from .. import __version__
from ..jobs import Progress
from ..models import Project
from ..rating.counting import count_excluded
from ..rating.rater_view import count_question_languages
from ..site.database_transactions import one_snapshot
from .choices import AUTO, DEFAULT, Choices
from .data.groups import LEVEL
from .data.project_items import skipped_items
from .data.sample import sample_of
from .data.study import Study, read_counts, read_study
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
from .sections import all_sections
from .sections.all_sections import (
    AGREEMENT,
    COMPARISONS,
    CROSSED_MODELS,
    PROPORTIONS,
    RATERS,
    READING,
    SECTIONS,
    SENSITIVITY,
)

STEPS = len(all_sections.STEPS) + 1  # of freezing: those of building, then the drawings
FROM_COUNTS = (PROPORTIONS, COMPARISONS)
"""The steps for which counts by item are sufficient."""


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
    progress(0, STEPS, READING)
    with one_snapshot():
        study = read_study(project, choices, is_slow=agreement_intervals, progress=progress)
        report = _with_sections(_empty_report(study), study, [RATERS])
        verdicts_shown = int(np.isin(study.by_raters.rating_id, study.verdict_shown).sum())
        data = msgspec.structs.replace(
            report.data,
            sha256=study.sha256,
            items=len(study.ratings.items),
            raters=len(study.by_raters.raters),
            shown_in_translation=count_question_languages(project) or None,
            verdict_shown=verdicts_shown or None,
        )
        _ = study.fact_scores, study.metric_scores  # read in the snapshot, computed after it
    slow = [CROSSED_MODELS] if agreement_intervals else []
    report = msgspec.structs.replace(report, data=data)
    return _with_sections(report, study, [*FROM_COUNTS, AGREEMENT, SENSITIVITY, *slow])


def build_from_tally(project: Project, choices: Choices = DEFAULT, *, max_draws: int | None = None) -> Report:
    """Build the parts of the report that the tally alone gives; the time does not grow with the ratings of an item.

    Proportions by system and metadata, comparisons and ranks equal those of the full report. If clusters × resamples
    are more than `max_draws`, intervals are closed forms, and there are no comparisons and ranks: `resamples` is 0.
    Parts that need single ratings are empty: agreement, disagreements, raters, aggregations, the data's sha256. Filters
    that the tally cannot apply are ignored.
    """
    with one_snapshot():
        study = read_counts(project, choices.from_the_tally())
        if max_draws is not None and study.ratings.responses.clusters * study.choices.resamples > max_draws:
            study = replace(study, choices=replace(study.choices, resamples=0))
        report = _empty_report(study)
    return _with_sections(report, study, FROM_COUNTS)


def build_closed_form(project: Project, choices: Choices = DEFAULT) -> Report:
    """Build the parts that counts by item give, with closed-form intervals: no comparisons and ranks, `resamples` is 0.

    All choices are applied; single ratings are read if the tally cannot apply them.
    """
    closed_form = replace(choices, resamples=0)
    with one_snapshot():
        study = (read_study if closed_form.needs_ratings else read_counts)(project, closed_form)
        report = _empty_report(study)
    return _with_sections(report, study, FROM_COUNTS)


def _with_sections(report: Report, study: Study, steps: Collection[str]) -> Report:
    """Return the report with the fields of the sections that are computed in these steps."""
    for number, step in enumerate(all_sections.STEPS):
        if step not in steps:
            continue
        study.progress(number, STEPS, step)
        for section in SECTIONS:
            if section.step == step and section.compute:
                report = msgspec.structs.replace(report, **section.compute(study))
        for section in SECTIONS:
            if section.step == step and section.compute_last:
                report = msgspec.structs.replace(report, **section.compute_last(study, report))
    has_hybrid = report.hybrid is not None and report.hybrid.overall is not None
    inference = Inference(
        study.choices.cluster != AUTO,
        STUDENTIZED if report.comparisons else None,
        EFFECTIVE,
        PEOPLE_ALONE if has_hybrid else None,
    )
    data = msgspec.structs.replace(report.data, assessed=report.overall.assessed)
    return msgspec.structs.replace(report, data=data, inference=inference)


def _empty_report(study: Study) -> Report:
    """Return the report without the fields of sections, and without what the data has only with single ratings."""
    project, ratings = study.project, study.ratings
    documents = ratings.responses.shared_documents
    excluded = [ExcludedResponses(row.reason, row.responses, row.ratings) for row in count_excluded(project)]
    data = ReportData(
        sha256="",
        ratings=int(ratings.counts.n.sum()),
        prompts=len(ratings.responses.prompts),
        responses=len(ratings.responses),
        assessed=0,
        left_out=study.left_out,
        documents=documents,
        without_document=ratings.responses.documents.count(None) or None if documents is not None else None,
        items=None,
        raters=None,
        skipped=skipped_items(project, [response.key for response in ratings.responses.rated]),
        sample=sample_of(project),
        excluded=excluded or None,
    )
    return Report(
        schema=SCHEMA,
        protocol=ReportProtocol(project.protocol.slug, project.protocol.version, project.protocol.sha256),
        software=ReportSoftware(__version__, np.__version__),
        data=data,
        method=ReportMethod(LEVEL, ratings.responses.cluster, study.choices.resamples, study.choices.seed),
        filters=study.choices.filters(),
        overall=Cell(ratings=0, assessed=0, options={}, questions={}, measures={}),
        systems=[],
        by={},
        comparisons=[],
        ranks=[],
        aggregations=[],
        agreement={},
        disagreements=[],
        raters=[],
    )
